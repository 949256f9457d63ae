// What points may touch: a plane, all of it or a rectangle, or a closed mesh. In the axes of the surface's own frame,
// so that it is made once and shared; questions allocate nothing.
#pragma once

#include <memory>
#include <optional>

#include "davit/assembly/surface.hpp"

namespace davit::contact {

// The plane that touches the surface next to a point: gap = normal · point - offset, negative inside.
struct TangentPlane {
  Vec3 normal;
  double offset;

  template <class S>
  S gap(const Vec3T<S>& point) const {
    return as<S>(normal).dot(point) - S(offset);
  }
  template <class S>
  Vec3T<S> along(const Vec3T<S>& v) const {
    const Vec3T<S> n = as<S>(normal);
    return v - n * n.dot(v);
  }
};

class TouchedSurface {
 public:
  virtual ~TouchedSurface() = default;
  // Nothing where the point is farther away than `reach` or beside the surface.
  virtual std::optional<TangentPlane> next_to(const Vec3& point, double reach) const = 0;
  // No point of the surface is closer than this; quick, and negative where it may be touched.
  virtual double least_distance(const Vec3& point) const = 0;
  virtual std::string summary() const = 0;
};

// z = 0, above a rectangle about the origin or everywhere.
class PlaneSurface final : public TouchedSurface {
 public:
  PlaneSurface(double length, double width) : half_length_(length / 2), half_width_(width / 2) {}
  std::optional<TangentPlane> next_to(const Vec3& point, double reach) const override {
    if (point.z() > reach || std::abs(point.x()) > half_length_ || std::abs(point.y()) > half_width_)
      return std::nullopt;
    return TangentPlane{Vec3::UnitZ(), 0};
  }
  double least_distance(const Vec3& point) const override {
    const double beyond = std::max(std::abs(point.x()) - half_length_, 0.0),
                 beside = std::max(std::abs(point.y()) - half_width_, 0.0);
    return beyond == 0 && beside == 0 ? point.z() : Vec3(beyond, beside, point.z()).norm();
  }
  std::string summary() const override { return "a plane"; }

 private:
  double half_length_, half_width_;
};

// A closed mesh. Inside, the plane is that through the closest point of the surface, along the shortest way out.
class MeshSurface final : public TouchedSurface {
 public:
  explicit MeshSurface(std::shared_ptr<const BodySurface> surface) : surface_(std::move(surface)) {}
  std::optional<TangentPlane> next_to(const Vec3& point, double reach) const override;
  double least_distance(const Vec3& point) const override;
  std::string summary() const override { return "surface " + surface_->name; }

 private:
  std::shared_ptr<const BodySurface> surface_;
};

}  // namespace davit::contact
