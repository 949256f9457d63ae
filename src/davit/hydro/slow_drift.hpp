// Mean and slowly varying drift of a hull in irregular waves, from the mean drift D(ω, β) in regular ones (Newman
// 1974): a pair of waves has ½(D + D') at the difference of their frequencies. With the arithmetic mean the double sum
//
//   F = Σₙ Σₘ aₙ aₘ ½(Dₙ + Dₘ) cos(θₙ − θₘ) = Re[ conj(Σ aₙ exp(iθₙ)) · Σ aₘ Dₘ exp(iθₘ) ]
//
// is a product of two sums. θ = ωt − k·p + ε at the hull's own place, D at its heading, forces in axes that follow the
// heading. There are no sums of frequencies in it: what oscillates fast has no part in drift.
//
// With steps of one size it is formed for windows of some steps on the hull's way (wave_window.hpp), otherwise at every
// evaluation. It comes up with the square of the wave ramp.
#pragma once

#include "davit/hydro/hull_frame.hpp"
#include "davit/hydro/wave_force_table.hpp"
#include "davit/model/element.hpp"

namespace davit::hydro {

class SlowDrift final : public ForceOf<SlowDrift> {
 public:
  // `drift`: WaveForceTable::of_drift for these components. `step`: of the run, 0 where it changes. `motions`: of which
  // drift is known, in words.
  SlowDrift(std::string name, const Frame& frame, std::vector<sea::Component> components, WaveForceTable drift,
            double step, double ramp, std::string motions);
  std::string summary() const override { return "slow drift by Newman's approximation in " + motions_; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }
  std::vector<DiscreteSlot> discrete_slots() const override;
  bool commit(const ContextT<double>& c, DiscreteState& discrete) const override;

  // The force in axes that follow the heading, without the ramp.
  Vec6 force(double t, const Vec2& place, double heading) const;

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    if (value_of(c.kin.t) <= 0) return;
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    const Vec6 now = force_at(value_of(c.kin.t), Vec2(value_of(hull.p.x()), value_of(hull.p.y())),
                              value_of(hull.heading()), c.discrete, c.first_slot);
    add_hull_load<S>(loads, frame_, hull, hull.level_axes(), Vec6T<S>(now.cast<S>()));
  }
  // Surge to yaw, in axes that follow the heading.
  Vec6 load(const ContextT<double>& c) const {
    const HullStateT<double> hull = hull_state(c.kin, frame_);
    return force_at(c.kin.t, hull.p.head<2>(), hull.heading(), c.discrete, c.first_slot);
  }

 private:
  Vec6 force_at(double t, const Vec2& place, double heading, const DiscreteState& discrete, int slot) const;

  Frame frame_;
  std::vector<sea::Component> components_;
  std::vector<Vec2> wave_vectors_;
  WaveForceTable drift_;
  double window_ = 0, ramp_;                // s; no windows: 0
  std::vector<std::complex<double>> turn_;  // of each component from node to node
  std::string motions_;
};

}  // namespace davit::hydro

namespace davit {
extern template class ForceOf<hydro::SlowDrift>;
}  // namespace davit
