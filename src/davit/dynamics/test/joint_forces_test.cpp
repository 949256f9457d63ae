// Forces in joints that depend on accelerations: of drives that make an output follow, and friction that depends on
// what the joint transmits.
#include <gtest/gtest.h>

#include <cmath>

#include "small_models.hpp"

namespace davit {
namespace {

using namespace testing;

// Accelerates the sum of some coordinates by a given amount, with a drive on one speed.
class Follow final : public Servo {
 public:
  Follow(std::vector<int> sum, double acceleration, int drive, int input)
      : Servo("follow"), sum_(std::move(sum)), acceleration_(acceleration), speeds_{drive}, inputs_{input} {}
  std::string summary() const override { return name(); }
  const std::vector<int>& speeds() const override { return speeds_; }
  const std::vector<int>& inputs() const override { return inputs_; }
  void desired_accelerations(const ContextT<double>&, JacobianT<double>& rows, double* right,
                             double* error) const override {
    wanted(rows, right, error);
  }
  void desired_accelerations(const ContextT<Dual8>&, JacobianT<Dual8>& rows, Dual8* right,
                             Dual8* error) const override {
    wanted(rows, right, error);
  }

 private:
  template <class S>
  void wanted(JacobianT<S>& rows, S* right, S* error) const {
    for (const int u : sum_) rows.add_speed(0, u, S(1));
    right[0] = S(acceleration_);
    error[0] = S(0);
  }
  std::vector<int> sum_;
  double acceleration_;
  std::vector<int> speeds_, inputs_;
};

// The upper of two slides is to accelerate as wanted; the drive is on the lower one, or on its own.
Lab driven(int drive, double most = INFINITY) {
  std::shared_ptr<const Tree> tree;
  ModelParts parts = of_slides({2, 3}, tree);
  const int input = parts.add(Input{"force", "N", -most, most});
  parts.servos = {std::make_shared<Follow>(std::vector<int>{0, 1}, 1.2, drive, input)};
  return Lab(std::move(parts));
}

TEST(Servos, GiveTheForceThatTheMotionTakes) {
  // Pushed against the lower slide, which is driven back: 3 * 1.2 on the upper.
  Lab on_top = driven(1);
  ASSERT_TRUE(on_top.system->evaluate(on_top.state));
  EXPECT_NEAR(on_top.work().w[0], 3 * 1.2, 1e-13);
  EXPECT_NEAR(on_top.work().a[0], -3 * 1.2 / 2, 1e-13);
  EXPECT_NEAR(on_top.work().a[0] + on_top.work().a[1], 1.2, 1e-13);
  // What it does is in the balance of energy.
  on_top.state.u << 0.5, 0.25;
  ASSERT_TRUE(on_top.system->evaluate(on_top.state));
  EXPECT_NEAR(on_top.system->energy(on_top.state).power, 3 * 1.2 * 0.25, 1e-13);
}

TEST(Servos, SayWhereNoForceDoes) {
  // The upper slide is loose on the lower one: no force on that moves it.
  Lab below = driven(0);
  EXPECT_FALSE(below.system->evaluate(below.state));
  EXPECT_EQ(below.system->failure().element, "follow");
}

TEST(Servos, KeepTheirLimits) {
  Lab weak = driven(1, 2.0);
  ASSERT_TRUE(weak.system->evaluate(weak.state));
  EXPECT_NEAR(weak.work().w[0], 2, 1e-14);
  EXPECT_NEAR(weak.work().a[0] + weak.work().a[1], 2.0 / 3, 1e-13);
}

// Of the force across its slide.
class Friction final : public ReactionForce {
 public:
  Friction(int body, int speed, double coefficient)
      : ReactionForce("friction"), body_(body), speed_(speed), coefficient_(coefficient) {}
  std::string summary() const override { return name(); }
  int body() const override { return body_; }
  int speed() const override { return speed_; }
  double load(const KinT<double>&, const WrenchT<double>& w) const override { return std::hypot(w.f.y(), w.f.z()); }
  Dual8 load(const KinT<Dual8>&, const WrenchT<Dual8>& w) const override {
    return sqrt(Dual8(w.f.y() * w.f.y() + w.f.z() * w.f.z()));
  }
  Wrench load_gradient(const KinT<double>&, const Wrench& w) const override {
    const double size = std::hypot(w.f.y(), w.f.z());
    return {Vec3::Zero(), size > 0 ? Vec3(0, w.f.y() / size, w.f.z() / size) : Vec3(Vec3::Zero())};
  }
  double factor(const KinT<double>& kin) const override { return kin.u[speed_] > 0 ? coefficient_ : -coefficient_; }
  Dual8 factor(const KinT<Dual8>& kin) const override {
    return Dual8(value_of(kin.u[speed_]) > 0 ? coefficient_ : -coefficient_);
  }

 private:
  int body_, speed_;
  double coefficient_;
};

TEST(ReactionForces, AreThoseOfTheJointsOwnLoad) {
  const double mu = 0.25, mass = 2;
  for (const double speed : {1.0, -1.0}) {
    std::shared_ptr<const Tree> tree;
    ModelParts parts = of_slides({mass}, tree);
    parts.forces = {
        std::make_shared<PointForces>(PointForces::Forces{{tree->frame("slide0"), Vec3(10, 0, -mass * gravity)}})};
    parts.add(std::make_shared<Friction>(1, 0, mu));
    Lab lab(std::move(parts));
    lab.state.u[0] = speed;
    ASSERT_TRUE(lab.system->evaluate(lab.state));
    EXPECT_NEAR(lab.work().a[0], 10 / mass - speed * mu * gravity, 1e-12);
    EXPECT_NEAR(lab.work().reaction_load[0], mass * gravity, 1e-11);
    EXPECT_NEAR(lab.system->energy(lab.state).power, 10 * speed - mu * mass * gravity, 1e-11);
  }
}

// A load on an arm across two slides: the friction of the lower one depends on the acceleration of the upper, which
// depends on the friction.
TEST(ReactionForces, OfTwoJointsAreFoundTogether) {
  std::shared_ptr<const Tree> tree;
  std::vector<Body> bodies(2);
  bodies[0].name = "beam";
  bodies[0].joint.kind = bodies[1].joint.kind = JointKind::prismatic;
  bodies[0].joint.axis = Vec3::UnitX();
  bodies[1].name = "load";
  bodies[1].on = "beam";
  bodies[1].joint.axis = Vec3(1, 0, 1).normalized();
  bodies[0].mass = 2, bodies[1].mass = 3;
  for (Body& b : bodies) b.inertia = Sym3::diagonal(1, 1, 1);
  tree = std::make_shared<Tree>(bodies);
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  parts.forces = {std::make_shared<PointForces>(PointForces::Forces{{tree->frame("beam"), Vec3(0, 0, -2 * gravity)},
                                                                    {tree->frame("load"), Vec3(0, 0, -3 * gravity)}})};
  const double mu = 0.1;
  parts.add(std::make_shared<Friction>(1, 0, mu));
  Lab lab(std::move(parts));
  lab.state.u << 1, 0;
  ASSERT_TRUE(lab.system->evaluate(lab.state));
  const double x = lab.work().a[0], s = lab.work().a[1] / std::sqrt(2.0), load = lab.work().reaction_load[0];
  // Newton for both along z and x, and for the load along its slide.
  EXPECT_NEAR(load, 5 * gravity + 3 * s, 1e-11);
  EXPECT_NEAR(5 * x + 3 * s, -mu * load, 1e-11);
  EXPECT_NEAR(x + s + s, -gravity, 1e-11);
}

}  // namespace
}  // namespace davit
