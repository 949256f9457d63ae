#include "davit/contact/surface_points.hpp"

#include <cmath>
#include <map>

namespace davit::contact {

namespace {

double longest_side(const TriangleMesh& mesh, int triangle) {
  double longest = 0;
  for (int k = 0; k < 3; ++k)
    longest = std::max(longest, (mesh.corner(triangle, (k + 1) % 3) - mesh.corner(triangle, k)).norm());
  return longest;
}

}  // namespace

std::vector<SurfacePoint> surface_points(const TriangleMesh& mesh, double spacing, size_t most) {
  const Box box = bounds(mesh);
  // Points closer than this are one.
  const double grid = 10 * mesh_precision * box.size();
  using Cell = std::array<long long, 3>;
  std::map<Cell, size_t> found;
  std::vector<SurfacePoint> points;
  const auto add = [&](const Vec3& at, double area) {
    const Vec3 scaled = (at - box.low) / grid;
    const Cell cell{std::llround(scaled.x()), std::llround(scaled.y()), std::llround(scaled.z())};
    const auto [place, fresh] = found.try_emplace(cell, points.size());
    if (fresh) points.push_back({at, 0});
    points[place->second].area += area;
  };
  for (int t = 0; t < mesh.count(); ++t) {
    const double pieces = std::max(1.0, std::ceil(longest_side(mesh, t) / spacing));
    if (!(points.size() + pieces * pieces / 2 < static_cast<double>(most))) return {};
    const int n = static_cast<int>(pieces);
    const Vec3 a = mesh.corner(t, 0), u = (mesh.corner(t, 1) - a) / n, v = (mesh.corner(t, 2) - a) / n;
    const double third = area_vector(mesh, t).norm() / (3.0 * n * n);
    const auto corner = [&](int i, int j) { add(a + i * u + j * v, third); };
    for (int i = 0; i < n; ++i)
      for (int j = 0; i + j < n; ++j) {
        corner(i, j), corner(i + 1, j), corner(i, j + 1);
        if (i + j + 1 < n) corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1);
      }
  }
  return points;
}

}  // namespace davit::contact
