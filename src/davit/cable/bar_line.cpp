#include "davit/cable/bar_line.hpp"

#include <fmt/format.h>

namespace davit::cable {

struct BarLine::Bars final : PartedScratch {
  explicit Bars(const Line& line) : PartedScratch(line.state_size()), work(line.make_work()) {}
  LineWork work;
};
LineWork& BarLine::work_of(Scratch& scratch) { return static_cast<Bars&>(scratch).work; }

std::string BarLine::describe() const { return fmt::format("{} bars", line_.elements()); }

std::unique_ptr<LineModel::Scratch> BarLine::make_scratch() const { return std::make_unique<Bars>(line_); }

Outcome BarLine::settle(const LineEnds& ends, double* state, EndForces& forces, Scratch& scratch,
                        const double* near) const {
  return settle_near(line_, near, ends, state, forces, work_of(scratch));
}

Outcome BarLine::step_at_once(const double* before, double time, double h, const LineEnds& ends, double* after,
                              EndForces& forces, Scratch& scratch) const {
  return line_.step(before, time, h, ends.a, ends.b, after, forces, work_of(scratch), Guess::prediction, ends.paid_out,
                    ends.waves);
}

void BarLine::differentiate(const double* before, double time, double h, const LineEnds& ends, const double* after,
                            EndForces& forces, Scratch& scratch) const {
  line_.differentiate(before, time, h, ends, after, forces, work_of(scratch));
}

std::unique_ptr<const LineModel> BarLine::piece(const Parting& at, Piece which) const {
  if (at.node == (which == Piece::first ? 0 : at.elements)) return nullptr;
  return std::make_unique<BarLine>(line_.piece(at, which));
}

}  // namespace davit::cable
