#include "davit/solve/load_resolution.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

// All as parts of the largest load that a force has carried so far. A load that changes by less over a step is not
// looked at more closely.
constexpr double quiet_change = 0.02;
// Between the ends of a step and of its two halves. A free oscillation of angular frequency ω is then followed by steps
// of about 0.3/ω.
constexpr double tolerated_error = 2e-3;
// By which a peak inside a step may be higher than what both its ends show.
constexpr double tolerated_peak = 3e-3;
// Of the load that the speeds at the start lead to, what of it may not be seen at all; and where it begins to act,
// which may be with a jump to its peak.
constexpr double tolerated_unseen = 0.5, tolerated_unseen_at_first = 0.01;
// Loads below this part of the largest of the whole model count as if they were so large.
constexpr double least_of_all = 1e-3;
// Of the step that was asked for.
constexpr double shortest_part = 1.0 / 16384;

double part(double x, double of) { return of > 0 ? x / of : 0; }

}  // namespace

LoadResolution::LoadResolution(const Model& model, const Stepper& stepper, double longest, double tolerance)
    : model_(model), longest_(longest), shortest_(shortest_part * longest), tolerance_(tolerance), stepper_(stepper) {
  if (stepper.adaptive()) return;
  for (const auto& f : model.forces())
    if (f.element->acts_one_way()) watched_.push_back({f.element.get(), f});
  const auto n = static_cast<Eigen::Index>(watched_.size());
  for (VecX* list : {&before_, &now_, &middle_, &halves_, &predicted_, &scale_}) list->setZero(n);
}

void LoadResolution::read(System& system, const State& state, VecX& loads) const {
  Workspace& work = system.workspace();
  system.place_bodies<double>(work, state.t, state.q.data(), state.u.data(), state.discrete);
  for (size_t i = 0; i < watched_.size(); ++i)
    loads[static_cast<Eigen::Index>(i)] = watched_[i].force->carried(watched_[i].place.context(state, work));
}

void LoadResolution::predict(System& system, const State& start, double h) {
  way_ = h * start.u;
  place_.resize(start.q.size());
  system.retract(start.q, way_, place_);
  Workspace& work = system.workspace();
  system.place_bodies<double>(work, start.t + h, place_.data(), start.u.data(), start.discrete);
  for (size_t i = 0; i < watched_.size(); ++i) {
    double& load = predicted_[static_cast<Eigen::Index>(i)];
    try {
      load = watched_[i].force->carried_there(watched_[i].place.context(start, work));
    } catch (const Breakdown&) {
      load = 0;  // bodies do not come there; where they do, the run says so
    }
  }
}

void LoadResolution::begin(System& system, State& state) {
  if (!active() || state.load_peaks.size() == now_.size()) return;
  read(system, state, now_);
  state.load_peaks = now_;
}

double LoadResolution::landing(const State& state) const {
  if (!shortens(state)) return std::numeric_limits<double>::infinity();
  return (std::floor(state.t / longest_ + 1e-9) + 1) * longest_;
}

void LoadResolution::remember(const State& start, State& end, double next) const {
  end.load_peaks = start.load_peaks.cwiseMax(now_);
  end.next_step = next < longest_ ? next : 0;
}

// A number that is none is a step that has no solution, which its own method sees to.
double LoadResolution::largest_change() const {
  double largest = 0;
  for (Eigen::Index i = 0; i < now_.size(); ++i) {
    const double change = std::max(std::abs(now_[i] - before_[i]), predicted_[i] - before_[i]);
    largest = std::max(largest, part(change, std::max(scale_[i], change)));
  }
  return largest;
}

std::optional<double> LoadResolution::error(System& system, const State& start, double h) {
  if (!halving_) halving_ = stepper_.clone_without_history(model_);
  half_ = start;
  halving_->restart(half_);
  if (!halving_->step(system, half_, h / 2).ok) return std::nullopt;
  read(system, half_, middle_);
  if (system.commit(half_)) halving_->restart(half_);
  if (!halving_->step(system, half_, h / 2).ok) return std::nullopt;
  read(system, half_, halves_);
  double largest = 0;
  for (Eigen::Index i = 0; i < now_.size(); ++i) {
    const double scale = std::max({scale_[i], middle_[i], halves_[i]}),
                 at_ends = std::max({before_[i], now_[i], halves_[i]}), seen = std::max(at_ends, middle_[i]);
    const double error = std::max({part(std::abs(halves_[i] - now_[i]), scale) / tolerated_error,
                                   part(middle_[i] - at_ends, scale) / tolerated_peak,
                                   part(predicted_[i] - seen, std::max(scale, predicted_[i])) /
                                       (before_[i] > 0 ? tolerated_unseen : tolerated_unseen_at_first)});
    if (error > largest) {
      largest = error;
      worst_ = i;
    }
  }
  return largest / tolerance_;
}

bool LoadResolution::retry(State& end, double next) {
  ++steps_.retried;
  end.next_step = std::max(next, shortest_);
  return false;
}

bool LoadResolution::accepts(System& system, const State& start, State& end, const StepCounts::Step& step) {
  if (!active()) return true;
  const double h = step.length;
  if (step.rejected > 0 && h > shortest_) return retry(end, h / 2);
  try {
    read(system, start, before_);
    read(system, end, now_);
  } catch (const Breakdown&) {
    return true;  // the run itself comes to it, and says so
  }
  predict(system, start, h);
  scale_ = start.load_peaks.cwiseMax(now_);
  scale_ = scale_.cwiseMax(least_of_all * scale_.maxCoeff());
  // A step that was cut to land somewhere says nothing about how long the next may be.
  const double tried = std::max(h, start.next_step);
  if (!(largest_change() > quiet_change)) {
    remember(start, end, 2 * tried);
    return true;
  }
  std::optional<double> found;
  try {
    found = error(system, start, h);
  } catch (const Breakdown&) {
    found.reset();
  }
  if (!found) {
    remember(start, end, tried);
    return true;
  }
  // The error of a step falls with its third power where loads are smooth and with the first where they jump.
  const double factor = 0.9 / std::sqrt(std::max(*found, 0.2));
  if (*found > 1 && h > shortest_) return retry(end, std::clamp(factor, 0.1, 0.5) * h);
  if (*found > 1 && steps_.unresolved++ == 0) {
    steps_.element = watched_[static_cast<size_t>(worst_)].force->name();
    steps_.t = end.t;
  }
  remember(start, end, std::max(factor, 1.0) * tried);
  return true;
}

}  // namespace davit
