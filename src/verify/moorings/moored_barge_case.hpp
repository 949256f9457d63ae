// The barge of 110 m on four chains that several groups look at, and what its lines do by exact catenaries over a rigid
// bed.
#pragma once

#include <string>
#include <vector>

#include "davit/math/types.hpp"
#include "verify/scenarios/scenario_run.hpp"

namespace davit::verify {

struct MooredBarge {
  static constexpr double depth = 50, length = 400, diameter = 0.076;
  static constexpr double fairlead_x = 55, fairlead_y = 20, fairlead_z = 1, anchor_x = 390, anchor_y = 220;
  static constexpr double water = 1025, gravity = 9.80665;

  std::string environment;  // more keys of it
  std::string vessel;       // more keys of the barge
  std::string line;         // more keys of every line
  std::string bow_port;     // more keys of this one
  std::string forces;       // more lines of them
  std::string top;          // more lines at the top of the file
  double step = 0.2;
  int elements = 80;

  std::string text() const;
  ScenarioRun run() const { return ScenarioRun(text()); }

  // Horizontal force and moment about the vertical of the lines on the barge that is moved by x and y and turned by
  // yaw; `lines`: all four (bow port, bow starboard, stern port, stern starboard), or some.
  static Vec3 pull(double x, double y, double yaw, const std::vector<int>& lines = {0, 1, 2, 3});
  // ∂(force, force, moment)/∂(x, y, yaw) with its sign changed, where it is at rest.
  static Mat3 stiffness();
  // Where the lines hold a horizontal force.
  static Vec3 offset(const Vec3& force, const std::vector<int>& lines = {0, 1, 2, 3});
};

// The same barge on a fan of equal chains, in waves.
std::string barge_in_waves(int lines, int elements, double step);

// Full periods between the crossings of zero of a channel, after a barge was let go: the mean of the first `periods`.
double measured_period(ScenarioRun& run, const std::string& channel, double step, int periods, double longest);

}  // namespace davit::verify
