#include "davit/mesh/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <stdexcept>
#include <unordered_map>

#include "davit/mesh/polygon.hpp"

namespace davit {

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  // In [0, 1), the same on every machine.
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }

 private:
  std::mt19937_64 engine_;
};

using Triangle = std::array<int, 3>;

int add_point(TriangleMesh& mesh, const Vec3& point) {
  mesh.points.push_back(point);
  return static_cast<int>(mesh.points.size()) - 1;
}

std::uint64_t directed(int from, int to) {
  return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint64_t>(to);
}

TriangleMesh icosahedron() {
  const double g = std::numbers::phi;
  TriangleMesh mesh;
  mesh.points = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                 {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  for (Vec3& p : mesh.points) p.normalize();
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  return mesh;
}

// Every triangle in four; new points on the unit sphere.
TriangleMesh subdivided_on_sphere(const TriangleMesh& coarse) {
  TriangleMesh fine;
  fine.points = coarse.points;
  std::unordered_map<std::uint64_t, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [at, added] = middles.try_emplace(directed(std::min(a, b), std::max(a, b)), 0);
    if (added)
      at->second =
          add_point(fine, (fine.points[static_cast<size_t>(a)] + fine.points[static_cast<size_t>(b)]).normalized());
    return at->second;
  };
  for (const auto& [a, b, c] : coarse.triangles) {
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const Triangle& t : {Triangle{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) fine.triangles.push_back(t);
  }
  return fine;
}

}  // namespace

TriangleMesh prism_mesh(const std::vector<Vec2>& outline, double length) {
  if (outline.size() < 3) throw std::invalid_argument("an outline has at least three corners");
  std::vector<Vec2> corners = outline;
  if (twice_area(corners) < 0) std::reverse(corners.begin(), corners.end());
  const auto caps = clip_ears(corners);
  if (!caps) throw std::invalid_argument("the outline crosses itself or has no area");

  TriangleMesh mesh;
  const int n = static_cast<int>(corners.size());
  for (const double z : {-length / 2, length / 2})
    for (const Vec2& c : corners) mesh.points.emplace_back(c.x(), c.y(), z);
  for (const auto& [a, b, c] : *caps) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({n + a, n + b, n + c});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.push_back({i, j, n + j});
    mesh.triangles.push_back({i, n + j, n + i});
  }
  return mesh;
}

TriangleMesh box_mesh(const Vec3& size) {
  const double x = size.x() / 2, y = size.y() / 2;
  return prism_mesh({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, size.z());
}

TriangleMesh cylinder_mesh(double radius, double length, int sides) {
  std::vector<Vec2> outline;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    outline.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  return prism_mesh(outline, length);
}

TriangleMesh sphere_mesh(double radius, int subdivisions) {
  TriangleMesh mesh = icosahedron();
  for (int i = 0; i < subdivisions; ++i) mesh = subdivided_on_sphere(mesh);
  return scaled(std::move(mesh), radius);
}

TriangleMesh eared_mesh(double size, int subdivisions) {
  // The radius as a function of the direction: one, and two humps that reach 1 + ear.
  const double ear = 0.9, sharpness = 10;
  const Vec3 left = Vec3(0.55, 0, 1).normalized(), right = Vec3(-0.55, 0, 1).normalized();
  TriangleMesh mesh = sphere_mesh(1, subdivisions);
  for (Vec3& p : mesh.points)
    p *= 1 + ear * (std::exp(sharpness * (p.dot(left) - 1)) + std::exp(sharpness * (p.dot(right) - 1)));
  const Box box = bounds(mesh);
  return scaled(std::move(mesh), size / (box.high.z() - box.low.z()));
}

TriangleMesh refine_irregularly(const TriangleMesh& mesh, int triangles, unsigned seed) {
  TriangleMesh fine = mesh;
  Random random(seed);
  std::unordered_map<std::uint64_t, int> owner;  // of each directed side
  const auto own = [&](int t) {
    const auto& [a, b, c] = fine.triangles[static_cast<size_t>(t)];
    owner[directed(a, b)] = owner[directed(b, c)] = owner[directed(c, a)] = t;
  };
  const auto replace = [&](int t, const Triangle& by) {
    fine.triangles[static_cast<size_t>(t)] = by;
    own(t);
  };
  const auto append = [&](const Triangle& triangle) {
    fine.triangles.push_back(triangle);
    own(fine.count() - 1);
  };
  for (int t = 0; t < fine.count(); ++t) own(t);
  const auto at = [&](int p) -> const Vec3& { return fine.points[static_cast<size_t>(p)]; };
  const auto divide_side = [&](int a, int b, int at_point) {
    const auto found = owner.find(directed(a, b));
    if (found == owner.end()) return;
    const int t = found->second;
    const Triangle old = fine.triangles[static_cast<size_t>(t)];
    owner.erase(found);
    const int c = old[0] + old[1] + old[2] - a - b;
    replace(t, {a, at_point, c});
    append({at_point, b, c});
  };
  while (fine.count() < triangles) {
    // The larger of two drawn triangles: irregular, yet no part of the surface is left coarse.
    const int first = random.below(fine.count()), second = random.below(fine.count());
    const int t = area_vector(fine, first).norm() > area_vector(fine, second).norm() ? first : second;
    const auto [a, b, c] = fine.triangles[static_cast<size_t>(t)];
    if (random.unit() < 0.5) {
      const double s = std::sqrt(random.unit()), r = random.unit();
      const int p = add_point(fine, (1 - s) * at(a) + s * (1 - r) * at(b) + s * r * at(c));
      replace(t, {a, b, p});
      append({b, c, p});
      append({c, a, p});
    } else {
      const double s = random.between(0.05, 0.95);
      const int p = add_point(fine, (1 - s) * at(a) + s * at(b));
      divide_side(a, b, p);
      divide_side(b, a, p);
    }
  }
  return fine;
}

TriangleMesh roughen(const TriangleMesh& mesh, double noise, unsigned seed) {
  TriangleMesh rough = mesh;
  Random random(seed);
  for (Vec3& p : rough.points)
    for (double& x : p) x += random.between(-noise, noise);
  return rough;
}

TriangleMesh with_t_junctions(const TriangleMesh& mesh, int count, unsigned seed) {
  TriangleMesh out = mesh;
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const int t = random.below(out.count()), k = random.below(3);
    const double s = random.between(0.2, 0.8);
    const Triangle old = out.triangles[static_cast<size_t>(t)];
    const int a = old[static_cast<size_t>(k)], b = old[static_cast<size_t>((k + 1) % 3)],
              c = old[static_cast<size_t>((k + 2) % 3)];
    const int p = add_point(out, (1 - s) * out.points[static_cast<size_t>(a)] + s * out.points[static_cast<size_t>(b)]);
    out.triangles[static_cast<size_t>(t)] = {a, p, c};
    out.triangles.push_back({p, b, c});
  }
  return out;
}

TriangleMesh unshared(const TriangleMesh& mesh) {
  TriangleMesh out;
  for (int t = 0; t < mesh.count(); ++t) {
    for (int k = 0; k < 3; ++k) out.points.push_back(mesh.corner(t, k));
    out.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return out;
}

TriangleMesh transformed(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& p : mesh.points) p = pose * p;
  return mesh;
}

TriangleMesh scaled(TriangleMesh mesh, double factor) {
  for (Vec3& p : mesh.points) p *= factor;
  return mesh;
}

}  // namespace davit
