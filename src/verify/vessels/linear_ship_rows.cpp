// A ship alone in regular waves by a scenario with `equations: linear`, against (78)–(79) written down a second time.
#include <fmt/format.h>

#include "davit/math/constants.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/methods/runge_kutta.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/third_party_data.hpp"
#include "verify/vessels/linear_ship_of.hpp"
#include "verify/vessels/mss_ship.hpp"
#include "verify/vessels/vessel_cases.hpp"

namespace davit::verify {

namespace {

constexpr double step = 0.02, until = 60, amplitude = 1.5, heading = pi / 3;

ScenarioRun ship_in_waves(const std::string& database, double frequency, double gravity) {
  return ScenarioRun(
      fmt::format("davit: 1\ntitle: ship in regular waves\n"
                  "environment: {{gravity: {} m/s^2, waves: {{spectrum: regular, height: {} m, "
                  "period: {:.17g} s, heading: {:.17g} rad}}}}\n"
                  "vessels: {{ship: {{hydrodynamics: {}, equations: linear, wave_ramp: 10 s}}}}\n"
                  "run: {{duration: {} s, step: {} s, method: rk4}}\n",
                  gravity, 2 * amplitude, 2 * pi / frequency, heading, database, until, step));
}

void compare(Checker& check, const std::string& name, ScenarioRun& run, const LinearShip& ship) {
  const Vec3 centre = run.scenario().bodies[0].second.centre;
  Frame frame = run.first();
  frame.offset.p = frame.offset * centre;
  VecX y = VecX::Zero(12 + ship.A.rows());
  const auto rates = [&](double t, const VecX& at) { return linear_ship_rates(ship, t, at); };
  Vec6 worst = Vec6::Zero(), largest = worst;
  for (int n = 0; n < static_cast<int>(until / step); ++n) {
    runge_kutta_step(rates, n * step, step, y);
    run.step(step);
    const Vec6 ours = motion_in_ned(run.look(), frame, centre);
    worst = worst.cwiseMax((ours - y.head<6>()).cwiseAbs());
    largest = largest.cwiseMax(y.head<6>().cwiseAbs());
  }
  for (const auto& [what, first] : {std::pair{"surge, sway and heave", 0}, {"roll, pitch and yaw", 3}})
    check.at_most(name + " in regular waves, linear equations, 60 s", fmt::format("{}, of the largest", what), "",
                  "oracle: Tysse & Egeland (78), (79), written down a second time",
                  worst.segment<3>(first).maxCoeff() / largest.segment<3>(first).maxCoeff(), 1e-6);
}

}  // namespace

void linear_ship(Checker& check) {
  ScenarioRun run = ship_in_waves(in_source("vessels/supply_ship.h5"), 2 * pi / 8, 9.80665);
  compare(check, "supply ship", run, linear_ship_of(run.scenario()));
}

void linear_ship_by_others(Checker& check) {
  const auto folder = third_party_data("mss-supply");
  if (!folder) return;
  const std::filesystem::path file = *folder / "supply.mat";
  const MssShip mss(file);
  const double frequency = mss.frequency_near(2 * pi / 8);
  ScenarioRun run = ship_in_waves(file.string(), frequency, 9.81);
  // Added mass as ω → ∞ and memory are not in the file: those of our fit. In NED headings go the other way round.
  LinearShip ship = linear_ship_of(run.scenario());
  mss.put_into(ship, amplitude, frequency, 2 * pi - heading);
  compare(check, "supply vessel of MSS", run, ship);
}

}  // namespace davit::verify
