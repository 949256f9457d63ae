// Lines as parts of a system: beds with a slope, junctions of lines, lines that break; against exact catenaries.
#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <functional>

#include "davit/cable/catenary.hpp"
#include "davit/mooring/catalogue.hpp"
#include "davit/run/preparation.hpp"
#include "davit/verify/moored_barge_case.hpp"
#include "davit/verify/mooring_lines.hpp"
#include "davit/verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double g = 9.80665, water = 1025;

// Newton's method in two unknowns with differences, from a guess that is near.
Vec2 solve_two(Vec2 x, const std::function<Vec2(const Vec2&)>& f, const Vec2& scale) {
  for (int i = 0; i < 60; ++i) {
    const Vec2 at = f(x);
    Eigen::Matrix2d slope;
    for (int k = 0; k < 2; ++k) {
      Vec2 p = x;
      p[k] += 1e-6 * scale[k];
      slope.col(k) = (f(p) - at) / (1e-6 * scale[k]);
    }
    const Vec2 change = -slope.inverse() * at;
    x += change;
    if (std::abs(change.x()) < 1e-10 * scale.x() && std::abs(change.y()) < 1e-10 * scale.y()) break;
  }
  return x;
}

// A line on a smooth rigid slope that rises by α from the anchor, tangent to it where it leaves: on the slope the
// tension grows by w sin α per metre, above it the line is a catenary that begins with H = T₀ cos α, V = T₀ sin α.
// Unknown are T₀ and the length on the slope.
double tension_on_slope(const cable::UniformLine& line, double slope, double span, double height, const Vec2& guess) {
  const auto end = [&](double T0, double grounded) {
    const double w = line.weight, up = line.length - grounded, H = T0 * std::cos(slope), V = T0 * std::sin(slope);
    const double on = grounded * (1 + T0 / line.EA) - 0.5 * w * std::sin(slope) * grounded * grounded / line.EA;
    const double top = V + w * up;
    const double x = H * up / line.EA + H / w * (std::asinh(top / H) - std::asinh(V / H));
    const double z = (V * up + 0.5 * w * up * up) / line.EA + (std::hypot(H, top) - std::hypot(H, V)) / w;
    return Vec2(on * std::cos(slope) + x, on * std::sin(slope) + z);
  };
  const Vec2 found = solve_two(guess, [&](const Vec2& p) -> Vec2 { return end(p.x(), p.y()) - Vec2(span, height); },
                               {guess.x(), line.length});
  const double up = line.length - found.y();
  return std::hypot(found.x() * std::cos(slope), found.x() * std::sin(slope) + line.weight * up);
}

void on_a_slope(Checker& check) {
  const double weight = 203.9 * g, EA = 61.56e6;
  for (const double degrees : {5.0, -5.0}) {
    const double slope = degrees * std::numbers::pi / 180;
    cable::Bed bed = thesis_bed(-50);
    bed.stiffness = 1e6;
    bed.normal = Vec3(-std::sin(slope), 0, std::cos(slope));
    MooredLine moored(cable::Line({thesis_chain(170, 340)}, {}, bed, {}));
    // Taut enough that no part of it slides down the slope.
    const double span = degrees > 0 ? 162 : 155;
    const Vec3 a(0, 0, -50), b(span, 0, -15);
    moored.settle(a, b);
    const cable::LineView view = moored.view();
    const double exact =
        tension_on_slope({170, weight, EA}, slope, span, 35,
                         {view.tension[static_cast<size_t>(2 * view.grounded_length)], view.grounded_length});
    check.relative(fmt::format("chain on a bed that {} by 5 deg from the anchor", degrees > 0 ? "rises" : "falls"),
                   "tension at the fairlead", "N", rounded(exact), "exact: line on a smooth rigid slope",
                   view.tension_b, 2e-3);
  }
}

cable::UniformLine wire(double diameter, double length) {
  const cable::Section s = mooring::typical_section(mooring::LineKind::wire, diameter, mooring::ChainGrade::R3);
  return {length, (s.mass - water * s.displacement) * g, s.EA};
}

// A long wire from an anchor to a junction of 500 kg, and two legs from there to fixed points beside each other.
void bridle(Checker& check) {
  const std::string text =
      "davit: 1\ntitle: bridle\nbodies:\n  junction: {coordinates: particle, mass: 500 kg, at: [293 m, 0, -19 m]}\n"
      "forces:\n"
      "  main: {mooring_line: {anchor: [0, 0, -60 m], to: junction, "
      "sections: [{type: wire, diameter: 80 mm, length: 300 m, elements: 120}]}}\n"
      "  port: {mooring_line: {anchor: [330 m, 20 m, -2 m], to: junction, "
      "sections: [{type: wire, diameter: 60 mm, length: 45 m, elements: 60}]}}\n"
      "  starboard: {mooring_line: {anchor: [330 m, -20 m, -2 m], to: junction, "
      "sections: [{type: wire, diameter: 60 mm, length: 45 m, elements: 60}]}}\n"
      "run: {duration: 1 s, step: 0.01 s, from_equilibrium: true}\n";
  ScenarioRun run(text);
  run.state() = find_start(run.scenario(), run.system(), true).state;
  run.begin();
  const Vec3 at = position(run.look(), run.first());

  const cable::UniformLine main = wire(0.080, 300), leg = wire(0.060, 45);
  const auto curves = [&](const Vec2& p) {
    const double ahead = 330 - p.x(), leg_span = std::hypot(ahead, 20.0);
    return std::tuple(cable::hanging_catenary(main, p.x(), p.y() + 60).value(),
                      cable::hanging_catenary(leg, leg_span, -2 - p.y()).value(), ahead / leg_span);
  };
  const Vec2 exact =
      solve_two(Vec2(at.x(), at.z()),
                [&](const Vec2& p) -> Vec2 {
                  const auto [long_one, one_leg, share] = curves(p);
                  return {2 * one_leg.H * share - long_one.H, 2 * one_leg.V_lower - long_one.V_upper - 500 * g};
                },
                {1, 1});
  const auto [long_one, one_leg, share] = curves(exact);
  const std::string name = "bridle: a wire of 300 m, a junction and two legs of 45 m",
                    source = "exact: elastic catenaries";
  check.relative(name, "depth of the junction", "m", rounded(-exact.y()), source, -at.z(), 2e-3);
  check.relative(name, "tension of the wire at the junction", "N", rounded(long_one.tension_upper()), source,
                 run.channel("main.tension"), 2e-3);
  check.relative(name, "tension of a leg at its upper end", "N", rounded(one_leg.tension_upper()), source,
                 run.channel("port.anchor_tension"), 2e-3);
}

// One of four lines lets go at 20 s; the barge comes to rest where the other three hold it.
void one_line_broken(Checker& check) {
  const std::string push = "  push: {wrench: {on: barge, force: [2e5 N, 1e5 N, 0]}}\n";
  ScenarioRun run = MooredBarge{.bow_port = ", breaks: {at: 20 s}", .forces = push}.run();
  run.begin();
  while (run.state().t < 19.7) run.step(0.2);
  run.look();
  const double before = run.channel("bow_port.tension");
  while (run.state().t < 20.1) run.step(0.2);
  run.look();
  const std::string name = "barge of 110 m on four chains, one of which breaks";
  check.at_most(name, "tension of the broken line over that before", "", "exact: none",
                run.channel("bow_port.tension") / before, 0);
  // The equilibrium of what is left.
  run.state().u.setZero();
  const Equilibrium rest = find_equilibrium(run.system(), run.state());
  if (!rest.converged) throw std::runtime_error("no equilibrium without the line: " + rest.why);
  const Vec3 exact = MooredBarge::offset({2e5, 1e5, 0}, {1, 2, 3});
  run.state() = rest.state;
  run.look();
  const std::string source = "exact: elastic catenaries over a rigid bed, three lines";
  check.relative(name, "offset along", "m", rounded(exact.x()), source, run.channel("barge.position_x"), 0.01);
  check.relative(name, "offset across", "m", rounded(exact.y()), source, run.channel("barge.position_y"), 0.01);
}

}  // namespace

void mooring_system(Checker& check) {
  on_a_slope(check);
  bridle(check);
  one_line_broken(check);
}

}  // namespace davit::verify
