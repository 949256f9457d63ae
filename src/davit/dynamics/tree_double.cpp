// The tree's kernels for double: the ones in the step loop.
#include "davit/dynamics/tree_kernels.hpp"

namespace davit {

namespace {
TreeWorkT<double>& own(BlockWork& work) { return static_cast<TreeWorkT<double>&>(work); }
}  // namespace

std::unique_ptr<BlockWork> Tree::make_work(double) const {
  return std::make_unique<TreeWorkT<double>>(segments_.size());
}

void Tree::retract(const double* q, const double* d, double* q1) const { tree_kernels::retract(segments_, q, d, q1); }

void Tree::kinematics(const double* q, const double* u, KinT<double>& kin) const {
  tree_kernels::kinematics(segments_, q, u, kin.body);
}

void Tree::momentum_rate(const KinT<double>& kin, const double* a, const LoadsT<double>& loads, BlockWork& work,
                         double* residual, WrenchT<double>* transmitted) const {
  tree_kernels::momentum_rate(segments_, kin, a, loads, own(work), residual, transmitted);
}

void Tree::factor_mass(const Kin& kin, const Loads& loads, BlockWork& work) const {
  tree_kernels::prepare(segments_, kin, loads, own(work));
  tree_kernels::articulate(segments_, kin, own(work));
}

void Tree::forward(const Kin& kin, const Loads& loads, BlockWork& work, double* a, Wrench* transmitted) const {
  factor_mass(kin, loads, work);
  tree_kernels::accelerate(segments_, tree_kernels::AllSegments(segments_), kin, own(work), loads.tau.data(), a,
                           transmitted);
}

void Tree::solve_mass(const Kin& kin, BlockWork& work, const double* r, double* a, Wrench* transmitted) const {
  for (auto& w : own(work).segment) w.p = {};
  tree_kernels::accelerate(segments_, tree_kernels::AllSegments(segments_), kin, own(work), r, a, transmitted);
}

void Tree::solve_mass_along(const Kin& kin, BlockWork& work, std::span<const int> chain, const double* r,
                            double* a) const {
  for (int i : chain) own(work).segment[static_cast<size_t>(i)].p = {};
  tree_kernels::accelerate(segments_, chain, kin, own(work), r, a, nullptr);
}

void Tree::add_wrench(const Kin& kin, int body, const Wrench& wrench, double* generalised) const {
  tree_kernels::add_wrench(segments_, kin, body, wrench, generalised);
}
void Tree::add_generalised(const KinT<double>& kin, const JacobianT<double>::Entry& entry, const double& factor,
                           double* generalised) const {
  tree_kernels::add_generalised(segments_, kin, entry, factor, generalised);
}

MassFailure Tree::mass_failure(const BlockWork& work) const {
  const int i = static_cast<const TreeWorkT<double>&>(work).singular;
  if (i < 0) return {};
  const auto segment = static_cast<size_t>(i);
  const auto motion = [&] {
    switch (segments_[segment].kind) {
      case Primitive::revolute:
        return "rotation about the axis of the joint";
      case Primitive::prismatic:
        return "translation along the axis of the joint";
      case Primitive::ball:
        return "rotation about some axis through the joint";
      default:
        return "some rotation or translation of the free body";
    }
  };
  return {segment_names()[segment], motion(),
          "give the body or something outboard of it mass or moments of inertia, or fix the joint"};
}

double Tree::kinetic_energy(const Kin& kin) const {
  double twice = 0;
  for (size_t i = 1; i < segments_.size(); ++i) {
    const Segment& s = segments_[i];
    if (!s.inertial) continue;
    const BodyKinT<double>& k = kin.body[i];
    const tree_kernels::OwnInertia<double> own_inertia(s, k);
    twice += k.w.dot(own_inertia.J * k.w) + 2 * own_inertia.mc.dot(k.v.cross(k.w)) + s.mass * k.v.squaredNorm();
  }
  return twice / 2;
}

}  // namespace davit
