// A sea that a database does not cover is refused, or said.
#include <gtest/gtest.h>

#include "davit/vessel/test/box_barge.hpp"
#include "davit/vessel/vessel_loads.hpp"

namespace davit::vessel {
namespace {

class CheckWaves : public ::testing::Test {
 protected:
  const std::string name = "barge";
  VesselSpec spec;
  hydro::Database database = [] {
    hydro::Database out = test::Box().floating(2).database;
    out.frequencies = {0.2, 0.6, 1.0};
    for (int i = -3; i <= 4; ++i) {
      out.headings.push_back(i * M_PI / 4);
      out.excitation.push_back(MatXc::Zero(6, 3));
    }
    for (size_t i = 0; i < 3; ++i) {
      out.added_mass.push_back(MatX::Identity(6, 6));
      out.damping.push_back(MatX::Identity(6, 6));
    }
    return out;
  }();

  static sea::Component wave(double amplitude, double frequency, double heading) {
    return {amplitude, frequency, frequency * frequency / 9.81, heading, 0};
  }
  input::Problems check(const std::vector<sea::Component>& components) const {
    const Hull hull{name, spec, database, *database.bodies[0].loading, *database.bodies[0].loading, Frame{}, {}, true};
    input::Problems problems;
    check_waves(HullInWaves(hull, std::nullopt), {components, components[0].frequency}, problems);
    return problems;
  }
  static bool has(const input::Problems& problems, const std::string& part) {
    return problems.to_text().find(part) != std::string::npos;
  }
};

TEST_F(CheckWaves, ASeaWithinTheDatabaseIsFine) {
  const input::Problems problems = check({wave(1, 0.25, 0.3)});
  EXPECT_FALSE(problems.has_errors()) << problems.to_text();
}

TEST_F(CheckWaves, EnergyBelowAndAboveIsRefusedBySharesOfAmplitudeSquared) {
  // 0.3² of 1 + 0.3² is 8.3 %: of long waves too much, of short ones said.
  const input::Problems low = check({wave(1, 0.3, 0), wave(0.3, 0.1, 0)}),
                        high = check({wave(1, 0.3, 0), wave(0.3, 1.5, 0)});
  EXPECT_TRUE(has(low, "8.26 % of the energy of the sea lies below 0.2 rad/s")) << low.to_text();
  EXPECT_TRUE(low.has_errors());
  EXPECT_TRUE(has(high, "8.3 % of the energy of the sea lies outside")) << high.to_text();
  EXPECT_FALSE(high.has_errors());
  EXPECT_TRUE(check({wave(1, 0.3, 0), wave(0.4, 1.5, 0)}).has_errors()) << "13.8 % above";
}

TEST_F(CheckWaves, HeadingsFarFromThoseOfTheDatabaseAreRefused) {
  std::erase_if(database.headings, [](double heading) { return heading < -0.1 || heading > 1.7; });  // 0, 45, 90 deg
  database.excitation.resize(3);
  EXPECT_FALSE(check({wave(1, 0.25, 0.6)}).has_errors());
  const input::Problems beside = check({wave(1, 0.25, 2.0)});
  EXPECT_TRUE(beside.has_errors());
  EXPECT_TRUE(has(beside, "waves go towards 115 deg as seen from the vessel")) << beside.to_text();
  spec.heading = 1.4;
  EXPECT_FALSE(check({wave(1, 0.25, 2.0)}).has_errors()) << "34 deg from there";
  spec.heading = 0;
  EXPECT_FALSE(check({wave(1, 0.25, M_PI / 2)}).has_errors()) << "one of them needs no neighbour";
}

}  // namespace
}  // namespace davit::vessel
