#include "davit/solve/mean_of_parts.hpp"

namespace davit {

namespace {

// to = share · to + part · from.
void mix(double share, double part, const Solution& from, Solution& to) {
  to.t = share * to.t + part * from.t;
  to.a = share * to.a + part * from.a;
  to.lambda = share * to.lambda + part * from.lambda;
  to.reaction_load = share * to.reaction_load + part * from.reaction_load;
  for (size_t i = 0; i < to.w.size(); ++i) to.w[i] = share * to.w[i] + part * from.w[i];
  for (size_t i = 0; i < to.transmitted.size(); ++i) {
    Wrench wrench = share * to.transmitted[i];
    wrench += part * from.transmitted[i];
    to.transmitted[i] = wrench;
  }
}

}  // namespace

void MeanOfParts::add(double h, const State& state, const Solution& found) {
  if (count_ == 0) {
    lambda_ = state.lambda;
    sum_ = found;
  } else {
    const double before = length_ / (length_ + h), part = h / (length_ + h);
    lambda_ = before * lambda_ + part * state.lambda;
    mix(before, part, found, sum_);
  }
  length_ += h;
  ++count_;
}

void MeanOfParts::show(State& state, Solution& found) const {
  state.lambda = lambda_;
  found = sum_;
}

}  // namespace davit
