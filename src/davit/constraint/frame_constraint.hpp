// A constraint between two frames: any choice of the three components of their relative position (in the axes of the
// first) and of the three that keep their axes aligned. Ball, hinge, universal, slider, cylindrical, planar and fixed
// joints that close loops are all of this kind. Quadratic in the points and directions of the bodies.
#pragma once

#include <array>

#include "davit/model/row.hpp"

namespace davit {

class FrameConstraint final : public GeometryOf<FrameConstraint> {
 public:
  struct Held {
    std::array<bool, 3> position{false, false, false};  // along x, y, z of the first frame
    std::array<bool, 3> rotation{false, false, false};  // about x, y, z of the first frame
  };
  FrameConstraint(const Frame& a, const Frame& b, const Held& held);

  int size() const override { return static_cast<int>(axes_.size()); }
  std::string summary() const override;
  std::string unit() const override { return "m, rad"; }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const;
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const;
  template <class S>
  void products(const KinT<S>& kin, S* bias) const;

 private:
  struct Axis {
    bool rotation;
    int first, second;  // rotation: the axes of the two frames that stay perpendicular; position: `first` alone
  };

  Frame a_, b_;
  std::vector<Axis> axes_;
};

extern template class GeometryOf<FrameConstraint>;

}  // namespace davit
