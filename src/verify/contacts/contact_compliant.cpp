// Contacts that give: points and meshes against planes and meshes, beside exact motions, statics and invariants.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "davit/solve/equilibrium.hpp"
#include "verify/methods/runge_kutta.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.80665, mass = 1000;

// A box of 2 × 2 × 1 m with points at the corners of its middle plane, so that friction there has no lever.
std::string box(const std::string& start, const std::string& rest) {
  return fmt::format(
      "davit: 1\n"
      "title: a box on a surface that gives\n"
      "bodies:\n"
      "  box:\n"
      "    joint: free\n"
      "    mass: {} kg\n"
      "    box: {{size: [2 m, 2 m, 1 m]}}\n"
      "    points: {{a: [1 m, 1 m, 0], b: [1 m, -1 m, 0], c: [-1 m, 1 m, 0], d: [-1 m, -1 m, 0]}}\n"
      "    start: {{{}}}\n"
      "{}",
      mass, start, rest);
}
const std::string corners = "points: [box.a, box.b, box.c, box.d]";
const std::string run_keys = "run: {duration: 60 s, step: 1 ms, method: conserving}\n";

// Falls from a height on springs k with dampers c: m ẍ = m g - k x - c ẋ until k x + c ẋ = 0.
void drop(Checker& check) {
  const double stiffness = 1e6, height = 0.5;
  for (const double damping : {0.0, 4000.0}) {
    const double w = std::sqrt(stiffness / mass), v = std::sqrt(2 * gravity * height);
    Eigen::Vector2d y(0, v);
    double peak = 0, rebound = 0, t = 0;
    const double tiny = 1e-5;
    const auto rates = [&](double, const Eigen::Vector2d& s) {
      return Eigen::Vector2d(s[1], gravity - (stiffness * s[0] + damping * s[1]) / mass);
    };
    do {
      runge_kutta_step(rates, t, tiny, y);
      t += tiny;
      peak = std::max(peak, stiffness * y[0] + damping * y[1]);
      rebound = std::max(rebound, -y[1]);
    } while (stiffness * y[0] + damping * y[1] > 0);
    for (const double h : {0.004, 0.001}) {
      ScenarioRun run(box(fmt::format("z: {} m", height),
                          fmt::format("forces: {{ground: {{contact: {{surface: world, {}, stiffness: {} N/m, damping: "
                                      "{} N s/m}}}}}}\n{}",
                                      corners, stiffness / 4, damping / 4, run_keys)));
      double largest = 0, up = 0;
      while (run.state().t < v / gravity + 2 * t) {
        run.step(h);
        run.look();
        largest = std::max(largest, run.channel("ground.normal"));
        up = std::max(up, run.channel("box.vz"));
      }
      const std::string name =
          fmt::format("box of 1 t falls 0.5 m on springs, damping {:g} kN s/m, {:g} ms", damping / 1000, 1000 * h);
      // The peak is met between two steps, and the jump of damping at the beginning within one.
      const double wh = w * h, met = wh * wh + (damping > 0 ? 0.5 * damping * h / mass : 0);
      check.relative(name, "largest force", "N", rounded(peak), "exact: spring and damper", largest, met);
      check.relative(name, "largest speed upwards", "m/s", rounded(rebound), "exact: spring and damper", up, met);
    }
  }
}

// Energy of a box that falls askew on springs with friction: only lost, and without friction and damping kept.
void energy(Checker& check) {
  for (const double friction : {0.0, 0.4}) {
    ScenarioRun run(box("z: 1.5 m, roll: 0.4 rad, pitch: -0.3 rad, y_rate: 1 m/s",
                        fmt::format("forces: {{ground: {{contact: {{surface: world, {}, stiffness: 200 kN/m, "
                                    "damping_time: 0 s, friction: {}}}}}}}\n{}",
                                    corners, friction, run_keys)));
    const auto total = [&] {
      run.look();
      return run.system().energy(run.state()).total();
    };
    const double start = total();
    double low = start, rise = 0;
    const double h = 0.002;
    while (run.state().t < 5) {
      run.step(h);
      const double now = total();
      rise = std::max(rise, now - low);
      low = std::min(low, now);
    }
    const std::string name = fmt::format("box that falls askew on springs, friction {:g}, 5 s at 2 ms", friction);
    check.at_most(name, "largest rise of the energy over that of the start", "", "invariant: energy is only lost",
                  rise / start, 1e-3);
    if (friction == 0)
      check.at_most(name, "drift of the energy over that of the start", "", "invariant: energy",
                    std::abs(low / start - 1), 2e-3);
    else
      check.trend(name, "energy left over that of the start", "", Checker::Side::below, 0.9,
                  "exact: friction takes energy", low / start);
  }
}

// On a slope of 20°: sinks and gives by its weight and sticks, without creeping, or slides.
void slope(Checker& check) {
  const double angle = std::numbers::pi / 9, stiffness = 1e7, tangential = 4e6;
  const auto on_slope = [&](double friction) {
    return box("pitch: 20 deg",
               fmt::format("forces: {{ground: {{contact: {{surface: world, normal: [{:.17g}, 0, {:.17g}], {}, "
                           "stiffness: {} N/m, tangential_stiffness: {} N/m, friction: {}}}}}}}\n{}",
                           std::sin(angle), std::cos(angle), corners, stiffness, tangential, friction, run_keys));
  };
  const Vec3 normal(std::sin(angle), 0, std::cos(angle)), down(std::cos(angle), 0, -std::sin(angle));
  {
    ScenarioRun run(on_slope(0.5));
    const Equilibrium rest = find_equilibrium(run.system(), run.state());
    run.state() = rest.state;
    run.begin();
    const Frame frame = run.first();
    const Vec3 at = position(run.look(), frame);
    const std::string name = "box on a slope of 20°, friction 0.5";
    check.relative(name, "sinks in equilibrium by", "m", rounded(mass * gravity * std::cos(angle) / (4 * stiffness)),
                   "exact: m g cos θ/k", -at.dot(normal), 5e-6);
    check.relative(name, "gives along the slope by", "m", rounded(mass * gravity * std::sin(angle) / (4 * tangential)),
                   "exact: m g sin θ/k", at.dot(down), 5e-6);
    while (run.state().t < 60) run.step(0.02);
    check.at_most(name, "creeps in 60 s", "m", "exact: rest", (position(run.look(), frame) - at).norm(), 1e-9);
  }
  for (const double h : {0.01, 0.005}) {
    const double friction = 0.2;
    ScenarioRun run(on_slope(friction));
    const auto run_until = [&](double t) {
      while (run.state().t < t - h / 2) run.step(h);
      return velocity(run.look(), run.first()).dot(down);
    };
    const double before = run_until(1), after = run_until(3);
    check.relative(fmt::format("box on a slope of 20°, friction 0.2, {:g} ms", 1000 * h), "acceleration down the slope",
                   "m/s^2", rounded(gravity * (std::sin(angle) - friction * std::cos(angle))),
                   "exact: g (sin θ - μ cos θ)", (after - before) / 2, 5e-6);
  }
}

// The peak of a landing on a heaving deck does not depend on the step.
void landing(Checker& check) {
  const double w = 4, a = 1, deck_mass = 1e9, stiffness = 2.25e5;
  const auto text =
      box(fmt::format("z: {} m, z_rate: {} m/s", 0.0, a * w),
          fmt::format("  deck: {{joint: {{prismatic: z}}, mass: {} kg, start: {{travel_rate: {} m/s}}}}\n"
                      "forces:\n"
                      "  heave: {{joint_spring: {{joint: deck, stiffness: {:.17g} N/m, rest: {:.17g} m}}}}\n"
                      "  ground: {{contact: {{surface: deck, {}, stiffness: {} N/m, damping_time: 20 ms, "
                      "friction: 0.3}}}}\n{}",
                      deck_mass, a * w, deck_mass * w * w, gravity / (w * w), corners, stiffness / 4, run_keys));
  // The box above the deck that moves as a sin ω t.
  const auto normal = [&](double t, const Eigen::Vector2d& s) {
    const double depth = a * std::sin(w * t) - s[0], rate = a * w * std::cos(w * t) - s[1];
    return depth > 0 ? std::max(0.0, stiffness * (depth + 0.02 * rate)) : 0.0;
  };
  const auto rates = [&](double t, const Eigen::Vector2d& s) {
    return Eigen::Vector2d(s[1], normal(t, s) / mass - gravity);
  };
  Eigen::Vector2d y(0, a * w);
  double peak = 0;
  const double tiny = 1e-5, end = 4;
  for (double t = 0; t < end; t += tiny) {
    runge_kutta_step(rates, t, tiny, y);
    peak = std::max(peak, normal(t + tiny, y));
  }
  for (const double h : {0.02, 0.01, 0.005}) {
    ScenarioRun run(text);
    double largest = 0;
    while (run.state().t < end) {
      run.step(h);
      run.look();
      largest = std::max(largest, run.channel("ground.normal"));
    }
    check.relative(fmt::format("box thrown up by a heaving deck and caught, {:g} ms", 1000 * h), "largest force", "N",
                   rounded(peak), "exact: spring and damper, Runge-Kutta", largest, 1e-2);
  }
}

// A mass runs into a fender with a table: it stops where the area under the table is its energy.
void fender(Checker& check) {
  // 100 kN at 0.1 m, 150 kN at 0.3 m, 600 kN at 0.4 m
  const double speed = 1.2;
  const double e1 = 0.5 * 100e3 * 0.1, e2 = e1 + 0.5 * (100e3 + 150e3) * 0.2, rest = 50000 * speed * speed / 2 - e2;
  const double slope = 450e3 / 0.1, x = (-150e3 + std::sqrt(150e3 * 150e3 + 2 * slope * rest)) / slope;
  ScenarioRun run(fmt::format(
      "davit: 1\n"
      "title: a barge against a fender\n"
      "environment: {{gravity: 0}}\n"
      "bodies: {{barge: {{joint: {{prismatic: x}}, mass: 50 t, start: {{travel: -0.2 m, travel_rate: {} m/s}}}}}}\n"
      "forces: {{fender: {{contact: {{surface: world, normal: [-1, 0, 0], points: [barge], damping_time: 0 s, table: "
      "[[0.1 m, 100 kN], [0.3 m, 150 kN], [0.4 m, 600 kN]]}}}}}}\n{}",
      speed, run_keys));
  double deepest = 0, force = 0;
  while (run.state().t < 2) {
    run.step(0.001);
    run.look();
    deepest = std::max(deepest, -run.channel("fender.gap"));
    force = std::max(force, run.channel("fender.normal"));
  }
  const std::string name = "50 t at 1.2 m/s against a fender with a table";
  check.relative(name, "largest compression", "m", rounded(0.3 + x), "exact: area under the table", deepest, 1e-5);
  check.relative(name, "largest force", "N", rounded(150e3 + slope * x), "exact: table", force, 1e-4);
  check.relative(name, "speed of rebound", "m/s", speed, "exact: nothing is lost", -run.channel("barge.travel_rate"),
                 1e-6);
}

// A box on the mesh of another box: as on a plane; and two meshes that press on each other.
void meshes(Checker& check) {
  const auto landing_on = [&](const std::string& surface) {
    ScenarioRun run(box("z: 0.2 m, roll: 0.1 rad, x_rate: 1 m/s",
                        fmt::format("surfaces: {{floor: {{box: [40 m, 40 m, 2 m], at: [0, 0, -1 m]}}}}\n"
                                    "forces: {{ground: {{contact: {{{}, {}, stiffness: 1 MN/m, friction: 0.3}}}}}}\n{}",
                                    surface, corners, run_keys)));
    while (run.state().t < 1.5) run.step(0.002);
    return position(run.look(), run.first());
  };
  const Vec3 on_plane = landing_on("surface: world"), on_mesh = landing_on("mesh: floor");
  check.at_most("box that lands askew, on a plane and on a mesh", "distance of the two after 1.5 s", "m",
                "invariant: the same surface", (on_plane - on_mesh).norm(), 1e-9);

  // Weight over area and stiffness, for a floor under all of the box.
  ScenarioRun resting(box("z: 0.5 m",
                          "surfaces: {floor: {box: [4 m, 4 m, 2 m], at: [0, 0, -1 m]}, block: {on: box, box: "
                          "[2 m, 2 m, 1 m]}}\n"
                          "forces: {ground: {contact: {mesh: floor, points_of: block, spacing: 0.25 m, "
                          "stiffness_per_area: 10 MN/m^3}}}\n" +
                              run_keys));
  const Equilibrium rest = find_equilibrium(resting.system(), resting.state());
  resting.state() = rest.state;
  resting.begin();
  const double sunk = 0.5 - position(resting.look(), resting.first()).z();
  check.relative("box that rests on a box, mesh on mesh", "normal force", "N", mass * gravity, "exact: its weight",
                 resting.channel("ground.normal"), 1e-6);
  check.relative("box that rests on a box, mesh on mesh, points 0.25 m apart", "sinks by", "m",
                 rounded(mass * gravity / (4 * 10e6)), "exact: weight over area and stiffness", sunk, 0.15);

  // Two bodies without weight that meet askew: momentum and its moment stay.
  ScenarioRun meeting(
      "davit: 1\n"
      "title: two blocks meet\n"
      "environment: {gravity: 0}\n"
      "bodies:\n"
      "  left: {at: [-2 m, 0, 0], joint: free, mass: 2 t, box: {size: [2 m, 2 m, 1 m]}, start: {x_rate: 1 m/s, yaw: "
      "0.3 "
      "rad}}\n"
      "  right: {at: [2 m, 0.7 m, 0.3 m], joint: free, mass: 1 t, box: {size: [2 m, 1 m, 2 m]}, start: {roll: 0.4 "
      "rad}}\n"
      "surfaces: {a: {on: left, box: [2 m, 2 m, 1 m]}, b: {on: right, box: [2 m, 1 m, 2 m]}}\n"
      "forces: {hit: {contact: {mesh: a, points_of: b, spacing: 0.2 m, stiffness_per_area: 20 MN/m^3, friction: "
      "0.3}}}\n" +
      run_keys);
  const auto momenta = [&] {
    const Kin& kin = meeting.look();
    Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
    const double masses[] = {2000, 1000};
    const Vec3 sizes[] = {{2, 2, 1}, {2, 1, 2}};
    for (size_t i = 0; i < 2; ++i) {
      const Frame frame = meeting.scenario().body_frames[i];
      const Mat3 R = rotation(kin, frame);
      const Vec3 v = velocity(kin, frame), s = sizes[i];
      const Vec3 inertia =
          masses[i] / 12 *
          Vec3(s.y() * s.y() + s.z() * s.z(), s.x() * s.x() + s.z() * s.z(), s.x() * s.x() + s.y() * s.y());
      const Vec3 spin = R * inertia.asDiagonal() * R.transpose() * kin.body[static_cast<size_t>(frame.body)].w;
      sum.head<3>() += masses[i] * v;
      sum.tail<3>() += spin + position(kin, frame).cross(masses[i] * v);
    }
    return sum;
  };
  const auto before = momenta();
  double pressed = 0;
  while (meeting.state().t < 3) {
    meeting.step(0.005);
    meeting.look();
    pressed = std::max(pressed, meeting.channel("hit.normal"));
  }
  const auto after = momenta();
  check.trend("two blocks that meet askew, mesh on mesh", "largest force", "N", Checker::Side::above, 1e4,
              "exact: they meet", pressed);
  check.at_most("two blocks that meet askew, mesh on mesh", "change of momentum over the largest", "",
                "invariant: momentum", (after - before).head<3>().norm() / before.head<3>().norm(), 1e-6);
  check.at_most("two blocks that meet askew, mesh on mesh", "change of angular momentum over the momentum", "m",
                "invariant: angular momentum", (after - before).tail<3>().norm() / before.head<3>().norm(), 1e-5);
}

// A cylinder that rolls goes on as it did: what presses in ahead comes back behind, and default damping does not brake.
void rolling(Checker& check) {
  const double speed = 1, radius = 0.5;
  for (const int sides : {64, 360}) {
    ScenarioRun run(fmt::format(
        "davit: 1\n"
        "title: a cylinder that rolls\n"
        "bodies: {{roll: {{joint: free, mass: {0} kg, cylinder: {{radius: {1} m, length: 1 m, axis: y}}, start: "
        "{{z: 0.495 m, x_rate: {2} m/s, pitch_rate: {3} rad/s}}}}}}\n"
        "surfaces: {{skin: {{on: roll, cylinder: {{radius: {1} m, length: 1 m, axis: y, sides: {4}}}}}}}\n"
        "forces: {{ground: {{contact: {{surface: world, points_of: skin, spacing: 0.6 m, stiffness_per_area: 20 "
        "MN/m^3, friction: 0.3}}}}}}\n{5}",
        mass, radius, speed, speed / radius, sides, run_keys));
    while (run.state().t < 1) run.step(0.001);
    check.relative(fmt::format("cylinder of {} sides that rolls, default damping", sides), "speed after 1 s", "m/s",
                   speed, "exact: nothing brakes it", velocity(run.look(), run.first()).head<2>().norm(), 1e-2);
  }
}

}  // namespace

void contact_compliant(Checker& check) {
  drop(check);
  energy(check);
  slope(check);
  landing(check);
  fender(check);
  meshes(check);
  rolling(check);
}

}  // namespace davit::verify
