#include "constrained_chain.hpp"

#include "davit/constraint/frame_constraint.hpp"
#include "davit/force/gravity.hpp"

namespace davit::bench {

namespace {
const FrameConstraint::Held all_directions{{true, true, true}, {}};
}  // namespace

LinkChain link_chain(int links, bool by_constraints, bool redundant) {
  LinkChain out;
  const Mat3 R = axis_rotation(1, -chain_tilt);
  std::vector<Body> bodies;
  for (int i = 0; i < links; ++i) {
    Body b;
    b.name = "link" + std::to_string(i);
    b.mass = 1;
    b.centre = {0, 0, -link_length / 2};
    b.inertia = Sym3::diagonal(link_length * link_length / 12, link_length * link_length / 12, 1e-3);
    if (by_constraints || i == 0) {
      b.at = {R, R * Vec3(0, 0, -link_length * i)};
    } else {
      b.on = "link" + std::to_string(i - 1);
      b.at.p = Vec3(0, 0, -link_length);
    }
    b.joint.kind = by_constraints ? JointKind::free : JointKind::spherical;
    b.joint.rate =
        by_constraints ? std::vector<double>{0, 0, 1, 0, 0, 0} : std::vector<double>{0, 0, i == 0 ? 1.0 : 0.0};
    bodies.push_back(b);
  }
  out.tree = std::make_shared<Tree>(bodies);
  ModelParts parts;
  parts.blocks = {out.tree};
  parts.body_names = out.tree->segment_names();
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : out.tree->bodies_of_tree())
    weights.push_back({b.last_segment, b.body.mass, b.frame * b.body.centre});
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -9.81), weights)};
  if (by_constraints)
    for (int i = 0; i < links; ++i) {
      const Frame before =
          i == 0 ? out.tree->frame("world")
                 : out.tree->frame("link" + std::to_string(i - 1), Pose{Mat3::Identity(), Vec3(0, 0, -link_length)});
      parts.constraints.push_back(
          {"ball" + std::to_string(i),
           std::make_shared<FrameConstraint>(before, out.tree->frame("link" + std::to_string(i)), all_directions)});
    }
  if (redundant)
    parts.constraints.push_back(
        {"again",
         std::make_shared<FrameConstraint>(out.tree->frame("link0", Pose{Mat3::Identity(), Vec3(0, 0, -link_length)}),
                                           out.tree->frame("link1"), FrameConstraint::Held{{true, false, false}, {}})});
  out.end = out.tree->frame("link" + std::to_string(links - 1), Pose{Mat3::Identity(), Vec3(0, 0, -link_length)});
  out.model = std::make_unique<Model>(std::move(parts));
  return out;
}

}  // namespace davit::bench
