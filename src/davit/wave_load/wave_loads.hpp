// The loads of waves on a hull: force of first order, slow drift, and what takes away the mean of other forces of first
// order (waves_on_hull.hpp).
//
// All belong to the mean place. Taken at the place that the hull has at every moment of its oscillation in the waves,
// a force of first order would have a part of second order with a mean, and that is a part of the drift which the
// database has already. So what the hull moves in the waves by linear theory, ξ, is taken off its place and heading:
// p = (place) − ξ(p), which follows any slow motion at once, where a filter would lag behind. (61) of Tysse & Egeland
// has no p: every ship would meet the same wave wherever it is. To do as the document does, p and ψ can be held where
// the run begins, and forces be in the axes of the hull.
//
// With steps of one size, the sums are formed for a window of some steps when it begins (commit; wave_window.hpp), on
// the way that the mean place is on. Within the window they follow to first order how far the hull is from that way;
// where it is too far, another window begins. Phases of components go on by complex multiplications, and are made anew
// from cosines every `resynchronise` windows. With steps of changing size everything is summed by cosines.
//
// Waves come up with the ramp, and with their height where somebody changes it; slow loads with the square of both.
#pragma once

#include <array>
#include <optional>

#include "davit/hull_load/load_axes.hpp"
#include "davit/model/element.hpp"
#include "davit/model/weather.hpp"
#include "davit/wave_load/waves_on_hull.hpp"

namespace davit::wave_load {

class WaveLoads final : public ForceOf<WaveLoads> {
 public:
  static constexpr int resynchronise = 200;  // windows
  using Place = WavesOnHull::Place;
  using Sum = WavesOnHull::Sum;

  // Where and in which axes a hull meets the waves.
  struct Encounter {
    hull_load::ForceAxes axes = hull_load::ForceAxes::heading;
    std::optional<Place> held = {};  // met there throughout
    WeatherSignals weather = {};
  };

  // `drifting`: motions of which slow drift is known, in words; none: empty.
  WaveLoads(std::string name, const Frame& frame, InEnvironment<WavesOnHull> waves, Encounter encounter,
            std::string drifting = {})
      : ForceOf(std::move(name)),
        frame_(frame),
        waves_(std::move(waves)),
        encounter_(std::move(encounter)),
        drifting_(std::move(drifting)) {}
  std::string summary() const override;
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
    const hull_load::HullStateT<S> hull = hull_load::hull_state(c.kin, frame_);
    const Met<S> met = meet<S>(c, hull);
    Vec6T<S> load = met.force;
    // Slow loads are small of second order: nothing is lost where they are in the axes of the hull.
    for (int i = 0; i < 6; ++i) load[i] += S(met.slow[i]);
    hull_load::LoadAxes<S>(encounter_.axes, hull, met.mean[2]).add(loads, frame_, load);
  }
  // Surge to yaw, in the axes that they act in: the force of first order, and slow drift.
  Vec6 first_order(const ContextT<double>& c) const {
    return meet<double>(c, hull_load::hull_state(c.kin, frame_)).force;
  }
  Vec6 drift(const ContextT<double>& c) const { return meet<double>(c, hull_load::hull_state(c.kin, frame_)).drift; }

 private:
  template <class S>
  struct Met {
    std::array<S, 3> mean;  // place and heading
    Vec6T<S> force;
    Vec6 drift, slow;  // slow: drift and what takes means away
  };
  template <class S>
  Met<S> meet(const ContextT<S>& c, const hull_load::HullStateT<S>& hull) const {
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
    const Vec3 beside(value_of(out.mean[0]) - about[0], value_of(out.mean[1]) - about[1],
                      value_of(out.mean[2]) - about[2]);
    out.drift = at.drift + at.drift_slope * beside;
    out.slow = out.drift + at.correction + at.correction_slope * beside;
    return out;
  }
  template <class S>
  std::array<S, 3> place_of(const hull_load::HullStateT<S>& hull) const {
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
  std::string drifting_;
};

}  // namespace davit::wave_load

namespace davit {
extern template class ForceOf<wave_load::WaveLoads>;
}  // namespace davit
