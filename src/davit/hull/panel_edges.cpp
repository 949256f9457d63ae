#include "davit/hull/panel_edges.hpp"

#include <algorithm>

#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/waterplane.hpp"

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

namespace {

constexpr double volumes_of_sound_normals = 0.01;  // by x, y and z, relative

struct Neighbour {
  int panel;
  bool alike;  // they run along the edge in opposite directions, as they must
};
using Neighbours = std::vector<std::vector<Neighbour>>;

Neighbours neighbours_of(const PanelMesh& mesh) {
  Neighbours out(mesh.panels.size());
  for (const auto& [edge, uses] : find_edges(mesh))
    if (uses.size() == 2) {
      const bool alike = uses[0].forward != uses[1].forward;
      out[static_cast<size_t>(uses[0].panel)].push_back({uses[1].panel, alike});
      out[static_cast<size_t>(uses[1].panel)].push_back({uses[0].panel, alike});
    }
  return out;
}

bool normals_are_sound(const PanelMesh& mesh, const Neighbours& neighbours) {
  for (const auto& list : neighbours)
    for (const Neighbour& next : list)
      if (!next.alike) return false;
  const PanelMesh wetted = cut_at_waterplane(mesh);
  // Of a hull above the water, which is moved to its draft later, the whole is taken.
  const Vec3 volumes = volumes_by_flux(wetted.panels.empty() ? mesh : wetted);
  return volumes.minCoeff() > 0 &&
         volumes.maxCoeff() - volumes.minCoeff() < volumes_of_sound_normals * volumes.maxCoeff();
}

// Which side of a panel is in the water, by rays that go down and sideways: the hull may be open at its top.
class WaterSide {
 public:
  explicit WaterSide(const PanelMesh& mesh) : whole_(expand(mesh)) {}

  // Positive where rays say that the panel's normal points into the water, negative where into the hull.
  int votes(size_t panel, const std::array<int, 4>& corners) const {
    // One of its triangles: a warped quadrilateral has no centre on it.
    const Vec3 &a = point(corners[0]), &b = point(corners[1]), &c = point(corners[2]);
    const Vec3 normal = (b - a).cross(c - a).normalized(), from = (a + b + c) / 3;
    int sum = 0;
    for (const Vec3& ray : rays) {
      const double along = ray.dot(normal);
      if (!(std::abs(along) > 0.05)) continue;
      const bool leaves = crossings(panel, from, ray) % 2 == 0;  // the side to which the ray goes is outside
      sum += leaves == (along > 0) ? 1 : -1;
    }
    return sum;
  }

 private:
  // In no plane that a mesh is likely to have.
  static inline const std::array<Vec3, 5> rays{Vec3(0.829, 0.313, -0.4637), Vec3(-0.711, 0.587, -0.3871),
                                               Vec3(-0.367, -0.853, -0.3719), Vec3(0.547, -0.719, -0.4297),
                                               Vec3(0.0371, 0.0913, -0.9952)};

  const Vec3& point(int p) const { return whole_.points[static_cast<size_t>(p)]; }

  int crossings(size_t own, const Vec3& from, const Vec3& ray) const {
    int count = 0;
    for (size_t i = 0; i < whole_.panels.size(); ++i) {
      if (i == own) continue;  // images come after the listed panels
      const auto& p = whole_.panels[i];
      count += crosses(from, ray, point(p[0]), point(p[1]), point(p[2]));
      if (p[3] != p[2] && p[3] != p[0]) count += crosses(from, ray, point(p[0]), point(p[2]), point(p[3]));
    }
    return count;
  }

  // Möller & Trumbore (1997).
  static bool crosses(const Vec3& from, const Vec3& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, h = ray.cross(ac);
    const double d = ab.dot(h);
    if (d == 0) return false;
    const Vec3 s = from - a;
    const double u = s.dot(h) / d;
    if (!(u >= 0 && u <= 1)) return false;
    const Vec3 q = s.cross(ab);
    const double v = ray.dot(q) / d;
    return v >= 0 && u + v <= 1 && ac.dot(q) / d > 0;
  }

  PanelMesh whole_;
};

}  // namespace

PanelMesh orient(const PanelMesh& mesh) {
  const Neighbours neighbours = neighbours_of(mesh);
  if (normals_are_sound(mesh, neighbours)) return mesh;
  PanelMesh out = mesh;
  const WaterSide water_side(mesh);
  constexpr size_t asked = 9;  // panels of a piece, spread over it; their majority counts
  std::vector<char> seen(mesh.panels.size(), 0);
  for (size_t first = 0; first < mesh.panels.size(); ++first) {
    if (seen[first]) continue;
    std::vector<size_t> piece{first};
    std::vector<char> opposed{0};
    seen[first] = 1;
    for (size_t i = 0; i < piece.size(); ++i)
      for (const Neighbour& next : neighbours[piece[i]]) {
        const size_t p = static_cast<size_t>(next.panel);
        if (seen[p]) continue;
        seen[p] = 1;
        piece.push_back(p);
        opposed.push_back(next.alike ? opposed[i] : char(!opposed[i]));
        if (opposed.back()) out.panels[p] = turned(out.panels[p]);
      }
    int votes = 0;
    const size_t stride = std::max<size_t>(1, piece.size() / asked);
    for (size_t i = 0; i < piece.size(); i += stride) votes += water_side.votes(piece[i], out.panels[piece[i]]);
    if (votes < 0)
      for (const size_t p : piece) out.panels[p] = turned(out.panels[p]);
  }
  return out;
}

}  // namespace davit::hull
