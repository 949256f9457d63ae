// When a moving straight piece of rope, from a(τ) to b(τ), passes over a fixed edge into the body, for τ in (after, 1].
// In the axes of the edge's body both ends move along straight lines, so the volume ê·(A×B) that rope and edge span is
// quadratic in τ, A and B being the ends seen from the beginning of the edge. The rope counts as past the edge when it
// is deeper than a small `margin`: what rests on an edge or lies in a face does not cross, and what was found to touch
// is pressed outwards from there on.
#pragma once

#include <cmath>
#include <optional>

#include "davit/mesh/features.hpp"

namespace davit::rope {

struct MovingPoint {
  Vec3 start, end;
  Vec3 at(double tau) const { return start + tau * (end - start); }
};

struct Crossing {
  double tau = 2;
  double s = 0;       // on the edge
  int direction = 0;  // +1: from the left face to the right one
};

// Whether the body lies below a plane through the edge with this normal (across the edge, of any length): neither face
// rises above it. Only then is a rope that lies in the plane against the edge outside the body on both sides of it.
// The faces leave the edge along left × ê and ê × right; at the rim of an open surface both are the same.
inline bool lies_below(const FeatureEdge& e, const Vec3& along, const Vec3& normal) {
  const double slack = 1e-7 * normal.norm();
  return normal.dot(e.left.cross(along)) <= slack && normal.dot(along.cross(e.right)) <= slack;
}

// Height of the line through a and b over the line of the edge, for a rope that crosses it in that direction: positive
// outside, where it does not touch. A rope that comes back to where it came from, or to the side of that along the
// edge, does not cross at all.
inline double height(const Vec3& a, const Vec3& b, const FeatureEdge& e, int direction) {
  const Vec3 along = (e.b - e.a).normalized();
  const Vec3 normal = (b - a).cross(along);
  const double size = normal.norm(), away = (a - e.a).cross(along).norm();
  if (size <= 1e-7 * (b - a).norm() || (b - a).norm() <= 1e-9 * away) return away;
  return direction * normal.dot(a - e.a) / size;
}

// Where a resting piece of rope from a to b passes below an edge: how deep, and where it is nearest to the edge.
struct Below {
  double depth = 0;
  Vec3 at;
  double s = 0;  // on the edge
  int direction = 0;
};
inline std::optional<Below> passes_below(const Vec3& a, const Vec3& b, const FeatureEdge& e) {
  const Vec3 edge = e.b - e.a, D = b - a;
  const double length = edge.norm();
  const Vec3 along = edge / length, normal = D.cross(along);
  const double size = normal.norm();
  if (size <= 1e-7 * D.norm()) return std::nullopt;
  const double above = normal.dot(a - e.a) / size;
  const int direction = above < 0 ? 1 : -1;
  if (!lies_below(e, along, direction * normal)) return std::nullopt;
  const Vec3 A = a - e.a;
  const double r = -(A - along * along.dot(A)).dot(D) / (size * size);
  if (r < 0 || r > 1) return std::nullopt;
  const Vec3 at = a + r * D;
  const double s = along.dot(at - e.a);
  if (s < 0 || s > length) return std::nullopt;
  return Below{std::abs(above), at, s, direction};
}

inline std::optional<Crossing> first_crossing(const MovingPoint& a, const MovingPoint& b, const FeatureEdge& e,
                                              double after, double margin) {
  const Vec3 edge = e.b - e.a;
  const double length = edge.norm();
  const Vec3 along = edge / length;
  const Vec3 A0 = a.start - e.a, B0 = b.start - e.a, dA = a.end - a.start, dB = b.end - b.start;
  const double c0 = along.dot(A0.cross(B0)), c1 = along.dot(A0.cross(dB) + dA.cross(B0)), c2 = along.dot(dA.cross(dB));
  const double width = 0.5 * ((b.at(after) - a.at(after)).cross(along).norm() + (b.end - a.end).cross(along).norm());
  std::optional<Crossing> best;
  for (const int direction : {1, -1}) {
    // direction · V + margin · width falls through zero.
    const double k0 = direction * c0 + margin * width, k1 = direction * c1, k2 = direction * c2;
    double tau;
    if (k2 == 0) {
      if (!(k1 < 0)) continue;
      tau = -k0 / k1;
    } else {
      const double discriminant = k1 * k1 - 4 * k2 * k0;
      if (discriminant < 0) continue;
      // The root with negative slope, k1 + 2 k2 τ = -√discriminant, without cancellation.
      const double root = std::sqrt(discriminant);
      tau = k1 <= 0 ? 2 * k0 / (-k1 + root) : (-k1 - root) / (2 * k2);
    }
    if (!(tau > after && tau <= 1) || (best && tau >= best->tau)) continue;
    const Vec3 A = a.at(tau) - e.a, D = b.at(tau) - a.at(tau);
    const Vec3 normal = D.cross(along);
    if (!lies_below(e, along, direction * normal)) continue;
    const double r = -(A - along * along.dot(A)).dot(D) / normal.squaredNorm();
    if (!(r >= 0 && r <= 1)) continue;  // nor where rope and edge lie along each other
    const double s = along.dot(A + r * D);
    if (s < -10 * margin || s > length + 10 * margin) continue;
    best = Crossing{tau, std::clamp(s, 0.0, length), direction};
  }
  return best;
}

}  // namespace davit::rope
