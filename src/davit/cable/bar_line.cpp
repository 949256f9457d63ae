#include "davit/cable/bar_line.hpp"

#include <fmt/format.h>

namespace davit::cable {

namespace {

struct BarScratch final : LineModel::Scratch {
  explicit BarScratch(LineWork made) : work(std::move(made)) {}
  LineWork work;
};
LineWork& bar_work(LineModel::Scratch& scratch) { return static_cast<BarScratch&>(scratch).work; }

}  // namespace

std::string BarLine::describe() const { return fmt::format("{} bars", line_.elements()); }

std::unique_ptr<LineModel::Scratch> BarLine::make_scratch() const {
  return std::make_unique<BarScratch>(line_.make_work());
}

Outcome BarLine::settle(const LineEnds& ends, double* state, EndForces& forces, Scratch& scratch) const {
  LineWork& work = bar_work(scratch);
  Outcome outcome = line_.settle(ends.a, ends.b, state, work);
  if (!outcome.converged) outcome = line_.settle(ends.a, ends.b, state, work, Line::Start::straight);
  line_.static_forces(state, forces, work);
  return outcome;
}

Outcome BarLine::step(const double* before, double time, double h, const LineEnds& ends, double* after,
                      EndForces& forces, Scratch& scratch) const {
  return line_.step(before, time, h, ends.a, ends.b, after, forces, bar_work(scratch));
}

LineEnds BarLine::ends(const double* state) const {
  return {line_.position(state, 0), line_.position(state, line_.nodes() - 1)};
}

}  // namespace davit::cable
