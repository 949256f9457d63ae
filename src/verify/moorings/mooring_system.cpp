// Lines as parts of a system: beds with a slope, junctions of lines, lines that break; against exact catenaries.
#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <functional>

#include "davit/cable/catenary.hpp"
#include "davit/mooring/catalogue.hpp"
#include "davit/simulation/preparation.hpp"
#include "verify/moorings/moored_barge_case.hpp"
#include "verify/moorings/mooring_lines.hpp"
#include "verify/verify.hpp"

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

// A line that is hauled in slowly is the exact catenary of what is left of it.
void hauled_in(Checker& check) {
  cable::Bed bed = thesis_bed(-50);
  bed.stiffness = 1e6;
  MooredLine moored(cable::Line({thesis_chain(170, 170)}, {}, bed, {}, {}, {.least = -8, .most = 4}));
  const Vec3 a(0, 0, -50), b(140, 0, 0);
  moored.settle(a, b);
  constexpr double h = 0.1, speed = 0.05;
  double time = 0, paid_out = 0;
  for (const double to : {-8.0, 4.0}) {
    const double rate = to < paid_out ? -speed : speed;
    while ((to - paid_out) * rate > 1e-9) {
      paid_out += rate * h;
      moored.step_paying_out(time, h, a, b, {paid_out, rate, 0});
      time += h;
    }
    for (int i = 0; i < 300; ++i, time += h) moored.step_paying_out(time, h, a, b, {paid_out, 0, 0});
    const auto exact = cable::grounded_catenary({170 + to, 203.9 * g, 61.56e6}, 140, 50);
    check.relative(fmt::format("chain of 170 m, {} m {} at 0.05 m/s", std::abs(to), to < 0 ? "taken in" : "paid out"),
                   "tension at the fairlead", "N", rounded(exact.value().tension_upper()),
                   "exact: elastic catenary over a rigid bed", moored.view().tension_b, 5e-3);
  }
}

// A mass of 20 t on 100 m of wire, taken in by 60 m at up to 1 m/s. What the winch does, T (1 + ε) per metre of line,
// less the strain energy T ε/2 that goes with it onto the drum, is what mass and line gain.
void reeled_in(Checker& check) {
  constexpr double mass = 20e3, length = 100, EA = 1e8, per_metre = 20, take_in = 60;
  const std::string text =
      "davit: 1\ntitle: reel\nbodies: {load: {coordinates: particle, mass: 20 t, at: [0, 0, -100.2 m]}}\n"
      "forces:\n"
      "  hoist: {mooring_line: {from: load, to: world, winch: true, sections: [{EA: 1e8 N, mass: 20 kg/m, "
      "submerged_weight: 196.133 N/m, diameter: 50 mm, drag_normal: 0, drag_tangential: 0, length: 100 m, elements: "
      "20}]}}\n"
      "operation: [{at: 5 s, over: 70 s, move: {hoist: -60 m}, ramp: 10 s}]\n"
      "run: {duration: 100 s, step: 0.02 s, from_equilibrium: true}\n";
  ScenarioRun run(text);
  run.state() = find_start(run.scenario(), run.system(), true).state;
  run.begin();
  run.look();
  const double start = run.channel("load.position_z");
  // Rest: the mass hangs below L metres that are stretched by it and by themselves.
  const auto depth = [&](double L) { return L * (1 + mass * g / EA) + 0.5 * per_metre * g * L * L / EA; };
  const std::string name = "20 t on 100 m of wire, 60 m taken in at up to 1 m/s", source = "exact: statics, energy";
  check.relative(name, "depth at the start", "m", rounded(depth(length)), source, -start, 1e-5);
  double work = 0, fastest = 0, before_speed = 0, before_tension = run.channel("hoist.tension");
  while (run.state().t < 99.99) {
    run.step(0.02);
    run.look();
    const double tension = run.channel("hoist.tension");
    const double speed = run.channel("hoist.winch_power") / tension;
    const auto flow = [&](double T, double v) { return T * (1 + 0.5 * T / EA) * v; };
    work += 0.5 * 0.02 * (flow(tension, speed) + flow(before_tension, before_speed));
    before_tension = tension, before_speed = speed;
    if (std::abs(run.state().t - 40) < 0.01) fastest = run.channel("load.velocity_z");
  }
  const double left = length - take_in;
  check.relative(name, "depth at the end", "m", rounded(depth(left)), source, -run.channel("load.position_z"), 1e-4);
  check.relative(name, "speed of the mass half way", "m/s", rounded(1 + mass * g / EA), source, fastest, 2e-3);
  // Energy of a hanging line: weight at its middle, strain T²/2EA.
  const auto energy = [&](double L) {
    const double w = per_metre * g, W = mass * g;
    const double low = W * depth(L) + 0.5 * w * L * L + 0.5 * w * W * L * L / EA + w * w * L * L * L / (3 * EA);
    const double strain = (W * W * L + W * w * L * L + w * w * L * L * L / 3) / (2 * EA);
    return strain - low;
  };
  check.relative(name, "work of the winch less strain on the drum", "J", rounded(energy(left) - energy(length)), source,
                 work, 2e-3);
}

}  // namespace

void mooring_system(Checker& check) {
  on_a_slope(check);
  bridle(check);
  one_line_broken(check);
  hauled_in(check);
  reeled_in(check);
}

}  // namespace davit::verify
