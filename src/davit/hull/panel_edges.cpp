#include "davit/hull/panel_edges.hpp"

#include "davit/hull/panel_geometry.hpp"

namespace davit::hull {

PanelEdges find_edges(const PanelMesh& mesh) {
  PanelEdges edges;
  for (int i = 0; i < mesh.count(); ++i) {
    const Corners c = corners_of(mesh.panels[static_cast<size_t>(i)]);
    if (c.count < 3) continue;
    for (int k = 0; k < c.count; ++k) {
      const int a = c.point[static_cast<size_t>(k)], b = c.next(k);
      edges[std::minmax(a, b)].push_back({i, a < b});
    }
  }
  return edges;
}

PanelMesh orient(const PanelMesh& mesh) {
  PanelMesh out = mesh;
  const size_t n = mesh.panels.size();
  struct Neighbour {
    int panel;
    bool alike;  // they run along the edge in opposite directions, as they must
  };
  std::vector<std::vector<Neighbour>> neighbours(n);
  for (const auto& [edge, uses] : find_edges(mesh))
    if (uses.size() == 2) {
      const bool alike = uses[0].forward != uses[1].forward;
      neighbours[static_cast<size_t>(uses[0].panel)].push_back({uses[1].panel, alike});
      neighbours[static_cast<size_t>(uses[1].panel)].push_back({uses[0].panel, alike});
    }

  // A piece is closed by the waterplane and by planes of symmetry. About a point in all of these the flux of the
  // position through it is three times its volume.
  const Box listed = bounds(mesh);
  Vec3 origin = listed.empty() ? Vec3(Vec3::Zero()) : listed.centre();
  if (mesh.mirror_x) origin.x() = 0;
  if (mesh.mirror_y) origin.y() = 0;
  origin.z() = listed.empty() ? 0 : std::min(0.0, listed.high.z());
  const auto flux = [&](size_t panel) {
    const PanelGeometry g = panel_geometry(out, static_cast<int>(panel));
    return g.area * g.normal.dot(g.centroid - origin);
  };

  std::vector<char> seen(n, 0);
  for (size_t first = 0; first < n; ++first) {
    if (seen[first]) continue;
    std::vector<size_t> piece{first};
    seen[first] = 1;
    double sum = flux(first);
    std::vector<char> opposed{0};
    for (size_t i = 0; i < piece.size(); ++i)
      for (const Neighbour& next : neighbours[piece[i]]) {
        const size_t p = static_cast<size_t>(next.panel);
        if (seen[p]) continue;
        seen[p] = 1;
        piece.push_back(p);
        opposed.push_back(next.alike ? opposed[i] : char(!opposed[i]));
        if (opposed.back()) out.panels[p] = turned(out.panels[p]);
        sum += flux(p);
      }
    if (sum < 0)
      for (const size_t p : piece) out.panels[p] = turned(out.panels[p]);
  }
  return out;
}

}  // namespace davit::hull
