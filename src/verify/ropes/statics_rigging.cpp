// The lift at rest beside hand calculations: slings of unequal length, loads that two cranes share, loads and hooks
// that hang askew, spreaders, skew; what a sudden load does to a rope; wind with a moment, and the Beaufort scale.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "davit/run/rope_use.hpp"
#include "davit/run/sinks.hpp"
#include "davit/sea/beaufort.hpp"
#include "davit/simulation/simulation.hpp"
#include "davit/statics/lift_at_rest.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double g = 9.80665;

std::vector<LiftAtRest> rests_of(const std::string& text) {
  const Scenario scenario = scenario_of(text);
  System system(*scenario.model);
  std::vector<LiftAtRest> lifts = find_lifts_at_rest(scenario, system);
  for (LiftAtRest& lift : lifts) {
    if (!lift.equilibrium.converged) throw std::runtime_error("no rest: " + lift.equilibrium.why);
    vary_rigging_of(lift, scenario, system);
  }
  return lifts;
}

const RopeAtRest& rope_of(const LiftAtRest& lift, const std::string& name) {
  for (const RopeAtRest& r : lift.ropes)
    if (r.name == name) return r;
  throw std::runtime_error("there is no rope " + name);
}

const RopeEndAtRest& end_of(const LiftAtRest& lift, const std::string& rope, const std::string& at) {
  for (const RopeEndAtRest& e : rope_of(lift, rope).ends)
    if (e.at == at) return e;
  throw std::runtime_error("there is no end at " + at);
}

constexpr const char* one_second = "run: {duration: 1 s, step: 10 ms}\n";

// Four slings from a fixed hook to the corners of a load: stiff ones, so that the hand formulas, which are of small
// displacements, are good to the strain. `shorter`: of the first sling.
struct FourSlings {
  double a = 4, b = 3, h = 12, mass = 100e3, EA = 3e10;
  double length() const { return std::sqrt(a * a + b * b + h * h); }
  double nominal() const { return mass * g / 4 * length() / h; }
  double stiffness() const { return EA / length(); }
  // With slings as they are stretched: T = W/4 l/√(l² - a² - b²), l = L (1 + T/EA).
  struct Exact {
    double tension, height;
  };
  Exact exact() const {
    Exact out{nominal(), h};
    for (int i = 0; i < 50; ++i) {
      const double l = length() * (1 + out.tension / EA);
      out.height = std::sqrt(l * l - a * a - b * b);
      out.tension = mass * g / 4 * l / out.height;
    }
    return out;
  }
  // By which a sling must be shorter for the other diagonal to carry nothing.
  double slack() const { return 4 * nominal() / stiffness(); }
  std::string text(double shorter, const std::string& more = {}) const {
    std::string ropes;
    const char* const names[] = {"fp", "ap", "as", "fs"};  // round the load
    for (int i = 0; i < 4; ++i)
      ropes += fmt::format("  sling_{0}: {{from: hook, to: load.{0}, EA: {1:.17g}, length: {2:.17g} m, mbl: 1 MN}}\n",
                           names[i], EA, length() - (i == 0 ? shorter : 0));
    return fmt::format(
        "davit: 1\ntitle: four slings\nbodies:\n"
        "  hook: {{at: [0, 0, {0:.17g} m]}}\n"
        "  load: {{joint: free, mass: {1:.17g} kg, centre: [0, 0, -2 m], box: {{size: [10 m, 8 m, 4 m]}}, points: {{"
        "fp: [{2}, {3}, 0], ap: [-{2}, {3}, 0], as: [-{2}, -{3}, 0], fs: [{2}, -{3}, 0]}}}}\n"
        "ropes:\n{4}{5}{6}",
        h, mass, a, b, ropes, more, one_second);
  }
};

void four_slings(Checker& check) {
  const FourSlings s;
  const double T = s.nominal(), source_tolerance = 1e-4;
  const std::string source = "exact: elastic share of four legs, to the strain";
  {
    const std::string name = "four slings of one length", exactly = "exact: statics of stretched slings";
    const auto [tension, height] = s.exact();
    const LiftAtRest lift = rests_of(s.text(0)).front();
    check.relative(name, "tension", "N", rounded(tension), exactly, rope_of(lift, "sling_fp").tension, 5e-6);
    check.relative(name, "angle to the vertical", "rad", rounded(std::atan2(std::hypot(s.a, s.b), height)), exactly,
                   rope_of(lift, "sling_fp").angle, 5e-6);
    check.relative(name, "sum on the load", "N", s.mass * g, exactly, lift.on_ropes.at(0).carried, 1e-9);
    const RopeEndAtRest& lug = end_of(lift, "sling_fp", "load.fp");
    check.relative(name, "pull at the lug, along x of the load", "N", rounded(-s.mass * g / 4 * s.a / height), exactly,
                   lug.force.x(), 5e-6);
    check.relative(name, "plane of the pull at the lug", "rad", rounded(std::atan2(-s.b, -s.a)), exactly, lug.plane,
                   5e-6);
  }
  {
    const std::string name = "one of four slings shorter by half of what slackens others";
    const LiftAtRest lift = rests_of(s.text(0.5 * s.slack())).front();
    check.relative(name, "tension on its diagonal", "N", rounded(1.5 * T), source, rope_of(lift, "sling_fp").tension,
                   source_tolerance);
    check.relative(name, "tension on the other", "N", rounded(0.5 * T), source, rope_of(lift, "sling_ap").tension,
                   source_tolerance);
  }
  {
    const std::string name = "one of four slings shorter by twice what slackens others";
    const LiftAtRest lift = rests_of(s.text(2 * s.slack())).front();
    check.relative(name, "tension on its diagonal", "N", rounded(2 * T), "exact: one diagonal carries all",
                   rope_of(lift, "sling_fp").tension, source_tolerance);
    check.absolute(name, "tension on the other", "N", 0, "exact: one diagonal carries all",
                   rope_of(lift, "sling_ap").tension, 1e-6);
  }
}

void skew(Checker& check) {
  const FourSlings s;
  const double T = s.nominal(), tolerance = 0.1 * s.slack() / 4;
  {
    const std::string name = "four slings, each longer or shorter by 10 % of its stretch";
    const std::string more =
        fmt::format("rigging: {{slings: [\"sling_*\"], length_tolerance: {:.17g} m}}\n", tolerance);
    const LiftAtRest lift = rests_of(s.text(0, more)).front();
    // Σ n (l + T/k) = 0 with n = ±1 round the load: k times the tolerance, when one diagonal is shorter and one longer.
    for (const char* const sling : {"sling_fp", "sling_ap", "sling_as", "sling_fs"})
      check.relative(name, std::string("largest tension, ") + sling, "N", rounded(T + s.stiffness() * tolerance),
                     "exact: elastic share of four legs, to the strain", *rope_of(lift, sling).largest, 1e-4);
    check.relative(name, "skew load factor", "", 1.1, "exact: elastic share of four legs, to the strain",
                   *rope_of(lift, "sling_as").skew_factor(), 1e-4);
  }
  {
    const std::string name = "four slings, each longer or shorter by twice its stretch";
    const std::string more =
        fmt::format("rigging: {{slings: [\"sling_*\"], length_tolerance: {:.17g} m}}\n", 2 * s.slack() / 4);
    const LiftAtRest lift = rests_of(s.text(0, more)).front();
    check.relative(name, "skew load factor", "", 2, "exact: one diagonal carries all, to the strain",
                   *rope_of(lift, "sling_ap").skew_factor(), 1e-4);
  }
  {
    const std::string name = "four slings, one diagonal with 1.33 times what the other carries";
    const LiftAtRest lift = rests_of(s.text(0, "rigging: {slings: [\"sling_*\"], diagonal_split: 1.33}\n")).front();
    check.relative(name, "skew load factor", "", rounded(2 * 1.33 / 2.33), "exact: by hand",
                   *rope_of(lift, "sling_fs").skew_factor(), 1e-6);
  }
  {
    // Unequal lugs: what is left of the balance of forces and of the split.
    const std::array<Vec3, 4> d = {Vec3(3, 2, -9).normalized(), Vec3(-4, 2.5, -9).normalized(),
                                   Vec3(-3, -3, -9).normalized(), Vec3(2.5, -1.5, -9).normalized()};
    const std::array<double, 4> T0 = {100, 140, 110, 150};
    const auto T1 = split_between_diagonals(d, T0, 1.5);
    // The larger tensions are those of a diagonal in its own turn: the other diagonal's follow from the balance.
    const auto up = [&](size_t i, double t) { return t * -d[i].z(); };
    double carried = 0;
    for (size_t i = 0; i < 4; ++i) carried += up(i, T0[i]);
    for (const auto& [i, k] : {std::pair<size_t, size_t>{0, 2}, {1, 3}})
      check.relative("four unequal slings with a split of 1.5", fmt::format("share of slings {} and {}", i + 1, k + 1),
                     "", 0.6, "exact: by hand", (up(i, (*T1)[i]) + up(k, (*T1)[k])) / carried, 1e-12);
  }
}

// A load on two vertical ropes, with its centre of gravity nearer to the first.
std::string two_cranes(const std::string& more) {
  return fmt::format(
      "davit: 1\ntitle: two cranes\nbodies:\n"
      "  west: {{at: [-10 m, 0, 40 m]}}\n"
      "  east: {{at: [14 m, 0, 40 m]}}\n"
      "  load: {{joint: free, mass: 240 t, centre: [0, 0, -3 m], box: {{size: [30 m, 6 m, 6 m]}}, points: {{west: [-10 "
      "m, 0, 0], east: [14 m, 0, 0]}}}}\n"
      "ropes:\n"
      "  hoist_west: {{from: west, to: load.west, EA: 1e11, length: 40 m}}\n"
      "  hoist_east: {{from: east, to: load.east, EA: 1e11, length: 40 m}}\n"
      "{}{}",
      more, one_second);
}

void shared_loads(Checker& check) {
  const double W = 240e3 * g;
  const LiftAtRest lift =
      rests_of(two_cranes("rigging: {centre_of_gravity: {of: load, x: 1.5 m, y: 0.2 m}}\n")).front();
  // The lever rule is of ropes that are vertical: to the turn of the load by their stretch.
  const std::string source = "exact: lever rule";
  check.relative("a load on two cranes", "tension of the west", "N", rounded(W * 14 / 24), source,
                 rope_of(lift, "hoist_west").tension, 1e-5);
  check.relative("a load on two cranes", "tension of the east", "N", rounded(W * 10 / 24), source,
                 rope_of(lift, "hoist_east").tension, 1e-5);
  check.relative("a load on two cranes, centre of gravity off by 1.5 m", "largest tension of the west", "N",
                 rounded(W * 15.5 / 24), source, *rope_of(lift, "hoist_west").largest, 1e-5);
  check.relative("a load on two cranes, centre of gravity off by 1.5 m", "largest tension of the east", "N",
                 rounded(W * 11.5 / 24), source, *rope_of(lift, "hoist_east").largest, 1e-5);
}

// A hook block on a rope, and on its lower eye a load with its centre of gravity off to one side.
void askew(Checker& check) {
  const double e = 0.8, h = 3;
  const Scenario scenario = scenario_of(fmt::format(
      "davit: 1\ntitle: askew\nbodies:\n"
      "  crane: {{at: [0, 0, 40 m]}}\n"
      "  hook: {{at: [0, 0, 20 m], joint: free, mass: 5 t, centre: [0.1 m, 0, 0], box: {{size: [1 m, 1 m, 1 m]}}, "
      "points: {{top: [0, 0, 1 m], eye: [0, 0, -1 m]}}}}\n"
      "  load: {{at: [0, 0, 10 m], joint: free, mass: 60 t, centre: [{} m, 0, -{} m], box: {{size: [6 m, 4 m, 4 m]}}, "
      "points: {{lug: [0, 0, 0]}}}}\n"
      "ropes:\n"
      "  hoist: {{from: crane, to: hook.top, EA: 1000 MN, length: 19 m}}\n"
      "  sling: {{from: hook.eye, to: load.lug, EA: 1000 MN, length: 9 m}}\n{}",
      e, h, one_second));
  System system(*scenario.model);
  const LiftAtRest lift = find_lifts_at_rest(scenario, system).front();
  const auto pitch = [&](size_t body) {
    system.evaluate(lift.equilibrium.state);
    return rpy_of_rotation<double>(rotation(system.workspace().kin, scenario.body_frames[body])).y();
  };
  check.absolute("a load with its centre of gravity off by e = 0.8 m, h = 3 m below its lug", "pitch", "rad",
                 rounded(std::atan2(e, h)), "exact: tan θ = e/h", pitch(2), 1e-6);
  // Of the hook: its own weight 0.1 m off and level with its middle, 65 t above it and 60 t below, each 1 m away.
  const double tilt = std::atan2(5 * 0.1, 65 * 1 + 60 * 1);
  check.absolute("a hook of 5 t with its centre of gravity off by 0.1 m", "pitch", "rad", rounded(tilt),
                 "exact: moments about its middle", pitch(1), 1e-7);
  check.relative("a load on a hook", "hook load", "N", 65e3 * g, "exact: statics", lift.on_ropes.at(0).carried, 1e-9);
  check.relative("a load on a hook", "pull at the load's lug from its z axis", "rad", rounded(std::atan2(e, h)),
                 "exact: tan θ = e/h", end_of(lift, "sling", "load.lug").from_z, 5e-6);
}

void spreader(Checker& check) {
  const double half = 6, rise = 8, W = 80e3 * g, w = 6e3 * g;
  const LiftAtRest lift =
      rests_of(fmt::format("davit: 1\ntitle: spreader\nbodies:\n"
                           "  hook: {{at: [0, 0, {0} m]}}\n"
                           "  bar: {{joint: free, mass: 6 t, box: {{size: [12 m, 0.5 m, 0.5 m]}}, points: {{left: "
                           "[-{1} m, 0, 0], right: "
                           "[{1} m, 0, 0]}}}}\n"
                           "  load: {{at: [0, 0, -10 m], joint: free, mass: 80 t, centre: [0, 0, -2 m], box: {{size: "
                           "[12 m, 4 m, 4 m]}}, "
                           "points: {{left: [-{1} m, 0, 0], right: [{1} m, 0, 0]}}}}\n"
                           "ropes:\n"
                           "  upper_left: {{from: hook, to: bar.left, EA: 1e11, length: 10 m}}\n"
                           "  upper_right: {{from: hook, to: bar.right, EA: 1e11, length: 10 m}}\n"
                           "  lower_left: {{from: bar.left, to: load.left, EA: 1e11, length: 10 m}}\n"
                           "  lower_right: {{from: bar.right, to: load.right, EA: 1e11, length: 10 m}}\n{2}",
                           rise, half, one_second))
          .front();
  check.relative("a spreader bar under two slings", "compression, (W + w)/2 tan α", "N",
                 rounded((W + w) / 2 * half / rise), "exact: statics", end_of(lift, "upper_left", "bar.left").force.x(),
                 1e-5);
  check.relative("a spreader bar under two slings", "tension of the slings above", "N",
                 rounded((W + w) / 2 * 10 / rise), "exact: statics", rope_of(lift, "upper_right").tension, 1e-5);
  check.relative("a spreader bar under two slings", "tension of the slings below", "N", rounded(W / 2),
                 "exact: statics", rope_of(lift, "lower_right").tension, 1e-5);
}

// A rope that is neither taut nor slack takes a load at once: T = W (1 - cos ωt).
void sudden_load(Checker& check) {
  const Scenario scenario = scenario_of(
      "davit: 1\ntitle: sudden\nbodies:\n"
      "  crane: {at: [0, 0, 20 m]}\n"
      "  load: {joint: {prismatic: z}, mass: 10 t}\n"
      "ropes:\n  hoist: {from: crane, to: load, EA: 50 MN, length: 20 m, mbl: 500 kN}\n"
      "run: {duration: 1 s, step: 0.2 ms, output: 10 ms, from_equilibrium: false, method: conserving}\n");
  System system(*scenario.model);
  const Preparation prepared = prepare(scenario, *scenario.make_stepper(), system);
  const RopesAtRest at_rest = ropes_at_rest(scenario, prepared, system);
  Monitors monitors(scenario.limits, recorded_channels(scenario));
  Simulation(scenario, prepared.start, {.sinks = {&monitors}}).run();
  std::vector<result::ChannelStatistics> statistics;
  const auto channels = recorded_channels(scenario);
  for (size_t i = 0; i < channels.size(); ++i) statistics.push_back({channels[i], monitors.statistics.results()[i]});
  const result::RopeUse use = rope_use(scenario, at_rest, prepared.start.state, statistics).at(0);
  check.relative("a load taken at once by a rope", "static tension", "N", rounded(10e3 * g), "exact: its weight",
                 use.at_rest.value_or(NAN), 1e-6);
  check.relative("a load taken at once by a rope", "dynamic amplification", "", 2, "exact: step load on a spring",
                 use.dynamic_factor().value_or(NAN), 1e-5);
  check.relative("a load taken at once by a rope", "utilisation", "", rounded(2 * 10e3 * g / 500e3), "exact: by hand",
                 use.utilisation().value_or(NAN), 1e-5);
}

// A block on a vertical pin with a spring turns in the wind until k θ = N(γ - θ).
void wind_moment(Checker& check) {
  const double V = 12, length = 20, side = 90, front = 40, k = 4e5, gamma = 30 * std::numbers::pi / 180;
  const double pressure = 0.5 * 1.225 * V * V;
  const auto scenario = [&](const std::string& more) {
    return scenario_of(
        fmt::format("davit: 1\ntitle: wind\nenvironment: {{wind: {{speed: {} m/s, heading: 30 deg}}}}\nbodies:\n"
                    "  block: {{joint: {{revolute: z}}, mass: 100 t, box: {{size: [20 m, 8 m, 4 m]}}}}\n"
                    "forces:\n"
                    "  pin: {{joint_spring: {{joint: block, stiffness: {} N m/rad}}}}\n"
                    "  wind_on_block: {{wind_area: {{on: block, areas: [{} m^2, {} m^2, 0], length: {} m, {}}}}}\n{}",
                    V, k, front, side, length, more, one_second));
  };
  const auto at_rest = [](const Scenario& s, const std::string& channel) {
    System system(*s.model);
    State state = s.initial_state();
    system.commit(state);
    const Equilibrium rest = find_equilibrium(system, state);
    if (!rest.converged) throw std::runtime_error(rest.why);
    system.evaluate(rest.state);
    for (const Channel& c : s.model->channels())
      if (c.name == channel) return c.value(rest.state, system.workspace());
    throw std::runtime_error("there is no channel " + channel);
  };
  const auto root = [&](const auto& moment) {
    double low = -1, high = 1;
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      (k * middle - moment(gamma - middle) < 0 ? low : high) = middle;
    }
    return low;
  };
  const double CN = 0.12, N = pressure * side * length;
  check.absolute("a block on a pin in oblique wind, C_N = -0.12 sin 2γ", "turn", "rad",
                 rounded(root([&](double a) { return -N * CN * std::sin(2 * a); })), "oracle: root of k θ = N(γ - θ)",
                 at_rest(scenario("yaw: 0.12"), "block.angle"), 1e-6);
  const std::string table =
      "table: {angles: [0, 90 deg, 180 deg], surge: [0.9, 0, -0.9], sway: [0, 1.1, 0], yaw: [0.08, -0.12, 0.03]}";
  const auto yaw = [](double a) { return 0.08 - 0.2 * a / (std::numbers::pi / 2); };
  const double turn = root([&](double a) { return N * yaw(a); });
  const Scenario measured = scenario(table);
  check.absolute("a block on a pin in oblique wind, coefficients of a table", "turn", "rad", rounded(turn),
                 "oracle: root of k θ = N(γ - θ)", at_rest(measured, "block.angle"), 1e-6);
  check.relative("a block on a pin in oblique wind, coefficients of a table", "moment", "N m", rounded(k * turn),
                 "exact: that of the spring", at_rest(measured, "wind_on_block.moment"), 1e-5);
  const double part = (gamma - turn) / (std::numbers::pi / 2);
  check.relative("a block on a pin in oblique wind, coefficients of a table", "force", "N",
                 rounded(pressure * std::hypot(0.9 * (1 - part) * front, 1.1 * part * side)), "exact: ½ρV² C A",
                 at_rest(measured, "wind_on_block.force"), 1e-5);
}

void beaufort(Checker& check) {
  const struct {
    int number;
    double hs, tp;
  } table[] = {{5, 1.65, 5.10}, {7, 3.60, 6.70}};
  for (const auto& row : table) {
    const std::string name = fmt::format("waves of Beaufort {}", row.number);
    sea::WavesSpec waves;
    waves.beaufort = row.number;
    const auto spectrum = sea::spectrum_of(waves, g);
    check.relative(name, "significant height", "m", row.hs, "published: thesis, Table 4-4",
                   4 * std::sqrt(spectrum->moment(0)), 1e-4);
    check.relative(name, "peak period", "s", row.tp, "published: thesis, Table 4-4",
                   2 * std::numbers::pi / spectrum->peak_frequency(), 1e-6);
  }
  // Least speed of each number, and of the one after the last there is none.
  const double least[] = {0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7, INFINITY};
  double outside = 0;
  for (int number = 0; number <= sea::highest_beaufort; ++number) {
    const double v = sea::beaufort_wind(number);
    outside = std::max({outside, least[number] - v, v - least[number + 1]});
  }
  check.at_most("wind of Beaufort 0 to 12", "farthest outside its class", "m/s", "published: classes of the WMO",
                outside, 0);
  check.relative("wind of Beaufort 5", "mean speed", "m/s", 9.35, "published: 0.836 B^1.5", sea::beaufort_wind(5),
                 1e-3);
}

}  // namespace

void statics_rigging(Checker& check) {
  four_slings(check);
  skew(check);
  shared_loads(check);
  askew(check);
  spreader(check);
  sudden_load(check);
  wind_moment(check);
  beaufort(check);
}

}  // namespace davit::verify
