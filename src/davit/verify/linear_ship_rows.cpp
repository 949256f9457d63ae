// A ship alone in regular waves by a scenario with `equations: linear`, against (78)–(79) written down a second time.
#include <fmt/format.h>

#include "davit/verify/data_of_others.hpp"
#include "davit/verify/linear_ship_of.hpp"
#include "davit/verify/text_run.hpp"
#include "davit/verify/vessel_cases.hpp"

namespace davit::verify {

namespace {

void compare(Checker& check, const std::string& name, const std::string& database) {
  constexpr double step = 0.02, until = 60;
  TextRun run(
      fmt::format("davit: 1\ntitle: ship in regular waves\n"
                  "environment: {{waves: {{spectrum: regular, height: 3 m, period: 8 s, heading: 60 deg}}}}\n"
                  "vessels: {{ship: {{hydrodynamics: {}, equations: linear, wave_ramp: 10 s}}}}\n"
                  "run: {{duration: {} s, step: {} s, method: rk4}}\n",
                  database, until, step));
  const LinearShip ship = linear_ship_of(run.scenario());
  const Vec3 centre = run.scenario().specification.bodies[0].second.centre;
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

void linear_ship(Checker& check) { compare(check, "supply ship", DAVIT_VESSELS "/supply_ship.h5"); }

void linear_ship_by_others(Checker& check) {
  if (const auto folder = data_of_others("mss-supply"))
    compare(check, "supply vessel of MSS", (*folder / "supply.mat").string());
}

}  // namespace davit::verify
