#include "davit/panel/flat_panel.hpp"

namespace davit::panel {

std::vector<FlatPanel> flat_panels(const hull::PanelMesh& mesh) {
  std::vector<FlatPanel> out;
  out.reserve(mesh.panels.size());
  for (int i = 0; i < mesh.count(); ++i) {
    const hull::PanelGeometry geometry = hull::panel_geometry(mesh, i);
    const hull::Corners corners = hull::corners_of(mesh.panels[static_cast<size_t>(i)]);
    FlatPanel panel;
    panel.centre = geometry.centroid;
    panel.normal = geometry.normal;
    panel.area = geometry.area;
    panel.size = geometry.diameter;
    panel.corners = corners.count;
    for (int k = 0; k < 4; ++k) {
      const Vec3& point =
          mesh.points[static_cast<size_t>(corners.point[static_cast<size_t>(std::min(k, corners.count - 1))])];
      panel.corner[static_cast<size_t>(k)] = point - panel.normal * panel.normal.dot(point - panel.centre);
    }
    over_panel<3>(panel, [&](const Vec3& point, double weight) {
      const Vec3 arm = point - panel.centre;
      panel.moments += weight * arm * arm.transpose();
    });
    out.push_back(panel);
  }
  return out;
}

}  // namespace davit::panel
