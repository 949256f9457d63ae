// The instant inside a step at which something comes, found and stepped to again.
#include "davit/solve/step_cut.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

// Within which an instant is found.
double tolerance(double t) { return 1e-9 * std::max(1.0, std::abs(t)); }

// A step of an adaptive method may be longer than what something lasts: it is looked at inside, too. Its motion is
// resolved by a polynomial of order five, which turns at most four times.
constexpr int looks_inside = 5;

// False where an element cannot go on: the run comes to that itself, and says so.
template <class Try>
bool unless_broken(const Try& attempt) {
  try {
    return attempt();
  } catch (const Breakdown&) {
    return false;
  }
}

}  // namespace

StepCut::StepCut(System& system, Stepper& stepper, StepView& view, Supervisor* supervisor, const State& start)
    : system_(system), stepper_(stepper), view_(view), supervisor_(supervisor), again_(start) {
  for (const auto& e : system.model().elements())
    if (e.element->has_instants()) elements_.push_back(&e);
}

bool StepCut::has_come(const State& state) const {
  const Workspace& work = system_.workspace();
  if (supervisor_ && supervisor_->has_come(state, work)) return true;
  return std::any_of(elements_.begin(), elements_.end(),
                     [&](const auto* e) { return e->element->instant_has_come(e->context(state, work)); });
}

std::optional<double> StepCut::find(const State& start, const State& end) {
  const double h = end.t - start.t;
  const auto come_inside = [&](double t) {
    return unless_broken([&] {
      const State* inside = view_.look_inside(t, end.t);
      return inside && has_come(*inside);
    });
  };
  double before = start.t, after = end.t;
  bool come = false;
  if (stepper_.adaptive())
    for (int i = 1; i < looks_inside && !come; ++i) {
      const double t = start.t + h * i / looks_inside;
      come = come_inside(t);
      (come ? after : before) = t;
    }
  if (!come && !come_at(end)) return std::nullopt;
  while (after - before > tolerance(end.t)) {
    const double middle = 0.5 * (before + after);
    (come_inside(middle) ? after : before) = middle;
  }
  return after;
}

bool StepCut::come_at(const State& end) {
  return unless_broken([&] { return view_.look_at(end) && has_come(end); });
}

bool StepCut::take(const State& start, double h) {
  again_ = start;
  stepper_.go_back();
  return unless_broken([&] { return stepper_.step(system_, again_, h).ok; });
}

bool StepCut::apply(const State& start, State& state) {
  const bool waits = supervisor_ && supervisor_->waits(start);
  if (!waits && elements_.empty()) return false;
  const double h = state.t - start.t;
  const auto instant = find(start, state);
  if (!instant) return false;
  // Where it was at the end only by a hair it stays there.
  double part = *instant - start.t, past = tolerance(state.t);
  bool again = false;
  for (; part < h - tolerance(state.t); part += past, past *= 4) {
    again = true;
    if (!take(start, part)) break;
    // The step itself is more accurate than what was found inside the longer one: it may be a little later.
    if (come_at(again_)) {
      state = again_;
      return true;
    }
  }
  if (again && take(start, h)) state = again_;
  return false;
}

}  // namespace davit
