// How a box barge floats with what is on board, against the textbook's closed forms.
#include "davit/vessel/floating_condition.hpp"

#include <gtest/gtest.h>

#include "davit/vessel/test/box_barge.hpp"

namespace davit::vessel {
namespace {

using test::Box;
using test::deck_load;

TEST(FloatingCondition, AloneItFloatsAsItWasSolved) {
  const Box box{};
  const FloatingCondition now = floating_condition(box.floating(2), box.gravity);
  EXPECT_NEAR(now.mass, box.mass(), 1e-6);
  EXPECT_NEAR(now.sinkage, 0, 1e-12);
  EXPECT_NEAR(now.heel, 0, 1e-12);
  EXPECT_NEAR(now.trim, 0, 1e-12);
  // GM = KB + BM − KG, BM = B²/12T.
  EXPECT_NEAR(now.gm, 2 + 30.0 * 30.0 / (12 * 4) - (4 + 2), 1e-9);
}

TEST(FloatingCondition, AWeightOffTheCentreSinksHeelsAndTrims) {
  const Box box{};
  Hydrodynamics barge = box.floating(2);
  const double load = 100e3, x = 30, y = -10, z = 9;
  barge.carried_mass = deck_load(load, Vec3(x, y, z));
  const FloatingCondition now = floating_condition(barge, box.gravity);
  const double all = box.mass() + load, draught = all / (box.density * box.length * box.beam);
  EXPECT_NEAR(now.sinkage, draught - box.draught, 1e-12);
  // Exact for a box but for the square of the sinkage, 0.033 m.
  const double kg = (box.mass() * (4 + 2) + load * (4 + z)) / all, kb = draught / 2;
  const double gm = kb + box.beam * box.beam / (12 * draught) - kg,
               along = kb + box.length * box.length / (12 * draught) - kg;
  EXPECT_NEAR(now.gm, gm, 2e-4);
  EXPECT_NEAR(now.heel, -load * y / (all * gm), 1e-4 * now.heel) << "to starboard";
  EXPECT_NEAR(now.trim, load * x / (all * along), 1e-4 * now.trim) << "by the bow";
}

TEST(FloatingCondition, WhatHangsPullsWhereItIsHungUp) {
  const Box box{};
  Hydrodynamics barge = box.floating(2);
  barge.carried_mass = deck_load(100e3, Vec3(0, 0, 5));
  const double standing = floating_condition(barge, box.gravity).gm;
  barge.hanging = 100e3 * Vec3(0, 0, 60);
  const FloatingCondition hung = floating_condition(barge, box.gravity);
  EXPECT_NEAR(standing - hung.gm, 100e3 * 60 / hung.mass, 1e-9);
}

TEST(FloatingCondition, AnOffsetOfTheLoadAndOfWhatHangsOnItTurnsTheSame) {
  const Box box{};
  Hydrodynamics standing = box.floating(2), hanging = standing;
  standing.carried_mass = deck_load(50e3, Vec3(0, 12, 3));
  hanging.carried_mass = deck_load(50e3, Vec3(0, 0, 3));
  hanging.hanging = 50e3 * Vec3(0, 12, 0);
  EXPECT_NEAR(floating_condition(standing, box.gravity).heel, floating_condition(hanging, box.gravity).heel, 1e-12);
}

class CheckFloating : public ::testing::Test {
 protected:
  const Box box{};
  input::Problems problems;
  VesselSpec spec;
  sea::Water water{.density = 1025, .gravity = 9.81};

  std::string check(const Hydrodynamics& barge) {
    problems = {};
    return check_floating("barge", spec, barge, water, html::UnitSystem::engineering, problems);
  }
  Hydrodynamics loaded(double mass, const Vec3& at) const {
    Hydrodynamics out = box.floating(2);
    out.carried_mass = deck_load(mass, at);
    return out;
  }
  void expect_error(const std::string& part) const {
    EXPECT_TRUE(problems.has_errors());
    EXPECT_NE(problems.to_text().find(part), std::string::npos) << problems.to_text();
  }
};

TEST_F(CheckFloating, SaysHowItFloats) {
  const std::string note = check(loaded(500e3, Vec3(0, 5, 6)));
  EXPECT_TRUE(problems.all().empty()) << problems.to_text();
  EXPECT_NE(note.find("barge: carries 500 t at (0, 5, 6) m on board"), std::string::npos) << note;
  EXPECT_NE(note.find("0.163 m deeper"), std::string::npos) << note << ": 500 t on 3000 m²";
  EXPECT_NE(note.find("to port"), std::string::npos) << note;
}

TEST_F(CheckFloating, CapsizesWithoutGm) {
  EXPECT_EQ(check(box.floating(20)), "barge: capsizes");
  expect_error("has a GM of -3.25 m");  // 2 + 18.75 − 24
}

TEST_F(CheckFloating, SinksBeyondItsHeight) {
  check(loaded(13e6, Vec3(0, 0, -2)));
  expect_error("the vessel sinks");
  expect_error("its hull is 8 m high");
  check(loaded(12e6, Vec3(0, 0, -2)));
  EXPECT_FALSE(problems.has_errors()) << "3.9 m deeper: " << problems.to_text();
}

TEST_F(CheckFloating, IsAgroundInShallowWater) {
  water.depth = 4.1;
  check(loaded(500e3, Vec3(0, 0, 2)));
  expect_error("the vessel is aground: it floats 4.16 m deep, and the water is 4.1 m deep");
}

TEST_F(CheckFloating, ALargeHeelIsSaidAndBeyondThirtyDegreesRefused) {
  // With GM near 14.5 m: 12.8 kt · tan…: 10 deg takes a lever of 2.5 m of all the weight.
  check(loaded(2.5e6, Vec3(0, 20, 0)));
  EXPECT_FALSE(problems.has_errors()) << problems.to_text();
  EXPECT_NE(problems.to_text().find("the vessel has a large heel or trim"), std::string::npos) << problems.to_text();
  check(loaded(2.5e6, Vec3(0, 60, 0)));
  expect_error("the vessel has no equilibrium within 30 deg");
}

TEST(WaveRamp, IsThreePeriodsOfThePeakAndTenSecondsAtLeast) {
  VesselSpec spec;
  EXPECT_NEAR(wave_ramp(spec, 2 * M_PI / 12), 36, 1e-12);
  EXPECT_EQ(wave_ramp(spec, 2 * M_PI / 2), 10);
  EXPECT_EQ(wave_ramp(spec, 0), 10) << "no sea";
  spec.wave_ramp = 3;
  EXPECT_EQ(wave_ramp(spec, 2 * M_PI / 12), 3);
}

TEST(Hydrodynamics, WithLoadHasTheCentreAndInertiaOfBoth) {
  Hydrodynamics barge = Box().floating(2);
  const double own = barge.loading.mass, load = 2e6;
  barge.carried_mass = deck_load(load, Vec3(6, -4, 10));
  const hydro::MassProperties all = barge.with_load();
  EXPECT_NEAR(all.mass, own + load, 1e-6);
  EXPECT_LT((all.centre - (own * Vec3(0, 0, 2) + load * Vec3(6, -4, 10)) / (own + load)).norm(), 1e-9);
  // Steiner: both about the common centre, as one of the reduced mass at their distance.
  const double reduced = own * load / (own + load);
  EXPECT_NEAR(all.inertia(2, 2), barge.loading.inertia(2, 2) + load + reduced * (6 * 6 + 4 * 4), 1e-3);
}

}  // namespace
}  // namespace davit::vessel
