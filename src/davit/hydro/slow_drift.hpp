// Mean and slowly varying drift of a hull in irregular waves, from the mean drift D(ω, β) in regular ones (Newman
// 1974): a pair of waves has ½(D + D') at the difference of their frequencies. With the arithmetic mean the double sum
//
//   F = Σₙ Σₘ aₙ aₘ ½(Dₙ + Dₘ) cos(θₙ − θₘ) = Re[ conj(Σ aₙ exp(iθₙ)) · Σ aₘ Dₘ exp(iθₘ) ]
//
// is a product of two sums. θ = ωt − k·p + ε at the hull's own place, D at its heading, forces in axes that follow the
// heading. There are no sums of frequencies in it: what oscillates fast has no part in drift.
//
// Another force of the same form takes away what the other forces on the hull have on average (linear_response.hpp), so
// that the mean is that of the database. It acts, but is not shown as drift.
//
// With steps of one size it is formed for windows of some steps on the hull's way (wave_window.hpp), otherwise at every
// evaluation. It comes up with the square of the wave ramp,
// and goes with that of the height of the waves where somebody changes it.
#pragma once

#include "davit/hydro/hull_frame.hpp"
#include "davit/hydro/wave_force_table.hpp"
#include "davit/model/element.hpp"
#include "davit/model/weather.hpp"

namespace davit::hydro {

// Mean loads of a sea on one hull, made once for a run.
class DriftOnHull {
 public:
  // `drift`: WaveForceTable::of_drift for these components. `step`: of the run, 0 where it changes. `ramp`: s.
  DriftOnHull(std::vector<sea::Component> components, WaveForceTable drift, double step, double ramp);

  // In axes that follow the heading: drift, and what takes the mean of other forces away.
  struct SlowForce {
    Vec6 drift = Vec6::Zero(), correction = Vec6::Zero();
  };
  // Without the ramp.
  SlowForce force(double t, const Vec2& place, double heading) const;

 private:
  friend class SlowDrift;
  std::vector<sea::Component> components_;
  std::vector<Vec2> wave_vectors_;
  WaveForceTable drift_;
  double window_ = 0, ramp_;                // s; no windows: 0
  std::vector<std::complex<double>> turn_;  // of each component from node to node
};

class SlowDrift final : public ForceOf<SlowDrift> {
 public:
  using SlowForce = DriftOnHull::SlowForce;

  // `motions`: of which drift is known, in words; none: empty.
  SlowDrift(std::string name, const Frame& frame, InEnvironment<DriftOnHull> waves, std::string motions,
            WeatherSignals weather = {})
      : ForceOf(std::move(name)),
        frame_(frame),
        waves_(std::move(waves)),
        motions_(std::move(motions)),
        weather_(weather) {}
  std::string summary() const override;
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }
  std::vector<DiscreteSlot> discrete_slots() const override;
  bool remembers_environment() const override { return true; }
  bool commit(const ContextT<double>& c, DiscreteState& discrete) const override;

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    if (value_of(c.kin.t) <= 0) return;
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    const SlowForce now =
        force_at(waves_.of(c.kin), value_of(c.kin.t), Vec2(value_of(hull.p.x()), value_of(hull.p.y())),
                 value_of(hull.heading()), weather_.waves(c.kin), c.discrete, c.first_slot);
    add_hull_load<S>(loads, frame_, hull, hull.level_axes(), Vec6T<S>((now.drift + now.correction).cast<S>()));
  }
  // Of drift, surge to yaw, in axes that follow the heading.
  Vec6 load(const ContextT<double>& c) const {
    const HullStateT<double> hull = hull_state(c.kin, frame_);
    return force_at(waves_.of(c.kin), c.kin.t, hull.p.head<2>(), hull.heading(), weather_.waves(c.kin), c.discrete,
                    c.first_slot)
        .drift;
  }

 private:
  // Of waves so many times as high.
  static SlowForce force_at(const DriftOnHull& waves, double t, const Vec2& place, double heading, double times,
                            const DiscreteState& discrete, int slot);

  Frame frame_;
  InEnvironment<DriftOnHull> waves_;
  std::string motions_;
  WeatherSignals weather_;
};

}  // namespace davit::hydro

namespace davit {
extern template class ForceOf<hydro::SlowDrift>;
}  // namespace davit
