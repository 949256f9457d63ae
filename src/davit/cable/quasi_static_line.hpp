// A line of bars that is in equilibrium at every instant: weight, stretch, bed and current as they are, without
// inertia, drag by its own motion, damping and friction. For motions that are slow beside the line's own.
#pragma once

#include "davit/cable/bar_line.hpp"

namespace davit::cable {

class QuasiStaticLine final : public BarLine {
 public:
  using BarLine::BarLine;
  std::string describe() const override;
  // From where it was; from anywhere if that leads nowhere.
  Outcome step(const double* before, double time, double h, const LineEnds&, double* after, EndForces&,
               Scratch&) const override;
};

}  // namespace davit::cable
