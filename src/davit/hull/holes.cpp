#include "davit/hull/holes.hpp"

#include <algorithm>
#include <numeric>

#include "davit/hull/panel_edges.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/mesh/box_tree.hpp"
#include "davit/mesh/triangle_distance.hpp"

namespace davit::hull {

namespace {

// Patches of a round hull that divide its girth differently gape by L²/8R at edges of length L: a twentieth of L with
// four panels to a quadrant. What is wider than this part of the panel is no seam.
constexpr double widest_seam = 0.2;

// Which panels are near a point, images included.
class Neighbourhood {
 public:
  explicit Neighbourhood(const PanelMesh& mesh) : whole_(expand(mesh)) {
    std::vector<Box> boxes(whole_.panels.size());
    for (size_t i = 0; i < boxes.size(); ++i)
      for (const int p : whole_.panels[i]) boxes[i].add(whole_.points[static_cast<size_t>(p)]);
    tree_ = BoxTree(boxes);
  }

  // Whether a panel that shares no edge with this one (a listed one: images come later) comes so close to the point.
  bool meets_another(int panel, const Vec3& point, double distance) const {
    bool met = false;
    const SegmentMeetsBox near(point, point, Vec3::Constant(distance));
    tree_.visit([&](const BoxTree::Node& node) { return !met && near(node); },
                [&](int first, int count) {
                  for (int i = first; i < first + count && !met; ++i) {
                    const int other = tree_.order()[static_cast<size_t>(i)];
                    met = other != panel && !share_edge(panel, other) && is_near(other, point, distance);
                  }
                });
    return met;
  }

 private:
  bool share_edge(int a, int b) const {
    const Corners ca = corners_of(whole_.panels[static_cast<size_t>(a)]),
                  cb = corners_of(whole_.panels[static_cast<size_t>(b)]);
    const auto in_b = [&](int p) {
      return std::find(cb.point.begin(), cb.point.begin() + cb.count, p) != cb.point.begin() + cb.count;
    };
    return std::count_if(ca.point.begin(), ca.point.begin() + ca.count, in_b) >= 2;
  }
  bool is_near(int panel, const Vec3& point, double distance) const {
    const auto corner = [&](int k) { return whole_.corner(panel, k); };
    const auto near = [&](const davit::Corners& triangle) {
      return (closest_on_triangle(point, triangle) - point).norm() <= distance;
    };
    return near({corner(0), corner(1), corner(2)}) || near({corner(0), corner(2), corner(3)});
  }

  PanelMesh whole_;
  BoxTree tree_;
};

// Parts of a rim that hang together by their points.
std::vector<std::vector<OpenEdge>> rims(const std::vector<OpenEdge>& edges, size_t points) {
  std::vector<int> of(points);
  std::iota(of.begin(), of.end(), 0);
  const auto root = [&](int p) {
    while (of[static_cast<size_t>(p)] != p)
      p = of[static_cast<size_t>(p)] = of[static_cast<size_t>(of[static_cast<size_t>(p)])];
    return p;
  };
  for (const OpenEdge& e : edges) of[static_cast<size_t>(root(e.from))] = root(e.to);
  std::map<int, std::vector<OpenEdge>> groups;
  for (const OpenEdge& e : edges) groups[root(e.from)].push_back(e);
  std::vector<std::vector<OpenEdge>> out;
  for (auto& [point, group] : groups) out.push_back(std::move(group));
  return out;
}

}  // namespace

std::vector<OpenEdge> open_edges(const PanelMesh& mesh, double near) {
  const auto at = [&](int p) -> const Vec3& { return mesh.points[static_cast<size_t>(p)]; };
  std::vector<OpenEdge> out;
  for (const auto& [edge, uses] : find_edges(mesh)) {
    if (uses.size() != 1) continue;
    const Vec3 &a = at(edge.first), &b = at(edge.second);
    const auto on = [&](bool mirror, int axis) {
      return mirror && std::abs(a[axis]) <= near && std::abs(b[axis]) <= near;
    };
    if ((a.z() >= -near && b.z() >= -near) || on(mesh.mirror_x, 0) || on(mesh.mirror_y, 1)) continue;
    out.push_back(uses[0].forward ? OpenEdge{edge.first, edge.second, uses[0].panel}
                                  : OpenEdge{edge.second, edge.first, uses[0].panel});
  }
  return out;
}

std::vector<Hole> find_holes(const PanelMesh& mesh, const std::vector<OpenEdge>& open) {
  if (open.empty()) return {};
  const auto at = [&](int p) -> const Vec3& { return mesh.points[static_cast<size_t>(p)]; };
  const Neighbourhood neighbourhood(mesh);
  std::vector<OpenEdge> unmet;
  for (const OpenEdge& e : open) {
    const double length = (at(e.to) - at(e.from)).norm(), width = panel_geometry(mesh, e.panel).area / length;
    if (!neighbourhood.meets_another(e.panel, 0.5 * (at(e.from) + at(e.to)), widest_seam * std::min(length, width)))
      unmet.push_back(e);
  }
  std::vector<Hole> holes;
  for (const auto& rim : rims(unmet, mesh.points.size())) {
    Vec3 centre = Vec3::Zero(), area = Vec3::Zero();
    for (const OpenEdge& e : rim) centre += (at(e.from) + at(e.to)) / (2 * static_cast<double>(rim.size()));
    double longest = 0;
    Hole hole;
    for (const OpenEdge& e : rim) {
      area += 0.5 * (at(e.from) - centre).cross(at(e.to) - centre);
      if ((at(e.to) - at(e.from)).norm() > longest) longest = (at(e.to) - at(e.from)).norm(), hole.panel = e.panel;
    }
    hole.area = area.norm();
    holes.push_back(hole);
  }
  return holes;
}

}  // namespace davit::hull
