// Ropes, slings and winches of a file without their stretch: what plans are made with. Winches that are inputs have a
// coordinate of their own (the angle of the drum, or the rope that is given out) and a port; others hold their rope.
#pragma once

#include "davit/assembly/element_specs.hpp"
#include "davit/rope/rigid_rope.hpp"
#include "davit/rope/specification.hpp"

namespace davit::rope {

struct RigidWinch {
  std::string name;
  CoordinateIndex at;
  double ratio = 1;  // rope given out by its coordinate, m/rad or 1
  std::string unit;  // of its input: N m of a drum, N without one
  int input = 0;     // port
};
struct BuiltRope {
  std::string name;
  int row = 0;  // its multiplier is minus its tension
  std::shared_ptr<const RigidRope> geometry;
  Frame end;  // where its last piece comes from and goes to
  Frame before;
};
struct RigidRopes {
  std::vector<RigidWinch> winches;
  std::vector<BuiltRope> ropes;
  std::vector<std::string> notes;  // what of the ropes a plan leaves out
};
// `inputs`: names of winches that are inputs.
RigidRopes build_rigid(const ElementSpecs&, const std::set<std::string>& inputs, Assembly&);

}  // namespace davit::rope
