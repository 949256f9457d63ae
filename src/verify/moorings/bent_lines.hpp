// Lines of ANCF beams for the groups about cables.
#pragma once

#include <vector>

#include "davit/cable/beam.hpp"

namespace davit::verify {

// A line of beams with its scratch and its state.
struct BentLine {
  explicit BentLine(cable::Beam made);
  // NaN in the state where no equilibrium was found.
  void settle(const cable::LineEnds&, cable::Beam::Start = cable::Beam::Start::catenary);
  bool step(double time, double h, const cable::LineEnds&);
  cable::LineView view() const;
  Vec3 position(int node) const { return line.position(state.data(), node); }

  cable::Beam line;
  cable::BeamWork work;
  std::vector<double> state, next;
  cable::EndForces forces;
};

// A rod or string in empty space: no water worth mentioning, no damping.
cable::Section rod(double length, int elements, double EA, double EI, double mass);
cable::Surroundings space(double gravity);

}  // namespace davit::verify
