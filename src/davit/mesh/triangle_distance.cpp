#include "davit/mesh/triangle_distance.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

PointPair pair_of(const Vec3& a, const Vec3& b) { return {a, b, (a - b).squaredNorm()}; }

// Whether a point of the triangle's plane lies in it.
bool contains(const Corners& t, const Vec3& normal, const Vec3& point) {
  for (size_t k = 0; k < 3; ++k)
    if ((t[(k + 1) % 3] - t[k]).cross(point - t[k]).dot(normal) < 0) return false;
  return true;
}

// Corners of `points` above the inside of a face, and its sides that go through the face (distance zero). Improves
// `best`, whose a is of the face; false if nothing is left to find.
bool against_face(const Corners& face, const Corners& points, PointPair& best) {
  const Vec3 normal = (face[1] - face[0]).cross(face[2] - face[0]);
  const double square = normal.squaredNorm();
  if (square == 0) return true;
  std::array<double, 3> height;  // times |normal|
  for (size_t k = 0; k < 3; ++k) height[k] = normal.dot(points[k] - face[0]);
  for (size_t k = 0; k < 3; ++k) {
    const size_t next = (k + 1) % 3;
    if (height[k] * height[next] < 0) {
      const Vec3 through = points[k] + height[k] / (height[k] - height[next]) * (points[next] - points[k]);
      if (contains(face, normal, through)) {
        best = {through, through, 0};
        return false;
      }
    }
    const double distance = height[k] * height[k] / square;
    if (distance >= best.square) continue;
    const Vec3 foot = points[k] - height[k] / square * normal;
    if (contains(face, normal, foot)) best = {foot, points[k], distance};
  }
  return true;
}

}  // namespace

// The region of the plane in which the point's foot lies, by the corners' barycentric coordinates (Ericson
// 2004, 5.1.5).
Vec3 closest_on_triangle(const Vec3& point, const Corners& t) {
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], ap = point - t[0];
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return t[0];
  const Vec3 bp = point - t[1];
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return t[1];
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return t[0] + d1 / (d1 - d3) * ab;
  const Vec3 cp = point - t[2];
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return t[2];
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return t[0] + d2 / (d2 - d6) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return t[1] + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (t[2] - t[1]);
  return t[0] + (vb * ab + vc * ac) / (va + vb + vc);
}

// The closest points of the two lines, brought back to the segments one after the other.
PointPair closest_of_segments(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
  const Vec3 d = q - p, e = s - r, w = p - r;
  const double dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), dw = d.dot(w), ew = e.dot(w);
  const double determinant = dd * ee - de * de;
  // Parallel lines: any point will do.
  double x = determinant > 1e-14 * dd * ee ? std::clamp((de * ew - dw * ee) / determinant, 0.0, 1.0) : 0.0;
  double y = ee > 0 ? (de * x + ew) / ee : 0.0;
  if (y < 0 || y > 1 || determinant <= 1e-14 * dd * ee) {
    y = std::clamp(y, 0.0, 1.0);
    x = dd > 0 ? std::clamp((de * y - dw) / dd, 0.0, 1.0) : 0.0;
    // Of parallel segments the second may have to follow once more.
    y = ee > 0 ? std::clamp((de * x + ew) / ee, 0.0, 1.0) : 0.0;
  }
  return pair_of(p + x * d, r + y * e);
}

// Of two triangles apart, either two sides are closest or a corner and a face. A pair of sides is known to be the
// answer if both third corners lie behind the planes through its points square to their connection (Larsen et al.
// 2000).
PointPair closest_of_triangles(const Corners& a, const Corners& b) {
  PointPair best{Vec3::Zero(), Vec3::Zero(), std::numeric_limits<double>::infinity()};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) {
      const PointPair sides = closest_of_segments(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
      if (sides.square >= best.square) continue;
      best = sides;
      if (best.square == 0) return best;
      const Vec3 between = sides.b - sides.a;
      if ((a[(i + 2) % 3] - sides.a).dot(between) <= 0 && (b[(j + 2) % 3] - sides.b).dot(between) >= 0) return best;
    }
  if (!against_face(a, b, best)) return best;
  PointPair turned{best.b, best.a, best.square};
  against_face(b, a, turned);
  return {turned.b, turned.a, turned.square};
}

}  // namespace davit
