#include "davit/hull/panel_geometry.hpp"

#include <algorithm>
#include <unordered_map>

#include "davit/mesh/triangle_mesh.hpp"

namespace davit::hull {

Corners corners_of(const std::array<int, 4>& panel) {
  Corners corners;
  for (size_t k = 0; k < 4; ++k) {
    const auto end = corners.point.begin() + corners.count;
    if (std::find(corners.point.begin(), end, panel[k]) == end)
      corners.point[static_cast<size_t>(corners.count++)] = panel[k];
  }
  return corners;
}

PanelGeometry panel_geometry(const PanelMesh& mesh, int panel) {
  PanelGeometry g;
  std::array<Vec3, 4> c;
  for (int k = 0; k < 4; ++k) c[static_cast<size_t>(k)] = mesh.corner(panel, k);
  for (size_t k = 0; k < 4; ++k) {
    g.longest_side = std::max(g.longest_side, (c[(k + 1) % 4] - c[k]).norm());
    g.diameter = std::max({g.diameter, (c[(k + 2) % 4] - c[k]).norm(), g.longest_side});
  }
  const Vec3 mean = 0.25 * (c[0] + c[1] + c[2] + c[3]);
  const Vec3 twice_area = (c[2] - c[0]).cross(c[3] - c[1]);
  g.area = 0.5 * twice_area.norm();
  if (g.area <= 0) {
    g.centroid = mean;
    g.area = 0;
    return g;
  }
  g.normal = twice_area / (2 * g.area);
  for (Vec3& p : c) {
    const double height = (p - mean).dot(g.normal);
    g.warp = std::max(g.warp, std::abs(height));
    p -= height * g.normal;
  }
  // Two triangles that share the first diagonal; their signed areas also serve quadrilaterals with a notch.
  Vec3 moment = Vec3::Zero();
  for (const auto& [a, b] : {std::pair{c[1], c[2]}, std::pair{c[2], c[3]}}) {
    const double area = 0.5 * (a - c[0]).cross(b - c[0]).dot(g.normal);
    moment += area / 3 * (a + b - 2 * c[0]);
  }
  g.centroid = c[0] + moment / g.area;
  return g;
}

std::vector<PanelGeometry> panel_geometries(const PanelMesh& mesh) {
  std::vector<PanelGeometry> all;
  all.reserve(mesh.panels.size());
  for (int i = 0; i < mesh.count(); ++i) all.push_back(panel_geometry(mesh, i));
  return all;
}

Box bounds(const PanelMesh& mesh) {
  Box box;
  for (const auto& panel : mesh.panels)
    for (const int p : panel) box.add(mesh.points[static_cast<size_t>(p)]);
  return box;
}

double extent(const PanelMesh& mesh) {
  const Box listed = bounds(mesh);
  if (listed.empty()) return 0;
  Box box;
  for (const Image& image : images(mesh)) {
    box.add(mirrored(listed.low, image));
    box.add(mirrored(listed.high, image));
  }
  return box.size();
}

std::vector<Image> images(const PanelMesh& mesh) {
  std::vector<Image> all{{1, 1}};
  if (mesh.mirror_x) all.push_back({-1, 1});
  if (mesh.mirror_y) all.push_back({1, -1});
  if (mesh.mirror_x && mesh.mirror_y) all.push_back({-1, -1});
  return all;
}

PanelMesh expand(const PanelMesh& mesh, bool x, bool y) {
  PanelMesh part = mesh;
  part.mirror_x = mesh.mirror_x && x;
  part.mirror_y = mesh.mirror_y && y;
  PanelMesh out;
  for (const Image& image : images(part)) {
    const int first = static_cast<int>(out.points.size());
    for (const Vec3& p : mesh.points) out.points.push_back(mirrored(p, image));
    for (auto panel : mesh.panels) {
      if (image.reversed()) panel = turned(panel);
      for (int& p : panel) p += first;
      out.panels.push_back(panel);
    }
  }
  out.mirror_x = mesh.mirror_x && !x;
  out.mirror_y = mesh.mirror_y && !y;
  // Points on a plane of symmetry are their own images.
  return welded(out, mesh_precision * extent(out));
}

PanelMesh welded(const PanelMesh& mesh, double tolerance) {
  // Space in cubes of the tolerance: points that close are in the same cube or in a neighbour.
  const double cell = tolerance > 0 ? tolerance : 1e-300;
  const auto key = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL;
    for (const std::int64_t n : {i, j, k})
      h = (h ^ static_cast<std::uint64_t>(n)) * 0xff51afd7ed558ccdULL, h ^= h >> 32;
    return h;
  };
  // Where a coordinate is beyond counting in cubes, it is in the last one: slow, never wrong.
  const auto cube = [&](double x) { return static_cast<std::int64_t>(std::clamp(std::floor(x / cell), -9e18, 9e18)); };
  std::unordered_multimap<std::uint64_t, int> kept;
  kept.reserve(mesh.points.size());
  PanelMesh out;
  out.mirror_x = mesh.mirror_x;
  out.mirror_y = mesh.mirror_y;
  std::vector<int> now(mesh.points.size());
  for (size_t p = 0; p < mesh.points.size(); ++p) {
    const Vec3& x = mesh.points[p];
    const std::int64_t i = cube(x.x()), j = cube(x.y()), k = cube(x.z());
    int found = -1;
    for (std::int64_t a = -1; a <= 1; ++a)
      for (std::int64_t b = -1; b <= 1; ++b)
        for (std::int64_t c = -1; c <= 1; ++c) {
          const auto [begin, end] = kept.equal_range(key(i + a, j + b, k + c));
          for (auto it = begin; it != end; ++it)
            if ((out.points[static_cast<size_t>(it->second)] - x).norm() <= tolerance &&
                (found < 0 || it->second < found))
              found = it->second;
        }
    if (found < 0) {
      found = static_cast<int>(out.points.size());
      out.points.push_back(x);
      kept.emplace(key(i, j, k), found);
    }
    now[p] = found;
  }
  for (const auto& panel : mesh.panels) {
    std::array<int, 4> renamed;
    for (size_t k = 0; k < 4; ++k) renamed[k] = now[static_cast<size_t>(panel[k])];
    const Corners corners = corners_of(renamed);
    for (int k = corners.count; k < 4; ++k)
      renamed[static_cast<size_t>(k)] = corners.point[static_cast<size_t>(corners.count - 1)];
    for (int k = 0; k < corners.count; ++k) renamed[static_cast<size_t>(k)] = corners.point[static_cast<size_t>(k)];
    out.panels.push_back(renamed);
  }
  return out;
}

PanelMesh compacted(const PanelMesh& mesh) {
  PanelMesh out;
  out.mirror_x = mesh.mirror_x;
  out.mirror_y = mesh.mirror_y;
  std::vector<int> now(mesh.points.size(), -1);
  for (int i = 0; i < mesh.count(); ++i) {
    if (corners_of(mesh.panels[static_cast<size_t>(i)]).count < 3 || panel_geometry(mesh, i).area <= 0) continue;
    auto panel = mesh.panels[static_cast<size_t>(i)];
    for (int& p : panel) {
      int& place = now[static_cast<size_t>(p)];
      if (place < 0) {
        place = static_cast<int>(out.points.size());
        out.points.push_back(mesh.points[static_cast<size_t>(p)]);
      }
      p = place;
    }
    out.panels.push_back(panel);
  }
  return out;
}

}  // namespace davit::hull
