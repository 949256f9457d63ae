// The ship has the coefficients that were asked for, closes, and is fair.
#include "davit/hull/ship_form.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "davit/hull/check.hpp"
#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/named_hulls.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/shape_text.hpp"
#include "davit/hull/waterplane.hpp"

namespace davit::hull {
namespace {

const std::vector<Ship>& ships() {
  static const std::vector<Ship> all{{82.8, 19.2, 8, 6, 0.65},
                                     {246, 46, 20, 10, 0.84},
                                     {100, 15, 8, 5, 0.52, 0.9, 0.75},
                                     {82.8, 19.2, 8, 6, 0.7, 0.98, 0.9, -1.0},
                                     {200, 32, 16, 11, 0.8, 0.99, 0.88, 4.0},
                                     {200, 32, 16, 11, 0.9, 0.995, 0.95, 2.0}};
  return all;
}

// Area of the section that has its points at x = 0, by what is below z = 0 between two of them.
double midship_area(const PanelMesh& mesh) {
  std::map<double, double> offsets;
  for (const Vec3& p : mesh.points)
    if (std::abs(p.x()) < 1e-9) offsets[p.z()] = std::max(offsets[p.z()], p.y());
  double half = 0;
  for (auto a = offsets.begin(), b = std::next(a); b != offsets.end(); ++a, ++b)
    half += 0.5 * (a->second + b->second) * (b->first - a->first);
  return 2 * half;
}

TEST(ShipForm, MeetsItsCoefficientsAtEveryPanelSize) {
  for (const Ship& ship : ships())
    for (const double panels_along : {25.0, 60.0, 120.0}) {
      const PanelMesh mesh = panelled(ship, {ship.length / panels_along, 100000});
      const Hydrostatics h = hydrostatics(mesh);
      EXPECT_NEAR(h.volume / (ship.block * ship.length * ship.beam * ship.draft), 1, 1e-4) << described(ship);
      EXPECT_NEAR(h.waterplane / (waterplane_of(ship) * ship.length * ship.beam), 1, 1e-2) << described(ship);
      EXPECT_NEAR(midship_area(mesh) / (midship_of(ship) * ship.beam * ship.draft), 1, 1e-2) << described(ship);
      if (ship.lcb) EXPECT_NEAR(h.buoyancy.x(), *ship.lcb, 1e-3 * ship.length) << described(ship);
      EXPECT_NEAR(h.length, ship.length, 1e-9);
      EXPECT_NEAR(h.beam, ship.beam, 1e-2 * ship.beam);
      EXPECT_NEAR(h.draft, ship.draft, 1e-9);
      EXPECT_TRUE(mesh.mirror_y && !mesh.mirror_x);
    }
}

TEST(ShipForm, IsClosedAndLooksOutwards) {
  for (const Ship& ship : ships())
    for (const Part part : {Part::wetted, Part::whole}) {
      const PanelMesh mesh = panelled(ship, {ship.length / 60, 100000}, part);
      for (const Finding& f : check(mesh, 0))
        EXPECT_EQ(f.severity, Finding::Severity::note) << described(ship) << ": " << in_words(f);
      const Hydrostatics wetted = hydrostatics(cut_at_waterplane(mesh));
      EXPECT_NEAR(wetted.volume / (ship.block * ship.length * ship.beam * ship.draft), 1, 1e-4);
      if (part == Part::whole)
        EXPECT_NEAR(hydrostatics(mesh).volume, wetted.volume + wetted.waterplane * (ship.depth - ship.draft), 1e-3);
    }
}

// Every section lies within the next one towards midships, and waterlines have no more than one inflection on each
// side: nothing bulges.
TEST(ShipForm, IsFair) {
  for (const Ship& ship : ships()) {
    const PanelMesh mesh = panelled(ship, {ship.length / 80, 100000});
    std::map<double, std::vector<Vec2>> sections;  // (z, y), upwards
    for (const Vec3& p : mesh.points) sections[p.x()].emplace_back(p.z(), p.y());
    const auto breadth = [&](double x, double z) {
      const auto& s = sections.at(x);
      for (size_t k = 0; k + 1 < s.size(); ++k)
        if (z >= s[k].x() && z <= s[k + 1].x())
          return s[k].y() + (z - s[k].x()) / (s[k + 1].x() - s[k].x()) * (s[k + 1].y() - s[k].y());
      return 0.0;
    };
    std::vector<double> xs;
    for (auto& [x, s] : sections) {
      std::sort(s.begin(), s.end(), [](const Vec2& a, const Vec2& b) { return a.x() < b.x(); });
      xs.push_back(x);
    }
    for (const double level : {0.0, 0.2, 0.5, 0.8, 0.95}) {
      const double z = -level * ship.draft;
      const double tolerance = 2e-3 * ship.beam;  // chords of neighbouring sections cut different corners
      for (size_t i = 0; i + 1 < xs.size(); ++i) {
        const double a = breadth(xs[i], z), b = breadth(xs[i + 1], z);
        if (xs[i + 1] <= 0)
          EXPECT_LE(a, b + tolerance) << described(ship) << " at x = " << xs[i] << ", z = " << z;
        else
          EXPECT_GE(a, b - tolerance) << described(ship) << " at x = " << xs[i] << ", z = " << z;
      }
    }
    // The waterline itself, by changes of the sign of its curvature.
    for (const bool fore : {false, true}) {
      int inflections = 0, last = 0;
      for (size_t i = 1; i + 1 < xs.size(); ++i) {
        if ((xs[i] > 0) != fore) continue;
        const double before = (breadth(xs[i], 0) - breadth(xs[i - 1], 0)) / (xs[i] - xs[i - 1]);
        const double after = (breadth(xs[i + 1], 0) - breadth(xs[i], 0)) / (xs[i + 1] - xs[i]);
        const int sign = after - before > 1e-9 ? 1 : after - before < -1e-9 ? -1 : 0;
        if (sign != 0 && last != 0 && sign != last) ++inflections;
        if (sign != 0) last = sign;
      }
      EXPECT_LE(inflections, 1) << described(ship);
    }
  }
}

TEST(ShipForm, RefusesWhatCannotBe) {
  EXPECT_THROW(panelled(Ship{100, 20, 10, 11, 0.7}, {2}), std::invalid_argument);
  EXPECT_THROW(panelled(Ship{100, 20, 10, 6, 0.98}, {2}), std::invalid_argument);
  EXPECT_THROW(panelled(Ship{100, 20, 10, 6, 0.7, 0.98, 0.6}, {2}), std::invalid_argument);
  EXPECT_THROW(panelled(Ship{100, 20, 10, 6, 0.7, 0.98, 0.8, 20.0}, {2}), std::invalid_argument);
}

// ---- shapes as text

TEST(ShapeText, ReadsAllKinds) {
  const auto barge = std::get<Barge>(*parse_shape("barge: 110 x 46 x 7.5 m").value);
  EXPECT_EQ(barge.length, 110);
  EXPECT_EQ(barge.beam, 46);
  EXPECT_EQ(barge.depth, 7.5);
  EXPECT_FALSE(barge.draft);
  const auto mixed = std::get<Barge>(*parse_shape(" barge : 11000x4600 cm ×7.5 m , draft 400 cm ").value);
  EXPECT_DOUBLE_EQ(mixed.length, 110);
  EXPECT_DOUBLE_EQ(mixed.beam, 46);
  EXPECT_DOUBLE_EQ(*mixed.draft, 4);
  const auto ship =
      std::get<Ship>(*parse_shape("ship: 82.8 x 19.2 x 8 m, cb 0.65, draft 6 m, lcb -0.5 m, cm 0.98").value);
  EXPECT_EQ(ship.block, 0.65);
  EXPECT_EQ(ship.draft, 6);
  EXPECT_EQ(*ship.lcb, -0.5);
  EXPECT_EQ(*ship.midship, 0.98);
  EXPECT_FALSE(ship.waterplane);
  EXPECT_EQ(std::get<Cylinder>(*parse_shape("cylinder: 20 m x 10 m").value).diameter, 20);
  EXPECT_EQ(std::get<Sphere>(*parse_shape("sphere: 10 m").value).diameter, 10);
  EXPECT_EQ(draft_of(*parse_shape("sphere: 10 m").value), 5);
}

TEST(ShapeText, WritesWhatItReads) {
  for (const char* text :
       {"barge: 110 x 46 x 7.5 m", "barge: 110 x 46 x 7.5 m, draft 4 m", "cylinder: 20 x 10 m",
        "sphere: 10 m, draft 3 m", "ship: 82.8 x 19.2 x 8 m, draft 6 m, cb 0.65, cw 0.8, lcb -0.5 m"})
    EXPECT_EQ(described(*parse_shape(text).value), text);
}

TEST(ShapeText, MistakesSayWhatIsPossible) {
  const auto expect = [](const char* text, const std::string& part) {
    const auto parsed = parse_shape(text);
    ASSERT_FALSE(parsed.value) << text;
    EXPECT_NE((parsed.mistake + "; " + parsed.remedy).find(part), std::string::npos)
        << text << ": " << parsed.mistake << "; " << parsed.remedy;
    EXPECT_FALSE(parsed.remedy.empty()) << text;
  };
  expect("cube: 3 m", "barge, cylinder, sphere and ship");
  expect("", "barge, cylinder, sphere and ship");
  expect("barge", "barge: 110 x 46");
  expect("barge:", "length, beam, depth");
  expect("barge: 3 x 4 m", "length, beam, depth");
  expect("barge: 3 x 4 x 5 kg", "no length");
  expect("barge: -3 x 4 x 5 m", "not positive");
  expect("barge: 3 x 4 x y m", "not a number");
  expect("barge: 3 x 4 x 5 m, draft 6 m", "more than the depth");
  expect("sphere: 10 m, draft", "draft");
  expect("sphere: 10 m, draft 3 m, draft 4 m", "twice");
  expect("cylinder: 10 x 5 m, cb 0.5", "it may have: draft");
  expect("ship: 100 x 20 x 10 m, cb 0.7", "needs its draft");
  expect("ship: 100 x 20 x 10 m, draft 6 m, cb 0.7 m", "plain numbers");
  expect("ship: 100 x 20 x 10 m, draft 6 m, cb 0.7, cw 0.6", "waterplane coefficient");
}

}  // namespace
}  // namespace davit::hull
