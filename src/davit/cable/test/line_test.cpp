#include "davit/cable/line.hpp"

#include <gtest/gtest.h>

#include "davit/cable/catenary.hpp"

namespace davit::cable {
namespace {

Section chain(double length, int elements) {
  Section s;
  s.length = length, s.elements = elements;
  s.EA = 61.56e6, s.mass = 234.52, s.displacement = (234.52 - 203.9) / 1025, s.diameter = 0.195;
  return s;
}

}  // namespace

TEST(Line, SettlesOnTheBedAsTheExactSolution) {
  Bed bed;
  bed.height = -35.8, bed.stiffness = 4785;
  const Line line({chain(111, 100)}, {}, bed, {});
  LineWork work = line.make_work();
  std::vector<double> state(static_cast<size_t>(line.state_size()));
  const Outcome outcome = line.settle(Vec3(0, 0, -35.8), Vec3(100, 0, -10), state.data(), work);
  EXPECT_TRUE(outcome.converged) << outcome.iterations << " " << outcome.residual;
  LineView view;
  line.look(state.data(), view);
  const auto exact = winkler_catenary({111, 203.9 * 9.80665, 61.56e6}, 4785, 100, 25.8);
  ASSERT_TRUE(exact);
  EXPECT_NEAR(exact->tension_upper / 9806.65, 10.2479, 1e-4);
  EXPECT_NEAR(view.tension_b / exact->tension_upper, 1, 1e-3);
  EXPECT_NEAR(view.grounded_length, exact->grounded, 0.1);
}

}  // namespace davit::cable
