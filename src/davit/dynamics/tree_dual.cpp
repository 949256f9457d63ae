// The tree's kernels for dual numbers: linearisation, and tests that need exact rates.
#include "davit/dynamics/tree_kernels.hpp"

namespace davit {

std::unique_ptr<BlockWork> Tree::make_work(Dual8) const { return std::make_unique<TreeWorkT<Dual8>>(segments_.size()); }

void Tree::retract(const Dual8* q, const Dual8* d, Dual8* q1) const { tree_kernels::retract(segments_, q, d, q1); }

void Tree::kinematics(const Dual8* q, const Dual8* u, KinT<Dual8>& kin) const {
  tree_kernels::kinematics(segments_, q, u, kin.body);
}

void Tree::momentum_rate(const KinT<Dual8>& kin, const Dual8* a, const LoadsT<Dual8>& loads, BlockWork& work,
                         Dual8* residual, WrenchT<Dual8>* transmitted) const {
  tree_kernels::momentum_rate(segments_, kin, a, loads, static_cast<TreeWorkT<Dual8>&>(work), residual, transmitted);
}

void Tree::add_generalised(const KinT<Dual8>& kin, const JacobianT<Dual8>::Entry& entry, const Dual8& factor,
                           Dual8* generalised) const {
  tree_kernels::add_generalised(segments_, kin, entry, factor, generalised);
}

}  // namespace davit
