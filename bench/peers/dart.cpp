// DART: articulated-body algorithm, one object per joint and body. Its universal joint is real. Built without Davit's
// instruction set: Eigen's alignment must be that of the package.
#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/UniversalJoint.hpp>

#include "peer.hpp"

namespace davit::bench {
namespace {

namespace dd = dart::dynamics;

Eigen::Vector3d vector(const Triple& a) { return {a[0], a[1], a[2]}; }

dd::SkeletonPtr skeleton_of(const Links& links) {
  dd::SkeletonPtr skeleton = dd::Skeleton::create();
  skeleton->setGravity({0, 0, gravity});
  dd::BodyNode* parent = nullptr;
  for (const Link& l : links) {
    dd::BodyNode::Properties body;
    body.mName = l.name;
    body.mInertia = dd::Inertia(l.mass, vector(l.centre), vector(l.inertia).asDiagonal());
    body.mGravityMode = l.weight;
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(l.rotation.data());
    at.translation() = vector(l.position);
    switch (l.joint) {
      case Joint::free: {
        dd::FreeJoint::Properties joint;
        joint.mName = l.name + " joint";
        joint.mT_ParentBodyToJoint = at;
        parent = skeleton->createJointAndBodyNodePair<dd::FreeJoint>(parent, joint, body).second;
        break;
      }
      case Joint::revolute: {
        dd::RevoluteJoint::Properties joint;
        joint.mName = l.name + " joint";
        joint.mT_ParentBodyToJoint = at;
        joint.mAxis = vector(l.axis);
        parent = skeleton->createJointAndBodyNodePair<dd::RevoluteJoint>(parent, joint, body).second;
        break;
      }
      case Joint::universal: {
        dd::UniversalJoint::Properties joint;
        joint.mName = l.name + " joint";
        joint.mT_ParentBodyToJoint = at;
        joint.mAxis = {vector(l.axis), vector(l.second_axis)};
        parent = skeleton->createJointAndBodyNodePair<dd::UniversalJoint>(parent, joint, body).second;
        break;
      }
    }
  }
  return skeleton;
}

class DartCrane final : public Crane {
 public:
  explicit DartCrane(const Links& links) : skeleton_(skeleton_of(links)), x_(11) {}

  void compute(const CraneState& s) override {
    const Eigen::Quaterniond e(s.quaternion[0], s.quaternion[1], s.quaternion[2], s.quaternion[3]);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.linear() = e.toRotationMatrix();
    pose.translation() = vector(s.position);
    x_ << dd::FreeJoint::convertToPositions(pose), s.q[0], s.q[1], s.q[2], s.q[3], s.q[4];
    skeleton_->setPositions(x_);
    x_ << s.w[0], s.w[1], s.w[2], s.v[0], s.v[1], s.v[2], s.qd[0], s.qd[1], s.qd[2], s.qd[3], s.qd[4];
    skeleton_->setVelocities(x_);
    const Restoring r = restoring(s.quaternion, s.position[2]);
    // Generalised forces of the free joint are moment and force in hull axes.
    const Eigen::Vector3d f = vector(s.force) + pose.linear().transpose() * Eigen::Vector3d(0, 0, r.force);
    x_ << s.moment[0] + r.roll_moment, s.moment[1] + r.pitch_moment, s.moment[2], f, s.tau[0], s.tau[1], s.tau[2],
        s.tau[3], s.tau[4];
    skeleton_->setForces(x_);
    skeleton_->computeForwardDynamics();
  }
  // The transmitted forces are part of its forward dynamics.
  void compute_with_wrenches(const CraneState& s) override { compute(s); }

  CraneRates rates() const override {
    const Eigen::VectorXd a = skeleton_->getAccelerations();
    return {a[3], a[4], a[5], a[0], a[1], a[2], a[6], a[7], a[8], a[9], a[10]};
  }
  CraneWrenches wrenches() const override {
    CraneWrenches out;
    for (size_t i = 0; i < 5; ++i) {
      const dd::BodyNode* b = skeleton_->getBodyNode(std::min<size_t>(i, 3) + 1);
      const Eigen::Vector6d w = b->getBodyForce();
      const Eigen::Matrix3d R = b->getWorldTransform().linear();
      const Eigen::Vector3d f = R * w.tail<3>(), n = R * w.head<3>();
      for (int k = 0; k < 3; ++k) out[i][static_cast<size_t>(k)] = f[k], out[i][static_cast<size_t>(k) + 3] = n[k];
    }
    return out;
  }

 private:
  dd::SkeletonPtr skeleton_;
  Eigen::VectorXd x_;
};

class DartChain final : public Chain {
 public:
  explicit DartChain(const Links& links) : skeleton_(skeleton_of(links)) {}
  void compute(const std::vector<double>& q, const std::vector<double>& qd) override {
    const auto n = static_cast<Eigen::Index>(q.size());
    skeleton_->setPositions(Eigen::VectorXd::Map(q.data(), n));
    skeleton_->setVelocities(Eigen::VectorXd::Map(qd.data(), n));
    skeleton_->computeForwardDynamics();
  }
  std::vector<double> rates() const override {
    const Eigen::VectorXd a = skeleton_->getAccelerations();
    return {a.data(), a.data() + a.size()};
  }

 private:
  dd::SkeletonPtr skeleton_;
};

}  // namespace
}  // namespace davit::bench

DAVIT_BENCH_PEER {
  using namespace davit::bench;
  static const Peer peer{"DART",
                         std::string(DART_VERSION) +
                             ", real universal joint, wrenches always computed, no RK4; Debian's build has assertions",
                         true,
                         false,
                         [](const Links& l) -> std::unique_ptr<Crane> { return std::make_unique<DartCrane>(l); },
                         [](const Links& l) -> std::unique_ptr<Chain> { return std::make_unique<DartChain>(l); }};
  return &peer;
}
