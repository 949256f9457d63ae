#include "davit/hull/waterplane.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "davit/hull/panel_geometry.hpp"

namespace davit::hull {

namespace {

constexpr double on_plane = 1e-6;  // of the hull's extent, or of a panel's diameter

// Polygons with points on both sides of the plane become what is below it.
class Cutter {
 public:
  Cutter(PanelMesh& mesh, double tolerance) : mesh_(mesh), least_area_(tolerance * tolerance) {}

  void cut(std::span<const int> polygon) {
    std::vector<int> below;
    for (size_t k = 0; k < polygon.size(); ++k) {
      const int a = polygon[k], b = polygon[(k + 1) % polygon.size()];
      const double za = height(a), zb = height(b);
      if (za <= 0) below.push_back(a);
      if (za * zb < 0) below.push_back(crossing(a, b));
    }
    if (below.size() == 5) {
      const size_t ear = best_ear(below);
      add({below[(ear + 4) % 5], below[ear], below[(ear + 1) % 5]});
      below.erase(below.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    add(below);
  }

 private:
  double height(int p) const { return mesh_.points[static_cast<size_t>(p)].z(); }
  Vec3 area_vector(int a, int b, int c) const {
    const Vec3& o = mesh_.points[static_cast<size_t>(a)];
    return 0.5 * (mesh_.points[static_cast<size_t>(b)] - o).cross(mesh_.points[static_cast<size_t>(c)] - o);
  }

  // One point per edge, so that neighbours stay neighbours.
  int crossing(int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    const auto [it, fresh] = crossings_.try_emplace({low, high}, static_cast<int>(mesh_.points.size()));
    if (fresh) {
      const Vec3 p = mesh_.points[static_cast<size_t>(low)], q = mesh_.points[static_cast<size_t>(high)];
      Vec3 x = p + p.z() / (p.z() - q.z()) * (q - p);
      x.z() = 0;
      mesh_.points.push_back(x);
    }
    return it->second;
  }

  // The corner whose triangle leaves the best shapes: the least of area by squared diameter is largest.
  size_t best_ear(const std::vector<int>& pentagon) const {
    Vec3 normal = Vec3::Zero();
    for (size_t k = 1; k + 1 < 5; ++k) normal += area_vector(pentagon[0], pentagon[k], pentagon[k + 1]);
    const auto shape = [&](std::initializer_list<size_t> corners) {
      double area = 0, diameter = 0;
      const std::vector<size_t> c(corners);
      for (size_t k = 1; k + 1 < c.size(); ++k)
        area += area_vector(pentagon[c[0] % 5], pentagon[c[k] % 5], pentagon[c[k + 1] % 5]).dot(normal);
      for (const size_t i : c)
        for (const size_t j : c)
          diameter = std::max(diameter, (mesh_.points[static_cast<size_t>(pentagon[i % 5])] -
                                         mesh_.points[static_cast<size_t>(pentagon[j % 5])])
                                            .squaredNorm());
      return area / diameter;
    };
    size_t best = 0;
    double best_shape = -std::numeric_limits<double>::infinity();
    for (size_t k = 0; k < 5; ++k) {
      const double worse = std::min(shape({k + 4, k, k + 1}), shape({k + 1, k + 2, k + 3, k + 4}));
      if (worse > best_shape) best = k, best_shape = worse;
    }
    return best;
  }

  void add(const std::vector<int>& polygon) {
    if (polygon.size() < 3) return;
    mesh_.panels.push_back({polygon[0], polygon[1], polygon[2], polygon.back()});
    if (panel_geometry(mesh_, mesh_.count() - 1).area <= least_area_) mesh_.panels.pop_back();
  }

  PanelMesh& mesh_;
  double least_area_;
  std::map<std::pair<int, int>, int> crossings_;
};

}  // namespace

PanelMesh placed(const PanelMesh& mesh, const Pose& pose) {
  constexpr double same = 1e-14;
  const auto keeps = [&](int axis) {
    return std::abs(pose.R(axis, axis) - 1) < same && std::abs(pose.p[axis]) < same * extent(mesh);
  };
  PanelMesh out = mesh;
  const bool break_x = mesh.mirror_x && !keeps(0), break_y = mesh.mirror_y && !keeps(1);
  if (break_x || break_y) out = expand(mesh, break_x, break_y);
  for (Vec3& p : out.points) p = pose * p;
  return out;
}

PanelMesh cut_at_waterplane(const PanelMesh& whole, double snap) {
  const double tolerance = snap * extent(whole);
  PanelMesh out;
  out.mirror_x = whole.mirror_x;
  out.mirror_y = whole.mirror_y;
  out.points = whole.points;
  for (Vec3& p : out.points)
    if (std::abs(p.z()) <= tolerance) p.z() = 0;
  Cutter cutter(out, tolerance);
  for (int i = 0; i < whole.count(); ++i) {
    const Corners c = corners_of(whole.panels[static_cast<size_t>(i)]);
    if (c.count < 3) continue;
    double low = 0, high = 0;
    for (int k = 0; k < c.count; ++k) {
      const double z = out.points[static_cast<size_t>(c.point[static_cast<size_t>(k)])].z();
      low = std::min(low, z);
      high = std::max(high, z);
    }
    if (low >= 0) continue;
    const auto& p = c.point;
    if (high <= 0) {
      out.panels.push_back({p[0], p[1], p[2], c.count == 4 ? p[3] : p[2]});
    } else if (const PanelGeometry g = panel_geometry(whole, i); c.count == 4 && g.warp > on_plane * g.diameter) {
      cutter.cut(std::array{p[0], p[1], p[2]});
      cutter.cut(std::array{p[0], p[2], p[3]});
    } else {
      cutter.cut(std::span(p.data(), static_cast<size_t>(c.count)));
    }
  }
  return compacted(out);
}

std::vector<Loop> waterline(const PanelMesh& wetted) {
  const PanelMesh whole = expand(wetted);
  const double tolerance = on_plane * extent(whole);
  const auto afloat = [&](int p) { return std::abs(whole.points[static_cast<size_t>(p)].z()) <= tolerance; };
  // Seen from the water the upper side of a panel goes with the hull to its right, so it is turned round; a side with a
  // panel on both sides of it is no end of the hull.
  std::multimap<int, int> sides;
  for (const auto& panel : whole.panels) {
    if (std::all_of(panel.begin(), panel.end(), afloat)) continue;  // of a deck or lid, not of the hull
    const Corners c = corners_of(panel);
    for (int k = 0; k < c.count; ++k) {
      const int a = c.point[static_cast<size_t>(k)], b = c.next(k);
      if (!afloat(a) || !afloat(b)) continue;
      const auto [begin, end] = sides.equal_range(a);
      const auto twin = std::find_if(begin, end, [&](const auto& side) { return side.second == b; });
      if (twin != end)
        sides.erase(twin);
      else
        sides.emplace(b, a);
    }
  }
  // Chains with two ends, of hulls that are not closed, begin at their beginning; all else is closed.
  std::multiset<int> ends;
  for (const auto& [from, to] : sides) ends.insert(to);
  std::vector<int> starts;
  for (const auto& [from, to] : sides)
    if (sides.count(from) > ends.count(from)) starts.push_back(from);
  std::vector<Loop> loops;
  const auto follow = [&](int start) {
    Loop loop;
    double length = 0;
    int at = start;
    for (auto side = sides.find(at); side != sides.end(); side = sides.find(at)) {
      loop.push_back(whole.points[static_cast<size_t>(at)].head<2>());
      at = side->second;
      length += (whole.points[static_cast<size_t>(at)].head<2>() - loop.back()).norm();
      sides.erase(side);
      if (at == start) break;
    }
    if (at != start) {
      loop.push_back(whole.points[static_cast<size_t>(at)].head<2>());
      // A small gap is a fault of the mesh, a large one means that there is no inside.
      if ((loop.back() - loop.front()).norm() > 0.1 * length) return;
    }
    if (loop.size() >= 3) loops.push_back(std::move(loop));
  };
  for (const int start : starts) follow(start);
  while (!sides.empty()) follow(sides.begin()->first);
  return loops;
}

}  // namespace davit::hull
