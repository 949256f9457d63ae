#include "davit/math/pencil.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace davit {
namespace {

using Numbers = std::vector<std::complex<double>>;

MatX random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  return MatX::NullaryExpr(rows, columns, [&] { return number(generator); });
}

// Regular, and not orthogonal: entries of the identity between 1 and 2 beside random ones.
MatX mixing(int size, unsigned seed) { return 2 * MatX::Identity(size, size) + 0.7 * random_matrix(size, size, seed); }

MatX joined(const MatX& a, const MatX& b) {
  MatX out = MatX::Zero(a.rows() + b.rows(), a.cols() + b.cols());
  out.topLeftCorner(a.rows(), a.cols()) = a;
  out.bottomRightCorner(b.rows(), b.cols()) = b;
  return out;
}

MatX shift(int size) {
  MatX out = MatX::Zero(size, size);
  out.diagonal(1).setOnes();
  return out;
}

void expect_numbers(const Numbers& computed, const Numbers& expected, double tolerance) {
  ASSERT_EQ(computed.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_LT(std::abs(computed[i] - expected[i]), tolerance) << i << ": " << computed[i] << ", not " << expected[i];
}

TEST(Pencil, regular_E_gives_the_eigenvalues_of_its_solution) {
  MatX A(3, 3);
  A << -1, 0, 0, 0, 0, 4, 0, -4, 0;
  const MatX E = 2 * MatX::Identity(3, 3), left = mixing(3, 1), right = mixing(3, 2);
  expect_numbers(finite_eigenvalues(left * A * right, left * E * right), {{-0.5, 0}, {0, 2}, {0, -2}}, 1e-13);
}

// y = x₁ of n integrators in a row has no zeros: the pencil of its zeros is all at infinity, of index n + 1.
TEST(Pencil, chains_of_integrators) {
  for (const int index : {3, 5, 7}) {
    const int n = index - 1;
    MatX A = MatX::Zero(index, index), E = MatX::Zero(index, index);
    A.topLeftCorner(n, n) = shift(n);
    A(n - 1, n) = 1;
    A(n, 0) = 1;
    E.topLeftCorner(n, n).setIdentity();
    EXPECT_TRUE(finite_eigenvalues(A, E).empty()) << index;
    EXPECT_EQ(finite_pencil(A, E).infinite, index);
    const MatX left = mixing(index, 3), right = mixing(index, 4);
    EXPECT_TRUE(finite_eigenvalues(left * A * right, left * E * right).empty()) << index << ", mixed";
  }
}

// A nilpotent E of each index beside finite eigenvalues of mixed sizes, hidden by transformations.
TEST(Pencil, finite_ones_beside_high_index) {
  MatX finite(4, 4);
  finite << -1e-3, 0, 0, 0, 0, 0, 3, 0, 0, -3, 0, 0, 0, 0, 0, -50;
  for (const int index : {1, 3, 5, 7})
    for (const unsigned seed : {10u, 20u, 30u}) {
      const int size = 4 + index;
      const MatX left = mixing(size, seed), right = mixing(size, seed + 1);
      const MatX A = left * joined(finite, MatX::Identity(index, index)) * right;
      const MatX E = left * joined(MatX::Identity(4, 4), shift(index)) * right;
      expect_numbers(finite_eigenvalues(A, E), {{-1e-3, 0}, {0, 3}, {0, -3}, {-50, 0}}, 1e-10);
      EXPECT_EQ(finite_pencil(A, E).infinite, index);
    }
}

// Units of ten decades in rows and columns change nothing.
TEST(Pencil, units_do_not_matter) {
  const int index = 5, size = 4 + index;
  MatX finite(4, 4);
  finite << -0.2, 0, 0, 0, 0, 0, 3, 0, 0, -3, 0, 0, 0, 0, 0, -50;
  const MatX left = mixing(size, 5), right = mixing(size, 6);
  MatX A = left * joined(finite, MatX::Identity(index, index)) * right;
  MatX E = left * joined(MatX::Identity(4, 4), shift(index)) * right;
  for (int i = 0; i < size; ++i) {
    const double row = std::pow(10, (7 * i) % 11 - 5), column = std::pow(10, (4 * i) % 11 - 5);
    A.row(i) *= row;
    E.row(i) *= row;
    A.col(i) *= column;
    E.col(i) *= column;
  }
  expect_numbers(finite_eigenvalues(A, E), {{-0.2, 0}, {0, 3}, {0, -3}, {-50, 0}}, 1e-9);
}

TEST(Pencil, nothing_but_constants) {
  EXPECT_TRUE(finite_eigenvalues(MatX::Identity(3, 3), MatX::Zero(3, 3)).empty());
  EXPECT_TRUE(finite_eigenvalues(MatX(0, 0), MatX(0, 0)).empty());
  expect_numbers(finite_eigenvalues(MatX::Zero(2, 2), MatX::Identity(2, 2)), {0, 0}, 1e-15);
}

TEST(Pencil, what_is_no_pencil_is_refused) {
  MatX A = MatX::Identity(3, 3), E = MatX::Identity(3, 3);
  A.row(1).setZero();
  E.row(1).setZero();
  EXPECT_THROW(finite_eigenvalues(A, E), std::domain_error);
  EXPECT_THROW(finite_eigenvalues(MatX::Zero(2, 3), MatX::Zero(2, 3)), std::invalid_argument);
  EXPECT_THROW(finite_eigenvalues(MatX::Identity(2, 2), MatX::Identity(3, 3)), std::invalid_argument);
  EXPECT_THROW(finite_eigenvalues(MatX::Constant(1, 1, NAN), MatX::Identity(1, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace davit
