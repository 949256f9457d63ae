// Rigid contacts that slide: friction opposes the sliding of each point, whatever the body or the mechanism behind it
// gives way to. References are equations of motion of their own with F = -μ N v/|v|.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "verify/methods/runge_kutta.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.80665;
constexpr const char* contact_methods[] = {"conserving", "midpoint", "implicit_euler", "dele", "spook"};

std::string run_keys(const char* method) {
  return fmt::format("run: {{duration: 60 s, step: 1 ms, method: {}}}\n", method);
}

void run_until(ScenarioRun& run, double t, double h) {
  while (run.state().t < t - h / 2) run.step(h);
  run.look();
}

// A free body on feet at some places of its bottom, half_height below its centre.
struct OnFeet {
  double mass = 1000, yaw_inertia = 0, half_height = 0.5, friction = 0.3;
  Vec3 size;                        // of a box with the same moments of inertia about x and y
  std::vector<Eigen::Vector2d> at;  // feet, from the centre

  std::string text(const Eigen::Vector2d& speed, double spin, const char* method) const {
    const double a = mass / 12 * (size.y() * size.y() + size.z() * size.z()),
                 b = mass / 12 * (size.x() * size.x() + size.z() * size.z());
    std::string points, contacts;
    for (size_t i = 0; i < at.size(); ++i) {
      points +=
          fmt::format("{}f{}: [{:.17g} m, {:.17g} m, {:.17g} m]", i ? ", " : "", i, at[i].x(), at[i].y(), -half_height);
      contacts +=
          fmt::format("  f{0}: {{contact: {{surface: world, point: body.f{0}, friction: {1}}}}}\n", i, friction);
    }
    return fmt::format(
        "davit: 1\n"
        "title: a body that slides\n"
        "bodies:\n"
        "  body:\n"
        "    joint: free\n"
        "    mass: {} kg\n"
        "    inertia: [{:.17g} kg m^2, {:.17g} kg m^2, {:.17g} kg m^2]\n"
        "    points: {{{}}}\n"
        "    start: {{z: {} m, x_rate: {:.17g} m/s, y_rate: {:.17g} m/s, yaw_rate: {} rad/s}}\n"
        "constraints:\n"
        "{}{}",
        mass, a, b, yaw_inertia, points, half_height, speed.x(), speed.y(), spin, contacts, run_keys(method));
  }

  // Of x, y, yaw and their rates, as long as all feet slide. Three feet have one set of normal forces that neither
  // lifts nor tilts the body; four of a plate without height share its weight.
  using Motion = Eigen::Matrix<double, 6, 1>;
  Motion rates(const Motion& s) const {
    const size_t n = at.size();
    std::vector<Eigen::Vector2d> arm, pull;  // of the feet; friction of a unit of normal force
    const Eigen::Rotation2Dd turn(s[2]);
    for (const Eigen::Vector2d& foot : at) {
      arm.push_back(turn * foot);
      const Eigen::Vector2d v(s[3] - s[5] * arm.back().y(), s[4] + s[5] * arm.back().x());
      pull.push_back(-friction * v.normalized());
    }
    Eigen::VectorXd normal = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(n), mass * gravity / double(n));
    if (n == 3) {
      Eigen::Matrix3d A;
      for (Eigen::Index i = 0; i < 3; ++i) {
        const auto k = static_cast<size_t>(i);
        A.col(i) << 1, arm[k].y() + half_height * pull[k].y(), -arm[k].x() - half_height * pull[k].x();
      }
      normal = A.partialPivLu().solve(Vec3(mass * gravity, 0, 0));
    }
    Motion out;
    out << s[3], s[4], s[5], 0, 0, 0;
    for (size_t k = 0; k < n; ++k) {
      const Eigen::Vector2d force = normal[static_cast<Eigen::Index>(k)] * pull[k];
      out.segment<2>(3) += force / mass;
      out[5] += (arm[k].x() * force.y() - arm[k].y() * force.x()) / yaw_inertia;
    }
    return out;
  }
  Motion after(const Eigen::Vector2d& speed, double spin, double time) const {
    Motion s;
    s << 0, 0, 0, speed, spin;
    return runge_kutta([this](double, const Motion& y) { return rates(y); }, s, 0, time, 4000);
  }
};

// A box pushed at an angle goes on along it and comes to rest after v²/(2 μ g), whatever its proportions: friction of
// all corners has one direction, and what its moment takes off some corners it gives to others without turning the box.
void pushed(Checker& check) {
  const double speed = 3, h = 0.01;
  const auto push = [&](double length, double width, double angle, const char* method) {
    const double l = length / 2, w = width / 2;
    const OnFeet box{.yaw_inertia = 1000 / 12. * (length * length + width * width),
                     .size = Vec3(length, width, 1),
                     .at = {{l, w}, {l, -w}, {-l, w}, {-l, -w}}};
    const Eigen::Vector2d way(std::cos(angle), std::sin(angle));
    ScenarioRun run(box.text(speed * way, 0, method));
    run_until(run, 2, h);
    const Vec3 moved = position(run.look(), run.first());
    const std::string name = fmt::format("box of {:g} m × {:g} m pushed at {:.0f}°, {}", length, width,
                                         angle * 180 / std::numbers::pi, method);
    check.absolute(name, "direction of its way", "deg", rounded(angle * 180 / std::numbers::pi),
                   "exact: along the push", std::atan2(moved.y(), moved.x()) * 180 / std::numbers::pi, 1e-6);
    // Steps that know the last speed alone are off by half a step at the start.
    const double half_a_step = speed * h / 2;
    check.absolute(name, "way until it rests", "m", rounded(speed * speed / (2 * box.friction * gravity)),
                   "exact: v²/(2 μ g)", moved.head<2>().norm(), half_a_step);
  };
  const double degree = std::numbers::pi / 180;
  for (const double angle : {20 * degree, 45 * degree, 70 * degree}) {
    push(1, 1, angle, "conserving");
    push(4, 2, angle, "conserving");
    push(12, 3, angle, "conserving");
    push(2, 20, angle, "conserving");
  }
  for (const char* method : contact_methods) push(4, 2, 45 * degree, method);
}

// Sliding and spinning at once: friction of each foot has a direction of its own.
void spinning(Checker& check) {
  const OnFeet plate{.yaw_inertia = 1000 / 12. * 20,
                     .half_height = 1e-4,
                     .size = Vec3(4, 2, 1e-4),
                     .at = {{2, 1}, {2, -1}, {-2, 1}, {-2, -1}}};
  const OnFeet tripod{
      .yaw_inertia = 900, .half_height = 0.6, .size = Vec3(2, 2, 1.2), .at = {{1.5, 0.2}, {-1, 1.1}, {-0.7, -1.3}}};
  const auto spin = [&](const char* what, const OnFeet& body, const Eigen::Vector2d& speed, double rate,
                        const char* method) {
    const double end = 0.4, h = 1e-3;
    const OnFeet::Motion exact = body.after(speed, rate, end);
    ScenarioRun run(body.text(speed, rate, method));
    run_until(run, end, h);
    const std::string name = fmt::format("{} at {:g} m/s and {:g} rad/s, {}, 1 ms", what, speed.norm(), rate, method);
    // Friction is that of the speeds at the end of a step: half a step of change is what the methods are off by.
    const double slowed = std::abs(rate - exact[5]);
    check.absolute(name, "yaw rate after 0.4 s", "rad/s", rounded(exact[5]), "exact: Coulomb at each foot, Runge-Kutta",
                   run.look().body[static_cast<size_t>(run.first().body)].w.z(), 3e-3 * slowed);
    const Vec3 there = position(run.look(), run.first());
    if (speed.norm() > 0)
      check.absolute(name, "place after 0.4 s, distance from the exact one over the way", "1", 0,
                     "exact: Coulomb at each foot, Runge-Kutta",
                     (there.head<2>() - exact.head<2>()).norm() / exact.head<2>().norm(), 2e-3);
  };
  for (const char* method : contact_methods) {
    spin("plate of 4 m × 2 m on its corners", plate, {0, 0}, 4, method);
    spin("plate of 4 m × 2 m on its corners", plate, {2, 1}, 3, method);
    spin("body on three feet", tripod, {1.5, -1}, 2.5, method);
  }
}

// A foot at the end of two links that turn about vertical axes: along the floor it gives way differently in every
// direction, and a push along one moves it along the other too. M(θ) θ̈ + C = Jᵀ F.
void on_links(Checker& check) {
  const double l = 2, m1 = 300, m2 = 200, foot = 150, I1 = 120, I2 = 60, friction = 0.4, end = 0.5, h = 1e-3;
  const Eigen::Vector4d start(0.3, 0.8, 1.2, -0.7);  // angles and rates of the joints
  const auto rates = [&](double, const Eigen::Vector4d& s) {
    const double a = s[0], b = s[0] + s[1], u = s[2], v = s[2] + s[3];  // of the links themselves
    const Eigen::Vector2d ea(std::cos(a), std::sin(a)), eb(std::cos(b), std::sin(b)), na(-ea.y(), ea.x()),
        nb(-eb.y(), eb.x());
    // Kinetic energy by the speeds of the links: ½ A u² + B cos(b - a) u v + ½ D v².
    const double A = I1 + m1 * l * l / 4 + (m2 + foot) * l * l, B = (m2 / 2 + foot) * l * l,
                 D = I2 + m2 * l * l / 4 + foot * l * l;
    const Eigen::Vector2d force = -friction * foot * gravity * (l * u * na + l * v * nb).normalized();
    Eigen::Matrix2d M;
    M << A, B * std::cos(b - a), B * std::cos(b - a), D;
    const Eigen::Vector2d right(B * std::sin(b - a) * v * v + l * na.dot(force),
                                -B * std::sin(b - a) * u * u + l * nb.dot(force));
    const Eigen::Vector2d x = M.inverse() * right;
    return Eigen::Vector4d(s[2], s[3], x[0], x[1] - x[0]);
  };
  const Eigen::Vector4d exact = runge_kutta(rates, start, 0, end, 4000);
  for (const char* method : contact_methods) {
    ScenarioRun run(
        fmt::format("davit: 1\n"
                    "title: a foot at the end of two links\n"
                    "bodies:\n"
                    "  upper: {{joint: {{revolute: z}}, mass: {0} kg, centre: [{1} m, 0, 0], inertia: [1 kg m^2, {2} "
                    "kg m^2, {2} kg m^2], "
                    "start: {{angle: {6} rad, angle_rate: {8} rad/s}}}}\n"
                    "  lower: {{on: upper, at: [2 m, 0, 0], joint: {{revolute: z}}, mass: {3} kg, centre: [{1} m, 0, "
                    "0], inertia: [1 kg "
                    "m^2, {4} kg m^2, {4} kg m^2], start: {{angle: {7} rad, angle_rate: {9} rad/s}}}}\n"
                    "  foot: {{on: lower, at: [2 m, 0, 0], joint: {{prismatic: z}}, mass: {5} kg}}\n"
                    "constraints: {{floor: {{contact: {{surface: world, point: foot, friction: {10}}}}}}}\n{11}",
                    m1, l / 2, I1, m2, I2, foot, start[0], start[1], start[2], start[3], friction, run_keys(method)));
    run_until(run, end, h);
    const std::string name = fmt::format("foot at the end of two links, {}, 1 ms", method);
    check.relative(name, "angle of the first link after 0.5 s", "rad", rounded(exact[0]),
                   "exact: Lagrange and Coulomb, Runge-Kutta", run.channel("upper.angle"), 2e-3);
    // It ends near zero: of the angle that it turns.
    check.absolute(name, "angle of the second link after 0.5 s", "rad", rounded(exact[1]),
                   "exact: Lagrange and Coulomb, Runge-Kutta", run.channel("lower.angle"),
                   2e-3 * std::abs(exact[1] - start[1]));
  }
}

// A rod drags its end over the floor behind a carriage that runs along x and along y: friction changes what presses.
// Moments about the pin at its upper end, at an angle θ from the vertical behind it, c = cos θ, s = sin θ:
//   N l s = m g l s/2 + F_x l c - m a_x (l/2) c,  (M + m) a = F.
void dragged(Checker& check) {
  const double l = 2, m = 400, M = 100, angle = 0.6, friction = 0.35, end = 0.3, h = 1e-3;
  const double c = std::cos(angle), s = std::sin(angle), total = M + m;
  for (const double direction : {-1.0, 1.0}) {
    const Eigen::Vector4d start(0, 0, direction * 2, 1.5);
    const auto rates = [&](double, const Eigen::Vector4d& y) {
      const Eigen::Vector2d pull = -friction * y.tail<2>().normalized();  // of a unit of normal force
      const double normal = m * gravity * s / 2 / (s - pull.x() * c * (1 - m / (2 * total)));
      const Eigen::Vector2d a = normal * pull / total;
      return Eigen::Vector4d(y[2], y[3], a[0], a[1]);
    };
    const Eigen::Vector4d exact = runge_kutta(rates, start, 0, end, 4000);
    for (const char* method : contact_methods) {
      ScenarioRun run(fmt::format(
          "davit: 1\n"
          "title: a rod dragged over the floor\n"
          "bodies:\n"
          "  beam: {{at: [0, 0, {0:.17g} m], joint: {{prismatic: x}}, mass: 0.001 kg, start: {{travel_rate: {1} "
          "m/s}}}}\n"
          "  carriage: {{on: beam, joint: {{prismatic: y}}, mass: {2} kg, start: {{travel_rate: {3} m/s}}}}\n"
          "  rod: {{on: carriage, joint: {{revolute: y}}, mass: {4} kg, centre: [0, 0, {5} m], inertia: [{6:.17g} kg "
          "m^2, "
          "{6:.17g} kg m^2, 1 kg m^2], points: {{tip: [0, 0, {7} m]}}, start: {{angle: {8} rad}}}}\n"
          "constraints: {{floor: {{contact: {{surface: world, point: rod.tip, friction: {9}}}}}}}\n{10}",
          l * c, start[2], M, start[3], m, -l / 2, m * l * l / 12, -l, angle, friction, run_keys(method)));
      run_until(run, end, h);
      const std::string name = fmt::format("rod dragged along {}x and y, {}, 1 ms", direction > 0 ? "" : "-", method);
      check.relative(name, "speed along x after 0.3 s", "m/s", rounded(exact[2]), "exact: Coulomb, Runge-Kutta",
                     run.channel("beam.travel_rate"), 2e-3);
      check.relative(name, "speed along y after 0.3 s", "m/s", rounded(exact[3]), "exact: Coulomb, Runge-Kutta",
                     run.channel("carriage.travel_rate"), 2e-3);
    }
  }
}

}  // namespace

void rigid_friction(Checker& check) {
  pushed(check);
  spinning(check);
  on_links(check);
  dragged(check);
}

}  // namespace davit::verify
