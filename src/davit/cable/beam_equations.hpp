// Residual and tangent of all elements of a beam line for coordinates, velocities and accelerations of its nodes.
#pragma once

#include "davit/cable/beam.hpp"
#include "davit/cable/point_laws.hpp"

namespace davit::cable {

// Three Gauss points of an element, and the share of its length that belongs to each.
constexpr int beam_points = 3;
constexpr double beam_place[beam_points] = {0.11270166537925831, 0.5, 0.88729833462074169};
constexpr double beam_weight[beam_points] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

// Hermite's cubics at a place of an element of length L, and their derivatives by s.
template <class Real>
struct Hermite {
  Real value[4], slope[4], bend[4];
  Hermite(double x, const Real& L) {
    const double x2 = x * x, x3 = x2 * x;
    const Real one = L / L, per = one / L;
    value[0] = (1 - 3 * x2 + 2 * x3) * one, value[1] = (x - 2 * x2 + x3) * L;
    value[2] = (3 * x2 - 2 * x3) * one, value[3] = (x3 - x2) * L;
    slope[0] = (6 * x2 - 6 * x) * per, slope[1] = (1 - 4 * x + 3 * x2) * one;
    slope[2] = -slope[0], slope[3] = (3 * x2 - 2 * x) * one;
    bend[0] = (12 * x - 6) * per * per, bend[1] = (6 * x - 4) * per;
    bend[2] = -bend[0], bend[3] = (6 * x - 2) * per;
  }
};

class BeamEquations {
 public:
  BeamEquations(const Beam& line, BeamWork& work) : line_(line), work_(work) {}

  // What surrounds it now: at rest, or at the end of a step.
  void sample(const StepSpan* step = nullptr) { line_.sample(work_, step); }
  // Fills work.equations; work.friction with friction, which starts from the stretches and positions of `before`.
  void evaluate(const Rates& rates, const double* before_with_friction);

 private:
  template <bool open, bool rough, bool uneven>
  void elements(const Rates&, const double* before);
  void add_at_end(int node, const EndLoad&);
  void add_at_node(int node, int row, const Vec3& residual, const Mat3& tangent);

  const Beam& line_;
  BeamWork& work_;
};

}  // namespace davit::cable
