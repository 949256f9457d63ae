// Ship, crane and payload in waves by a scenario with `equations: linear`, against the same written down a second time
// after Tysse & Egeland (99); and how far the full equations are from them.
#include <fmt/format.h>

#include "davit/hydro/open_database.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/methods/runge_kutta.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/third_party_data.hpp"
#include "verify/vessels/linear_ship_of.hpp"
#include "verify/vessels/ship_crane_replica.hpp"
#include "verify/vessels/vessel_cases.hpp"

namespace davit::verify {

namespace {

constexpr double step = 0.005, until = 10, kp = 1e8, kd = 1e7;
constexpr int every = 20;  // steps from look to look
constexpr const char* joints[] = {"king", "inner", "outer", "cross", "load"};
constexpr double start_angles[] = {0.5, 0.8, -0.5, -0.1, 0.15};

// The frame {0} of the document is at the hull's centre of gravity, z down: a half turn about x.
std::string text_of(const std::string& database, const Vec3& centre, const char* equations) {
  std::string text = fmt::format(
      "davit: 1\ntitle: ship and crane in waves\n"
      "environment: {{gravity: 9.81 m/s^2, "
      "waves: {{spectrum: jonswap, hs: 2.5 m, tp: 7 s, heading: 60 deg, frequencies: 30, seed: 2}}}}\n"
      "vessels: {{ship: {{hydrodynamics: {}, equations: {}, wave_ramp: 4 s}}}}\n"
      "bodies:\n"
      "  foundation: {{on: ship, at: [{:.17g} m, {:.17g} m, {:.17g} m], turn: [{{x: 180 deg}}], joint: fixed}}\n",
      database, equations, centre.x(), centre.y(), centre.z());
  struct Link {
    const char *on, *parameters, *body;
  };
  const Link links[] = {
      {"foundation", "alpha: -90 deg, d: -4 m, offset: 90 deg, reversed: true",
       "mass: 120 t, centre: [0, -2 m, 0], cylinder: {radius: 0.5 m, length: 4 m, axis: y}"},
      {"king", "a: 2.5 m", "mass: 100 t, centre: [-1.25 m, 0, 0], cylinder: {radius: 0.5 m, length: 2.5 m, axis: x}"},
      {"inner", "a: 2.5 m", "mass: 76 t, centre: [-1.25 m, 0, 0], cylinder: {radius: 0.5 m, length: 2.5 m, axis: x}"},
      {"outer", "alpha: 90 deg, offset: 90 deg", "mass: 0 kg"},
      {"cross", "alpha: -90 deg, offset: 90 deg",
       "mass: 150 t, centre: [0, 0, 10 m], inertia: [4e5 kg m^2, 4e5 kg m^2, 4e5 kg m^2]"},
  };
  for (size_t i = 0; i < 5; ++i)
    text += fmt::format("  {}: {{on: {}, denavit_hartenberg: {{{}}}, {}, start: {{angle: {} rad}}}}\n", joints[i],
                        links[i].on, links[i].parameters, links[i].body, start_angles[i]);
  text += "forces:\n";
  for (size_t i = 0; i < 3; ++i)
    text += fmt::format(
        "  {0}_spring: {{joint_spring: {{joint: {0}, stiffness: {1} N m/rad, rest: {2} rad}}}}\n"
        "  {0}_damper: {{joint_damper: {{joint: {0}, damping: {3} N m s/rad}}}}\n",
        joints[i], kp, start_angles[i], kd);
  return text + fmt::format("run: {{duration: {} s, step: {} s, method: rk4}}\n", until, step);
}

// Motions over time, a column at each look: of the ship in NED, then of the joints.
using Motions = Eigen::Matrix<double, 11, Eigen::Dynamic>;

Motions by_scenario(ScenarioRun& run, const Vec3& centre) {
  Frame frame = run.first();
  frame.offset.p = frame.offset * centre;
  Motions out(11, static_cast<int>(until / step) / every);
  for (Eigen::Index n = 0; n < out.cols(); ++n) {
    for (int i = 0; i < every; ++i) run.step(step);
    out.col(n).head<6>() = motion_in_ned(run.look(), frame, centre);
    for (int j = 0; j < 5; ++j) out(6 + j, n) = run.state().q[run.scenario().tree->body(joints[j]).q];
  }
  return out;
}

Motions by_replica(const LinearShip& ship) {
  ShipCraneReplica replica;
  replica.ship = ship;
  replica.kp = kp;
  replica.kd = kd;
  VecX y = VecX::Zero(22 + ship.A.rows());
  for (int j = 0; j < 5; ++j) y[6 + j] = start_angles[j];
  replica.wanted = y.segment<3>(6);
  const auto rates = [&](double t, const VecX& at) { return replica.rates(t, at); };
  Motions out(11, static_cast<int>(until / step) / every);
  for (int n = 0; n < out.cols() * every; ++n) {
    runge_kutta_step(rates, n * step, step, y);
    if ((n + 1) % every == 0) out.col(n / every) = y.head<11>();
  }
  return out;
}

// The largest difference of each kind of motion, of the largest motion of that kind since the start.
struct Kind {
  const char* name;
  int first, count;
};
constexpr Kind kinds[] = {
    {"surge, sway and heave", 0, 3}, {"roll, pitch and yaw", 3, 3}, {"crane angles", 6, 3}, {"load angles", 9, 2}};
double apart(const Motions& a, const Motions& b, const Kind& kind) {
  Motions travel = b;
  for (int j = 0; j < 5; ++j) travel.row(6 + j).array() -= start_angles[j];
  return (a - b).middleRows(kind.first, kind.count).cwiseAbs().maxCoeff() /
         travel.middleRows(kind.first, kind.count).cwiseAbs().maxCoeff();
}

void compare(Checker& check, const std::string& name, const std::string& database) {
  const Vec3 centre = hydro::open_database(database).bodies[0].loading->centre;
  ScenarioRun linear(text_of(database, centre, "linear")), full(text_of(database, centre, "full"));
  const Motions ours = by_scenario(linear, centre), theirs = by_replica(linear_ship_of(linear.scenario())),
                exact = by_scenario(full, centre);
  const std::string case_name = name + ", crane and payload in waves, 10 s";
  for (const Kind& kind : kinds)
    check.at_most(case_name, fmt::format("{}, of the largest", kind.name), "",
                  "oracle: Tysse & Egeland (99), written down a second time", apart(ours, theirs, kind), 1e-6);
  for (const Kind& kind : {Kind{"heave", 2, 1}, {"roll", 3, 1}, {"pitch", 4, 1}})
    check.trend(case_name, fmt::format("{} by full equations, distance from the linear, of the largest", kind.name), "",
                Checker::Side::below, 0.25, "oracle: Tysse & Egeland (99)", apart(exact, theirs, kind));
  // Weight is vertical and the restoring force is along the hull's own axis: a ship that heels is pushed sideways.
  check.trend(case_name, "sway by full equations, distance from the linear", "m", Checker::Side::above, 1,
              "oracle: Tysse & Egeland (99)", (exact - theirs).row(1).cwiseAbs().maxCoeff());
}

}  // namespace

void ship_crane_linear(Checker& check) { compare(check, "supply ship", in_source("vessels/supply_ship.h5")); }

void ship_crane_linear_by_others(Checker& check) {
  if (const auto folder = third_party_data("mss-supply"))
    compare(check, "supply vessel of MSS", (*folder / "supply.mat").string());
}

}  // namespace davit::verify
