#include "davit/math/quadratic_programme.hpp"

#include <gtest/gtest.h>

#include <random>

namespace davit {
namespace {

// Largest of all conditions of Karush, Kuhn and Tucker that are not met.
double misfit(const QuadraticProgramme& p, const QuadraticOptimum& o) {
  VecX dual = p.c;
  if (p.H.size() > 0) dual += p.H * o.x;
  if (p.E.rows() > 0) dual += p.E.transpose() * o.y;
  if (p.A.rows() > 0) dual += p.A.transpose() * o.z;
  double most = dual.cwiseAbs().maxCoeff();
  if (p.E.rows() > 0) most = std::max(most, (p.E * o.x - p.e).cwiseAbs().maxCoeff());
  if (p.A.rows() > 0) {
    const VecX slack = p.b - p.A * o.x;
    most = std::max({most, -slack.minCoeff(), -o.z.minCoeff(), slack.cwiseProduct(o.z).cwiseAbs().maxCoeff()});
  }
  return most;
}

TEST(QuadraticProgramme, shares_in_proportion_to_what_is_dear) {
  QuadraticProgramme p;
  p.H = VecX{{2.0, 4.0}}.asDiagonal();
  p.c = VecX::Zero(2);
  p.E = MatX::Ones(1, 2);
  p.e = VecX::Constant(1, 30);
  const QuadraticOptimum free = solve(p);
  ASSERT_TRUE(free.found);
  EXPECT_NEAR(free.x[0], 20, 1e-10);
  EXPECT_NEAR(free.x[1], 10, 1e-10);
  p.A = MatX(1, 2);
  p.A << 1, 0;
  p.b = VecX::Constant(1, 16);
  const QuadraticOptimum held = solve(p);
  ASSERT_TRUE(held.found);
  EXPECT_NEAR(held.x[0], 16, 1e-10);
  EXPECT_NEAR(held.x[1], 14, 1e-10);
  EXPECT_NEAR(held.z[0], 4 * 14 - 2 * 16, 1e-9);
}

TEST(QuadraticProgramme, finds_the_corner_of_a_linear_programme) {
  QuadraticProgramme p;  // most 3x + 2y with x + y ≤ 4, x + 3y ≤ 6, x ≤ 3, x, y ≥ 0: (3, 1)
  p.c = VecX{{-3.0, -2.0}};
  p.A = MatX(5, 2);
  p.A << 1, 1, 1, 3, 1, 0, -1, 0, 0, -1;
  p.b = VecX{{4.0, 6.0, 3.0, 0.0, 0.0}};
  const QuadraticOptimum o = solve(p);
  ASSERT_TRUE(o.found);
  EXPECT_NEAR(o.x[0], 3, 1e-10);
  EXPECT_NEAR(o.x[1], 1, 1e-10);
  EXPECT_LT(misfit(p, o), 1e-10);
}

TEST(QuadraticProgramme, meets_all_conditions_of_an_optimum) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto noise = [&](int rows, int cols) {
    return MatX(MatX::NullaryExpr(rows, cols, [&] { return normal(random); }));
  };
  for (int n = 2; n < 40; n += 3)
    for (const bool linear : {false, true}) {
      QuadraticProgramme p;
      if (!linear) {
        const MatX half = noise(n, n);
        p.H = half * half.transpose();
      }
      const MatX inside = noise(n, 1);  // so that it is feasible
      p.c = noise(n, 1);
      p.E = noise(n / 4, n);
      p.e = p.E * inside;
      MatX box(2 * n, n);
      box << MatX::Identity(n, n), -MatX::Identity(n, n);
      p.A.resize(5 * n, n);
      p.A << noise(3 * n, n), box;
      p.b = p.A * inside + VecX::Constant(5 * n, 0.3);
      const QuadraticOptimum o = solve(p);
      ASSERT_TRUE(o.found) << n << linear;
      EXPECT_LT(misfit(p, o), 1e-8) << n << linear;
    }
}

TEST(QuadraticProgramme, says_that_nothing_is_feasible) {
  QuadraticProgramme p;
  p.H = MatX::Identity(2, 2);
  p.c = VecX::Zero(2);
  p.E = MatX::Ones(1, 2);
  p.e = VecX::Constant(1, 3);
  p.A = MatX::Identity(2, 2);
  p.b = VecX::Ones(2);
  EXPECT_FALSE(solve(p).found);
}

}  // namespace
}  // namespace davit
