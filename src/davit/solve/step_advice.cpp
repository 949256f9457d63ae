// The local error of a step, measured by its halves and quarters, and the step that it advises.
#include "davit/solve/step_advice.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

// Of measured errors, that may be larger than what is said of all.
constexpr double rare = 0.1;
// Below this errors are those of Newton's method and of round-off, and say nothing about the step.
constexpr double noise = 1e-11;

}  // namespace

void Sizes::add(double size) {
  ++count_;
  const double octaves =
      std::isfinite(size) ? std::log2(std::max(size, smallest) / smallest) : std::numeric_limits<double>::infinity();
  ++bins_[static_cast<size_t>(std::min(per_octave * octaves, static_cast<double>(bins_.size() - 1)))];
}

double Sizes::kept_but_for(double share) const {
  long left = count_ - static_cast<long>(share * static_cast<double>(count_));
  if (left <= 0) return 0;
  size_t bin = 0;
  for (left -= bins_[0]; left > 0 && bin + 1 < bins_.size(); left -= bins_[bin]) ++bin;
  return size_of(bin);
}

long Sizes::larger_than(double size) const {
  long count = 0;
  for (size_t bin = bins_.size(); bin-- > 0 && size_of(bin) > size;) count += bins_[bin];
  return count;
}

double Sizes::size_of(size_t bin) {
  return bin == 0 ? 0 : smallest * std::exp2((static_cast<double>(bin) + 0.5) / per_octave);
}

StepAdvice::StepAdvice(const Model& model, const Stepper& stepper, double steps, size_t breakpoints, bool active)
    : interval_(static_cast<long>(std::clamp(steps / 30, 5.0, 200.0))),
      model_(model),
      order_(stepper.order()),
      goal_(order_ >= 4 ? 1e-8 : 1e-6),
      most_measured_(steps / static_cast<double>(interval_) + static_cast<double>(breakpoints) + 1),
      active_(active && !stepper.adaptive()),
      without_history_(active_ ? stepper.clone_without_history(model) : nullptr) {
  difference_.setZero(model.nu());
}

void StepAdvice::after(System& system, const State& s, double h) {
  if (!take_two(system, h / 2, halves_, &half_) || !take_two(system, h / 4, quarters_)) return;
  for (const State* other : {&start_, &halves_, &half_, &quarters_})
    if (!contacts_agree(*other, s)) {
      ++impacts_;
      return;
    }
  const Apart whole = apart(system, s, halves_), half = apart(system, half_, quarters_);
  if (whole.size > largest_) {
    largest_ = whole.size;
    worst_ = whole.speed;
  }
  const double of_difference = 1 / (1 - std::pow(2.0, -order_));
  errors_.add(of_difference * whole.size);
  errors_of_half_.add(of_difference * half.size);
  step_ = h;
}

bool StepAdvice::is_beyond(double multiple_of_goal) const {
  return static_cast<double>(errors_.larger_than(multiple_of_goal * goal_)) > std::floor(rare * most_measured_);
}

void StepAdvice::write(RunOutcome& out) const {
  out.impact_steps = impacts_;
  const double error = errors_.kept_but_for(rare);
  if (error <= 0 || !std::isfinite(error)) return;
  out.local_error = error;
  // Two digits are all that such an advice is worth.
  out.local_error_goal = goal_;
  const double exact = step_ * std::pow(goal_ / error, 1 / power());
  const double digit = std::pow(10.0, std::floor(std::log10(exact)) - 1);
  out.advised_step = std::floor(exact / digit) * digit;
}

// Of the step, by which the error falls: at least two, which is first order; less is that of steps too long to tell.
double StepAdvice::power() const {
  const double whole = errors_.kept_but_for(rare), half = errors_of_half_.kept_but_for(rare);
  if (!(half > noise)) return order_ + 1;
  return std::clamp(std::log2(whole / half), 2.0, order_ + 1.0);
}

// Two steps from the start, as the run would take them: what has a memory (ropes that slip) keeps it between them.
bool StepAdvice::take_two(System& system, double h, State& state, State* first) {
  state = start_;
  without_history_->restart(state);
  if (!try_step(*without_history_, system, state, h).ok) return false;
  if (first) *first = state;
  try {
    if (system.commit(state)) without_history_->restart(state);
  } catch (const Breakdown&) {
    return false;  // the run will hear of it itself
  }
  return try_step(*without_history_, system, state, h).ok;
}

auto StepAdvice::apart(System& system, const State& a, const State& b) -> Apart {
  Apart out;
  const auto see = [&](Eigen::Index speed, double size) {
    if (size > out.size) out = {size, speed};
  };
  system.difference(b.q, a.q, difference_);
  for (Eigen::Index i = 0; i < difference_.size(); ++i) see(i, std::abs(difference_[i]));
  for (Eigen::Index i = 0; i < a.u.size(); ++i) see(i, std::abs(a.u[i] - b.u[i]) / (1 + std::abs(a.u[i])));
  return out;
}

// Whether the same contacts carry.
bool StepAdvice::contacts_agree(const State& a, const State& b) const {
  const auto carries = [&](const State& s, Eigen::Index i) { return s.lambda[model_.rows() + 3 * i + 2] > 0; };
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(model_.contacts().size()); ++i)
    if (carries(a, i) != carries(b, i)) return false;
  return true;
}

}  // namespace davit
