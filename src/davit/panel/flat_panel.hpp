// A panel as the integrals need it: flat corners, centroid, normal, second moments, points of quadrature.
#pragma once

#include <array>
#include <vector>

#include "davit/hull/panel_geometry.hpp"
#include "davit/panel/quadrature.hpp"

namespace davit::panel {

struct FlatPanel {
  Vec3 centre, normal;
  double area = 0, size = 0;     // size: the largest distance of two corners
  int corners = 4;               // 3 or 4
  std::array<Vec3, 4> corner{};  // in the plane of the panel; a triangle repeats its last
  Mat3 moments = Mat3::Zero();   // ∫ (ξ − centre)(ξ − centre)ᵀ dS
};

// One for each panel of the mesh, which must have an area.
std::vector<FlatPanel> flat_panels(const hull::PanelMesh& mesh);

// Calls visit(point, weight) at n × n Gauss points: the panel as the image of a square, ξ(s, t) bilinear.
template <int n, class Visit>
void over_panel(const FlatPanel& panel, const Visit& visit) {
  const auto& rule = gauss<n>();
  const auto& [a, b, c, d] = panel.corner;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      const double s = 0.5 * (1 + rule.x[i]), t = 0.5 * (1 + rule.x[j]);
      const Vec3 along_s = (1 - t) * (b - a) + t * (c - d), along_t = (1 - s) * (d - a) + s * (c - b);
      const Vec3 point = (1 - s) * ((1 - t) * a + t * d) + s * ((1 - t) * b + t * c);
      visit(point, 0.25 * rule.weight[i] * rule.weight[j] * along_s.cross(along_t).norm());
    }
}

}  // namespace davit::panel
