// Damping of a hull that heaves, pitches and yaws: no force that is there on average, and energy only lost.
#include "davit/hull_load/hull_damping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "davit/math/constants.hpp"

namespace davit::hull_load {
namespace {

Vec6 damping_of_a_sphere() {
  Vec6 out;
  out << 0, 0, 1.08e6, 0, 4e6, 0;
  return out;
}

Wrench damping_wrench(const HullDamping& damping, const Kin& kin) {
  Loads loads;
  loads.resize(2, 0, false);
  const DiscreteState none;
  damping.add_loads<double>({kin, nullptr, nullptr, none, 0}, loads, nullptr);
  return loads.wrench[1];
}

// Heave velocity and pitch in phase, as in waves: in the axes of the hull there was a mean force −c⟨ż θ⟩.
TEST(HullDamping, HeaveAndPitchTogetherMakeNoMeanForce) {
  const double heading = 0.7;
  const HullDamping damping("damping", Frame{1, {}}, damping_of_a_sphere().asDiagonal(),
                            Vec6(2 * damping_of_a_sphere()), Vec3::Zero());
  for (int i = 0; i < 36; ++i) {
    const double phase = 2 * pi * i / 36, pitch = 0.1 * std::sin(phase), rise = 1.5 * std::sin(phase);
    Kin kin;
    kin.body.resize(2);
    kin.body[1].R = (Eigen::AngleAxisd(heading, Vec3::UnitZ()) * Eigen::AngleAxisd(pitch, Vec3::UnitY())).matrix();
    kin.body[1].v = Vec3(0, 0, rise);
    const Wrench w = damping_wrench(damping, kin);
    EXPECT_EQ(w.f.head<2>().norm(), 0) << phase;
    EXPECT_NEAR(w.f.z(), -1.08e6 * rise * (1 + 2 * std::abs(rise)), 1e-6);
  }
}

// In water that flows, whatever the attitude.
TEST(HullDamping, TakesEnergyFromTheMotionThroughTheWater) {
  std::mt19937 engine(4);
  std::normal_distribution<double> normal;
  const Mat6 root = Mat6::NullaryExpr([&] { return normal(engine); });
  const Vec6 quadratic = Vec6::NullaryExpr([&] { return std::abs(normal(engine)); });
  const Vec3 current(0.8, -0.3, 0);
  const HullDamping damping("damping", Frame{1, {}}, Mat6(root * root.transpose()), quadratic, current);
  for (int i = 0; i < 100; ++i) {
    const auto draw = [&] { return Vec3(normal(engine), normal(engine), normal(engine)); };
    Kin kin;
    kin.body.resize(2);
    kin.body[1].R = Eigen::AngleAxisd(normal(engine), draw().normalized()).matrix();
    kin.body[1].v = draw();
    kin.body[1].w = draw();
    const Wrench w = damping_wrench(damping, kin);
    EXPECT_LT(w.f.dot(kin.body[1].v - current) + w.n.dot(kin.body[1].w), 0);
  }
}

}  // namespace
}  // namespace davit::hull_load
