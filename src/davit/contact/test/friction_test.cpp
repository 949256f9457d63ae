// What holds along the surface: a spring, a damper and a slider by Coulomb.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numbers>

#include "davit/contact/test/touching.hpp"

namespace davit::contact {
namespace {

using test::at_height;
using test::at_place;
using test::on_ground;
using test::points_at;
using test::Touching;

constexpr double normal_k = 2e6, hold_k = 1.5e6, mu = 0.3, depth = 0.01, normal = normal_k * depth;
constexpr double longest = mu * normal / hold_k;  // stretch: 4 mm
constexpr double step = 0.01;

ContactLaw frictional_law(double damping = 0) {
  ContactLaw law;
  law.spring = OneSidedSpring(normal_k);
  law.tangential_stiffness = hold_k;
  law.tangential_damping = damping;
  law.friction = mu;
  return law;
}

test::BodyMotion shifted(double x, double y = 0) { return at_place(x, y, -depth); }

// On the ground, and the run has begun.
struct Sliding : Touching {
  explicit Sliding(const ContactLaw& law) : Touching(law, {on_ground(points_at({Vec3::Zero()}))}, shifted(0)) {
    commit(shifted(0), 0);
    commit(shifted(0), step);
  }
};
Vec3 along(const Vec3& force) { return {force.x(), force.y(), 0}; }

TEST(Friction, SticksAsASpringBelowMuTimesNormal) {
  const Sliding touching(frictional_law());
  for (const Vec3& way : {Vec3(0.5 * longest, 0, 0), Vec3(-0.6 * longest, 0.7 * longest, 0)})
    EXPECT_LT((along(touching.force(shifted(way.x(), way.y()))) + hold_k * way).norm(), 1e-8);
}

TEST(Friction, SlipsAtMuTimesNormalInEveryDirection) {
  const Sliding touching(frictional_law());
  for (int i = 0; i < 24; ++i) {
    const double angle = i * std::numbers::pi / 12;
    const Vec3 out(std::cos(angle), std::sin(angle), 0), far = 5 * longest * out;
    EXPECT_LT((along(touching.force(shifted(far.x(), far.y()))) + mu * normal * out).norm(), 1e-8) << i;
  }
}

TEST(Friction, IsDampedWhileItSticksAndNoMoreThanMuTimesNormal) {
  const double damping = 4e4;
  const Sliding touching(frictional_law(damping));
  test::BodyMotion motion = shifted(0.1 * longest);
  motion.speed = Vec3(0.05, 0, 0);
  EXPECT_NEAR(touching.force(motion).x(), -(0.1 * hold_k * longest + damping * 0.05), 1e-8);
  motion.speed = Vec3(3, 4, 0);
  EXPECT_NEAR(along(touching.force(motion)).norm(), mu * normal, 1e-8);
}

TEST(Friction, GoesWhereThereIsNone) {
  ContactLaw law = frictional_law();
  law.friction = 0;
  const Sliding touching(law);
  EXPECT_EQ(along(touching.force(shifted(0.5 * longest))), Vec3::Zero());
}

// Slides out, and comes back: the spring unloads before it slips the other way.
TEST(Friction, ReturnsAlongItsSpringAfterItSlipped) {
  Sliding touching(frictional_law());
  double t = step, x = 0;
  const auto go_to = [&](double end) {
    const double way = (end - x) / 100;
    for (int i = 0; i < 100; ++i) touching.commit(shifted(x += way), t += step);
  };
  go_to(10 * longest);
  EXPECT_NEAR(touching.force(shifted(x)).x(), -mu * normal, 1e-6);
  go_to(9.5 * longest);
  EXPECT_NEAR(touching.force(shifted(x)).x(), -0.5 * mu * normal, 1e-6) << "half unloaded";
  go_to(8.5 * longest);
  EXPECT_NEAR(touching.force(shifted(x)).x(), 0.5 * mu * normal, 1e-6);
  go_to(0);
  EXPECT_NEAR(touching.force(shifted(x)).x(), mu * normal, 1e-6);
}

TEST(FrictionOverAStep, IsThatOfTheMeanStretch) {
  const Sliding touching(frictional_law());
  const Vec3 force = touching.step_force(shifted(0), shifted(0.6 * longest), step);
  EXPECT_NEAR(force.x(), -0.3 * hold_k * longest, 1e-8);
  EXPECT_NEAR(force.z(), normal, 1e-8);
  EXPECT_NEAR(touching.step_force(shifted(0), shifted(9 * longest), step).x(), -mu * normal, 1e-8);
}

// Energy of a walk with changing depth: V grows by no more than the work, and by just that where the point sticks.
RC_GTEST_PROP(FrictionOverAStep, OnlyLosesEnergy, (const std::vector<std::array<int, 3>>& way)) {
  for (const double damping : {0.0, 4e4}) {
    Sliding touching(frictional_law(damping));
    test::BodyMotion before = shifted(0);
    double t = step;
    for (const auto& [dx, dy, z] : way) {
      test::BodyMotion after = before;
      after.at += 1e-2 * longest * Vec3(dx % 200, dy % 200, 0);
      after.at.z() = 1e-4 * (z % 100);
      const double work = touching.step_force(before, after, step).dot(after.at - before.at);
      const double had = touching.energy(before);
      touching.commit(after, t += step);
      RC_ASSERT(touching.energy(after) - had + work <= 1e-9);
      before = after;
    }
  }
}

TEST(FrictionOverAStep, StoresAllWhileItSticks) {
  Sliding touching(frictional_law());
  test::BodyMotion before = shifted(0);
  double t = step, work = 0;
  for (const Vec3& to : {Vec3(0.5, 0.2, 0), Vec3(-0.3, 0.6, 0), Vec3(0.1, -0.8, 0), Vec3(0.4, 0.3, 0)}) {
    const test::BodyMotion after = shifted(longest * to.x(), longest * to.y());
    work += touching.step_force(before, after, step).dot(after.at - before.at);
    touching.commit(after, t += step);
    before = after;
  }
  const double elastic = 0.5 * normal_k * depth * depth, stretched = 0.5 * hold_k * longest * longest * 0.25;
  EXPECT_NEAR(touching.energy(before), elastic + stretched, 1e-9 * elastic);
  EXPECT_NEAR(-work, stretched, 1e-9 * elastic);
}

TEST(FrictionOverAStep, APointThatComesDownSlidesUntilTheEndOfIt) {
  Touching touching(frictional_law());
  touching.commit(at_height(0.01), 0);
  touching.commit(at_height(0.01), step);
  EXPECT_EQ(touching.remembered(), 0);
  const test::BodyMotion down = shifted(0.02);
  EXPECT_EQ(along(touching.step_force(at_height(0.01), down, step)), Vec3::Zero());
  touching.commit(down, 2 * step);
  EXPECT_EQ(touching.remembered(), 1);
  EXPECT_EQ(along(touching.force(down)), Vec3::Zero()) << "it holds from where it came down";
  EXPECT_NEAR(touching.force(shifted(0.02 + 0.5 * longest)).x(), -0.5 * mu * normal, 1e-8);
}

TEST(FrictionOverAStep, APointThatLeftIsForgotten) {
  Sliding touching(frictional_law());
  touching.commit(shifted(0.5 * longest), 2 * step);
  touching.commit(at_height(0.1), 3 * step);
  EXPECT_EQ(touching.remembered(), 0);
  touching.commit(shifted(0), 4 * step);
  EXPECT_EQ(along(touching.force(shifted(0))), Vec3::Zero());
}

TEST(FrictionOverAStep, PointsAreRememberedByThemselves) {
  Touching touching(frictional_law(), {on_ground(points_at({{0, 0, 0}, {1, 0, 0.02}, {2, 0, 0}}))}, shifted(0));
  touching.commit(shifted(0), 0);
  touching.commit(shifted(0), step);
  EXPECT_EQ(touching.remembered(), 2);
  EXPECT_EQ(touching.kept().key(1, 0), 0);
  EXPECT_EQ(touching.kept().key(1, 1), 2);
  test::BodyMotion low = shifted(0.5 * longest);
  low.at.z() = -0.03;
  touching.commit(low, 2 * step);
  EXPECT_EQ(touching.remembered(), 3);
  EXPECT_NEAR(touching.force(low).x(), -2 * 0.5 * hold_k * longest, 1e-6) << "the one that came down holds nothing yet";
}

// Equilibria are looked for with points that stick to where they are at the start, whatever it takes.
TEST(FrictionAtRest, HoldsWhateverItTakesAndSaysSo) {
  const Touching touching(frictional_law(), {on_ground(points_at({Vec3::Zero()}))}, shifted(0));
  EXPECT_NEAR(touching.force(shifted(3 * longest)).x(), -3 * mu * normal, 1e-8);
  EXPECT_FALSE(touching.cannot_rest(shifted(0.99 * longest)));
  const auto why = touching.cannot_rest(shifted(3 * longest));
  ASSERT_TRUE(why);
  EXPECT_EQ(*why, "what rests on 'contact' would need a friction of 0.9 and slides, because it has 0.3");
}

TEST(FrictionAtRest, HasNothingToSayInMotion) {
  EXPECT_FALSE(Sliding(frictional_law()).cannot_rest(shifted(3 * longest)));
}

// Newton's method relies on it: dual numbers against central differences, sticking, slipping and leaning.
TEST(Friction, DerivativesAreThoseOfTheForce) {
  const Sliding touching(frictional_law(2e4));
  const auto work = touching.element().make_work(Dual8{});
  for (const double x : {0.3 * longest, 4 * longest}) {
    test::BodyMotion motion = shifted(x, 0.4 * x);
    motion.speed = Vec3(0.01, -0.02, 0.005);
    KinT<Dual8> kin = test::kinematics<Dual8>(motion);
    for (int i = 0; i < 3; ++i) {
      kin.body[1].p[i] = Dual8::variable(motion.at[i], i);
      kin.body[1].v[i] = Dual8::variable(motion.speed[i], 3 + i);
    }
    LoadsT<Dual8> loads;
    loads.resize(3, 0, false);
    touching.element().apply({kin, nullptr, nullptr, touching.kept(), 0, work.get()}, loads, nullptr);
    for (int i = 0; i < 6; ++i) {
      const double small = 1e-7;
      const auto moved = [&](double by) {
        test::BodyMotion m = motion;
        (i < 3 ? m.at : m.speed)[i % 3] += by;
        return touching.force(m);
      };
      const Vec3 slope = (moved(small) - moved(-small)) / (2 * small);
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(loads.wrench[1].f[j].d[static_cast<size_t>(i)], slope[j], 1e-5 * normal_k) << x << ": " << i << j;
    }
  }
}

}  // namespace
}  // namespace davit::contact
