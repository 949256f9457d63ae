// Rows inside a step: coordinates by interpolation, what a step solved for blended with the step before.
#include "davit/solve/step_view.hpp"

namespace davit {

namespace {

void blend(const Solution& a, const Solution& b, double s, Solution& out) {
  const auto between = [s](double x, double y) { return (1 - s) * x + s * y; };
  out.t = between(a.t, b.t);
  out.a = (1 - s) * a.a + s * b.a;
  out.lambda = (1 - s) * a.lambda + s * b.lambda;
  out.reaction_load = (1 - s) * a.reaction_load + s * b.reaction_load;
  out.w.resize(b.w.size());
  for (size_t i = 0; i < b.w.size(); ++i) out.w[i] = between(a.w[i], b.w[i]);
  out.transmitted.resize(b.transmitted.size());
  for (size_t i = 0; i < b.transmitted.size(); ++i) {
    out.transmitted[i] = (1 - s) * a.transmitted[i];
    out.transmitted[i] += s * b.transmitted[i];
  }
}

}  // namespace

void StepView::begin(double t, const Solution* before) {
  from_ = t;
  has_before_ = before != nullptr;
  if (before) before_ = *before;
}

bool StepView::look_at(const State& state, const Solution* found) {
  if (!found) return system_.evaluate(state);
  system_.show(state, *found);
  return true;
}

const State* StepView::look_inside(double t, double end) {
  stepper_.interpolate(system_, t, inside_);
  const Solution* found = stepper_.solution();
  if (found && has_before_) {
    blend(before_, *found, (t - from_) / (end - from_), between_);
    found = &between_;
  }
  return look_at(inside_, found) ? &inside_ : nullptr;
}

}  // namespace davit
