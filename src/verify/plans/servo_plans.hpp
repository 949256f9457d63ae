// What groups of servo problems share: plans by any method, and their comparison with tables and with each other.
#pragma once

#include "davit/inverse_dynamics/analysis.hpp"
#include "davit/inverse_dynamics/replay.hpp"
#include "verify/embedded.hpp"
#include "verify/plans/servo_cranes.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

struct PlanBy {
  inverse_dynamics::Method method = inverse_dynamics::Method::algebraic;
  inverse_dynamics::Scheme scheme = inverse_dynamics::Scheme::backward_euler;
  double step = 0.01;
  int order = 5;  // K of the algebraic method
};
inverse_dynamics::Plan plan_of(const ServoCrane&, const PlanBy&);

// A number of a plan that a table has too. Errors are as parts of the column's largest value, or as they are.
struct TableColumn {
  std::string name;
  std::function<double(const inverse_dynamics::Instant&)> value;
  bool relative = false;
};
// The largest error of all columns at the times that both have, from a time on.
double table_error(const inverse_dynamics::Plan&, const NumberTable&, const std::vector<TableColumn>&, double from = 0,
                   const std::string& time = "t");

TableColumn coordinate_column(const ServoCrane&, const std::string& table, const std::string& coordinate,
                              double factor = 1);
TableColumn input_column(const std::string& table, int input, double factor = 1);

// The largest difference of the inputs of two plans at times that both have, as a part of the largest input.
double input_difference(const inverse_dynamics::Plan&, const inverse_dynamics::Plan&, double from = 0,
                        double to = 1e300);

// By how much inputs of a method come nearer to the exact ones when the step is halved, as an order. Times from `from`
// to `to` alone.
double input_order(const ServoCrane&, PlanBy, const inverse_dynamics::Plan& exact, double from, double to);

// What the analysis says and what a replay leaves, as rows.
struct Expected {
  int index = 5, freedom = 0, coupling = 0;
};
void check_analysis(Checker&, const std::string& case_name, const ServoCrane&, const Expected&);
void check_replay(Checker&, const std::string& case_name, const ServoCrane&, const inverse_dynamics::Plan&, double step,
                  double bound);

}  // namespace davit::verify
