// Wind on a body, by its areas.
#include "davit/vessel/wind_area.hpp"

#include <gtest/gtest.h>

namespace davit::vessel {
namespace {

const Vec3 quadratic(8, 20, 30);  // ½ρ C A

InEnvironment<WindArea::Wind> wind_towards(double heading, double speed, double exponent = 0) {
  const auto field = std::make_shared<const sea::WindField>(sea::steady_wind(speed, 10, exponent), heading);
  return std::make_shared<const WindArea::Wind>(WindArea::Wind{field, field->at(10)});
}
Kin in_the_wind(const Vec3& at = Vec3(0, 0, 10), const Mat3& turned = Mat3::Identity(),
                const Vec3& speed = Vec3::Zero()) {
  Kin kin;
  kin.body.resize(2);
  kin.body[1].p = at;
  kin.body[1].R = turned;
  kin.body[1].v = speed;
  return kin;
}
Mat3 turned_by(double angle) { return Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(); }
Vec3 force_of(const WindArea& area, const Kin& kin) { return area.wrench<double>(kin).force; }

TEST(WindArea, PushesBySquareOfTheSpeedAndArea) {
  const WindArea ahead("wind", Frame{1, {}}, {.drag = quadratic}, wind_towards(0, 12));
  EXPECT_LT((force_of(ahead, in_the_wind()) - Vec3(8 * 144, 0, 0)).norm(), 1e-9);
  const WindArea across("wind", Frame{1, {}}, {.drag = quadratic}, wind_towards(M_PI / 2, 6));
  EXPECT_LT((force_of(across, in_the_wind()) - Vec3(0, 20 * 36, 0)).norm(), 1e-9);
}

TEST(WindArea, ByTheAxesOfTheBody) {
  const WindArea area("wind", Frame{1, {}}, {.drag = quadratic}, wind_towards(0.7, 10));
  // |v| times each component of v.
  EXPECT_LT((force_of(area, in_the_wind()) - 100 * Vec3(8 * std::cos(0.7), 20 * std::sin(0.7), 0)).norm(), 1e-9);
  EXPECT_LT((force_of(area, in_the_wind(Vec3(0, 0, 10), turned_by(0.7))) - Vec3(800, 0, 0)).norm(), 1e-9);
}

TEST(WindArea, OfABodyThatMovesWithTheWindIsNone) {
  const WindArea area("wind", Frame{1, {}}, {.drag = quadratic}, wind_towards(0, 12));
  EXPECT_EQ(force_of(area, in_the_wind(Vec3(0, 0, 10), Mat3::Identity(), Vec3(12, 0, 0))), Vec3::Zero());
  EXPECT_NEAR(force_of(area, in_the_wind(Vec3(0, 0, 10), Mat3::Identity(), Vec3(-3, 0, 0))).x(), 8 * 225, 1e-9);
  EXPECT_NEAR(force_of(area, in_the_wind(Vec3(0, 0, 10), Mat3::Identity(), Vec3(14, 0, 0))).x(), -8 * 4, 1e-9);
}

TEST(WindArea, IsThatOfItsHeight) {
  const WindArea area("wind", Frame{1, {}}, {.drag = quadratic}, wind_towards(0, 10, 0.5));
  EXPECT_NEAR(force_of(area, in_the_wind(Vec3(0, 0, 40))).x(), 8 * 400, 1e-6) << "20 m/s: the root of four";
}

TEST(WindArea, ActsAtItsPoint) {
  const WindArea area("wind", Frame{1, Pose{Mat3::Identity(), Vec3(2, 0, 0)}}, {.drag = quadratic},
                      wind_towards(0, 10));
  const Kin kin = in_the_wind(Vec3(0, 0, 10), turned_by(0.5));
  Loads loads;
  loads.resize(2, 0, false);
  const DiscreteState none;
  area.add_loads<double>({kin, nullptr, nullptr, none, 0}, loads, nullptr);
  const Vec3 expected = turned_by(0.5) * force_of(area, kin);
  EXPECT_LT((loads.wrench[1].f - expected).norm(), 1e-9);
  EXPECT_LT((loads.wrench[1].n - (turned_by(0.5) * Vec3(2, 0, 0)).cross(expected)).norm(), 1e-9);
}

// −C_N sin 2γ: none along the axes, and broadside on in between.
TEST(WindArea, TurnsALongBodyBroadsideOn) {
  WindArea::Data data{.drag = quadratic, .areas = Vec3(1, 1, 50)};
  data.coefficients.emplace(0, 0, 0.1);
  const auto moment = [&](double heading) {
    return WindArea("wind", Frame{1, {}}, data, wind_towards(heading, 10)).wrench<double>(in_the_wind()).about_z;
  };
  EXPECT_NEAR(moment(0), 0, 1e-9);
  EXPECT_NEAR(moment(M_PI / 2), 0, 1e-9);
  EXPECT_NEAR(moment(M_PI / 4), -50 * 0.1 * 100, 1e-9);
  EXPECT_NEAR(moment(-M_PI / 4), 50 * 0.1 * 100, 1e-9);
}

TEST(WindArea, IsChangedByTheWeatherSomebodyMakes) {
  SignalMotions signals;
  signals.add(Motion(2));
  signals.add(Motion(M_PI / 2));
  const WindArea area("wind", Frame{1, {}}, {.drag = quadratic}, wind_towards(0, 5),
                      WeatherSignals{.wind_speed = Signal(0), .wind_direction = Signal(1)});
  Kin kin = in_the_wind();
  kin.signals = &signals;
  EXPECT_LT((force_of(area, kin) - Vec3(0, 20 * 100, 0)).norm(), 1e-9) << "twice as fast, and from starboard";
}

}  // namespace
}  // namespace davit::vessel
