// A constraint between two frames: any choice of the three components of their relative position (in the axes of the
// first) and of the three that keep their axes aligned. Ball, hinge, slider, cylindrical, planar and fixed joints that
// close loops are all of this kind.
#pragma once

#include <array>

#include "davit/model/row.hpp"

namespace davit {

class FrameConstraint final : public Geometry {
 public:
  struct Held {
    std::array<bool, 3> position{false, false, false};  // along x, y, z of the first frame
    std::array<bool, 3> rotation{false, false, false};  // about x, y, z of the first frame
  };
  FrameConstraint(const Frame& a, const Frame& b, const Held& held);

  int size() const override { return static_cast<int>(axes_.size()); }
  std::string summary() const override;
  std::string unit() const override { return "m, rad"; }
  void rows(const KinT<double>& kin, double* g) const override { measure(kin, g); }
  void rows(const KinT<Dual8>& kin, Dual8* g) const override { measure(kin, g); }
  void jacobian(const KinT<double>& kin, std::vector<RowEntryT<double>>& out) const override { entries(kin, out); }
  void jacobian(const KinT<Dual8>& kin, std::vector<RowEntryT<Dual8>>& out) const override { entries(kin, out); }
  void rate_bias(const KinT<double>& kin, double* bias) const override { products(kin, bias); }
  void rate_bias(const KinT<Dual8>& kin, Dual8* bias) const override { products(kin, bias); }

 private:
  struct Axis {
    bool rotation;
    int index;
  };
  template <class S>
  void measure(const KinT<S>& kin, S* g) const;
  template <class S>
  void entries(const KinT<S>& kin, std::vector<RowEntryT<S>>& out) const;
  template <class S>
  void products(const KinT<S>& kin, S* bias) const;

  Frame a_, b_;
  std::vector<Axis> axes_;
};

}  // namespace davit
