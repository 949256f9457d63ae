// The rotary crane in its three forms: the same accelerations, and the motion of an independent reference.
#include "verify/plans/rotary_crane.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "davit/solve/run_loop.hpp"

namespace davit::verify {
namespace {

struct Accelerations {
  VecX a;
  Eigen::Vector3d controlled;  // slewing, travel, length of rope
};

// [M -Gᵀ; G 0] (a; λ) = (f; -Ġu): needs no mass on every coordinate.
Accelerations accelerations(const RotaryCrane& crane) {
  const Model& model = *crane.model;
  System system(model);
  const State s = model.initial_state();
  system.violation(s, 0);
  const MatX G = system.workspace().rows.G;
  VecX bias(model.rows()), force(model.nu());
  system.rate_bias(bias);
  const VecX rest = VecX::Zero(model.nu());
  system.residual<double>(system.workspace(), s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete, rest.data(),
                          force.data(), nullptr);
  const int n = model.nu(), rows = model.rows();
  MatX A = MatX::Zero(n + rows, n + rows);
  A.topLeftCorner(n, n) = system.mass_matrix(s);
  A.topRightCorner(n, rows) = -G;
  A.bottomLeftCorner(rows, n) = G.transpose();
  VecX b(n + rows);
  b << -force, -bias;
  const Eigen::FullPivLU<MatX> lu(A);
  EXPECT_EQ(lu.rank(), n + rows);
  const VecX a = lu.solve(b).head(n);
  return {a, {a[crane.slew.u], a[crane.travel.u], crane.length_per_hoist * a[crane.hoist.u]}};
}

TEST(RotaryCrane, TheThreeFormsStartOnTheirConstraints) {
  const RotaryCrane cranes[] = {rotary_crane_by_joints(), rotary_crane_by_directors(), rotary_crane_by_rope()};
  for (const RotaryCrane& crane : cranes) {
    System system(*crane.model);
    const State s = crane.model->initial_state();
    for (size_t i = 0; i < crane.model->constraints().size(); ++i)
      EXPECT_LT(system.violation(s, static_cast<int>(i)), 1e-14) << crane.model->constraints()[i].constraint.name;
    EXPECT_LT((system.workspace().rows.G.transpose() * s.u).norm(), 1e-14);
    system.evaluate(s);  // of the massless coordinates there are no accelerations, but kinematics
    const Energy energy = system.energy(s);
    EXPECT_NEAR(energy.total(), -410.12, 1e-12);
  }
  EXPECT_EQ(cranes[1].model->nq(), 42);
  EXPECT_EQ(cranes[1].model->rows(), 37);
  System system(*cranes[1].model);
  EXPECT_FALSE(system.evaluate(cranes[1].model->initial_state()));
  EXPECT_EQ(system.failure().element, "slewing angle");
}

TEST(RotaryCrane, TheThreeFormsAccelerateAlike) {
  const Accelerations joints = accelerations(rotary_crane_by_joints());
  const RotaryCrane crane = rotary_crane_by_joints();
  System system(*crane.model);
  ASSERT_TRUE(system.evaluate(crane.model->initial_state()));
  EXPECT_LT((system.workspace().a - joints.a).norm(), 1e-12);
  // By hand: the rope hangs straight down, so slewing keeps its rate, the trolley feels s φ̇² alone, and the load falls
  // against the winch, (m + J/r²) l̈ = m g.
  EXPECT_NEAR(joints.controlled[0], 0, 1e-13);
  EXPECT_NEAR(joints.controlled[1], 1.5, 1e-12);
  EXPECT_NEAR(joints.controlled[2], 10 * 9.81 / 12, 1e-12);
  for (const RotaryCrane& other : {rotary_crane_by_directors(), rotary_crane_by_rope()}) {
    const Accelerations a = accelerations(other);
    EXPECT_LT((a.controlled - joints.controlled).norm(), 1e-12);
    const int u = other.model->block_of(other.load.body).first_u;
    EXPECT_LT((a.a.segment<3>(u) - Vec3(0, 0, -10 * 9.81 / 12)).norm(), 1e-12);
  }
}

struct Quiet : Observer {
  void record(const State&, System&) override {}
};

// At t = 1 s, against a converged solution of Lagrange's equations in the five coordinates (2.75), found independently.
TEST(RotaryCrane, MovesAsTheReference) {
  for (const RotaryCrane& crane : {rotary_crane_by_joints(), rotary_crane_by_rope()}) {
    System system(*crane.model);
    State s = crane.model->initial_state();
    const auto stepper = make_dormand_prince(*crane.model, {.tolerance = 1e-12});
    Quiet quiet;
    const RunOutcome outcome = simulate(system, *stepper, s, {.end = 1, .step = 0.1, .output = 1}, quiet);
    ASSERT_EQ(outcome.status, RunStatus::complete) << outcome.why;
    ASSERT_TRUE(system.evaluate(s));
    EXPECT_NEAR(s.q[crane.slew.q], 0.8034509483580345, 1e-9);
    EXPECT_NEAR(s.q[crane.travel.q], 2.1377370715125648, 1e-9);
    EXPECT_NEAR(crane.length_at_zero + crane.length_per_hoist * s.q[crane.hoist.q], 9.087578257288177, 1e-9);
    EXPECT_NEAR(s.u[crane.slew.u], 0.5291137526943487, 1e-9);
    EXPECT_NEAR(s.u[crane.travel.u], 1.1078728001723972, 1e-9);
    EXPECT_NEAR(crane.length_per_hoist * s.u[crane.hoist.u], 8.175276684280085, 1e-9);
    const Vec3 load = position(system.workspace().kin, crane.load);
    EXPECT_LT((load - Vec3(1.4998272994812514, 1.5006164890674352, -9.087485017575807)).norm(), 1e-9);
    EXPECT_NEAR(system.energy(s).total(), -410.12, 1e-9);
  }
}

}  // namespace
}  // namespace davit::verify
