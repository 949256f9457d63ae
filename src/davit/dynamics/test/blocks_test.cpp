// Director bodies, particles and scalars beside the rigid body that they are.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "davit/dynamics/director_body.hpp"
#include "davit/dynamics/scalars.hpp"
#include "random_tree.hpp"
#include "small_models.hpp"

namespace davit {
namespace {

using testing::Lab;
using testing::no_tree;
using testing::PointForces;
using testing::Random;

Body brick() {
  Body b;
  b.name = "brick";
  b.mass = 2;
  b.centre = {0.1, -0.2, 0.3};
  b.inertia = congruence(exp_rotation(Vec3(0.3, 0.5, -0.2)), Sym3::diagonal(0.5, 0.8, 1.1));
  return b;
}

// The same brick in the same motion under the same force, by directors and on a free joint.
struct TwoBricks {
  const Vec3 rpy{0.3, -0.2, 0.5}, place{1, 2, 3}, spin{2, 3, -1.5}, speed{1, 0.5, 4}, at{0.7, 0.1, -0.4},
      force{5, -3, 2};
  std::shared_ptr<const DirectorBody> directors;
  std::unique_ptr<Lab> by_directors, by_joint;
  Frame on_joint;

  TwoBricks() {
    const Pose pose{rotation_of_rpy(rpy), place};
    const auto none = no_tree();
    directors = std::make_shared<DirectorBody>(after(*none), brick(), pose, Twist{pose.R * spin, pose.R * speed});
    ModelParts parts;
    parts.blocks = {none, directors};
    parts.body_names = {"world", "brick"};
    parts.constraints = {directors->rigidity()};
    parts.forces = {
        std::make_shared<PointForces>(PointForces::Forces{{directors->frame({Mat3::Identity(), at}), force}})};
    by_directors = std::make_unique<Lab>(std::move(parts));
    Body jointed = brick();
    jointed.joint.kind = JointKind::free;
    jointed.joint.position = {rpy.x(), rpy.y(), rpy.z(), place.x(), place.y(), place.z()};
    jointed.joint.rate = {spin.x(), spin.y(), spin.z(), speed.x(), speed.y(), speed.z()};
    const auto tree = std::make_shared<Tree>(std::vector<Body>{jointed});
    on_joint = tree->frame("brick");
    parts = {};
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.forces = {
        std::make_shared<PointForces>(PointForces::Forces{{tree->frame("brick", {Mat3::Identity(), at}), force}})};
    by_joint = std::make_unique<Lab>(std::move(parts));
  }
};

TEST(DirectorBody, IsTheRigidBodyThatAFreeJointMoves) {
  TwoBricks b;
  ASSERT_TRUE(b.by_directors->system->evaluate(b.by_directors->state));
  ASSERT_TRUE(b.by_joint->system->evaluate(b.by_joint->state));
  const Kin &own = b.by_directors->work().kin, &other = b.by_joint->work().kin;
  EXPECT_LT((position(own, b.directors->frame()) - position(other, b.on_joint)).norm(), 1e-14);
  EXPECT_LT((rotation(own, b.directors->frame()) - rotation(other, b.on_joint)).norm(), 1e-14);
  EXPECT_LT((velocity(own, b.directors->frame()) - velocity(other, b.on_joint)).norm(), 1e-13);
  EXPECT_LT((own.body[1].w - other.body.back().w).norm(), 1e-13);
  EXPECT_NEAR(b.by_directors->system->energy(b.by_directors->state).kinetic,
              b.by_joint->system->energy(b.by_joint->state).kinetic, 1e-12);
  // Accelerations of the centre, and of the spin: ½ Σ dᵢ × d̈ᵢ of directors that stay orthonormal.
  const VecX& a = b.by_directors->work().a;
  EXPECT_LT((Vec3(a.head<3>()) - b.force / 2).norm(), 1e-12);
  Vec3 alpha = Vec3::Zero();
  for (int i = 0; i < 3; ++i) alpha += 0.5 * own.body[1].R.col(i).cross(Vec3(a.segment<3>(3 * i + 3)));
  const auto& k = other.body.back();
  const Mat3 J = k.R * brick().inertia.matrix() * k.R.transpose();
  const Vec3 moment = (k.R * (b.at - brick().centre)).cross(b.force);
  EXPECT_LT((J * alpha + k.w.cross(J * k.w) - moment).norm(), 1e-11);
}

TEST(DirectorBody, WrenchesActByTheirPower) {
  TwoBricks b;
  b.by_directors->system->evaluate(b.by_directors->state);
  const Kin& kin = b.by_directors->work().kin;
  const Wrench wrench{Vec3(1, -2, 0.5), Vec3(3, 4, -1)};
  VecX generalised = VecX::Zero(12);
  b.directors->add_wrench(kin, 1, wrench, generalised.data());
  EXPECT_NEAR(generalised.dot(b.by_directors->state.u), power(wrench, Twist{kin.body[1].w, kin.body[1].v}), 1e-12);
}

TEST(DirectorBody, ItsNullSpaceKeepsItRigid) {
  TwoBricks b;
  const DirectorBody::Vec12 q = b.directors->configuration(Vec3(1, 0, 2), Vec3(0.4, -1, 0.3));
  State s = b.by_directors->state;
  s.q = q;
  EXPECT_LT(b.by_directors->system->violation(s, 0), 1e-14);
  const auto P = DirectorBody::null_space(q);
  const RowWork& rows = b.by_directors->system->rows_at(s);
  EXPECT_EQ(rows.rank, 6);
  EXPECT_LT((rows.G.transpose() * P).norm(), 1e-13);
  // And the mass in it is that of the rigid body.
  const Mat3 R = q.tail<9>().reshaped(3, 3), J = R * brick().inertia.matrix() * R.transpose();
  const MatX reduced = P.transpose() * b.by_directors->system->mass_matrix(s) * P;
  EXPECT_LT((reduced.topLeftCorner(3, 3) - 2 * Mat3::Identity()).norm(), 1e-13);
  EXPECT_LT((reduced.bottomRightCorner(3, 3) - J).norm(), 1e-13);
  EXPECT_LT(reduced.topRightCorner(3, 3).norm(), 1e-13);
}

// By the products of the row and by differences along the motion.
TEST(DirectorBody, RatesOfItsRowsAreThoseOfTheMotion) {
  TwoBricks b;
  System& system = *b.by_directors->system;
  const State& s = b.by_directors->state;
  ASSERT_TRUE(system.evaluate(s));
  VecX bias(6);
  system.rate_bias(bias);
  const auto rates_at = [&](double h) {
    State moved = s;
    moved.q += h * s.u;
    return VecX(system.rows_at(moved).G.transpose() * s.u);
  };
  const double h = 1e-4;
  const VecX differences = (rates_at(h) - rates_at(-h)) / (2 * h);
  EXPECT_LT((bias - differences).norm(), 1e-8 * (1 + bias.norm()));
  b.directors->rigidity().geometry->rate_bias(b.by_directors->work().kin, bias.data());
  EXPECT_LT((bias - differences).norm(), 1e-8 * (1 + bias.norm()));
}

TEST(DirectorBody, WithoutInertiaOfADirectorIsNamed) {
  Body rod = brick();
  rod.inertia = Sym3::diagonal(1, 1, 0);  // any two exceed the third no more
  const auto none = no_tree();
  const auto directors = std::make_shared<DirectorBody>(after(*none), rod, Pose{});
  ModelParts parts;
  parts.blocks = {none, directors};
  parts.body_names = {"world", "brick"};
  parts.constraints = {directors->rigidity()};
  Lab lab(std::move(parts));
  EXPECT_FALSE(lab.system->evaluate(lab.state));
  EXPECT_NE(lab.system->failure().element.find("brick"), std::string::npos);
}

// What moves with a body, in its axes: of a particle it is a mass by direction.
class Added final : public ForceOf<Added> {
 public:
  Added(int body, const Mat6& inertia) : ForceOf("added"), body_(body), inertia_(SpatialInertia::of(inertia)) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_inertia(const ContextT<S>&, std::vector<SpatialInertiaT<S>>& added) const {
    added[static_cast<size_t>(body_)] +=
        SpatialInertiaT<S>{inertia_.J.template cast<S>(), as<S>(inertia_.H), inertia_.M.template cast<S>()};
  }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>&, S*) const {}

 private:
  int body_;
  SpatialInertia inertia_;
};

TEST(Particles, AnswerByTheirMassAndWhatIsAdded) {
  Random random(4);
  Mat6 A;
  for (double& x : A.reshaped()) x = random.number();
  A = (A * A.transpose()).eval();
  std::shared_ptr<const Particles> two;
  ModelParts parts = testing::of_particles({{"a", 2, {0, 0, 0}, {1, 2, 3}}, {"b", 3, {1, 0, 0}}}, two);
  parts.forces.push_back(std::make_shared<Added>(two->body(0), A));
  Lab lab(std::move(parts));
  ASSERT_TRUE(lab.system->evaluate(lab.state));
  const Mat3 M = 2 * Mat3::Identity() + A.bottomRightCorner<3, 3>();
  const MatX mass = lab.system->mass_matrix(lab.state);
  EXPECT_LT((mass.topLeftCorner(3, 3) - M).norm(), 1e-13);
  EXPECT_LT((mass - mass.transpose()).norm(), 1e-13);
  EXPECT_LT((lab.work().a.head<3>() - M.inverse() * Vec3(0, 0, -2 * testing::gravity)).norm(), 1e-12);
  EXPECT_NEAR(lab.work().a[5], -testing::gravity, 1e-13);
  EXPECT_NEAR(lab.system->energy(lab.state).kinetic, 0.5 * Vec3(1, 2, 3).dot(M * Vec3(1, 2, 3)), 1e-12);
}

TEST(Scalars, AreNumbersWithAMass) {
  const auto none = no_tree();
  const auto scalars = std::make_shared<Scalars>(
      after(*none), std::vector<Scalar>{{"drum", "rad", 4, 0.5, 2}, {"pay_out", "m", 0, 1, 0}});
  EXPECT_EQ(scalars->speed_names().size(), 2u);
  ModelParts parts;
  parts.blocks = {none, scalars};
  parts.body_names = {"world"};
  Lab lab(std::move(parts));
  EXPECT_EQ(lab.state.q[0], 0.5);
  EXPECT_EQ(lab.state.u[0], 2);
  // Only methods that solve mass and rows together can move what has no mass: here that is said.
  EXPECT_FALSE(lab.system->evaluate(lab.state));
  EXPECT_EQ(lab.system->failure().element, "pay_out");
  EXPECT_NEAR(scalars->kinetic_energy(lab.work().kin), 0.5 * 4 * 4, 1e-14);
}

TEST(Channels, OfAFreeBodyAreItsMotion) {
  TwoBricks b;
  for (Lab* lab : {b.by_directors.get(), b.by_joint.get()}) {
    ASSERT_TRUE(lab->system->evaluate(lab->state));
    const auto value = [&](const std::string& name) {
      for (const Channel& c : lab->model->channels())
        if (c.name == name) return c.value(lab->state, lab->work());
      ADD_FAILURE() << name;
      return std::nan("");
    };
    EXPECT_NEAR(value("brick.roll"), b.rpy.x(), 1e-13);
    EXPECT_NEAR(value("brick.pitch"), b.rpy.y(), 1e-13);
    EXPECT_NEAR(value("brick.yaw"), b.rpy.z(), 1e-13);
    EXPECT_EQ(lab->model->observables().poses.size(), 1u);
  }
}

}  // namespace
}  // namespace davit
