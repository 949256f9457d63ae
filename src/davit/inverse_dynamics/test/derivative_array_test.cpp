#include "davit/inverse_dynamics/derivative_array.hpp"

#include <gtest/gtest.h>

#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/inverse_dynamics/analysis.hpp"
#include "davit/inverse_dynamics/servo_constraint.hpp"
#include "davit/rope/rigid_rope.hpp"

namespace davit::inverse_dynamics {
namespace {

// A trolley, and a free body that hangs on a rope from it over a sheave that the trolley carries.
struct Hanging {
  std::unique_ptr<Model> model;
  ServoProblem problem;

  Hanging() {
    Body trolley;
    trolley.name = "trolley";
    trolley.joint.kind = JointKind::prismatic;
    trolley.joint.axis = Vec3::UnitX();
    trolley.mass = 3;
    Body load;
    load.name = "load";
    load.joint.kind = JointKind::free;
    load.joint.position = {0.2, -0.1, 0.3, 0.6, 0.1, -4};
    load.joint.rate = {0.1, 0.4, -0.2, 0.3, 0.2, 0.5};
    load.mass = 5;
    load.inertia = Sym3::diagonal(1, 2, 3);
    const auto tree = std::make_shared<Tree>(std::vector<Body>{trolley, load});
    VecX q(tree->nq()), u(tree->nu());
    tree->initial_state(q.data(), u.data());
    Kin kin;
    kin.body.resize(tree->segments().size());
    tree->kinematics(q.data(), u.data(), kin);
    kin.q = q.data();
    rope::Waypoint from, sheave, to;
    from.frame = {0, {Mat3::Identity(), Vec3(-5, 0, 0)}};
    sheave.frame = tree->frame("trolley", Pose{rotation_from_z(Vec3::UnitY()), Vec3::Zero()});
    sheave.radius = 0.3;
    to.frame = tree->frame("load", Pose{Mat3::Identity(), Vec3(0.2, 0.1, 0.5)});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.forces = {std::make_shared<Gravity>(
        Vec3(0, 0, -9.81), std::vector<Gravity::Weight>{{tree->frame("load").body, 5, Vec3::Zero()}})};
    const int port = parts.add(Input{"trolley", "N"});
    parts.forces.push_back(std::make_shared<JointActuator>("trolley", JointCoordinate{"trolley", 0, 0}, port));
    parts.constraints = {{"rope", std::make_shared<rope::RigidRope>(std::vector<rope::Waypoint>{from, sheave, to},
                                                                    std::vector<rope::RigidRope::Reel>{}, kin)}};
    model = std::make_unique<Model>(std::move(parts));
    problem.model = model.get();
    problem.start = model->initial_state();
    problem.inputs = {port};
    problem.outputs = {{"turn",
                        std::make_shared<OrientationServo>(tree->frame("load"), Mat3::Identity(),
                                                           Vec3(1, 2, 2).normalized(), Motion(0.3)),
                        9}};
    problem.end = 3;
  }
};

// Exact derivatives against differences, with rotations, a sheave and multipliers that change in time.
TEST(DerivativeArray, its_matrix_is_the_derivative_of_its_residual) {
  const Hanging hanging;
  for (const int K : {2, 4, 6}) {
    DerivativeArray array(hanging.problem, K, 0.7);
    DerivativeArray::Point at{0.4, hanging.problem.start.q, VecX(array.unknowns())};
    for (Eigen::Index i = 0; i < at.x.size(); ++i) at.x[i] = 0.1 * std::sin(3.0 * static_cast<double>(i) + 1);
    at.x.head(hanging.model->nu()).setZero();
    MatX A;
    array.matrix(at, A);
    VecX ahead, behind;
    double worst = 0;
    for (Eigen::Index j = 0; j < at.x.size(); ++j) {
      const double h = 1e-5;
      DerivativeArray::Point moved = at;
      moved.x[j] += h;
      array.residual(moved, ahead);
      moved.x[j] -= 2 * h;
      array.residual(moved, behind);
      worst = std::max(worst, ((ahead - behind) / (2 * h) - A.col(j)).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(worst, 1e-6 * A.cwiseAbs().maxCoeff()) << K;
  }
}

TEST(ServoProblem, is_refused_by_name_where_an_output_cannot_follow) {
  const Hanging hanging;
  const Analysis a = analyse(hanging.problem);
  EXPECT_EQ(a.outputs, 3);
  EXPECT_EQ(a.inputs, 1);
  EXPECT_LT(a.coupling_rank, a.outputs);
  EXPECT_EQ(hanging.problem.row_name(1), "turn, row 2 of 3");
}

}  // namespace
}  // namespace davit::inverse_dynamics
