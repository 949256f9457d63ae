#include "davit/cable/bar_line.hpp"

#include <fmt/format.h>

namespace davit::cable {

std::string BarLine::describe() const { return fmt::format("{} bars", line_.elements()); }

Outcome BarLine::settle(const LineEnds& ends, double* state, EndForces& forces, Scratch& scratch,
                        const double* near) const {
  return settle_near(line_, near, ends, state, forces, line_work(scratch));
}

Outcome BarLine::step(const double* before, double time, double h, const LineEnds& ends, double* after,
                      EndForces& forces, Scratch& scratch) const {
  return line_.step(before, time, h, ends.a, ends.b, after, forces, line_work(scratch), Guess::prediction,
                    ends.paid_out, ends.waves);
}

}  // namespace davit::cable
