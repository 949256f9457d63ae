// The cranes of the servo groups in other units of mass, length and time: the analysis says the same, and a plan has
// the same figures. What the rest is judged by is the same crane in SI units, which servo-* compares with references.
#include <cmath>
#include <functional>

#include "verify/plans/servo_plans.hpp"

namespace davit::verify {

namespace {

using inverse_dynamics::Analysis;
using inverse_dynamics::Method;
using inverse_dynamics::Plan;
using inverse_dynamics::Scheme;

const char* const similar = "invariant: the same crane in other units";

struct UnitsOfCase {
  double mass, length, time;
};
constexpr UnitsOfCase all_units[] = {{1e-6, 1, 1}, {1e6, 1, 1},   {1, 1e-2, 1},      {1, 1e3, 1},
                                     {1, 1, 1e-2}, {1, 1, 1e2},   {1e6, 1e3, 1e-2},  {1e-6, 1e-2, 1e2},
                                     {1e5, 1, 1},  {1e3, 10, 10}, {1e-3, 1e-1, 1e-1}};

struct CraneOfCase {
  std::string name;
  std::function<ServoCrane()> make;
  int order;
  double step, from = 0;  // s; figures are compared from there on
};

// The largest difference of inputs and rope forces, as parts of the largest, with units taken out.
double difference(const ServoCrane& a, const Plan& plan_a, const ServoCrane& b, const Plan& plan_b, double from) {
  if (!plan_a.complete || !plan_b.complete || plan_a.points.size() != plan_b.points.size()) return 1e300;
  double worst = 0;
  const auto compare = [&](auto&& value_a, auto&& value_b, double unit) {
    double largest = 0, most = 0;
    for (size_t k = 0; k < plan_a.points.size(); ++k) {
      if (plan_a.points[k].t < from) continue;
      largest = std::max(largest, std::abs(value_a(plan_a.points[k])));
      most = std::max(most, std::abs(value_b(plan_b.points[k]) / unit - value_a(plan_a.points[k])));
    }
    worst = std::max(worst, largest > 0 ? most / largest : most);
  };
  for (Eigen::Index i = 0; i < plan_a.points[0].w.size(); ++i) {
    const auto input = [i](const inverse_dynamics::Instant& at) { return at.w[i]; };
    compare(input, input, b.input_units[static_cast<size_t>(i)] / a.input_units[static_cast<size_t>(i)]);
  }
  // Tensions, where rows are of ropes; of gears the row is one length too.
  for (Eigen::Index i = 0; i < plan_a.points[0].lambda.size(); ++i) {
    const auto tension = [i](const inverse_dynamics::Instant& at) { return at.lambda[i]; };
    compare(tension, tension, b.input_units.back() / a.input_units.back());
  }
  return worst;
}

// In how many units something of the analysis is different.
int other_verdicts(const Analysis& a, const Analysis& b) {
  return (a.index != b.index) + (a.flat != b.flat) + (a.internal_states != b.internal_states) +
         (a.coupling_rank != b.coupling_rank) + (a.output_rank != b.output_rank) + (a.input_rank != b.input_rank) +
         (a.independent_constraints != b.independent_constraints) + (a.massless_motions != b.massless_motions) +
         (a.relative_degrees != b.relative_degrees) + (a.unreachable != b.unreachable);
}

void check_crane(Checker& check, const CraneOfCase& c) {
  const ServoCrane crane = c.make();
  const Analysis analysis = inverse_dynamics::analyse(crane.problem);
  const PlanBy exact{.step = c.step, .order = c.order},
      euler{Method::minimal_extension, Scheme::backward_euler, c.step};
  const Plan plan = plan_of(crane, exact), by_euler = plan_of(crane, euler);
  int verdicts = 0;
  double figures = 0, figures_of_euler = 0;
  for (const UnitsOfCase& units : all_units) {
    const InUnits in_units(units.mass, units.length, units.time);
    const ServoCrane other = c.make();
    verdicts += other_verdicts(analysis, inverse_dynamics::analyse(other.problem));
    const auto in_time = [&](PlanBy by) {
      by.step *= units.time;
      return by;
    };
    figures = std::max(figures, difference(crane, plan, other, plan_of(other, in_time(exact)), c.from));
    figures_of_euler =
        std::max(figures_of_euler, difference(crane, by_euler, other, plan_of(other, in_time(euler)), c.from));
  }
  check.at_most(c.name, "verdicts of the analysis that depend on units", "1", similar, verdicts, 0);
  check.at_most(c.name, "difference of inputs and rope forces, of the largest, algebraic", "1", similar, figures, 1e-8);
  check.at_most(c.name, "difference of inputs and rope forces, of the largest, backward Euler", "1", similar,
                figures_of_euler, 1e-8);
}

}  // namespace

void plan_scale(Checker& check) {
  const CraneOfCase cranes[] = {
      {"overhead crane, dependent coordinates", overhead_crane_dependent, 5, 0.05},
      {"overhead crane, tree", overhead_crane_minimal, 5, 0.05},
      {"rotary crane A, dependent coordinates", [] { return rotary_crane_dependent(RotarySet::A); }, 5, 0.4},
      {"rotary crane A, tree", [] { return rotary_crane_minimal(RotarySet::A); }, 5, 0.4},
      {"rotary crane B, dependent coordinates", [] { return rotary_crane_dependent(RotarySet::B); }, 5, 0.4},
      {"rotary crane B, tree", [] { return rotary_crane_minimal(RotarySet::B); }, 5, 0.4},
      {"planar Navy crane, no pulley mass", [] { return navy_planar(0); }, 5, 0.05, 0.15},
      {"planar Navy crane, pulley mass", [] { return navy_planar(150); }, 5, 0.05},
      {"spatial Navy crane, no pulley mass", [] { return navy_spatial(0); }, 5, 0.4, 1},
      {"spatial Navy crane, pulley mass", [] { return navy_spatial(5); }, 7, 0.4, 1},
      {"CABLEV, translation", [] { return cablev(); }, 5, 0.4},
      {"CABLEV, translation and rotation",
       [] { return cablev({.translate = true, .turn = 0.6, .axis = Vec3(0.2, 0.1, 1).normalized()}); }, 5, 0.4}};
  for (const CraneOfCase& crane : cranes) check_crane(check, crane);
}

}  // namespace davit::verify
