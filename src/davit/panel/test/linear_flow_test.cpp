// Radiation and diffraction: what must hold whatever the hull.
#include "davit/panel/linear_flow.hpp"

#include <gtest/gtest.h>

#include "davit/hull/named_hulls.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/panel/wave_numbers.hpp"

using namespace davit;
using namespace davit::panel;

namespace {

WettedBody barge(double size, bool with_lid = true) {
  WettedBody body{"barge", hull::panelled(hull::Barge{40, 16, 5, 3}, {size, 5000, 0}), {}};
  body.lid = with_lid ? hull::lid(body.wetted, 1.5 * size) : hull::PanelMesh{{}, {}, true, true};
  return body;
}

template <class A, class B>
double difference(const A& a, const B& b) {
  return (a - b).cwiseAbs().maxCoeff() / a.cwiseAbs().maxCoeff();
}

}  // namespace

TEST(LinearFlow, a_quarter_is_the_whole) {
  const WettedBody quarter = barge(3);
  const std::vector<double> headings = {0.3, 2.0};
  FlowScratch scratch;
  for (const double depth : {std::numeric_limits<double>::infinity(), 12.0}) {
    const Water water{1025, 9.81, depth};
    const FrequencyResult a = LinearFlow(Surface({quarter}), water, headings).solve(0.9, true, scratch);
    for (const bool x : {true, false}) {
      const WettedBody more{"barge", hull::expand(quarter.wetted, x, true), hull::expand(quarter.lid, x, true)};
      const FrequencyResult b = LinearFlow(Surface({more}), water, headings).solve(0.9, true, scratch);
      EXPECT_LT(difference(a.added_mass, b.added_mass), 1e-10);
      EXPECT_LT(difference(a.damping, b.damping), 1e-10);
      EXPECT_LT(difference(a.excitation, b.excitation), 1e-10);
      EXPECT_LT(difference(a.excitation_haskind, b.excitation_haskind), 1e-10);
      EXPECT_LT(difference(a.far_field.round, b.far_field.round), 1e-10);
    }
  }
}

// Cut in two, a hull is two bodies that touch: moved together they are the hull.
TEST(LinearFlow, two_halves_are_one_body) {
  const WettedBody whole{"barge", hull::expand(barge(3).wetted), hull::expand(barge(3).lid)};
  WettedBody fore = whole, aft = whole;
  const auto keep = [](hull::PanelMesh& mesh, double side) {
    const hull::PanelMesh all = mesh;
    mesh.panels.clear();
    for (int i = 0; i < all.count(); ++i)
      if (side * hull::panel_geometry(all, i).centroid.x() > 0)
        mesh.panels.push_back(all.panels[static_cast<size_t>(i)]);
  };
  keep(fore.wetted, 1), keep(fore.lid, 1), keep(aft.wetted, -1), keep(aft.lid, -1);
  ASSERT_EQ(fore.wetted.count() + aft.wetted.count(), whole.wetted.count());
  const Water water;
  FlowScratch scratch;
  const FrequencyResult one = LinearFlow(Surface({whole}), water, {0.7}).solve(0.8, false, scratch);
  const FrequencyResult two = LinearFlow(Surface({fore, aft}), water, {0.7}).solve(0.8, false, scratch);
  const auto together = [](const auto& m) {
    return (m.block(0, 0, 6, 6) + m.block(0, 6, 6, 6) + m.block(6, 0, 6, 6) + m.block(6, 6, 6, 6)).eval();
  };
  EXPECT_LT(difference(one.added_mass, together(two.added_mass)), 1e-10);
  // Which of the two is believed depends on the bodies.
  EXPECT_LT(difference(one.damping_by_pressure, together(two.damping_by_pressure)), 1e-10);
  EXPECT_LT(difference(one.damping_by_waves, together(two.damping_by_waves)), 1e-10);
  EXPECT_LT(difference(one.excitation, (two.excitation.topRows(6) + two.excitation.bottomRows(6)).eval()), 1e-10);
}

TEST(LinearFlow, identities) {
  const WettedBody body = barge(0.75);
  std::vector<double> round;
  for (int i = 0; i < 36; ++i) round.push_back(2 * M_PI * i / 36);
  FlowScratch scratch;
  for (const double depth : {std::numeric_limits<double>::infinity(), 10.0}) {
    const Water water{1025, 9.81, depth};
    const LinearFlow flow(Surface({body}), water, round);
    for (const double frequency : {0.5, 0.9, 1.3}) {
      const FrequencyResult result = flow.solve(frequency, false, scratch);
      const double k = wave_number(frequency * frequency / water.gravity, depth);
      for (int a = 0; a < 6; ++a) {
        for (int b = 0; b < a; ++b) {
          const double scale = std::sqrt(result.added_mass(a, a) * result.added_mass(b, b));
          EXPECT_NEAR(result.added_mass(a, b), result.added_mass(b, a), 0.01 * scale) << a << b;
          EXPECT_NEAR(result.damping(a, b), result.damping(b, a), 0.01 * frequency * scale) << a << b;
        }
        // Energy radiated in mode j is that of its excitation, over all headings: B = k ∫|X|² dβ / (8π ρg c_g).
        const double energy = result.excitation.row(a).squaredNorm() * 2 * M_PI / 36;
        const double damping =
            k * energy / (8 * M_PI * water.density * water.gravity * group_velocity(frequency, k, depth));
        EXPECT_NEAR(result.damping(a, a), damping, 0.02 * damping)
            << "mode " << a << " at " << frequency << " depth " << depth;
      }
      EXPECT_LT(difference(result.excitation.topRows(3), result.excitation_haskind.topRows(3)), 0.01);
      EXPECT_LT(difference(result.excitation.bottomRows(3), result.excitation_haskind.bottomRows(3)), 0.01);
    }
  }
}

// A barge with panels of a seventh of the wave, near its first irregular frequency, where the pressure on the hull
// gives a heave damping of a third or less: the waves that leave it give about what smaller panels do by both.
TEST(LinearFlow, damping_is_never_negative) {
  const auto solved = [](double size) {
    const WettedBody body{"barge", hull::panelled(hull::Barge{110, 46, 7.5, 3.63}, {size, 20000, 1}), {}};
    FlowScratch scratch;
    return LinearFlow(Surface({body}), {1025, 9.80665}, {0}).solve(1.4, false, scratch);
  };
  const FrequencyResult coarse = solved(4.6), fine = solved(1.9);
  EXPECT_LT(coarse.damping_by_pressure(2, 2), 0.3 * fine.damping(2, 2));
  EXPECT_NEAR(coarse.damping(2, 2), fine.damping(2, 2), 0.25 * fine.damping(2, 2));
  EXPECT_NEAR(fine.damping_by_pressure(2, 2), fine.damping(2, 2), 0.05 * fine.damping(2, 2));
}

TEST(LinearFlow, deep_water_is_the_limit_of_great_depth) {
  const WettedBody body = barge(3);
  FlowScratch scratch;
  const FrequencyResult deep = LinearFlow(Surface({body}), {1025, 9.81}, {0.7}).solve(0.9, true, scratch);
  const FrequencyResult near = LinearFlow(Surface({body}), {1025, 9.81, 400}, {0.7}).solve(0.9, true, scratch);
  EXPECT_LT(difference(deep.added_mass, near.added_mass), 2e-4);
  EXPECT_LT(difference(deep.excitation, near.excitation), 2e-4);
  EXPECT_LT(difference(deep.far_field.round, near.far_field.round), 2e-4);
}

// Long waves: heave force ρgS, and the weight of the water that is not there (Froude–Krylov) in surge.
TEST(LinearFlow, long_waves) {
  const WettedBody body = barge(3);
  FlowScratch scratch;
  const Water water{1000, 9.81};
  const FrequencyResult result = LinearFlow(Surface({body}), water, {0}).solve(0.05, false, scratch);
  EXPECT_NEAR(result.excitation(2, 0).real() / (1000 * 9.81 * 40 * 16), 1, 0.01);
  EXPECT_NEAR(result.excitation(2, 0).imag() / (1000 * 9.81 * 40 * 16), 0, 0.01);
  // A crest that comes from behind pushes forward a quarter of a period before it arrives.
  EXPECT_GT(result.excitation(0, 0).imag(), 0);
}
