// The force of waves on a hull: incident and diffracted wave together, Tysse & Egeland (71),
//
//   F = Re Σ aₙ Xₙ(βₙ − ψ) exp(i(ωₙt − kₙ·p + εₙ)),
//
// at the hull's mean place p and mean heading ψ, in level axes of that heading.
//
// A force of first order belongs to the mean place. Taken at the place that the hull has at every moment of its
// oscillation in the waves, it would have a part of second order with a mean, and that is a part of the drift which the
// database has already. So what the hull moves in the waves by linear theory,
//
//   ξ = Re Σ aₙ Hₙ Xₙ(βₙ − ψ) exp(i(ωₙt − kₙ·p + εₙ)),   H the receptance in surge, sway and yaw,
//
// is taken off its place and heading: p = (place) − ξ(p), which follows any slow motion at once, where a filter would
// lag behind. (61) of the document has no p: every ship would meet the same wave wherever it is. To do as the document
// does, p and ψ can be held where the run begins, and forces be in the axes of the hull.
//
// With steps of one size, the sums are formed for a window of some steps when it begins (commit; wave_window.hpp): the
// force and ξ at five times on the hull's way, and their slopes by place and heading at three. Within the window they
// are the polynomial through these, and follow to first order how far the hull is from that way. A component's phase
// goes on by complex multiplications, and is made anew from cosines every `resynchronise` windows. With steps of
// changing size everything is summed by cosines.
#pragma once

#include <array>
#include <optional>

#include "davit/hydro/load_axes.hpp"
#include "davit/hydro/wave_force_table.hpp"
#include "davit/model/element.hpp"
#include "davit/model/weather.hpp"

namespace davit::hydro {

// Surge, sway and yaw for unit forces, surge to yaw, at one frequency.
using HorizontalReceptance = Eigen::Matrix<std::complex<double>, 3, 6>;

// A sea as one hull meets it: its components with the hull's forces and motions, made once for a run.
class WavesOnHull {
 public:
  using Place = std::array<double, 3>;  // x, y and heading

  // `step`: of the run, 0 where it changes. `ramp`: seconds over which the waves come up at the start. `receptance`: of
  // each component; none: the hull is met at its own place.
  WavesOnHull(std::vector<sea::Component> components, WaveForceTable table, double step, double ramp,
              std::vector<HorizontalReceptance> receptance = {});

  // Force, and motion ξ in world axes, of the waves met at a mean place, with slopes by its x, y and heading.
  struct Sum {
    Vec6 force = Vec6::Zero();
    Eigen::Matrix<double, 6, 3> slope = Eigen::Matrix<double, 6, 3>::Zero();
    Vec3 motion = Vec3::Zero();
    Mat3 motion_slope = Mat3::Zero();
  };
  // By cosines, at any time and mean place, of waves so many times as high.
  Sum sum(double t, const Place& mean, double times = 1) const;
  Sum full_sum(double t, const Place& mean) const;  // without the ramp

  const std::vector<sea::Component>& components() const { return components_; }
  bool move_the_hull() const { return !receptance_.empty(); }

 private:
  friend class WaveExcitation;
  void leave_out_small_motions();

  std::vector<sea::Component> components_;
  std::vector<Vec2> wave_vectors_;  // of the components
  WaveForceTable table_;
  double window_ = 0, ramp_;  // s; no windows: 0
  double nearby_ = 0;         // m from the way of a window, to which its slopes are trusted
  std::vector<HorizontalReceptance> receptance_;
  std::vector<char> moves_;                 // whether a component moves the hull
  std::vector<std::complex<double>> turn_;  // exp(iω window/4)
};

class WaveExcitation final : public ForceOf<WaveExcitation> {
 public:
  static constexpr int resynchronise = 200;  // windows
  using Place = WavesOnHull::Place;
  using Sum = WavesOnHull::Sum;

  // Where and in which axes a hull meets the waves.
  struct Encounter {
    ForceAxes axes = ForceAxes::heading;
    std::optional<Place> held = {};  // met there throughout
    WeatherSignals weather = {};
  };

  WaveExcitation(std::string name, const Frame& frame, InEnvironment<WavesOnHull> waves, Encounter meeting)
      : ForceOf(std::move(name)), frame_(frame), waves_(std::move(waves)), encounter_(std::move(meeting)) {}
  std::string summary() const override { return "force of waves"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }
  std::vector<DiscreteSlot> discrete_slots() const override { return slots_for(waves_.always()); }
  std::vector<DiscreteSlot> discrete_slots_in(const Environment& around) const override {
    return slots_for(&waves_.in(&around));
  }
  bool remembers_environment() const override { return true; }
  bool commit(const ContextT<double>& c, DiscreteState& discrete) const override;

  // Where a hull is but for its motion in the waves.
  Place mean_place(const ContextT<double>& c) const;

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    const Met<S> met = meet<S>(c, hull);
    LoadAxes<S>(encounter_.axes, hull, met.mean[2]).add(loads, frame_, met.force);
  }
  // Surge to yaw, in the axes that it acts in.
  Vec6 load(const ContextT<double>& c) const { return meet<double>(c, hull_state(c.kin, frame_)).force; }

 private:
  template <class S>
  struct Met {
    std::array<S, 3> mean;  // place and heading
    Vec6T<S> force;
  };
  template <class S>
  Met<S> meet(const ContextT<S>& c, const HullStateT<S>& hull) const {
    const std::array<S, 3> here = place_of(hull);
    Place about;
    const Sum at =
        look_up(waves_.of(c.kin), value_of(c.kin.t), {value_of(here[0]), value_of(here[1]), value_of(here[2])},
                encounter_.weather.waves(c.kin), c.discrete, c.first_slot, about);
    Met<S> out;
    out.mean = mean_of<S>(here, at, about);
    for (int i = 0; i < 6; ++i) {
      out.force[i] = S(at.force[i]);
      for (size_t k = 0; k < 3; ++k) out.force[i] += S(at.slope(i, static_cast<int>(k))) * (out.mean[k] - S(about[k]));
    }
    return out;
  }
  template <class S>
  std::array<S, 3> place_of(const HullStateT<S>& hull) const {
    if (encounter_.held) return {S((*encounter_.held)[0]), S((*encounter_.held)[1]), S((*encounter_.held)[2])};
    return {hull.p.x(), hull.p.y(), hull.heading()};
  }
  // The mean place m for which m + ξ(m) is `here`, with ξ to first order about a place.
  template <class S>
  static std::array<S, 3> mean_of(const std::array<S, 3>& here, const Sum& at, const Place& about) {
    const Mat3 by_place = (Mat3::Identity() + at.motion_slope).inverse();
    Vec3T<S> away;
    for (size_t i = 0; i < 3; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      away[row] = here[i] - S(about[i] + at.motion[row]);
    }
    const Vec3T<S> moved = as<S>(by_place) * away;
    return {S(about[0]) + moved[0], S(about[1]) + moved[1], S(about[2]) + moved[2]};
  }

  std::vector<DiscreteSlot> slots_for(const WavesOnHull* waves) const;
  // The sum that holds at this time for a hull that is here, and the mean place it was made for.
  static Sum look_up(const WavesOnHull& waves, double t, const Place& here, double times, const DiscreteState& discrete,
                     int slot, Place& about);
  // The same by cosines.
  static Sum sum_here(const WavesOnHull& waves, double t, const Place& here, double times, Place& about);
  Place mean_speed(const WavesOnHull& waves, const ContextT<double>& c, const Place& mean) const;

  Frame frame_;
  InEnvironment<WavesOnHull> waves_;
  Encounter encounter_;
};

}  // namespace davit::hydro

namespace davit {
extern template class ForceOf<hydro::WaveExcitation>;
}  // namespace davit
