#include "verify/plans/servo_plans.hpp"

#include <cmath>

namespace davit::verify {

using inverse_dynamics::Instant;
using inverse_dynamics::Plan;

Plan plan_of(const ServoCrane& crane, const PlanBy& by) {
  inverse_dynamics::PlanOptions options;
  options.method = by.method;
  options.scheme = by.scheme;
  options.step = by.step;
  options.array_order = by.order;
  options.time_scale = inverse_dynamics::time_scale_of(crane.problem);
  return inverse_dynamics::make_plan(crane.problem, options);
}

namespace {
const Instant* at_time(const Plan& plan, double t) {
  for (const Instant& at : plan.points)
    if (std::abs(at.t - t) < 1e-9) return &at;
  return nullptr;
}
constexpr double nowhere = 1e300;
}  // namespace

double table_error(const Plan& plan, const NumberTable& table, const std::vector<TableColumn>& columns, double from,
                   const std::string& time) {
  if (!plan.complete) return nowhere;
  double worst = 0;
  size_t compared = 0;
  for (const TableColumn& column : columns) {
    double largest = 0, error = 0;
    for (size_t row = 0; row < table.rows(); ++row) {
      const double t = table.at(row, time);
      largest = std::max(largest, std::abs(table.at(row, column.name)));
      const Instant* at = t >= from - 1e-12 ? at_time(plan, t) : nullptr;
      if (!at) continue;
      ++compared;
      error = std::max(error, std::abs(column.value(*at) - table.at(row, column.name)));
    }
    worst = std::max(worst, column.relative ? error / largest : error);
  }
  return compared > 0 ? worst : nowhere;
}

TableColumn coordinate_column(const ServoCrane& crane, const std::string& table, const std::string& coordinate,
                              double factor) {
  const int q = crane.at.at(coordinate).q;
  return {table, [q, factor](const Instant& at) { return factor * at.q[q]; }};
}

TableColumn input_column(const std::string& table, int input, double factor) {
  return {table, [input, factor](const Instant& at) { return factor * at.w[input]; }, true};
}

double input_difference(const Plan& a, const Plan& b, double from, double to) {
  if (!a.complete || !b.complete) return nowhere;
  double largest = 0, difference = 0;
  for (const Instant& at : a.points) {
    if (at.t < from || at.t > to) continue;
    const Instant* other = at_time(b, at.t);
    if (!other) continue;
    largest = std::max(largest, other->w.cwiseAbs().maxCoeff());
    difference = std::max(difference, (at.w - other->w).cwiseAbs().maxCoeff());
  }
  return difference / largest;
}

double input_order(const ServoCrane& crane, PlanBy by, const Plan& exact, double from, double to) {
  const double coarse = input_difference(plan_of(crane, by), exact, from, to);
  by.step /= 2;
  return std::log2(coarse / input_difference(plan_of(crane, by), exact, from, to));
}

void check_analysis(Checker& check, const std::string& case_name, const ServoCrane& crane, const Expected& expected) {
  const inverse_dynamics::Analysis a = inverse_dynamics::analyse(crane.problem);
  check.absolute(case_name, "differentiation index", "1", expected.index,
                 "published: chapters 5 and 6 of the thesis on servo constraints, corrected", a.index.value_or(0), 0);
  check.absolute(case_name, "degrees of freedom", "1", expected.freedom, "exact: coordinates less constraints",
                 a.degrees_of_freedom, 0);
  check.absolute(case_name, "rank of S M^-1 B", "1", expected.coupling, "exact: directions that drives move at once",
                 a.coupling_rank, 0);
  check.absolute(case_name, "internal states", "1", 0, "published: the crane is flat", a.flat ? 0 : a.internal_states,
                 0);
}

void check_replay(Checker& check, const std::string& case_name, const ServoCrane& crane, const Plan& plan, double step,
                  double bound) {
  const auto stepper = make_rk4(*crane.model);
  const auto replay = inverse_dynamics::replay(crane.problem, plan, crane.signals, *stepper, step);
  check.at_most(case_name, "largest error of the load when the inputs drive the model", "m",
                "invariant: the model does what was planned", replay.complete ? replay.largest.maxCoeff() : nowhere,
                bound);
}

}  // namespace davit::verify
