// Residual and tangent of all elements of a line for positions, velocities and accelerations of its nodes.
#pragma once

#include "davit/cable/line.hpp"
#include "davit/cable/point_laws.hpp"

namespace davit::cable {

class LineEquations {
 public:
  LineEquations(const Line& line, LineWork& work) : line_(line), work_(work) {}

  // The Gauss points of the positions in the work: velocity and acceleration of the water there, whether the plain
  // equations of deep water at rest will do, and the planes of an uneven bed.
  void sample(double time, bool with_waves);
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
