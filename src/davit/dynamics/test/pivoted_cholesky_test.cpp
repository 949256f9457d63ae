// Ranks, solutions and dependences of Gram matrices, whatever units their rows have.
#include "davit/dynamics/pivoted_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "random_tree.hpp"

namespace davit {
namespace {

using testing::Random;

struct Factored {
  MatX L;
  std::vector<int> order;
  std::vector<double> diagonal;
  int rank;
  explicit Factored(const MatX& A) : L(A), order(static_cast<size_t>(A.rows())) {
    rank = pivoted_cholesky(L, order, diagonal);
  }
};

MatX random_matrix(Random& random, int rows, int columns) {
  MatX A(rows, columns);
  for (double& x : A.reshaped()) x = random.number();
  return A;
}

TEST(PivotedCholesky, SolvesWhatIsRegular) {
  Random random(5);
  for (int n = 1; n < 9; ++n) {
    const MatX G = random_matrix(random, n, n + 2), A = G * G.transpose();
    const Factored f(A);
    ASSERT_EQ(f.rank, n);
    VecX b(n), scratch(n);
    for (double& x : b) x = random.number();
    VecX x = b;
    pivoted_solve(f.L, f.order, f.rank, x, scratch);
    EXPECT_LT((A * x - b).norm(), 1e-10 * b.norm() * A.norm());
  }
}

// Rows 3 to 5 are sums of the first three; units of all rows differ by up to nine decades.
TEST(PivotedCholesky, FindsRowsThatFollowFromOthersInAnyUnits) {
  Random random(6);
  MatX G(6, 8);
  G.topRows(3) = random_matrix(random, 3, 8);
  G.bottomRows(3) = random_matrix(random, 3, 3) * G.topRows(3);
  for (const double unit : {1.0, 1e3, 1e-3}) {
    MatX scaled = G;
    for (int i = 0; i < 6; ++i) scaled.row(i) *= std::pow(unit, i % 3 - 1.0) * (i + 1);
    const Factored f(scaled * scaled.transpose());
    ASSERT_EQ(f.rank, 3) << unit;
    for (int i = 3; i < 6; ++i) {
      const VecX shares = dependence(f.L, f.rank, i);
      VecX sum = scaled.row(f.order[static_cast<size_t>(i)]);
      const double size = sum.norm();
      for (int k = 0; k < 3; ++k) sum -= shares[k] * scaled.row(f.order[static_cast<size_t>(k)]);
      EXPECT_LT(sum.norm(), 1e-6 * size) << unit;
    }
    // A right-hand side in the range is met, and dependent entries stay zero.
    const VecX b = scaled * random_matrix(random, 8, 1);
    VecX x = b, scratch(6);
    pivoted_solve(f.L, f.order, f.rank, x, scratch);
    EXPECT_EQ((x.array() == 0).count(), 3);
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR((scaled * (scaled.transpose() * x))[i], b[i], 1e-6 * scaled.row(i).norm() * b.norm());
  }
}

// Of a linkage that lies flat a gradient all but vanishes: round-off, and no row to count on.
TEST(PivotedCholesky, ARowThatAllButVanishesDoesNotCount) {
  MatX G = MatX::Identity(3, 3);
  G.row(1) *= 1e-10;
  EXPECT_EQ(Factored(G * G.transpose()).rank, 2);
  EXPECT_EQ(Factored(MatX::Zero(2, 2)).rank, 0);
  EXPECT_EQ(Factored(MatX(0, 0)).rank, 0);
}

}  // namespace
}  // namespace davit
