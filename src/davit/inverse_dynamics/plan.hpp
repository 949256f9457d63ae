// Plans: how inputs, coordinates and rope forces go when outputs follow their desired motions, by any of the methods of
// the thesis on servo constraints and of the algebraic one.
#pragma once

#include "davit/inverse_dynamics/servo_equations.hpp"

namespace davit::inverse_dynamics {

enum class Method {
  algebraic,              // derivative array at every instant, exact at any step; flat problems
  minimal_extension,      // (5.14), (5.33), (5.107), (5.113): outputs with both rates, dummy derivatives
  projection,             // (4.23), (4.33): motion projected along and across the outputs
  projection_constrained  // (4.50): … and along and across the constraints
};
enum class Scheme { backward_euler, bdf2, radau };

struct PlanOptions {
  Method method = Method::algebraic;
  Scheme scheme = Scheme::backward_euler;  // of methods by time steps
  double step = 0.01;
  int array_order = 5;  // K of the algebraic method: index - 1 for inputs, index for their rates too
  double time_scale = 1;
  // Of the algebraic method: at these times in place of those a step apart. One that comes twice is before and after.
  std::vector<double> times;
};

struct Interval {
  double from, to;
};

struct Plan {
  std::vector<Instant> points;    // the first at the start
  std::vector<VecX> input_rates;  // at the points, where the method gives them
  bool complete = false;
  std::string why;                 // it is not complete
  std::vector<Interval> singular;  // between these the motion was interpolated
  long iterations = 0, matrices = 0;
  std::vector<std::vector<int>> dummies;  // speeds chosen as dummy derivatives, each time they were chosen anew
};

Plan make_plan(const ServoProblem&, const PlanOptions&);

// Of the methods; each begins at the problem's start.
Plan plan_algebraic(const ServoProblem&, const PlanOptions&);
Plan plan_by_steps(const ServoProblem&, const PlanOptions&);

// Times of a plan: the start, then a step apart; the last is the end of the problem.
std::vector<double> plan_times(const ServoProblem&, double step);
// … and times at which the desired motion is not smooth, twice: before and after.
std::vector<double> plan_times_with_breakpoints(const ServoProblem&, double step);

}  // namespace davit::inverse_dynamics
