// What kind of problem it is, against systems made by hand: index, flatness, internal dynamics, relative degrees.
#include "davit/inverse_dynamics/analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "davit/inverse_dynamics/algebraic.hpp"
#include "small_problems.hpp"

namespace davit::inverse_dynamics {
namespace {

using testing::Carts;
using testing::CartWithPendulum;
using testing::Crane;

// Each spring between drive and output raises the index by two.
TEST(Analysis, OfCartsOnSprings) {
  const Carts one({3}, {}), two({3, 2}, {50}), three({3, 2, 1}, {80, 50});
  int springs = 0;
  for (const Carts* carts : {&one, &two, &three}) {
    SCOPED_TRACE(springs);
    const Analysis a = analyse(carts->problem);
    ASSERT_TRUE(a.index);
    EXPECT_EQ(*a.index, 3 + 2 * springs);
    EXPECT_EQ(a.derivatives(), 2 + 2 * springs);
    EXPECT_TRUE(a.flat);
    EXPECT_EQ(a.internal_states, 0);
    EXPECT_EQ(a.relative_degrees, std::vector<int>{2 + 2 * springs});
    EXPECT_TRUE(a.unreachable.empty());
    EXPECT_EQ(a.realisation, springs == 0 ? Realisation::orthogonal : Realisation::tangential);
    EXPECT_EQ(a.coupling_rank, springs == 0 ? 1 : 0);
    EXPECT_EQ(a.degrees_of_freedom, springs + 1);
    EXPECT_TRUE(a.singular_times.empty());
    ++springs;
  }
}

// The free pendulum is the internal dynamics: ω² = g/l about where it hangs, growing where it stands.
TEST(Analysis, OfACartWithAPendulum) {
  for (const bool hangs : {true, false}) {
    const CartWithPendulum cart(hangs);
    const Analysis a = analyse(cart.problem);
    EXPECT_EQ(a.index, 3);
    EXPECT_FALSE(a.flat);
    ASSERT_EQ(a.internal_states, 2);
    EXPECT_EQ(a.internal_stable(), hangs);
    const double rate = std::sqrt(testing::gravity / CartWithPendulum::length);
    for (const auto& pole : a.internal_poles) {
      EXPECT_NEAR(std::abs(pole), rate, 1e-6);
      EXPECT_NEAR(std::abs(hangs ? pole.real() : pole.imag()), 0, 1e-6);
    }
    // The angle as one more output would take one more input.
    EXPECT_TRUE(alternative_outputs(cart.problem).empty());
  }
}

TEST(Analysis, OfACraneIsFlatWithItsLoad) {
  const Crane crane;
  const Analysis a = analyse(crane.problem);
  EXPECT_EQ(a.index, 5);
  EXPECT_TRUE(a.flat);
  // The winch accelerates the load, the trolley does so only by the sway: after two more derivatives.
  EXPECT_EQ(a.realisation, Realisation::mixed);
  EXPECT_EQ(a.inputs, 2);
  EXPECT_EQ(a.outputs, 2);
  EXPECT_EQ(a.coupling_rank, 1);
}

// With the hook alone given in height a cart is left over, and that is what may be given beside it.
TEST(Analysis, SaysWhatMayBeGivenBeside) {
  Crane crane;
  crane.problem.outputs.clear();
  crane.follow("rope", {{CoordinateIndex{2, 2}, 1}}, Motion(6));
  const auto found = alternative_outputs(crane.problem);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "trolley.travel");
  EXPECT_FALSE(found[0].regular);  // the load swings as it likes
  EXPECT_FALSE(found[2].regular);  // the same twice
}

TEST(Analysis, NamesRowsThatNothingMoves) {
  Carts carts({3, 2}, {50});
  carts.problem.outputs.clear();
  // Across the rails.
  carts.problem.outputs.push_back(
      {"across", std::make_shared<PlaceServo>(carts.tree->frame("cart1"),
                                              std::vector<PlaceServo::Along>{{Vec3::UnitY(), Motion(0)}})});
  const Analysis a = analyse(carts.problem);
  EXPECT_EQ(a.unreachable, std::vector<int>{0});
  EXPECT_EQ(a.output_rank, 0);
  EXPECT_FALSE(a.index);
}

// Of the array of a flat problem motion and inputs are determined from its order on, and not before.
TEST(DerivativeArray, HasItsFullRankWhereItIsSolved) {
  const Carts carts({3, 2}, {50});
  for (const int K : {4, 5, 6}) {
    AlgebraicSolver solver(carts.problem, K, 0.2);
    solver.find_regular_rank();
    ASSERT_TRUE(solver.solve(0.7)) << K;
    const auto exact = carts.at(0.7);
    EXPECT_NEAR(solver.point().q[0] + solver.point().q[1], testing::one_move().value(0.7), 1e-11);
    EXPECT_NEAR(solver.point().q[0], exact.first, 1e-10);
    EXPECT_NEAR(solver.values().w[0], exact.push, 1e-8);
  }
  DerivativeArray array(carts.problem, 4, 0.2);
  EXPECT_EQ(array.unknowns(), 2 * 5 + 1 * 3);
  EXPECT_EQ(array.equations(), 2 * 3 + 1 * 5);
}

TEST(ServoProblem, KnowsItsBreakpointsAndNames) {
  Crane crane;
  EXPECT_EQ(crane.problem.rows(), 2);
  EXPECT_EQ(crane.problem.row_name(1), "load, row 2 of 2");
  EXPECT_EQ(crane.problem.row_name(7), "");
  crane.problem.end = 5;
  EXPECT_EQ(crane.problem.breakpoints(), std::vector<double>{2});
  EXPECT_EQ(plan_times(crane.problem, 2).back(), 5);
  const auto twice = plan_times_with_breakpoints(crane.problem, 1.5);
  EXPECT_EQ(std::count(twice.begin(), twice.end(), 2.0), 2);
  EXPECT_TRUE(unsupported(*crane.model).empty());
}

}  // namespace
}  // namespace davit::inverse_dynamics
