// The lift of scenarios/lift_off_quay.yaml in 16 s, changed for comparisons: on a quay without friction, on an elastic
// one, or hanging free from the start.
#pragma once

#include <functional>

#include "verify/scenarios/scenario_run.hpp"

namespace davit::verify {

struct CoupledLift {
  static constexpr double duration = 16, block_mass = 400e3;
  static Vec3 quay_place() { return {20, 41.18, 3}; }

  enum class Quay { rough, smooth, elastic, none };
  Quay quay = Quay::rough;
  double stiffness = 0;    // of the elastic quay, N/m at every corner
  bool directors = false;  // hook and block as director bodies in place of free joints
  bool taut = false;       // slings carry from the start on
  std::string method = "auto";
  double step = 0.02;  // s; zero: steps of the method's own choice

  Scenario scenario() const;
  // At rest in its equilibrium.
  ScenarioRun at_rest() const;
};

// A step that Newton's method took whole: one that it halves has the multipliers of its last part alone, so it is taken
// in parts from here. `after` is called after every part with its length.
void step_in_parts(ScenarioRun& run, double h, const std::function<void(double)>& after);

}  // namespace davit::verify
