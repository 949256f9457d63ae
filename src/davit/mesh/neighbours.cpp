#include "davit/mesh/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

namespace davit {

namespace {

struct Side {
  std::uint64_t edge;  // both end points, the smaller first
  int half_edge;
};

// Angle of a triangle's sheet about an edge, in the plane normal to it.
double angle_about(const Vec3& axis, const Vec3& first, const Vec3& sheet) {
  return std::atan2(axis.cross(first).dot(sheet), first.dot(sheet));
}

// The two sheets that bound the widest opening, if it is at least half a turn (less round-off).
void pair_widest(const TriangleMesh& mesh, std::span<const Side> sides, std::vector<int>& across) {
  const int h = sides.front().half_edge;
  const Vec3& base = mesh.points[static_cast<size_t>(start_of(mesh, h))];
  const Vec3 axis = (mesh.points[static_cast<size_t>(end_of(mesh, h))] - base).normalized();
  const auto sheet = [&](int half_edge) {
    const Vec3 r = mesh.points[static_cast<size_t>(start_of(mesh, previous_side(half_edge)))] - base;
    return Vec3(r - axis * axis.dot(r));
  };
  const Vec3 first = sheet(h).normalized();
  std::vector<std::pair<double, int>> order;
  for (const Side& side : sides) order.emplace_back(angle_about(axis, first, sheet(side.half_edge)), side.half_edge);
  std::sort(order.begin(), order.end());
  double widest = 0;
  size_t before = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const bool last = i + 1 == order.size();
    const double opening = (last ? order[0].first + 2 * std::numbers::pi : order[i + 1].first) - order[i].first;
    if (opening > widest) widest = opening, before = i;
  }
  if (widest < std::numbers::pi - 1e-3) return;
  const int a = order[before].second, b = order[(before + 1) % order.size()].second;
  across[static_cast<size_t>(a)] = b;
  across[static_cast<size_t>(b)] = a;
}

}  // namespace

Neighbours find_neighbours(const TriangleMesh& mesh) {
  const int sides = 3 * mesh.count();
  std::vector<Side> sorted(static_cast<size_t>(sides));
  for (int h = 0; h < sides; ++h) {
    const int from = start_of(mesh, h), to = end_of(mesh, h), low = std::min(from, to), high = std::max(from, to);
    sorted[static_cast<size_t>(h)] = {static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high), h};
  }
  std::sort(sorted.begin(), sorted.end(), [](const Side& a, const Side& b) {
    return a.edge != b.edge ? a.edge < b.edge : a.half_edge < b.half_edge;
  });
  Neighbours found;
  found.across.assign(static_cast<size_t>(sides), Neighbours::rim);
  for (size_t i = 0; i < sorted.size();) {
    size_t end = i + 1;
    while (end < sorted.size() && sorted[end].edge == sorted[i].edge) ++end;
    if (end - i == 2) {
      found.across[static_cast<size_t>(sorted[i].half_edge)] = sorted[i + 1].half_edge;
      found.across[static_cast<size_t>(sorted[i + 1].half_edge)] = sorted[i].half_edge;
    } else if (end - i > 2) {
      for (size_t k = i; k < end; ++k) found.across[static_cast<size_t>(sorted[k].half_edge)] = Neighbours::crowded;
      found.crowded_edges.push_back(sorted[i].half_edge);
      pair_widest(mesh, {sorted.data() + i, end - i}, found.across);
    }
    i = end;
  }
  return found;
}

}  // namespace davit
