// Bullet, double precision: articulated-body algorithm in link axes about centres of mass. It knows no universal joint:
// a link without mass and inertia stands between two hinges, which the algorithm takes as it is.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointFeedback.h>

#include "peer.hpp"

namespace davit::bench {
namespace {

btVector3 vector(const Triple& a) { return {a[0], a[1], a[2]}; }
btQuaternion quaternion(const Quadruple& e) { return {e[1], e[2], e[3], e[0]}; }

class Engine {
 public:
  // Links are in a line; the first may be free and is then the base.
  explicit Engine(const Links& links) {
    const bool free = links.front().joint == Joint::free;
    int count = 0;
    for (const Link& l : links) count += l.joint == Joint::free ? 0 : l.joint == Joint::universal ? 2 : 1;
    const Link& first = links.front();
    body = std::make_unique<btMultiBody>(count, free ? first.mass : 0,
                                         free ? vector(first.inertia) : btVector3(0, 0, 0), !free, false);
    int index = -1;
    btVector3 parent_centre = free ? vector(first.centre) : btVector3(0, 0, 0);
    for (const Link& l : links) {
      if (l.joint == Joint::free) continue;
      const btVector3 arm = vector(l.position) - parent_centre;
      // Bullet turns the parent's axes into the link's.
      const btQuaternion turn = quaternion(l.quaternion).inverse();
      const auto hinge = [&](double mass, const btVector3& inertia, const btQuaternion& rotation, const Triple& axis,
                             const btVector3& from_parent, const btVector3& centre) {
        body->setupRevolute(index + 1, mass, inertia, index, rotation, vector(axis), from_parent, centre, true);
        weight.push_back(mass * gravity);
        ++index;
      };
      const btVector3 zero(0, 0, 0);
      if (l.joint == Joint::universal) {
        hinge(0, zero, turn, l.axis, arm, zero);
        hinge(l.mass, vector(l.inertia), btQuaternion::getIdentity(), l.second_axis, zero, vector(l.centre));
      } else {
        hinge(l.mass, vector(l.inertia), turn, l.axis, arm, vector(l.centre));
      }
      parent_centre = vector(l.centre);
    }
    body->finalizeMultiDof();
    body->setLinearDamping(0);
    body->setAngularDamping(0);
    body->setMaxCoordinateVelocity(1e30);
    body->setUseGyroTerm(true);
    feedback.resize(static_cast<size_t>(count));
  }

  // Bullet ends by adding accelerations times dt to the velocities; zero keeps them, and the accelerations stay in r.
  void forward() { body->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, r, v, m, false, false, true); }
  const btScalar* accelerations() const { return &r[body->getNumDofs()]; }
  void apply_weights() {
    for (int i = 0; i < body->getNumLinks(); ++i) body->addLinkForce(i, {0, 0, weight[static_cast<size_t>(i)]});
  }
  void want_wrenches(bool want) {
    for (int i = 0; i < body->getNumLinks(); ++i)
      body->getLink(i).m_jointFeedback = want ? &feedback[static_cast<size_t>(i)] : nullptr;
  }

  std::unique_ptr<btMultiBody> body;
  std::vector<double> weight;
  std::vector<btMultiBodyJointFeedback> feedback;
  btAlignedObjectArray<btScalar> r;
  btAlignedObjectArray<btVector3> v;
  btAlignedObjectArray<btMatrix3x3> m;
};

class BulletCrane final : public Crane {
 public:
  explicit BulletCrane(const Links& links) : engine_(links) {}

  void compute(const CraneState& s) override {
    if (wrenches_) engine_.want_wrenches(wrenches_ = false);
    set_and_solve(s);
  }
  void compute_with_wrenches(const CraneState& s) override {
    if (!wrenches_) engine_.want_wrenches(wrenches_ = true);
    set_and_solve(s);
  }

  CraneRates rates() const override {
    // Angular then linear, both in the world.
    const btMultiBody& b = *engine_.body;
    const btScalar* a = engine_.accelerations();
    const btQuaternion to_hull = b.getWorldToBaseRot();
    const btVector3 w = quatRotate(to_hull, b.getBaseOmega()), v = quatRotate(to_hull, b.getBaseVel());
    const btVector3 wdot = quatRotate(to_hull, {a[0], a[1], a[2]});
    const btVector3 vdot = quatRotate(to_hull, {a[3], a[4], a[5]}) - w.cross(v);
    CraneRates out;
    for (int i = 0; i < 3; ++i) out[static_cast<size_t>(i)] = vdot[i], out[static_cast<size_t>(i) + 3] = wdot[i];
    for (size_t i = 0; i < 5; ++i) out[i + 6] = a[i + 6];
    return out;
  }
  CraneWrenches wrenches() const override {
    CraneWrenches out;
    for (size_t i = 0; i < 5; ++i) {
      const btSpatialForceVector& w = engine_.feedback[i].m_reactionForces;
      const btVector3 f = engine_.body->localDirToWorld(static_cast<int>(i), w.getLinear());
      const btVector3 n = engine_.body->localDirToWorld(static_cast<int>(i), w.getAngular());
      for (int k = 0; k < 3; ++k) out[i][static_cast<size_t>(k)] = f[k], out[i][static_cast<size_t>(k) + 3] = n[k];
    }
    return out;
  }

 private:
  void set_and_solve(const CraneState& s) {
    btMultiBody& b = *engine_.body;
    const btQuaternion to_world = quaternion(s.quaternion);
    const btMatrix3x3 R(to_world);
    b.setBasePos(vector(s.position));
    b.setWorldToBaseRot(to_world.inverse());
    b.setBaseVel(R * vector(s.v));
    b.setBaseOmega(R * vector(s.w));
    b.clearForcesAndTorques();
    const Restoring r = restoring(s.quaternion, s.position[2]);
    b.addBaseForce(R * vector(s.force) + btVector3(0, 0, r.force));
    b.addBaseTorque(R * (vector(s.moment) + btVector3(r.roll_moment, r.pitch_moment, 0)));
    for (int i = 0; i < 5; ++i) {
      const auto k = static_cast<size_t>(i);
      b.setJointPos(i, s.q[k]);
      b.setJointVel(i, s.qd[k]);
      b.addJointTorque(i, s.tau[k]);
    }
    engine_.apply_weights();
    engine_.forward();
  }

  Engine engine_;
  bool wrenches_ = false;
};

class BulletChain final : public Chain {
 public:
  explicit BulletChain(const Links& links) : engine_(links) {}
  void compute(const std::vector<double>& q, const std::vector<double>& qd) override {
    btMultiBody& b = *engine_.body;
    b.clearForcesAndTorques();
    for (int i = 0; i < b.getNumLinks(); ++i) {
      b.setJointPos(i, q[static_cast<size_t>(i)]);
      b.setJointVel(i, qd[static_cast<size_t>(i)]);
    }
    engine_.apply_weights();
    engine_.forward();
  }
  std::vector<double> rates() const override {
    const btScalar* a = engine_.accelerations() + 6;
    return {a, a + engine_.body->getNumDofs()};
  }

 private:
  Engine engine_;
};

}  // namespace
}  // namespace davit::bench

DAVIT_BENCH_PEER {
  using namespace davit::bench;
  static const Peer peer{"Bullet",
                         std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100) +
                             " in double precision, a massless link in the universal joint, no RK4",
                         true,
                         false,
                         [](const Links& l) -> std::unique_ptr<Crane> { return std::make_unique<BulletCrane>(l); },
                         [](const Links& l) -> std::unique_ptr<Chain> { return std::make_unique<BulletChain>(l); }};
  return &peer;
}
