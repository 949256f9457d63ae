// Lines that lie slack on beds from soft to hard: what the bed and the ends carry is the weight.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/cable/bar_line.hpp"
#include "davit/cable/beam_line.hpp"
#include "lines.hpp"

namespace davit::cable {
namespace {

constexpr double depth = 30, fairlead_height = -10;  // fairleads under water, so that all weigh what they do there
struct Lying {
  const char* what;
  Vec3 a, b;
  double length;
};
// Slack by 60 m under a fairlead, twice as long as its ends on the bed are apart, slack by 0.1 m, a heap, aslant.
const Lying lying[] = {{"under a fairlead", {0, 0, -depth}, {120, 0, fairlead_height}, 200},
                       {"on the bed", {0, 0, -depth}, {50, 0, -depth}, 100},
                       {"almost taut", {0, 0, -depth}, {179.9, 0, fairlead_height}, 200},
                       {"both ends at one place", {0, 0, -depth}, {1, 0, -depth}, 100},
                       {"aslant", {0, 0, -depth}, {80, 60, fairlead_height}, 220}};
Section slack_chain(double length, int elements) {
  Section s = chain(length, elements);
  s.EA = 5e8, s.mass = 126, s.displacement = 0.016;
  return s;
}
double weight_per_metre() {
  const sea::Water water;
  return (126 - 0.016 * water.density) * water.gravity;
}
Bed level_bed(double stiffness) {
  Bed bed;
  bed.height = -depth, bed.stiffness = stiffness;
  return bed;
}

struct Point {
  double place, weight;
};
// What the bed carries: k times the embedment at Gauss points, a point by its element and its place there.
template <class Height>
double carried_by_bed(double stiffness, int elements, double size, std::initializer_list<Point> points,
                      const Height& height) {
  double sum = 0;
  for (int i = 0; i < elements; ++i)
    for (const Point& p : points) sum += p.weight * size * stiffness * std::max(0.0, -depth - height(i, p.place));
  return sum;
}
void expect_rest(const Outcome& outcome, const EndForces& forces, const Lying& line, double bed, double stiffness) {
  const double weight = line.length * weight_per_metre();
  SCOPED_TRACE(testing::Message() << line.what << ", bed of " << stiffness);
  ASSERT_TRUE(outcome.converged) << outcome.iterations << " iterations, " << outcome.residual << " N left";
  EXPECT_NEAR((bed - forces.a.z() - forces.b.z()) / weight, 1, 1e-6);
  EXPECT_LT((forces.a + forces.b).head<2>().norm(), 1e-6 * weight);
}

TEST(SlackLine, OfBarsLiesWithAllItsWeight) {
  for (const Lying& line : lying)
    for (const double stiffness : {1e4, 1e5, 1e6, 1e7})
      for (const int elements : {50, 100}) {
        const BarLine model(Line({slack_chain(line.length, elements)}, {}, level_bed(stiffness), {}));
        const auto scratch = model.make_scratch();
        std::vector<double> state(static_cast<size_t>(model.state_size()));
        EndForces forces;
        const Outcome outcome = model.settle({line.a, line.b}, state.data(), forces, *scratch);
        const auto height = [&](int i, double place) {
          return (1 - place) * model.line().position(state.data(), i).z() +
                 place * model.line().position(state.data(), i + 1).z();
        };
        const double share = 0.5 - 0.5 / std::sqrt(3.0), size = line.length / elements;
        const double bed = carried_by_bed(stiffness, elements, size, {{share, 0.5}, {1 - share, 0.5}}, height);
        expect_rest(outcome, forces, line, bed, stiffness);
        // The chain hangs straight down; its last bar may lie with one end.
        const double hanging = line.b.z() + depth, horizontal = forces.b.head<2>().norm();
        EXPECT_LT(horizontal, 1e-5 * line.length * weight_per_metre()) << line.what;
        EXPECT_NEAR(forces.b.norm(), weight_per_metre() * hanging, 0.6 * weight_per_metre() * size) << line.what;
      }
}

TEST(SlackLine, OfBeamsLiesWithAllItsWeight) {
  for (const Lying& line : lying)
    for (const double stiffness : {1e4, 1e5, 1e6, 1e7})
      for (const int elements : {50, 100}) {
        const BeamLine model(Beam({slack_chain(line.length, elements)}, {}, level_bed(stiffness), {}));
        const auto scratch = model.make_scratch();
        std::vector<double> state(static_cast<size_t>(model.state_size()));
        EndForces forces;
        const Outcome outcome = model.settle({line.a, line.b}, state.data(), forces, *scratch);
        const double size = line.length / elements;
        const auto height = [&](int i, double x) {
          const auto node = [&](int at) { return model.line().position(state.data(), at).z(); };
          const auto slope = [&](int at) { return size * model.line().slope(state.data(), at).z(); };
          return node(i) + (node(i + 1) - node(i)) * (3 - 2 * x) * x * x + slope(i) * x * (1 - x) * (1 - x) -
                 slope(i + 1) * x * x * (1 - x);
        };
        const double off = 0.5 * std::sqrt(0.6);
        const double bed = carried_by_bed(stiffness, elements, size,
                                          {{0.5 - off, 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + off, 5.0 / 18}}, height);
        expect_rest(outcome, forces, line, bed, stiffness);
      }
}

}  // namespace
}  // namespace davit::cable
