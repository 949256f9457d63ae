#include "davit/cable/quasi_static_line.hpp"

#include <fmt/format.h>

namespace davit::cable {

std::string QuasiStaticLine::describe() const { return fmt::format("quasi-static, {} bars", line().elements()); }

Outcome QuasiStaticLine::step(const double* before, double, double, const LineEnds& ends, double* after,
                              EndForces& forces, Scratch& scratch) const {
  return settle(ends, after, forces, scratch, before);
}

}  // namespace davit::cable
