// How fast plans are made: the cable robot CABLEV (three ropes, seven drives), 20 s at 10 ms by every method, beside
// the goals. Processor time of one thread.
#include <fmt/format.h>

#include "davit/inverse_dynamics/analysis.hpp"
#include "davit/inverse_dynamics/plan.hpp"
#include "processor_time.hpp"
#include "smoke.hpp"
#include "verify/plans/servo_cranes.hpp"

using namespace davit;
using inverse_dynamics::Method;
using inverse_dynamics::Scheme;

int main() {
  struct Row {
    const char* name;
    Method method;
    Scheme scheme;
    double goal;
  };
  const Row rows[] = {{"algebraic", Method::algebraic, Scheme::backward_euler, 500},
                      {"minimal extension, backward Euler", Method::minimal_extension, Scheme::backward_euler, 2000},
                      {"minimal extension, Radau IIA", Method::minimal_extension, Scheme::radau, 2000},
                      {"projection", Method::projection, Scheme::backward_euler, 2000}};
  verify::ServoCrane crane = verify::cablev();
  const double length = bench::smoke() ? 1 : 20;
  crane.problem.end = crane.problem.start.t + length;
  fmt::print("CABLEV, {} s at 10 ms: real time over processor time\n", length);
  fmt::print("  {:<36} {:>10} {:>8} {:>12} {:>10}\n", "method", "x real", "goal", "iterations", "matrices");
  for (const Row& row : rows) {
    inverse_dynamics::PlanOptions options;
    options.method = row.method;
    options.scheme = row.scheme;
    options.step = 0.01;
    options.time_scale = inverse_dynamics::time_scale_of(crane.problem);
    double best = 1e9;
    inverse_dynamics::Plan plan;
    for (int i = 0; i < bench::repetitions(3); ++i) {
      const double begin = bench::processor_seconds();
      plan = make_plan(crane.problem, options);
      best = std::min(best, bench::processor_seconds() - begin);
    }
    const double points = static_cast<double>(plan.points.size());
    fmt::print("  {:<36} {:>10.0f} {:>8.0f} {:>12.2f} {:>10.3f}  {}\n", row.name, length / best, row.goal,
               static_cast<double>(plan.iterations) / points, static_cast<double>(plan.matrices) / points, plan.why);
  }
  return 0;
}
