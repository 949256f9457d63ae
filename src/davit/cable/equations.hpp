// Residual and tangent of all elements of a line for positions, velocities and accelerations of its nodes.
#pragma once

#include "davit/cable/line.hpp"
#include "davit/cable/point_laws.hpp"

namespace davit::cable {

class LineEquations {
 public:
  LineEquations(const Line& line, LineWork& work) : line_(line), work_(work) {}

  // What surrounds it now: at rest, or at the end of a step.
  void sample(const StepSpan* step = nullptr) { line_.sample(work_, step); }
  // Fills work.equations; work.friction with friction, which starts from the stretches and positions of `before`.
  void evaluate(const Rates& rates, const double* before_with_friction);

 private:
  template <bool open, bool rough, bool uneven>
  void elements(const Rates&, const double* before);
  void attachments(const Rates&);
  void add_at_node(int node, const Vec3& residual, const Mat3& tangent);

  const Line& line_;
  LineWork& work_;
};

}  // namespace davit::cable
