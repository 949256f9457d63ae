// Bodies and joints as one describes them: plain structs. A body hangs on another (or the world) by a joint; the tree
// block (dynamics/tree.hpp) turns a list of these into coordinates and kernels.
#pragma once

#include <string>
#include <vector>

#include "davit/math/inertia.hpp"
#include "davit/model/joint.hpp"

namespace davit {

struct Body {
  std::string name;
  std::string on = "world";
  Pose at;  // the joint's frame in the frame of the body it is on
  Joint joint;
  Pose frame;  // the body's own frame in the moved frame of the joint: not the identity for Denavit-Hartenberg links
  double mass = 0;
  Vec3 centre = Vec3::Zero();  // of mass, in the body's frame
  Sym3 inertia;                // about the centre, in the axes of the body's frame
  bool weightless = false;     // gravity does not act on it (its weight is carried by something not modelled)
};

// A link by Denavit-Hartenberg parameters: T = Rz(θ) Tz(d) Tx(a) Rx(α) with θ = offset + q, or offset - q if reversed.
// The joint is about the z axis of the frame before, at its origin. Sets at, joint and frame.
void set_denavit_hartenberg(Body& body, double a, double alpha, double d, double offset, bool reversed = false);

}  // namespace davit
