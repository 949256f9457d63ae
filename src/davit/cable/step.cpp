// One implicit step of a line.
#include <algorithm>
#include <cmath>

#include "davit/cable/elimination.hpp"
#include "davit/cable/equations.hpp"
#include "davit/cable/implicit_step.hpp"

namespace davit::cable {

namespace {

// Line that is paid out moves through the fairlead: where the last element is ℓ long, a point at the share ξ of it has
//   ṙ = v₁ + ξ (v₂ − v₁) − ξ (ℓ̇/ℓ) d,  r̈ = a₁ + ξ (a₂ − a₁) − 2ξ (ℓ̇/ℓ)(v₂ − v₁) + ξ (2 (ℓ̇/ℓ)² − ℓ̈/ℓ) d,
// d = r₂ − r₁, so that it is as if its second node moved otherwise than the fairlead.
void pay_out(double last, const PaidOut& paid_out, LineWork& work) {
  if (paid_out.rate == 0 && paid_out.acceleration == 0) return;
  const double rate = paid_out.rate / last, bend = 2 * rate * rate - paid_out.acceleration / last;
  for (int axis = 0; axis < 3; ++axis) {
    const size_t end = static_cast<size_t>(axis * work.stride + work.elements);
    const double d = work.position[end] - work.position[end - 1];
    work.acceleration[end] += bend * d - 2 * rate * (work.velocity[end] - work.velocity[end - 1]);
    work.velocity[end] -= rate * d;
  }
}

}  // namespace

Outcome Line::step(const double* before, double time, double h, const Vec3& a, const Vec3& b, double* after,
                   EndForces& forces, LineWork& work, Guess guess, const PaidOut& paid_out,
                   const MetWaves& waves) const {
  const Extent out = extent(paid_out.length, elements(before));
  if (!(out.last > 0)) return {};  // more than the last element is taken in at once: a shorter step will do
  take(out, work);
  if (relaxes_) begin_branches(before, h, work);
  ImplicitStep step(layout_, work, before, h);
  const auto place = [&] {
    step.place();
    pay_out(out.last, paid_out, work);
  };
  LineEquations equations(*this, work);
  // Water and bed are met where the line is predicted to be, whatever its ends do then: once a step.
  if (guess == Guess::prediction) {
    step.predict();
    place();
    const StepSpan span{before, time, h, waves};
    equations.sample(&span);
  } else {
    step.take_up(after);
    place();
  }

  Patience patience;
  Outcome outcome;
  Vec3 hold_a, hold_b;
  while (!outcome.converged && outcome.iterations < numerics_.max_iterations) {
    ++outcome.iterations;
    equations.evaluate(step.rates(), before);
    work.change.front() = a - work.node(0);
    work.change[static_cast<size_t>(out.elements)] = b - work.node(out.elements);
    outcome.residual = eliminate(out.elements + 1, work, hold_a, hold_b);
    const double last = outcome.change;
    outcome.change = step.move(work.change, patience.part(outcome.iterations, last));
    place();
    if (!std::isfinite(outcome.change)) break;
    // The next change would be smaller by as much as this one was.
    const double next = outcome.iterations > 1 ? outcome.change * outcome.change / last : outcome.change;
    outcome.converged = std::min(outcome.change, next) < Patience::tolerance(numerics_, outcome.iterations);
  }
  forces.a = -hold_a;
  forces.b = -hold_b;
  forces.tangent = -schur_complement(out.elements + 1, work, !forces.anchored);
  step.keep(after);
  after[StateLayout::active] = out.elements;
  after[StateLayout::last_length] = out.last;
  after[StateLayout::pay_rate] = paid_out.rate;
  if (relaxes_) {
    keep_branches(after, work);
  } else {
    std::fill_n(after + layout_.branch(), layout_.nodes - 1, 0.0);
  }
  Eigen::Map<Vec3>(after + StateLayout::force_a) = forces.a;
  Eigen::Map<Vec3>(after + StateLayout::force_b) = forces.b;
  return outcome;
}

void Line::differentiate(const double* before, double time, double h, const LineEnds& ends, const double* after,
                         EndForces& forces, LineWork& work) const {
  const Extent out = extent(ends.paid_out.length, elements(before));
  take(out, work);
  if (relaxes_) begin_branches(before, h, work);
  ImplicitStep step(layout_, work, before, h);
  step.take_up_places(after);
  step.place();
  pay_out(out.last, ends.paid_out, work);
  LineEquations equations(*this, work);
  const StepSpan span{before, time, h, ends.waves};
  equations.sample(&span);
  equations.evaluate(step.rates(), before);
  work.change.front().setZero();
  work.change[static_cast<size_t>(out.elements)].setZero();
  Vec3 hold_a, hold_b;
  eliminate(out.elements + 1, work, hold_a, hold_b);
  forces.tangent = -schur_complement(out.elements + 1, work, !forces.anchored);
}

}  // namespace davit::cable
