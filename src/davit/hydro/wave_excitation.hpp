// The force of waves on a hull: incident and diffracted wave together, Tysse & Egeland (71), at the hull's own place
// and heading but for its oscillation in waves (slow_place.hpp):
//
//   F = Re Σ aₙ Xₙ(βₙ − ψ) exp(i(ωₙt − kₙ·p + εₙ)),
//
// in axes that follow the hull's heading ψ but not its roll and pitch. (61) of the document has no p: every ship would
// meet the same wave wherever it is. To do as the document does, p and ψ can be held where the run begins, and forces
// be in the axes of the hull.
//
// With steps of one size, the sums are formed for a window of some steps when it begins (commit; wave_window.hpp): the
// force at five times on the hull's way, and its slopes by place and heading at three. Within the window the force is
// the polynomial through these, and follows to first order how far the hull is from that way. A component's phase goes
// on by complex multiplications, and is made anew from cosines every `resynchronise` windows. With steps of changing
// size everything is summed by cosines.
#pragma once

#include <array>

#include "davit/hydro/low_frequency_position.hpp"
#include "davit/hydro/wave_force_table.hpp"
#include "davit/model/element.hpp"

namespace davit::hydro {

class WaveExcitation final : public ForceOf<WaveExcitation> {
 public:
  static constexpr int resynchronise = 200;  // windows
  using Place = std::array<double, 3>;       // x, y and heading

  // `step`: of the run, 0 where it changes. `ramp`: seconds over which the waves come up at the start.
  WaveExcitation(std::string name, const Frame& frame, std::vector<sea::Component> components, WaveForceTable table,
                 double step, double ramp, LowFrequencyPosition place = {});
  std::string summary() const override;
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }
  std::vector<DiscreteSlot> discrete_slots() const override;
  int auxiliary_states() const override { return place_.states(); }
  void initial_z(double* z) const override { place_.initial(z); }
  bool commit(const ContextT<double>& c, DiscreteState& discrete) const override;

  // Force and its slope by x, y and heading; in axes that follow the heading.
  struct Sum {
    Vec6 force = Vec6::Zero();
    Eigen::Matrix<double, 6, 3> slope = Eigen::Matrix<double, 6, 3>::Zero();
  };
  // By cosines, at any time and place.
  Sum sum(double t, const Place& place) const;

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    place_.rates(c.z, hull, zdot);
    const std::array<S, 3> here = place_.value(c.z, hull);
    place_.heading.axes_at(hull, here[2]).add(loads, frame_, force<S>(c, here));
  }
  // Surge to yaw, in the axes that it acts in.
  Vec6 load(const ContextT<double>& c) const { return force<double>(c, place_.value(c.z, hull_state(c.kin, frame_))); }

 private:
  template <class S>
  Vec6T<S> force(const ContextT<S>& c, const std::array<S, 3>& here) const {
    Place about;
    const Sum at = look_up(value_of(c.kin.t), {value_of(here[0]), value_of(here[1]), value_of(here[2])}, c.discrete,
                           c.first_slot, about);
    Vec6T<S> out;
    for (int i = 0; i < 6; ++i) {
      out[i] = S(at.force[i]);
      for (size_t k = 0; k < 3; ++k) out[i] += S(at.slope(i, static_cast<int>(k))) * (here[k] - S(about[k]));
    }
    return out;
  }
  // The sum that holds at this time, and the place and heading it was made for.
  Sum look_up(double t, const Place& here, const DiscreteState& discrete, int slot, Place& about) const;

  Frame frame_;
  std::vector<sea::Component> components_;
  std::vector<Vec2> wave_vectors_;  // of the components
  WaveForceTable table_;
  double window_ = 0, ramp_;  // s; no windows: 0
  double nearby_ = 0;         // m from the way of a window, to which its slopes are trusted
  LowFrequencyPosition place_;
  std::vector<std::complex<double>> turn_;  // exp(iω window/4)
};

}  // namespace davit::hydro

namespace davit {
extern template class ForceOf<hydro::WaveExcitation>;
}  // namespace davit
