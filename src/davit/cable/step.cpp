// One implicit step of a line.
#include <algorithm>
#include <cmath>

#include "davit/cable/elimination.hpp"
#include "davit/cable/equations.hpp"
#include "davit/cable/implicit_step.hpp"

namespace davit::cable {

Outcome Line::step(const double* before, double time, double h, const Vec3& a, const Vec3& b, double* after,
                   EndForces& forces, LineWork& work, Guess guess) const {
  ImplicitStep step(layout_, work, before, h);
  LineEquations equations(*this, work);
  // Water and bed are met where the line is predicted to be, whatever its ends do then: once a step.
  if (guess == Guess::prediction) {
    step.predict();
    step.place();
    const StepSpan span{before, time, h};
    equations.sample(&span);
  } else {
    step.take_up(after);
    step.place();
  }

  constexpr int patience = 8;
  Outcome outcome;
  Vec3 hold_a, hold_b;
  while (!outcome.converged && outcome.iterations < numerics_.max_iterations) {
    ++outcome.iterations;
    equations.evaluate(step.rates(), before);
    work.change.front() = a - work.node(0);
    work.change.back() = b - work.node(elements_);
    outcome.residual = eliminate(nodes(), work, hold_a, hold_b);
    const double last = outcome.change;
    // What goes to and fro between slack and taut, or in and out of the bed, is met half way.
    outcome.change = step.move(work.change, outcome.iterations > patience ? 0.5 : 1);
    step.place();
    if (!std::isfinite(outcome.change)) break;
    // The next change would be smaller by as much as this one was.
    const double next = outcome.iterations > 1 ? outcome.change * outcome.change / last : outcome.change;
    outcome.converged = std::min(outcome.change, next) < numerics_.tolerance;
  }
  forces.a = -hold_a;
  forces.b = -hold_b;
  forces.tangent = -schur_complement(nodes(), work, !forces.anchored);
  step.keep(after);
  Eigen::Map<Vec3>(after + StateLayout::force_a) = forces.a;
  Eigen::Map<Vec3>(after + StateLayout::force_b) = forces.b;
  return outcome;
}

}  // namespace davit::cable
