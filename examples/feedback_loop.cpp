// Feedback in the loop of a run: a trolley is driven over 4.5 m and stopped, and the load swings. From the instant at
// which it is stopped the run goes on twice: the trolley stands, or gives way to the load. Fails where that does not
// damp it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <davit/api/lift_run.hpp>

namespace {

const char* const gantry = R"(
davit: 1
title: A load under a trolley
bodies:
  trolley: {at: [0, 0, 20 m], joint: {prismatic: x}, mass: 3 t}
  load: {on: trolley, joint: {revolute: y}, mass: 10 t, centre: [0, 0, -9 m]}
control:
  drive: {pid: {joints: [trolley], kp: 8 MN/m, kd: 800 kN s/m}}
run: {duration: 45 s, step: 10 ms, output: 0.1 s, method: conserving}
)";

constexpr double tick = 0.05;  // s

// Largest sway, in degrees, of the last 9 s: a period and a half.
double sway_to_the_end(davit::LiftRun run, const std::string& from, double gain) {
  run.restore(from);
  double largest = 0;
  while (!run.is_over()) {
    // A load under the trolley at a positive angle about y is behind it.
    run.drive("trolley", -gain * run.get("load.angle"));
    run.advance(run.time() + tick);
    if (run.time() > 36) largest = std::max(largest, std::abs(run.get("load.angle")));
  }
  const davit::LiftOutcome outcome = run.finish();
  if (!outcome.complete) std::printf("the run ended at %.3g s: %s\n", outcome.end, outcome.why.c_str());
  return largest * 180 / std::acos(-1.0);
}

}  // namespace

int main() {
  try {
    const davit::Lift lift = davit::Lift::parse(gantry);
    davit::LiftRun run = lift.begin();
    run.drive("trolley", 1.0);
    run.advance(4.5);
    run.drive("trolley", 0);
    run.advance(5.5);
    const std::string stopped = run.save();
    const double standing = sway_to_the_end(lift.begin(), stopped, 0),
                 giving = sway_to_the_end(lift.begin(), stopped, 4);
    std::printf("sway from 36 s to the end: %.3g deg with the trolley at rest, %.2g deg with feedback\n", standing,
                giving);
    return giving < 0.1 * standing ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
