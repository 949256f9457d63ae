#include "davit/solve/event_schedule.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

double first_after(const std::vector<double>& times, double t, double otherwise) {
  const auto later = std::upper_bound(times.begin(), times.end(), t);
  return later == times.end() ? otherwise : std::min(*later, otherwise);
}

}  // namespace

EventSchedule::EventSchedule(const Model& model, double end) : end_(end), breakpoints_(model.breakpoints()) {
  for (const auto& e : model.elements())
    if (e.element->sample_time() > 0) samples_.push_back(e.element->sample_time());
}

double EventSchedule::after(const State& state) const {
  const double past = state.t + slack(state.t);
  double next = first_after(breakpoints_, past, end_);
  for (int i = 0; i < state.discrete.signals.size(); ++i)
    next = first_after(state.discrete.signals[i].breakpoints(), past, next);
  for (double period : samples_) next = std::min(next, (std::floor(past / period) + 1) * period);
  return next;
}

double EventSchedule::slack(double t) { return 1e-12 * std::max(1.0, std::abs(t)); }

}  // namespace davit
