// Floating boxes have exact answers; everything else must be in balance and stable by a second look.
#include <gtest/gtest.h>

#include "davit/hull/floating_equilibrium.hpp"
#include "davit/hull/named_hulls.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/math/constants.hpp"

namespace davit::hull {
namespace {

using State = Floating::State;
const Water fresh{1000, 9.80665};

const double L = 60, B = 20, D = 10;
PanelMesh box() { return panelled(Barge{L, B, D, 5.0}, {5}, Part::whole); }
// In the frame of the box the keel is at −5.
Weight load(double draft, double above_keel, double y = 0, double x = 0) {
  return {fresh.density * L * B * draft, Vec3(x, y, above_keel - 5)};
}

TEST(Equilibrium, BargeUpright) {
  const Floating f = float_hull(box(), load(3, 4), fresh);
  EXPECT_EQ(f.state, State::afloat) << f.message;
  EXPECT_NEAR(f.hydrostatics.draft, 3, 1e-9);
  EXPECT_NEAR(f.pose.p.z(), 2, 1e-9);
  EXPECT_NEAR(f.heel, 0, 1e-9);
  EXPECT_NEAR(f.trim, 0, 1e-9);
  EXPECT_NEAR(f.metacentre.transverse, 1.5 + B * B / 36 - 4, 1e-8);
}

// Wall-sided: GM t + BM t³/2 = y, with t = tan(heel), as long as neither deck edge nor bilge crosses the water.
TEST(Equilibrium, BargeHeelsUnderAWeightOffCentre) {
  const double draft = 5, KG = 6, BM = B * B / (12 * draft), GM = draft / 2 + BM - KG;
  for (const double y : {0.1, 0.5, 1.0, -1.0}) {
    double t = 0;
    for (int i = 0; i < 100; ++i) t -= (GM * t + BM * t * t * t / 2 - y) / (GM + 1.5 * BM * t * t);
    const Floating f = float_hull(box(), load(draft, KG, y), fresh);
    EXPECT_EQ(f.state, State::afloat) << f.message;
    // A weight to port lets port sink: that is heel about −x.
    EXPECT_NEAR(std::tan(f.heel), -t, 1e-8) << y;
    EXPECT_NEAR(f.trim, 0, 1e-8);
    EXPECT_NEAR(f.hydrostatics.volume, L * B * draft, 1e-6);
  }
}

TEST(Equilibrium, BargeTrimsUnderAWeightForward) {
  const double draft = 5, KG = 6, BM = L * L / (12 * draft), GM = draft / 2 + BM - KG, x = 3;
  double t = 0;
  for (int i = 0; i < 100; ++i) t -= (GM * t + BM * t * t * t / 2 - x) / (GM + 1.5 * BM * t * t);
  const Floating f = float_hull(box(), load(draft, KG, 0, x), fresh);
  EXPECT_NEAR(std::tan(f.trim), t, 1e-8);
  EXPECT_NEAR(f.heel, 0, 1e-8);
}

TEST(Equilibrium, TiltInWords) {
  EXPECT_EQ(tilt_in_words(-8.3 * pi / 180, 0), "heel 8.3 deg to port, no trim");
  EXPECT_EQ(tilt_in_words(1e-9, -0.5 * pi / 180), "no heel, trim 0.5 deg by the stern");
}

// With GM < 0 a wall-sided hull heels to tan² φ = −2 GM/BM: the angle of loll.
TEST(Equilibrium, AngleOfLoll) {
  const double draft = 5, BM = B * B / (12 * draft), KG = draft / 2 + BM + 0.1;
  const Floating f = float_hull(box(), load(draft, KG), fresh);
  EXPECT_NEAR(std::abs(std::tan(f.heel)), std::sqrt(0.2 / BM), 1e-6);
  EXPECT_GT(f.metacentre.transverse, 0);
}

TEST(Equilibrium, SaysWhenItGoesWrong) {
  const Floating sunk = float_hull(box(), load(10.1, 4), fresh);
  EXPECT_EQ(sunk.state, State::sunk);
  EXPECT_NE(sunk.message.find("sinks"), std::string::npos);
  const Floating wet = float_hull(box(), load(9.5, 3, 1.5), fresh);
  EXPECT_EQ(wet.state, State::deck_wet) << wet.message;
  EXPECT_NE(wet.message.find("deck under water"), std::string::npos);
  const Floating over =
      float_hull(panelled(Barge{60, 6, 10, 5.0}, {2}, Part::whole), {fresh.density * 60 * 6 * 5, Vec3(0, 0, 6)}, fresh);
  EXPECT_EQ(over.state, State::capsized) << over.message;
  // Sides that end at 5 m above the keel, without a deck.
  const PanelMesh open = panelled(Barge{L, B, 5, {}}, {5});
  EXPECT_EQ(float_hull(open, {fresh.density * L * B * 3, Vec3(0, 0, -2)}, fresh).state, State::afloat);
  EXPECT_EQ(float_hull(open, {fresh.density * L * B * 5.5, Vec3(0, 0, -2)}, fresh).state, State::flooded);
}

// What it found is in balance when the hull is placed, cut and integrated anew, and the stiffness is positive.
TEST(Equilibrium, OtherHullsAreInBalance) {
  for (const Shape& shape : {Shape(Cylinder{20, 15, 8.0}), Shape(Sphere{20, 8.0}), Shape(Ship{100, 20, 12, 6, 0.7})}) {
    const PanelMesh hull = panelled(shape, {2}, Part::whole);
    const Hydrostatics upright = hydrostatics(cut_at_waterplane(hull));
    const Weight weight{1.1 * 1025 * upright.volume, upright.buoyancy + Vec3(1, -0.4, 0)};
    const Floating f = float_hull(hull, weight);
    const Hydrostatics h = hydrostatics(cut_at_waterplane(placed(hull, f.pose), 0));
    const Vec3 G = f.pose * weight.centre;
    EXPECT_NEAR(1025 * h.volume / weight.mass, 1, 1e-9);
    EXPECT_NEAR(h.buoyancy.x(), G.x(), 1e-7);
    EXPECT_NEAR(h.buoyancy.y(), G.y(), 1e-7);
    EXPECT_GT(f.metacentre.transverse, 0);
    EXPECT_GT(f.heel, 0);  // the weight is to starboard
    EXPECT_NEAR((f.pose.R - exp_rotation(Vec3(0, f.trim, 0)) * exp_rotation(Vec3(f.heel, 0, 0))).norm(), 0, 1e-12);
  }
}

TEST(RightingArms, BoxIsWallSidedUntilTheDeckIsWet) {
  const double draft = 5, KG = 6, BM = B * B / (12 * draft), GM = draft / 2 + BM - KG;
  const RightingCurve curve = gz_curve(box(), load(draft, KG), fresh, pi / 90);
  ASSERT_EQ(curve.arms.size(), 46u);
  for (const RightingArm& a : curve.arms) {
    // Half the beam rises by tan φ B/2: the deck edge (5 m above water) is wet beyond 26.6°, and the bilge dry.
    EXPECT_EQ(a.deck_wet, std::tan(a.heel) * B / 2 > 5) << a.heel;
    if (a.deck_wet) continue;
    const double t = std::tan(a.heel);
    EXPECT_NEAR(a.arm, std::sin(a.heel) * (GM + BM * t * t / 2), 1e-8) << a.heel;
    EXPECT_NEAR(a.trim, 0, 1e-9);
  }
  // At 90° the box floats on its side: half of it in the water, centre of buoyancy B/4 below; its weight acts KG − D/2
  // to one side.
  EXPECT_NEAR(curve.arms.back().arm, -(KG - D / 2), 1e-6);
  ASSERT_TRUE(curve.vanishing);
  EXPECT_NEAR(curve.vanishing->arm, 0, 1e-6);
  EXPECT_GT(curve.vanishing->heel, curve.largest.heel);
}

// The work equals the integral of the arms: energy against moments.
TEST(RightingArms, WorkIsTheAreaUnderTheCurve) {
  const PanelMesh hull = panelled(Ship{100, 20, 12, 6, 0.7}, {4}, Part::whole);
  const Hydrostatics upright = hydrostatics(cut_at_waterplane(hull));
  const Weight weight{1025 * upright.volume, upright.buoyancy + Vec3(0, 0, 4)};
  const RightingCurve curve = gz_curve(hull, weight, {}, pi / 180, pi / 3);
  double area = 0;
  for (size_t i = 0; i + 1 < curve.arms.size(); ++i) {
    const RightingArm &a = curve.arms[i], &b = curve.arms[i + 1];
    area += 0.5 * (a.arm * std::cos(a.trim) + b.arm * std::cos(b.trim)) * (b.heel - a.heel);
    EXPECT_NEAR(b.work, area, 2e-4) << b.heel;
  }
  // Small angles: GZ = GM sin φ.
  const double GM = metacentric_heights(upright, weight.centre).transverse;
  EXPECT_NEAR(curve.arms[1].arm / std::sin(curve.arms[1].heel), GM, 0.01);
  EXPECT_THROW(gz_curve(hull, {1e9, Vec3::Zero()}), std::invalid_argument);
}

}  // namespace
}  // namespace davit::hull
