// Rows and columns of panels on a piece of surface.
#pragma once

#include <algorithm>
#include <cmath>

#include "davit/hull/panel_mesh.hpp"
#include "davit/math/constants.hpp"

namespace davit::hull {

// Which ends of a range have smaller panels.
enum class Fine { first, last, both };

// Values from `a` to `b` with steps of at most `step`. The outermost steps at fine ends are 2^−refine of it, and each
// is at most one half larger than the one before: the flow round an edge changes fastest next to it. With refine = 0
// all are even.
inline std::vector<double> spaced(double a, double b, double step, double refine = 0, Fine fine = Fine::both) {
  constexpr double growth = 1.5;
  const double length = std::abs(b - a);
  // From the fine end inwards; with two of them in turn from the one and the other.
  std::vector<double> steps;
  double sum = 0;
  for (double next = step * std::exp2(-refine); sum < length * (1 - 1e-9) || steps.empty();) {
    steps.push_back(next);
    sum += next;
    if (fine != Fine::both || steps.size() % 2 == 0) next = std::min(step, growth * next);
  }
  std::vector<double> in_order, back;
  for (size_t i = 0; i < steps.size(); ++i) (fine == Fine::both && i % 2 == 1 ? back : in_order).push_back(steps[i]);
  in_order.insert(in_order.end(), back.rbegin(), back.rend());
  if (fine == Fine::last) std::reverse(in_order.begin(), in_order.end());
  std::vector<double> values{a};
  for (const double each : in_order) values.push_back(values.back() + (b - a) * each / sum);
  values.back() = b;  // to the last bit, so that neighbours meet
  return values;
}

// Panels between the points at(u, v); the normals are along ∂at/∂u × ∂at/∂v. Points are not shared with other grids:
// weld the mesh when all are there.
template <class At>
void add_grid(PanelMesh& mesh, const std::vector<double>& us, const std::vector<double>& vs, const At& at) {
  const int first = static_cast<int>(mesh.points.size()), columns = static_cast<int>(vs.size());
  for (const double u : us)
    for (const double v : vs) mesh.points.push_back(at(u, v));
  for (int i = 0; i + 1 < static_cast<int>(us.size()); ++i)
    for (int j = 0; j + 1 < columns; ++j) {
      const int p = first + i * columns + j;
      mesh.panels.push_back({p, p + columns, p + columns + 1, p + 1});
    }
}

}  // namespace davit::hull
