// One implicit step of a line.
#include <algorithm>
#include <cmath>

#include "davit/cable/elimination.hpp"
#include "davit/cable/equations.hpp"

namespace davit::cable {

namespace {

// BDF2 with steps h after h₋₁, ω = h/h₋₁: α₀ = (1 + 2ω)/(1 + ω), α₂ = ω²/(1 + ω), α₁ = −α₀ − α₂. In increments
//   v = α₀ (r − r₋₁)/h − α₂ (r₋₁ − r₋₂)/h.
// Without history, or after a step so much shorter that the formula would amplify, backward Euler.
struct Bdf2 {
  double now, last;  // α₀/h, −α₂/h
  Bdf2(double h, double h_before) {
    constexpr double largest_growth = 1 + 1.4142135623730951;
    const double w = h_before > 0 ? h / h_before : 0;
    const bool plain = h_before <= 0 || w >= largest_growth;
    now = (plain ? 1 : (1 + 2 * w) / (1 + w)) / h;
    last = plain ? 0 : -w * w / (1 + w) / h;
  }
};

class StepOf {
 public:
  StepOf(const StateLayout& layout, LineWork& work, const double* before, double h)
      : layout_(layout), work_(work), before_(before), h_(h), scheme_(h, before[StateLayout::last_step]) {
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < layout_.nodes; ++i) {
        const int k = axis * work_.stride + i;
        const double vb = scheme_.last * before_[layout_.position_change(axis) + i];
        const double ab = scheme_.last * before_[layout_.velocity_change(axis) + i];
        work_.velocity_base[static_cast<size_t>(k)] = vb;
        work_.acceleration_base[static_cast<size_t>(k)] = scheme_.now * (vb - before_[layout_.velocity(axis) + i]) + ab;
      }
  }
  Rates rates() const { return {scheme_.now, scheme_.now * scheme_.now}; }

  // As it moved before, with its last mean acceleration.
  void predict() {
    const double last = before_[StateLayout::last_step], growth = last > 0 ? h_ / last : 0;
    const double bend = growth < 2.5 ? 0.5 * h_ * growth : 0;
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < layout_.nodes; ++i)
        increment(axis, i) =
            h_ * before_[layout_.velocity(axis) + i] + bend * before_[layout_.velocity_change(axis) + i];
  }
  void take_up(const double* after) {
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < layout_.nodes; ++i) increment(axis, i) = after[layout_.position_change(axis) + i];
  }
  void place() {
    const double cv = scheme_.now, ca = cv * cv;
    for (int axis = 0; axis < 3; ++axis) {
      const double* u = work_.increment.data() + axis * work_.stride;
      const double* start = before_ + layout_.position(axis);
      const double* vb = work_.velocity_base.data() + axis * work_.stride;
      const double* ab = work_.acceleration_base.data() + axis * work_.stride;
      double* r = work_.position.data() + axis * work_.stride;
      double* v = work_.velocity.data() + axis * work_.stride;
      double* a = work_.acceleration.data() + axis * work_.stride;
      for (int i = 0; i < layout_.nodes; ++i) {
        r[i] = start[i] + u[i];
        v[i] = cv * u[i] + vb[i];
        a[i] = ca * u[i] + ab[i];
      }
    }
  }
  Vec3 missing(const Vec3& target, int node) const {
    Vec3 out;
    for (int axis = 0; axis < 3; ++axis)
      out[axis] = target[axis] - work_.position[static_cast<size_t>(axis * work_.stride + node)];
    return out;
  }
  // Adds a part of the change of all nodes; gives the largest change.
  double move(double part) {
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i <= work_.elements; ++i) {
        const double d = work_.change[static_cast<size_t>(i)][axis];
        increment(axis, i) += part * d;
        largest = std::max(largest, std::abs(d));
      }
    return largest;
  }
  void keep(double* after) const {
    after[StateLayout::last_step] = h_;
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < layout_.nodes; ++i) {
        const size_t k = static_cast<size_t>(axis * work_.stride + i);
        after[layout_.position(axis) + i] = work_.position[k];
        // Not that of the work: on a winch the line has another velocity than the fairlead.
        const double velocity = scheme_.now * work_.increment[k] + work_.velocity_base[k];
        after[layout_.velocity(axis) + i] = velocity;
        after[layout_.position_change(axis) + i] = work_.increment[k];
        after[layout_.velocity_change(axis) + i] = velocity - before_[layout_.velocity(axis) + i];
      }
    std::copy_n(work_.friction.begin(), 4 * (layout_.nodes - 1), after + layout_.friction());
  }

 private:
  double& increment(int axis, int i) { return work_.increment[static_cast<size_t>(axis * work_.stride + i)]; }
  const StateLayout& layout_;
  LineWork& work_;
  const double* before_;
  double h_;
  Bdf2 scheme_;
};

// What goes to and fro between slack and taut, or in and out of the bed, is met half way, and then more and more
// slowly.
double share_of_change(int iteration) {
  return iteration <= 8 ? 1 : iteration <= 20 ? 0.5 : iteration <= 40 ? 0.25 : 0.1;
}

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
                   EndForces& forces, LineWork& work, Guess guess, const PaidOut& paid_out) const {
  const Extent out = extent(paid_out.length, elements(before));
  if (!(out.last > 0)) return {};  // more than the last element is taken in at once: a shorter step will do
  take(out, work);
  if (relaxes_) begin_branches(before, h, work);
  StepOf step(layout_, work, before, h);
  const auto place = [&] {
    step.place();
    pay_out(out.last, paid_out, work);
  };
  LineEquations equations(*this, work);
  // Water and bed are met where the line is predicted to be, whatever its ends do then: once a step.
  if (guess == Guess::prediction) {
    step.predict();
    place();
    equations.sample(time + h, true);
  } else {
    step.take_up(after);
    place();
  }

  Outcome outcome;
  Vec3 hold_a, hold_b;
  while (!outcome.converged && outcome.iterations < numerics_.max_iterations) {
    ++outcome.iterations;
    equations.evaluate(step.rates(), before);
    work.change.front() = step.missing(a, 0);
    work.change[static_cast<size_t>(out.elements)] = step.missing(b, out.elements);
    outcome.residual = eliminate(out.elements + 1, work, hold_a, hold_b);
    const double last = outcome.change;
    outcome.change = step.move(share_of_change(outcome.iterations));
    place();
    if (!std::isfinite(outcome.change)) break;
    // The next change would be smaller by as much as this one was.
    const double next = outcome.iterations > 1 ? outcome.change * outcome.change / last : outcome.change;
    // What still flutters at the edge of the bed stops at ten times as much, 1 mm, which sufficed in the experiment
    // that preceded this code.
    const double tolerance = numerics_.tolerance * (outcome.iterations > 30 ? 10 : 1);
    outcome.converged = std::min(outcome.change, next) < tolerance;
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
    std::fill(after + layout_.branch(), after + layout_.size(), 0.0);
  }
  Eigen::Map<Vec3>(after + StateLayout::force_a) = forces.a;
  Eigen::Map<Vec3>(after + StateLayout::force_b) = forces.b;
  return outcome;
}

}  // namespace davit::cable
