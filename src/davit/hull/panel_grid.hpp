// Rows and columns of panels on a piece of surface.
#pragma once

#include "davit/hull/panel_mesh.hpp"
#include "davit/math/constants.hpp"

namespace davit::hull {

// Which ends of a range have smaller panels.
enum class Fine { first, last, both };

// Values from `a` to `b` with steps of at most `step`. With refine = 1 they crowd towards the fine ends like the feet
// of equal steps on a circle (a half for both ends, a quarter for one), with 0 they are even.
inline std::vector<double> spaced(double a, double b, double step, double refine = 0, Fine fine = Fine::both) {
  const double widest = 1 + refine * (pi / 2 - 1);  // of the steps, against even ones
  const int parts = std::max(1, static_cast<int>(std::ceil(std::abs(b - a) * widest / step - 1e-9)));
  std::vector<double> values;
  for (int i = 0; i <= parts; ++i) {
    const double t = double(i) / parts;
    const double crowded = fine == Fine::both   ? 0.5 * (1 - std::cos(pi * t))
                           : fine == Fine::last ? std::sin(0.5 * pi * t)
                                                : 1 - std::cos(0.5 * pi * t);
    values.push_back(a + (b - a) * ((1 - refine) * t + refine * crowded));
  }
  values.front() = a;  // to the last bit, so that neighbours meet
  values.back() = b;
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
