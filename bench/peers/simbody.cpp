// Simbody: O(n) recursions with realisation stages and a cache in the state. Its universal joint is real; its method of
// order four with fixed steps is Merson's, of five stages.
#include <Simbody.h>

#include "peer.hpp"

namespace davit::bench {
namespace {

using namespace SimTK;

Vec3 vector(const Triple& a) { return {a[0], a[1], a[2]}; }
SimTK::Rotation rotation(const davit::bench::Rotation& R) {
  return SimTK::Rotation(Mat33(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), true);
}

// Restoring of the hull, what is applied to it and to the joints, and the controller of the run.
class Applied final : public Force::Custom::Implementation {
 public:
  Applied(const SimbodyMatterSubsystem& matter, const CraneState& given, const Run& control,
          const std::array<double, 5>& rest)
      : matter_(matter), given_(given), control_(control), rest_(rest) {}
  void calcForce(const State& state, Vector_<SpatialVec>& forces, Vector_<Vec3>&, Vector& generalised) const override {
    const MobilizedBody& hull = matter_.getMobilizedBody(MobilizedBodyIndex(1));
    const Transform& X = hull.getBodyTransform(state);
    const Vector& q = hull.getQAsVector(state);
    const Restoring r = restoring({q[0], q[1], q[2], q[3]}, X.p()[2]);
    forces[1] += SpatialVec(X.R() * (vector(given_.moment) + Vec3(r.roll_moment, r.pitch_moment, 0)),
                            X.R() * vector(given_.force) + Vec3(0, 0, r.force));
    const Vector &all_q = state.getQ(), &all_u = state.getU();
    for (int i = 0; i < 5; ++i) generalised[6 + i] += given_.tau[static_cast<size_t>(i)];
    if (control_.kp == 0) return;
    for (int i = 0; i < 3; ++i)
      generalised[6 + i] -= control_.kp * (all_q[7 + i] - rest_[static_cast<size_t>(i)]) + control_.kd * all_u[6 + i];
  }
  Real calcPotentialEnergy(const State&) const override { return 0; }

 private:
  const SimbodyMatterSubsystem& matter_;
  const CraneState& given_;
  const Run& control_;
  const std::array<double, 5>& rest_;
};

class Engine {
 public:
  explicit Engine(const Links& links) : matter(system), forces(system), field(forces, matter, Vec3(0, 0, gravity)) {
    MobilizedBody parent = matter.Ground();
    for (const Link& l : links) {
      const Inertia central(Vec3(l.inertia[0], l.inertia[1], l.inertia[2]));
      const Vec3 centre = vector(l.centre);
      const Body::Rigid body(MassProperties(l.mass, centre, central.shiftFromMassCenter(centre, l.mass)));
      const Transform at(rotation(l.rotation), vector(l.position));
      const UnitVec3 axis(vector(l.axis));
      switch (l.joint) {
        case Joint::free:
          parent = MobilizedBody::Free(parent, at, body, Transform());
          break;
        case Joint::revolute: {
          const Transform turned(SimTK::Rotation(axis, ZAxis));
          parent = MobilizedBody::Pin(parent, at * turned, body, turned);
          break;
        }
        case Joint::universal: {
          const Transform turned(SimTK::Rotation(axis, XAxis, vector(l.second_axis), YAxis));
          parent = MobilizedBody::Universal(parent, at * turned, body, turned);
          break;
        }
      }
      if (!l.weight) field.setDefaultBodyIsExcluded(parent, true);
    }
  }
  void finish() {
    system.realizeTopology();
    state = system.getDefaultState();
    system.realizeModel(state);
  }

  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  Force::Gravity field;
  State state;
};

class SimbodyCrane final : public Crane {
 public:
  explicit SimbodyCrane(const Links& links) : engine_(links) {
    control_.kp = 0;
    Force::Custom(engine_.forces, new Applied(engine_.matter, given_, control_, rest_));
    engine_.finish();
  }

  void compute(const CraneState& s) override {
    set(s);
    engine_.system.realize(engine_.state, Stage::Acceleration);
  }
  void compute_with_wrenches(const CraneState& s) override {
    compute(s);
    engine_.matter.calcMobilizerReactionForces(engine_.state, reactions_);
  }

  CraneRates rates() const override {
    // Angular then linear, both in the world.
    const Vector &a = engine_.state.getUDot(), &u = engine_.state.getU();
    const SimTK::Rotation& R = engine_.matter.getMobilizedBody(MobilizedBodyIndex(1)).getBodyRotation(engine_.state);
    const Vec3 wdot = ~R * Vec3(a[0], a[1], a[2]), w = ~R * Vec3(u[0], u[1], u[2]), v = ~R * Vec3(u[3], u[4], u[5]);
    const Vec3 vdot = ~R * Vec3(a[3], a[4], a[5]) - cross(w, v);
    return {vdot[0], vdot[1], vdot[2], wdot[0], wdot[1], wdot[2], a[6], a[7], a[8], a[9], a[10]};
  }
  CraneWrenches wrenches() const override {
    CraneWrenches out;
    for (size_t i = 0; i < 5; ++i) {
      const SpatialVec& w = reactions_[static_cast<int>(std::min<size_t>(i, 3)) + 2];
      for (int k = 0; k < 3; ++k)
        out[i][static_cast<size_t>(k)] = w[1][k], out[i][static_cast<size_t>(k) + 3] = w[0][k];
    }
    return out;
  }

  CraneState run(const CraneState& start, const Run& run) override {
    rest_ = start.q;
    control_ = run;
    engine_.state.setTime(0);
    set(start);
    RungeKuttaMersonIntegrator integrator(engine_.system);
    integrator.setFixedStepSize(run.step);
    integrator.initialize(engine_.state);
    // The first return is at the start.
    while (integrator.stepTo(run.step * run.steps) != Integrator::ReachedReportTime) {}
    const Vector& q = integrator.getState().getQ();
    control_.kp = 0;
    CraneState end;
    end.quaternion = {q[0], q[1], q[2], q[3]};
    end.position = {q[4], q[5], q[6]};
    for (size_t i = 0; i < 5; ++i) end.q[i] = q[static_cast<int>(i) + 7];
    return end;
  }

 private:
  void set(const CraneState& s) {
    given_ = s;
    Vector& q = engine_.state.updQ();
    for (int i = 0; i < 4; ++i) q[i] = s.quaternion[static_cast<size_t>(i)];
    for (int i = 0; i < 3; ++i) q[i + 4] = s.position[static_cast<size_t>(i)];
    for (int i = 0; i < 5; ++i) q[i + 7] = s.q[static_cast<size_t>(i)];
    const SimTK::Rotation R(Quaternion(Vec4(s.quaternion[0], s.quaternion[1], s.quaternion[2], s.quaternion[3])));
    const Vec3 w = R * vector(s.w), v = R * vector(s.v);
    Vector& u = engine_.state.updU();
    for (int i = 0; i < 3; ++i) u[i] = w[i], u[i + 3] = v[i];
    for (int i = 0; i < 5; ++i) u[i + 6] = s.qd[static_cast<size_t>(i)];
  }

  CraneState given_;
  Run control_;
  std::array<double, 5> rest_{};
  Engine engine_;
  Vector_<SpatialVec> reactions_;
};

class SimbodyChain final : public Chain {
 public:
  explicit SimbodyChain(const Links& links) : engine_(links) { engine_.finish(); }
  void compute(const std::vector<double>& q, const std::vector<double>& qd) override {
    std::copy(q.begin(), q.end(), engine_.state.updQ().updContiguousScalarData());
    std::copy(qd.begin(), qd.end(), engine_.state.updU().updContiguousScalarData());
    engine_.system.realize(engine_.state, Stage::Acceleration);
  }
  std::vector<double> rates() const override {
    const Vector& a = engine_.state.getUDot();
    std::vector<double> out(static_cast<size_t>(a.size()));
    for (size_t i = 0; i < out.size(); ++i) out[i] = a[static_cast<int>(i)];
    return out;
  }

 private:
  Engine engine_;
};

std::string version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace
}  // namespace davit::bench

DAVIT_BENCH_PEER {
  using namespace davit::bench;
  static const Peer peer{
      "Simbody",
      version() + ", real universal joint, Runge-Kutta-Merson (order 4, 5 stages); Debian's build has assertions",
      true,
      true,
      [](const Links& l) -> std::unique_ptr<Crane> { return std::make_unique<SimbodyCrane>(l); },
      [](const Links& l) -> std::unique_ptr<Chain> { return std::make_unique<SimbodyChain>(l); }};
  return &peer;
}
