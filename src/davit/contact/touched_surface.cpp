#include "davit/contact/touched_surface.hpp"

namespace davit::contact {

double MeshSurface::least_distance(const Vec3& point) const {
  const Box& box = surface_->triangles.bounds();
  return (box.low - point).cwiseMax(point - box.high).cwiseMax(0).norm();
}

std::optional<TangentPlane> MeshSurface::next_to(const Vec3& point, double reach) const {
  if (least_distance(point) > reach) return std::nullopt;
  const ClosestPoint closest = surface_->triangles.closest(point);
  const Vec3 face = area_vector(surface_->repaired.mesh, closest.triangle).normalized();
  const Vec3 way = point - closest.point;
  // Behind a sharp edge the face alone does not tell inside from outside.
  const bool inside = way.dot(face) < 0 && surface_->triangles.inside(point);
  if (!inside && closest.distance > reach) return std::nullopt;
  // On the surface itself the way has no direction.
  constexpr double least = 1e-12;
  const Vec3 normal = closest.distance > least ? (inside ? Vec3(-way) : way) / closest.distance : face;
  return TangentPlane{normal, normal.dot(closest.point)};
}

}  // namespace davit::contact
