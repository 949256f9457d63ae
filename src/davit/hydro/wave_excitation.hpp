// The force of waves on a hull: incident and diffracted wave together, Tysse & Egeland (71), at the hull's own place
// and heading but for its oscillation in waves (slow_place.hpp):
//
//   F = Re Σ aₙ Xₙ(βₙ − ψ) exp(i(ωₙt − kₙ·p + εₙ)),
//
// in axes that follow the hull's heading ψ but not its roll and pitch. (61) of the document has no p: every ship would
// meet the same wave wherever it is.
//
// With steps of one size, the sum is formed when a step begins (commit), at its beginning, middle and end for the place
// where the hull is then, with its slope by place and heading; inside the step the force follows from these, to first
// order in the way made since the step began. The phases go on by one complex multiplication per component, and are
// made anew from cosines every `resynchronise` steps. Other times than these three (steps of changing size) are summed
// by cosines.
#pragma once

#include <array>

#include "davit/hydro/hull_frame.hpp"
#include "davit/hydro/slow_place.hpp"
#include "davit/hydro/wave_force_table.hpp"
#include "davit/model/element.hpp"

namespace davit::hydro {

class WaveExcitation final : public ForceOf<WaveExcitation> {
 public:
  static constexpr int resynchronise = 1000;  // steps

  // `step`: of the run, 0 where it changes. `ramp`: seconds over which the waves come up at the start.
  WaveExcitation(std::string name, const Frame& frame, std::vector<sea::Component> components, WaveForceTable table,
                 double step, double ramp, SlowPlace place = {});
  std::string summary() const override;
  std::vector<ModeSlot> mode_slots() const override;
  int auxiliary_states() const override { return place_.states(); }
  void initial_z(double* z) const override { place_.initial(z); }
  bool commit(const ContextT<double>& c, Modes& modes) const override;

  // Force and its slope by x, y and heading; in axes that follow the heading.
  struct Sum {
    Vec6 force = Vec6::Zero();
    Eigen::Matrix<double, 6, 3> slope = Eigen::Matrix<double, 6, 3>::Zero();
  };
  // By cosines, at any time and place.
  Sum sum(double t, double x, double y, double heading) const;

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    place_.rates(c.z, hull, zdot);
    const std::array<S, 3> here = place_.value(c.z, hull);
    std::array<double, 3> about;
    const Sum at = look_up(value_of(c.kin.t), {value_of(here[0]), value_of(here[1]), value_of(here[2])}, c.modes,
                           c.first_slot, about);
    const std::array<S, 3> way = {here[0] - S(about[0]), here[1] - S(about[1]), here[2] - S(about[2])};
    Vec6T<S> force;
    for (int i = 0; i < 6; ++i) {
      force[i] = S(at.force[i]);
      for (int j = 0; j < 3; ++j) force[i] += S(at.slope(i, j)) * way[static_cast<size_t>(j)];
    }
    add_level_load<S>(loads, frame_, hull, here[2], force);
  }

 private:
  // The sum that holds at this time, and the place and heading it was made for.
  Sum look_up(double t, const std::array<double, 3>& here, const Modes& modes, int slot,
              std::array<double, 3>& about) const;
  double ramp_at(double t) const;
  // Adds component n, of force `unit` for unit amplitude, where it stands at `wave` = a exp(iθ).
  void add(Sum& sum, size_t n, const WaveForceTable::Force& unit, const std::complex<double>& wave) const;
  double phase(size_t n, double t, double x, double y) const;

  Frame frame_;
  std::vector<sea::Component> components_;
  std::vector<Vec2> wave_vectors_;  // of the components
  WaveForceTable table_;
  double step_, ramp_;
  SlowPlace place_;
  std::vector<std::complex<double>> half_turn_;  // exp(iω step/2)
};

}  // namespace davit::hydro
