// More inputs than outputs: shares in closed form, conditions of an optimum from geometry alone, and limits that no
// sharing keeps.
#include <fmt/format.h>

#include <cmath>

#include "davit/planning/planning.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

using inverse_dynamics::Instant;

constexpr double gravity = 9.80665;

// A load of 20 t on a vertical slide, held by two winches side by side.
std::string two_winches(const std::string& plan) {
  return "davit: 1\ntitle: two winches side by side\n"
         "bodies:\n"
         "  frame: {mass: 1 t, at: [0, 0, 12 m], joint: {prismatic: x}, points: {a: [-1 m, 0, 0], b: [1 m, 0, 0]}}\n"
         "  load: {joint: {prismatic: z}, mass: 20 t, points: {a: [-1 m, 0, 0], b: [1 m, 0, 0]}}\n"
         "ropes:\n"
         "  left: {from: frame.a, to: load.a, EA: 60 MN, tension: 98 kN, damping: 0.02}\n"
         "  right: {from: frame.b, to: load.b, EA: 60 MN, tension: 98 kN, damping: 0.02}\n"
         "winches:\n"
         "  one: {rope: left, drum: {radius: 0.3 m, inertia: 60 kg m^2}}\n"
         "  two: {rope: right, drum: {radius: 0.4 m, inertia: 60 kg m^2}}\n"
         "run: {duration: 20 s, step: 10 ms}\n"
         "plan:\n  inputs: [one, two]\n  hold: [frame]\n"
         "  outputs: {load: {point: load, along: z, by: [0, 0, 3 m]}}\n  over: 5 s\n" +
         plan;
}

std::optional<PlanResult> plan_of_text(const std::string& text, input::Problems& problems) {
  return plan_scenario(scenario_of(text), problems);
}

PlanResult planned_well(const std::string& text) {
  input::Problems problems;
  auto result = plan_of_text(text, problems);
  if (!result || problems.has_errors()) throw std::runtime_error(problems.to_text());
  return std::move(*result);
}

// The acceleration of the quintic from rest to rest over d in T.
double quintic(double t, double d, double T) {
  const double s = t / T;
  return d / (T * T) * (60 * s - 180 * s * s + 120 * s * s * s);
}

// Pulls P = w/r share as the weights; both lift the load and turn their drums: P₁ + P₂ = m (g + a) + Σ J a/r².
void shares(Checker& check) {
  const char* name = "two winches, weights 2 and 1";
  const PlanResult r = planned_well(two_winches("  allocation: {weights: {one: 2}}\n"));
  const double drums = 60 / 0.09 + 60 / 0.16;
  double off_share = 0, off_sum = 0;
  for (const Instant& at : r.plan.points) {
    const double one = std::abs(at.w[0]) / 0.3, two = std::abs(at.w[1]) / 0.4;
    off_share = std::max(off_share, std::abs(one / two - 2));
    off_sum = std::max(off_sum, std::abs(one + two - 20000 * gravity - (20000 + drums) * quintic(at.t, 3, 5)));
  }
  check.at_most(name, "pull of the first, of the second, beside 2", "1", "exact: weights", off_share, 1e-9);
  check.at_most(name, "sum of pulls, of the weight", "1", "exact: Newton's law", off_sum / (20000 * gravity), 1e-9);
  check.at_most(name, "error of the load, played back by forces", "m", "invariant: forward simulation",
                r.rigid ? r.rigid->largest.maxCoeff() : 1e300, 1e-6);
  // With at most 110 kN in the first rope the second takes the rest.
  const PlanResult held =
      planned_well(two_winches("  allocation: {weights: {one: 2}}\n  limits: {left: {tension: 110 kN}}\n"));
  double off = 0, most = 0;
  for (const Instant& at : held.plan.points) {
    const double left = -at.lambda[held.model.ropes[0].row], right = -at.lambda[held.model.ropes[1].row];
    const double a = quintic(at.t, 3, 5), load = 20000 * (gravity + a), all = load + drums * a;
    const double wanted = std::min(110e3, 2 * all / 3 - 60 / 0.09 * a);
    off = std::max({off, std::abs(left - wanted) / load, std::abs(left + right - load) / load});
    most = std::max(most, left);
  }
  check.at_most("two winches, at most 110 kN in the first rope", "tensions, of the load", "1", "exact: limit", off,
                1e-8);
  check.at_most("two winches, at most 110 kN in the first rope", "largest tension", "N", "exact: limit", most, 110e3);
}

// A plate of 2 t in the plane of four ropes from the corners of a frame; tensions T along u_i with arms c_i:
//   Σ T u = m (a + g), Σ c × T u = J α, and what balances itself is the one null vector of that 3 × 4 matrix.
struct Robot {
  static constexpr double m = 2000, drum = 60, radius = 0.25;
  static constexpr const char* weights = "{nw: 1, ne: 2, sw: 1.5, se: 0.7}";
  static constexpr double weight[4] = {1, 2, 1.5, 0.7};
  double at[4][2] = {{-10, 10}, {10, 10}, {-10, -10}, {10, -10}};
  double eye[4][2] = {{-1, 0.5}, {1, 0.5}, {-1, -0.5}, {1, -0.5}};
  std::string text(const std::string& limits) const {
    const char* names[] = {"nw", "ne", "sw", "se"};
    std::string points, eyes, ropes, winches;
    for (int i = 0; i < 4; ++i) {
      points += fmt::format("{}{}: [{} m, 0, {} m]", i ? ", " : "", names[i], at[i][0], at[i][1]);
      eyes += fmt::format("{}{}: [{} m, 0, {} m]", i ? ", " : "", names[i], eye[i][0], eye[i][1]);
      ropes +=
          fmt::format("  rope_{0}: {{from: frame.{0}, to: plate.{0}, EA: 20 MN, tension: {1} kN, damping: 0.02}}\n",
                      names[i], i < 2 ? 30 : 15);
      winches += fmt::format("  {0}: {{rope: rope_{0}, drum: {{radius: {1} m, inertia: {2} kg m^2}}}}\n", names[i],
                             radius, drum);
    }
    return fmt::format(
        "davit: 1\ntitle: a plate on four ropes\nbodies:\n"
        "  frame: {{mass: 1 t, joint: {{prismatic: x}}, points: {{{}}}}}\n"
        "  side: {{joint: {{prismatic: x}}}}\n  rise: {{on: side, joint: {{prismatic: z}}}}\n"
        "  plate: {{on: rise, joint: {{revolute: y}}, mass: {} kg, inertia: [1000 kg m^2, 1500 kg m^2, 1000 kg m^2], "
        "points: {{{}}}}}\n"
        "ropes:\n{}winches:\n{}run: {{duration: 10 s, step: 10 ms}}\n"
        "plan:\n  inputs: [nw, ne, sw, se]\n  hold: [frame]\n"
        "  outputs: {{plate: {{point: plate, along: xz, by: [3 m, 0, 2 m]}}, level: {{combination: {{plate: 1}}}}}}\n"
        "  over: 5 s\n  allocation: {{weights: {}}}\n  limits: {{{}}}\n",
        points, m, eyes, ropes, winches, weights, limits);
  }
};

// Three by three, without the column `skip`.
double minor(const double (&A)[3][4], int skip) {
  int c[3], n = 0;
  for (int i = 0; i < 4; ++i)
    if (i != skip) c[n++] = i;
  const auto a = [&](int i, int j) { return A[i][c[j]]; };
  return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) - a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
         a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}

struct RobotErrors {
  double balance = 0, slope = 0, tension = 0, least = 1e300;
  int at_limit = 0;
};

// The plate stays level: x, z and the ropes follow from the desired motion alone.
RobotErrors robot_errors(const Robot& robot, const PlanResult& r, double least_tension) {
  RobotErrors out;
  const double x0 = 0, z0 = 0, rounding = 1e-6;
  for (const Instant& now : r.plan.points) {
    const double s = now.t / 5, way = s * s * s * (10 - 15 * s + 6 * s * s);
    const double x = x0 + 3 * way, z = z0 + 2 * way, ax = quintic(now.t, 3, 5), az = quintic(now.t, 2, 5);
    double A[3][4], T[4], pull[4], sum[3] = {-Robot::m * ax, -Robot::m * (az + gravity), 0}, size = Robot::m * gravity;
    for (int i = 0; i < 4; ++i) {
      const double dx = robot.at[i][0] - x - robot.eye[i][0], dz = robot.at[i][1] - z - robot.eye[i][1];
      const double length = std::hypot(dx, dz);
      A[0][i] = dx / length, A[1][i] = dz / length;
      A[2][i] = robot.eye[i][0] * A[1][i] - robot.eye[i][1] * A[0][i];
      T[i] = -now.lambda[r.model.ropes[static_cast<size_t>(i)].row];
      pull[i] = std::abs(now.w[i]) / Robot::radius;
      out.least = std::min(out.least, T[i]);
      for (int k = 0; k < 3; ++k) sum[k] += A[k][i] * T[i];
    }
    for (const double rest : sum) out.balance = std::max(out.balance, std::abs(rest) / size);
    // Along the null vector the cost is stationary, or rises away from the tensions at their least.
    double slope = 0, scale = 0;
    bool may_rise = true, may_fall = true;
    for (int i = 0; i < 4; ++i) {
      const double along = (i % 2 ? -1 : 1) * minor(A, i);
      slope += along * pull[i] / Robot::weight[i];
      scale += std::abs(along * pull[i] / Robot::weight[i]);
      if (T[i] < least_tension * (1 + rounding)) (along > 0 ? may_fall : may_rise) = false;
    }
    if (!may_rise || !may_fall) ++out.at_limit;
    if (slope < 0 && may_rise) out.slope = std::max(out.slope, -slope / scale);
    if (slope > 0 && may_fall) out.slope = std::max(out.slope, slope / scale);
  }
  return out;
}

void robots(Checker& check) {
  const Robot corners, above{{{-10, 10}, {10, 10}, {-3, 12}, {3, 12}}, {{-1, 0.5}, {1, 0.5}, {-1, 0.5}, {1, 0.5}}};
  for (const auto& [robot, where, least] :
       {std::tuple{corners, "in the corners", 4000.0}, {above, "from above", 0.1}, {above, "from above", 1750.0}}) {
    const std::string name = fmt::format("plate on four ropes {}, at least {} kN in each", where, least / 1000);
    std::string limits;
    for (const char* rope : {"rope_nw", "rope_ne", "rope_sw", "rope_se"})
      limits += fmt::format("{}{}: {{least_tension: {} N}}", limits.empty() ? "" : ", ", rope, least);
    const PlanResult r = planned_well(robot.text(limits));
    const RobotErrors e = robot_errors(robot, r, least);
    check.at_most(name, "forces on the plate that do not balance, of its weight", "1", "exact: Newton's law", e.balance,
                  1e-9);
    check.at_most(name, "slope of the cost where tensions may change, of its parts", "1",
                  "exact: conditions of optimum", e.slope, 1e-9);
    check.trend(name, "least tension", "N", Checker::Side::above, least, "exact: limit", e.least);
    check.trend(name, "part of the instants at which a rope is at its least", "1",
                where[0] == 'i' ? Checker::Side::above : Checker::Side::below, 0.95, "exact: conditions of optimum",
                double(e.at_limit) / double(r.plan.points.size()));
    check.at_most(name, "error of the plate, played back by forces", "m", "invariant: forward simulation",
                  r.rigid ? r.rigid->largest.maxCoeff() : 1e300, 1e-6);
  }
}

// Both ropes at 103 kN at most hold m (g + a) up to a = 2 · 103 kN/m - g: the first instant of more is named.
void refusal(Checker& check) {
  input::Problems problems;
  plan_of_text(two_winches("  allocation: {}\n  limits: {left: {tension: 103 kN}, right: {tension: 103 kN}}\n"),
               problems);
  const std::string text = problems.to_text();
  const double most = 2 * 103e3 / 20000 - gravity;
  double t = 0;
  while (quintic(t, 3, 5) <= most && t < 5) t += 0.01;
  const bool names = text.find(": tension'") != std::string::npos;
  const auto place = text.find("from t = ");
  check.absolute("two winches with too little", "instant that the error names", "s", rounded(t), "exact: Newton's law",
                 place == std::string::npos || !names ? -1 : std::stod(text.substr(place + 9)), 1e-6);
}

}  // namespace

void plan_allocation(Checker& check) {
  shares(check);
  robots(check);
  refusal(check);
}

}  // namespace davit::verify
