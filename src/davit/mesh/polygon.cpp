#include "davit/mesh/polygon.hpp"

#include <algorithm>
#include <numeric>

namespace davit {

namespace {

using Triangle = std::array<int, 3>;

double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

std::vector<Triangle> fan(size_t corners) {
  std::vector<Triangle> triangles;
  for (int i = 1; i + 1 < static_cast<int>(corners); ++i) triangles.push_back({0, i, i + 1});
  return triangles;
}

// Every triangle of the fan goes the same way round.
bool fans_out(std::span<const Vec2> outline) {
  for (size_t i = 1; i + 1 < outline.size(); ++i)
    if (turn(outline[0], outline[i], outline[i + 1]) <= 0) return false;
  return true;
}

}  // namespace

double twice_area(std::span<const Vec2> outline) {
  double area = 0;
  for (size_t i = 0; i < outline.size(); ++i) area += turn(Vec2::Zero(), outline[i], outline[(i + 1) % outline.size()]);
  return area;
}

// Corners whose triangle holds no other point are cut off one by one (Meisters 1975: there always is one).
std::optional<std::vector<Triangle>> clip_ears(std::span<const Vec2> outline) {
  std::vector<int> left(outline.size());
  std::iota(left.begin(), left.end(), 0);
  const auto at = [&](int i) -> const Vec2& { return outline[static_cast<size_t>(i)]; };
  const auto is_ear = [&](int a, int b, int c) {
    if (turn(at(a), at(b), at(c)) <= 0) return false;
    return std::none_of(left.begin(), left.end(), [&](int p) {
      return p != a && p != b && p != c && turn(at(a), at(b), at(p)) >= 0 && turn(at(b), at(c), at(p)) >= 0 &&
             turn(at(c), at(a), at(p)) >= 0;
    });
  };
  std::vector<Triangle> triangles;
  while (left.size() > 3) {
    const size_t n = left.size();
    size_t ear = 0;
    while (ear < n && !is_ear(left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n])) ++ear;
    if (ear == n) return std::nullopt;
    triangles.push_back({left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  if (left.size() == 3) triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

std::optional<std::vector<Triangle>> triangles_of(std::span<const Vec3> corners) {
  if (corners.size() <= 3) return fan(corners.size());
  Vec3 normal = Vec3::Zero();
  for (size_t i = 1; i + 1 < corners.size(); ++i)
    normal += (corners[i] - corners[0]).cross(corners[i + 1] - corners[0]);
  if (!(normal.norm() > 0)) return fan(corners.size());
  const Vec3 x = normal.unitOrthogonal(), y = normal.normalized().cross(x);
  std::vector<Vec2> flat;
  for (const Vec3& c : corners) flat.emplace_back(x.dot(c - corners[0]), y.dot(c - corners[0]));
  if (fans_out(flat)) return fan(corners.size());
  if (corners.size() > most_corners) return std::nullopt;
  if (auto triangles = clip_ears(flat)) return triangles;
  return fan(corners.size());
}

}  // namespace davit
