// Wind and current on vessels and bodies of scenarios.
#include <fmt/format.h>

#include <numbers>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/scenario/test/support.hpp"
#include "davit/scenario/test/vessel_support.hpp"
#include "davit/solve/equilibrium.hpp"

namespace davit {
namespace {

using namespace test;

const std::string sides = "frontal_area: 400 m^2, lateral_area: 1500 m^2";

Equilibrium rest_of(const Scenario& scenario) {
  System system(*scenario.model);
  State start = scenario.initial_state();
  system.commit(start);
  return find_equilibrium(system, start);
}

// Beam wind: the barge heels until its righting moment balances wind above and thrusters in the waterplane.
TEST(WindOnVessels, HeelsByHand) {
  const Read read("wind: {speed: 25 m/s, heading: 90 deg, height: 12 m}",
                  "hydrodynamics: " + barge + ", wind: {" + sides + ", height: 12 m}, position_keeping: {period: 60 s}",
                  "", "step: 0.1 s");
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  EXPECT_TRUE(read.problems.all().empty()) << read.problems.to_text();
  const Equilibrium rest = rest_of(*read.scenario);
  ASSERT_TRUE(rest.converged);
  const double force = 0.5 * 1.225 * 25 * 25 * 0.9 * 1500;
  EXPECT_NEAR(channel(*read.scenario, rest.state, "ship.wind_sway"), force, 1e-6 * force);
  const hydro::Database db = hydro::read_database(barge);
  const double stiffness = db.bodies[0].restoring(3, 3);
  // Wind to port: it goes over to port, which is a negative roll.
  EXPECT_NEAR(channel(*read.scenario, rest.state, "ship.roll"), -12 * force / stiffness, 1e-3 * 12 * force / stiffness);
}

// m dv/dt = k (U − v)²: v = U kUt/(m + kUt), and in the end the hull goes with the water.
TEST(CurrentOnVessels, CarriesAFreeHullAlong) {
  const double U = 1.2, k = 0.5 * 1025 * 0.3 * 160;
  const auto speed_at = [&](double t, const std::string& more) {
    const Read read("current: {speed: 1.2 m/s, heading: 40 deg}",
                    "hydrodynamics: " + barge +
                        ", heading: 40 deg, memory: none, current: {frontal_area: 160 m^2, lateral_area: 400 m^2}" +
                        more,
                    "", "step: 0.2 s");
    if (!read.scenario) throw std::runtime_error(read.problems.to_text());
    EXPECT_TRUE(read.problems.all().empty()) << read.problems.to_text();
    const State state = run(*read.scenario, t, 0.2);
    System system(*read.scenario->model);
    system.evaluate(state);
    return velocity(system.workspace().kin, read.scenario->body_frames[0]);
  };
  const hydro::Database db = hydro::read_database(barge);
  const double mass = db.bodies[0].loading->mass + (*db.added_mass_infinite)(0, 0);
  const double angle = 40 * std::numbers::pi / 180;
  for (const double t : {200.0, 1000.0}) {
    const Vec3 v = speed_at(t, "");
    const double exact = U * k * U * t / (mass + k * U * t);
    EXPECT_NEAR(v.x() * std::cos(angle) + v.y() * std::sin(angle), exact, 2e-3 * U) << t;
    EXPECT_NEAR(v.y() * std::cos(angle) - v.x() * std::sin(angle), 0, 1e-6);
  }
  // Linear damping is relative to the water too, and quick; without it the barge pitches on without end.
  const Vec3 v = speed_at(1000, ", linear_damping: [5e5, 5e5, 1e7, 1e9, 1e10, 5e8]");
  EXPECT_NEAR(v.x(), U * std::cos(angle), 1e-6);
  EXPECT_NEAR(v.y(), U * std::sin(angle), 1e-6);
}

TEST(WindOnBodies, ALoadHangsAskew) {
  const std::string bodies =
      "  load: {joint: {universal: [x, y]}, at: [0, 0, 40 m], mass: 2 t, centre: [0, 0, -20 m], "
      "box: {size: [3 m, 3 m, 3 m]}, points: {middle: [0, 0, -20 m]}}\n";
  const std::string more =
      "environment: {wind: {speed: 12 m/s, heading: 180 deg}}\n"
      "forces: {wind_on_load: {wind_area: {on: load.middle, areas: [9 m^2, 9 m^2, 9 m^2]}}}\n";
  const Scenario s = read_lift(lift(bodies, more));
  const Equilibrium rest = rest_of(s);
  ASSERT_TRUE(rest.converged);
  // A cube has the same drag along all its axes, so the force goes with the wind however it hangs.
  const double force = 0.5 * 1.225 * 144 * 1.05 * 9, angle = std::atan(force / (2000 * 9.80665));
  EXPECT_NEAR(channel(s, rest.state, "wind_on_load.force"), force, 1e-6 * force);
  EXPECT_NEAR(channel(s, rest.state, "load.middle.x"), -20 * std::sin(angle), 1e-6);
}

TEST(WindOnBodies, MomentsNeedALength) {
  const auto said = [](const std::string& more) {
    input::Problems problems;
    parse_scenario(lift("  load: {joint: {revolute: z}, mass: 2 t, box: {size: [3 m, 3 m, 3 m]}}\n",
                        "environment: {wind: {beaufort: 5}}\nforces: {w: {wind_area: {on: load, areas: [9 m^2, 9 m^2, "
                        "9 m^2], " +
                            more + "}}}\n"),
                   "lift.yaml", problems);
    return problems.to_text();
  };
  EXPECT_EQ(said("yaw: 0.1, length: 3 m"), "");
  EXPECT_NE(said("yaw: 0.1").find("'length' is missing"), std::string::npos);
  EXPECT_NE(said("length: 3 m").find("of a moment that is not given"), std::string::npos);
  EXPECT_NE(said("yaw: 0.1, length: 3 m, table: {angles: [0, 180 deg], surge: [1, -1], sway: [0, 0], yaw: [0, 0]}")
                .find("given twice"),
            std::string::npos);
}

TEST(Weather, BeaufortNumbersAreSaidInNumbers) {
  const Scenario s = read_lift(lift("  load: {joint: {revolute: z}, mass: 2 t, box: {size: [3 m, 3 m, 3 m]}}\n",
                                    "environment: {wind: {beaufort: 5}}\n"
                                    "forces: {w: {wind_area: {on: load, areas: [9 m^2, 9 m^2, 9 m^2]}}}\n"));
  ASSERT_EQ(s.weather.size(), 1u);
  EXPECT_NE(s.weather[0].given.find("mean speed 9.35 m/s at 10 m"), std::string::npos) << s.weather[0].given;
}

TEST(WindOnVessels, WhatNothingFeelsIsSaid) {
  const std::string ship = "hydrodynamics: " + barge;
  EXPECT_TRUE(Read("wind: {speed: 10 m/s}", ship, "", "step: 0.1 s").says("nothing feels the wind"));
  EXPECT_TRUE(Read("current: {speed: 1 m/s}", ship, "", "step: 0.1 s").says("nothing feels the current"));
  EXPECT_TRUE(Read("current: {speed: 1 m/s}", ship + ", roll_damping: 0.05", "", "step: 0.1 s")
                  .says("nothing feels the current"));
  EXPECT_FALSE(
      Read("current: {speed: 1 m/s}", ship + ", quadratic_damping: [1e5, 1e6, 0, 0, 0, 1e9]", "", "step: 0.1 s")
          .says("nothing feels"));
}

TEST(WindOnVessels, MistakesAreNamed) {
  const std::string ship = "hydrodynamics: " + barge + ", wind: {" + sides + ", height: 12 m, table: ";
  EXPECT_TRUE(Read("", ship + "{angles: [0, 180 deg], surge: [1, -1], sway: [0], yaw: [0, 0]}}", "", "step: 0.1 s")
                  .says("not as many coefficients as angles"));
  EXPECT_TRUE(Read("", ship + "{angles: [0, 90 deg], surge: [1, 0], sway: [0, 1], yaw: [0, 0]}}", "", "step: 0.1 s")
                  .says("do not go from 0 or -180 deg to 180 deg"));
  EXPECT_TRUE(
      Read("", "hydrodynamics: " + barge, "forces: {w: {wind_area: {on: ship, areas: [1, 1, 1]}}}", "step: 0.1 s")
          .says("there is no wind"));
  EXPECT_TRUE(Read("current: {speed: 1 m/s, profile: power}", "hydrodynamics: " + barge, "", "step: 0.1 s")
                  .says("needs the depth of the water"));
}

}  // namespace
}  // namespace davit
