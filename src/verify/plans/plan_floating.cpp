// The floating crane of the block erection (003, 4.3.2): a block of 300 t goes by 10 m up and 1 m ahead while the
// crane's barge moves in the waves of Beaufort 5 and 7. The barge's motion is known to the plan from runs beforehand:
// one in which the crane holds the block, and one in which it goes by the plan of that.
#include <fmt/format.h>

#include "davit/run/run.hpp"
#include "davit/scenario/hull_motion.hpp"
#include "davit/test/source_tree.hpp"
#include "davit/test/temp_folder.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

struct Sea {
  const char* name;
  double height, period;
};

// Dimensions of boom and ropes are not published: typical ones.
std::string crane(const Sea& sea, const std::string& winch, const std::string& rest) {
  return fmt::format(
      "davit: 1\n"
      "title: a floating crane in waves from astern\n"
      "environment: {{waves: {{spectrum: jonswap, hs: {} m, tp: {} s, heading: 0 deg, frequencies: 60, seed: 3}}}}\n"
      "vessels: {{barge: {{hydrodynamics: {}, roll_damping: 0.03, position_keeping: {{period: 80 s}}}}}}\n"
      "bodies:\n"
      "  boom: {{on: barge, at: [40 m, 0, 5 m], joint: {{revolute: -y}}, mass: 200 t, centre: [35 m, 0, 0], box: "
      "{{size: "
      "[70 m, 4 m, 4 m]}}, start: {{angle: 60 deg}}, points: {{tip: [70 m, 0, 0]}}}}\n"
      "  block: {{on: boom.tip, level: true, at: [0, 0, -40 m], coordinates: particle, mass: 300 t}}\n"
      "ropes: {{hoist: {{from: boom.tip, to: block, EA: 3000 MN, tension: 2942 kN, damping: 20 ms}}}}\n"
      "winches: {{winch: {{rope: hoist, mode: {}, drum: {{radius: 1 m, inertia: 20000 kg m^2}}}}}}\n{}",
      sea.height, sea.period, in_source("vessels/barge_110x46_18851t.h5"), winch, rest);
}

std::string holding(const Sea& sea) {
  return crane(
      sea, "length",
      "constraints: {luffing: {motion: {joint: boom}}}\nrun: {duration: 120 s, step: 20 ms, output: 100 ms}\n");
}

// The sea outlasts the plan by what the spline needs beside it.
std::string tracking(const Sea& sea, const std::filesystem::path& recorded, const std::string& sensor) {
  return crane(
      sea, "force",
      fmt::format("plan:\n"
                  "  inputs: [boom, winch]\n"
                  "  outputs: {{block: {{point: block, along: xz, by: [1 m, 0, 10 m]}}}}\n"
                  "  hulls: {{barge: {{motion: {}}}}}\n"
                  "  over: 60 s\n  rest: 40 s\n  step: 50 ms\n  method: minimal_extension\n  scheme: radau\n"
                  "control:\n  crane:\n    track: {{law: lqr, sample_time: 20 ms, weights: {{error: 0.1, rate: "
                  "0.2, integral: 1, inputs: {{boom: 20 MN m, winch: 200 kN m}}}}{}}}\n"
                  "run: {{duration: 100 s, step: 20 ms, output: 100 ms}}\n",
                  recorded.string(), sensor));
}

// Runs a text into a folder, and gives the largest error of the block there, after the first samples.
double carried_into(const std::filesystem::path& folder, const std::string& text) {
  const Scenario scenario = scenario_of(text);
  RunSettings settings;
  settings.directory = folder;
  if (run_scenario(scenario, settings).outcome.status != RunStatus::complete)
    throw std::runtime_error("a run of the floating crane broke");
  const auto result = result::Result::open(folder / "result.h5", result::Origin::this_process);
  double most = 0;
  for (const char* row : {"crane.error.block.1", "crane.error.block.2"})
    if (result.find(row))
      for (const double error : result.channel(row)) most = std::max(most, std::abs(error));
  return most;
}

}  // namespace

void plan_floating(Checker& check) {
  const std::string published = "published: thesis 003, 4.3.2, 3 mm in both seas";
  for (const Sea& sea : {Sea{"Beaufort 5", 1.65, 5.1}, Sea{"Beaufort 7", 3.6, 6.7}}) {
    const test::TempFolder folder;
    const auto at = [&](const char* name) { return folder.path() / name; };
    carried_into(at("held"), holding(sea));
    const double once = carried_into(at("once"), tracking(sea, at("held"), ""));
    const double twice = carried_into(at("twice"), tracking(sea, at("once"), ""));
    const double late = carried_into(
        at("late"), tracking(sea, at("once"), ", sensor: {delay: 40 ms, place_noise: 2e-5, speed_noise: 2e-4}"));
    check.at_most(sea.name, "block beside its way, barge as it moved with the block held", "m",
                  "invariant: what the plan does not know the feedback holds", once, 0.03);
    check.at_most(sea.name, "block beside its way, barge as it moved under the plan of that", "m", published, twice,
                  0.003);
    check.at_most(sea.name, "the same, state known 40 ms late with noise", "m", published, late, 0.003);
  }
}

}  // namespace davit::verify
