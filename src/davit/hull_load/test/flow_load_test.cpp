// Drag of wind and current on a hull, by hand.
#include "davit/hull_load/flow_load.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "davit/math/constants.hpp"
#include "davit/sea/wind.hpp"

namespace davit::hull_load {
namespace {

constexpr double density = 1.225, frontal = 200, lateral = 900, length = 80, height = 9;
constexpr double surge = 0.6, sway = 0.9, yaw = 0.1;

FlowLoad load_of(const FlowCoefficients& coefficients, FlowLoad::Flow flow) {
  return {"wind",
          Frame{1, {}},
          {density, frontal, lateral, length, Vec3(0, 0, height), coefficients},
          std::make_shared<const FlowLoad::Flow>(std::move(flow)),
          "wind"};
}

// A hull with this heading and velocity.
Kin kin_of(double heading, const Vec3& velocity = Vec3::Zero()) {
  Kin kin;
  kin.body.resize(2);
  kin.body[1].R = Eigen::AngleAxisd(heading, Vec3::UnitZ()).toRotationMatrix();
  kin.body[1].v = velocity;
  return kin;
}

Wrench wrench(const FlowLoad& load, const Kin& kin) {
  Loads loads;
  loads.resize(2, 0, false);
  const DiscreteState none;
  load.add_loads<double>({kin, nullptr, nullptr, none, 0}, loads, nullptr);
  return loads.wrench[1];
}

TEST(FlowLoad, ByHandInAllQuadrants) {
  const double speed = 20, heading = 0.5, pressure = 0.5 * density * speed * speed;
  for (int degrees = -170; degrees <= 180; degrees += 10) {
    const double angle = degrees * pi / 180, to = heading + angle;
    const FlowLoad load =
        load_of({surge, sway, yaw}, [&](double) { return Vec3(speed * std::cos(to), speed * std::sin(to), 0); });
    const Kin kin = kin_of(heading);
    const Wrench w = wrench(load, kin);
    const Vec3 force = kin.body[1].R.transpose() * w.f, moment = kin.body[1].R.transpose() * w.n;
    EXPECT_NEAR(force.x(), pressure * frontal * surge * std::cos(angle), 1e-6);
    EXPECT_NEAR(force.y(), pressure * lateral * sway * std::sin(angle), 1e-6);
    EXPECT_EQ(force.z(), 0);
    EXPECT_NEAR(moment.x(), -height * force.y(), 1e-5);
    EXPECT_NEAR(moment.y(), height * force.x(), 1e-5);
    EXPECT_NEAR(moment.z(), -pressure * lateral * length * yaw * std::sin(2 * angle), 1e-5);
    // The force to the side acts towards the end that the flow comes from.
    if (std::abs(std::sin(2 * angle)) > 0.1) {
      EXPECT_LT(moment.z() / force.y() * std::cos(angle), 0) << degrees;
    }
  }
}

TEST(FlowLoad, FeelsTheFlowPastTheMovingHull) {
  const FlowLoad load = load_of({surge, sway, yaw}, [](double) { return Vec3(8, 0, 0); });
  EXPECT_EQ(wrench(load, kin_of(0.3, Vec3(8, 0, 0))).f, Vec3::Zero());
  EXPECT_NEAR(wrench(load, kin_of(0, Vec3(3, 0, 0))).f.x(), 0.5 * density * 25 * frontal * surge, 1e-9);
  EXPECT_NEAR(wrench(load, kin_of(0, Vec3(12, 0, 0))).f.x(), -0.5 * density * 16 * frontal * surge, 1e-9);
}

TEST(FlowLoad, TablesAreTheShapesTheyTabulate) {
  std::vector<FlowCoefficients::Knot> half, whole;
  for (int d = -180; d <= 180; ++d) {
    const double a = d * pi / 180;
    const FlowCoefficients::Knot knot{a, Vec3(surge * std::cos(a), sway * std::sin(a), -yaw * std::sin(2 * a))};
    whole.push_back(knot);
    if (d >= 0) half.push_back(knot);
  }
  const FlowCoefficients shape(surge, sway, yaw), by_half(half), by_whole(whole);
  for (double a = -pi; a <= pi; a += 0.013) {
    const double u = 3 * std::cos(a), v = 3 * std::sin(a);
    const Vec3 exact = shape.times_square(u, v);
    EXPECT_LT((by_whole.times_square(u, v) - exact).norm(), 1e-4 * 9);  // (1°)²/8 of the second derivative
    EXPECT_LT((by_half.times_square(u, v) - by_whole.times_square(u, v)).norm(), 1e-12);
  }
  EXPECT_THROW(FlowCoefficients({{0, Vec3::Zero()}, {1, Vec3::Zero()}}), std::invalid_argument);
  EXPECT_THROW(FlowCoefficients({{0, Vec3::Zero()}, {2, Vec3::Zero()}, {1, Vec3::Zero()}}), std::invalid_argument);
}

TEST(FlowLoad, SlopesAreFiniteWithoutFlow) {
  for (const FlowCoefficients& c :
       {FlowCoefficients(surge, sway, yaw), FlowCoefficients({{0, Vec3(1, 0, 0)}, {pi, Vec3(-1, 0, 0)}})}) {
    const Vec3T<Dual8> still = c.times_square(Dual8::variable(0, 0), Dual8::variable(0, 1));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) EXPECT_EQ(still[i].d[static_cast<size_t>(j)], 0);
  }
}

// Gusts add to the mean load: the mean of (U + u)² is U² + σ².
TEST(FlowLoad, MeanInGusts) {
  sea::Random random(3);
  const sea::WindModel model = sea::kaimal_wind(18, 10, 0.15, 0.14);
  const sea::WindField field(model, 0, height, 200, {1.0 / 600, 0.5}, random);
  const FlowLoad load = load_of({surge, sway, yaw}, [wind = field.at(height)](double t) { return wind.velocity(t); });
  const double U = model.mean(height), variance = sea::gust_variance(model, height, 1.0 / 600, 0.5);
  Kin kin = kin_of(0);
  double mean = 0;
  const int count = 100000;
  for (int n = 1; n <= count; ++n) {
    kin.t = 1.7 * n;
    mean += load.load(kin)[0] / count;
  }
  EXPECT_GT(variance, 0.005 * U * U);
  EXPECT_NEAR(mean / (0.5 * density * frontal * surge * (U * U + variance)), 1, 5e-4);
}

}  // namespace
}  // namespace davit::hull_load
