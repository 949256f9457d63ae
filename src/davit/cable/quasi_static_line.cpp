#include "davit/cable/quasi_static_line.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace davit::cable {

std::string QuasiStaticLine::describe() const { return fmt::format("quasi-static, {} bars", line_.elements()); }

Outcome QuasiStaticLine::settle(const LineEnds& ends, double* state, EndForces& forces, Scratch& scratch) const {
  return settle_from_anywhere(line_, ends, state, forces, line_work(scratch));
}

Outcome QuasiStaticLine::step(const double* before, double, double, const LineEnds& ends, double* after,
                              EndForces& forces, Scratch& scratch) const {
  std::copy_n(before, line_.state_size(), after);
  const Outcome outcome = line_.settle(ends.a, ends.b, after, line_work(scratch), Line::Start::state);
  if (!outcome.converged) return settle(ends, after, forces, scratch);
  line_.forces_of_work(forces, line_work(scratch));
  return outcome;
}

}  // namespace davit::cable
