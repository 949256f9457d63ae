// Linear models whose poles, zeros and hidden modes are known.
#include "davit/linear/state_space.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace davit::linear {
namespace {

std::vector<Variable> named(const char* kind, Eigen::Index count) {
  std::vector<Variable> out;
  for (Eigen::Index i = 0; i < count; ++i) out.push_back({kind + std::to_string(i + 1), "m"});
  return out;
}

StateSpace space(const MatX& A, const MatX& B, const MatX& C) {
  return {A, B, C, MatX::Zero(C.rows(), B.cols()), named("x", A.rows()), named("u", B.cols()), named("y", C.rows())};
}

// n integrators in a row, from the last one's rate to the first one.
StateSpace chain(int n) {
  MatX A = MatX::Zero(n, n);
  A.diagonal(1).setOnes();
  return space(A, MatX(VecX::Unit(n, n - 1)), VecX::Unit(n, 0).transpose());
}

// 1/(s² + 2 ζ ω s + ω²) in units of which one is 1e4 times another.
StateSpace oscillator(double frequency, double damping, double unit = 1) {
  MatX A(2, 2);
  A << 0, 1 / unit, -frequency * frequency * unit, -2 * damping * frequency;
  return space(A, MatX(Vec2(0, unit)), Vec2(1, 0).transpose());
}

TEST(StateSpace, poles_of_integrators_are_exactly_zero) {
  for (const int n : {2, 4, 7}) {
    const std::vector<Complex> all = poles(chain(n));
    ASSERT_EQ(all.size(), static_cast<size_t>(n));
    for (const Complex& pole : all) EXPECT_EQ(pole, Complex(0, 0));
    EXPECT_TRUE(zeros(chain(n)).empty());
  }
}

TEST(StateSpace, poles_come_by_size_and_in_pairs) {
  const std::vector<Complex> all = poles(oscillator(3, 0.1, 1e4));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_LT(std::abs(all[0] - Complex(-0.3, 3 * std::sqrt(0.99))), 1e-12);
  EXPECT_EQ(all[1], std::conj(all[0]));
  EXPECT_EQ(in_words(all[0]), "swings, period 2.105 s, damping 10 %");
  EXPECT_EQ(in_words({0, 2 * M_PI}), "swings, period 1 s, no damping");
  EXPECT_EQ(in_words({0.5, 0}), "runs away, time constant 2 s");
  EXPECT_EQ(in_words({-4, 0}), "dies away, time constant 0.25 s");
  EXPECT_EQ(in_words({0, 0}), "drifts: nothing holds it");
}

// (s + 2)(s - 5)/((s + 1)(s + 3)(s + 10)) in controllable canonical form; and with D = 1 as many zeros as poles.
TEST(StateSpace, zeros_are_roots_of_the_numerator) {
  MatX A = MatX::Zero(3, 3);
  A.diagonal(1).setOnes();
  A.row(2) << -30, -43, -14;
  StateSpace s = space(A, MatX(Vec3(0, 0, 1)), Vec3(-10, -3, 1).transpose());
  const std::vector<Complex> strict = zeros(s);
  ASSERT_EQ(strict.size(), 2u);
  EXPECT_LT(std::abs(strict[0] + 2.0), 1e-12);
  EXPECT_LT(std::abs(strict[1] - 5.0), 1e-12);
  EXPECT_LT(std::abs(transfer(s, {0, 1})(0, 0) -
                     Complex(2, 1) * Complex(-5, 1) / (Complex(1, 1) * Complex(3, 1) * Complex(10, 1))),
            1e-15);
  s.D(0, 0) = 1;
  EXPECT_EQ(zeros(s).size(), 3u);
}

TEST(StateSpace, zeros_need_as_many_outputs_as_inputs_and_a_transfer_matrix_that_has_an_inverse) {
  const StateSpace one = oscillator(1, 0.1);
  EXPECT_THROW(zeros(space(one.A, one.B, MatX::Identity(2, 2))), std::invalid_argument);
  MatX twice(2, 2);
  twice << one.B, one.B;
  EXPECT_THROW(zeros(space(one.A, twice, MatX::Identity(2, 2))), std::domain_error);
}

// Two oscillators beside each other, of which the input pushes one and the output sees the other.
TEST(StateSpace, hidden_modes_are_named) {
  const StateSpace a = oscillator(1, 0.05), b = oscillator(4, 0.02, 1e6);
  MatX A = MatX::Zero(4, 4), B = MatX::Zero(4, 2), C = MatX::Zero(2, 4);
  A.topLeftCorner(2, 2) = a.A;
  A.bottomRightCorner(2, 2) = b.A;
  B.col(0).head(2) = a.B;
  C.row(1).tail(2) = b.C;
  const StateSpace s = space(A, B, C);
  const auto reach = controllability(s), sight = observability(s);
  ASSERT_EQ(reach.size(), 2u);
  EXPECT_EQ(reach[0].hidden, 0);
  EXPECT_EQ(reach[0].best, 0);
  EXPECT_GT(reach[0].measure, 0.1);
  EXPECT_EQ(reach[1].hidden, 1);
  EXPECT_EQ(reach[1].best, -1);
  EXPECT_EQ(sight[0].hidden, 1);
  EXPECT_EQ(sight[1].hidden, 0);
  EXPECT_EQ(sight[1].best, 1);
}

// Two oscillators of the same frequency need two inputs.
TEST(StateSpace, motions_of_one_pole_are_counted) {
  const StateSpace a = oscillator(2, 0);
  MatX A = MatX::Zero(4, 4), B = MatX::Zero(4, 2);
  A.topLeftCorner(2, 2) = A.bottomRightCorner(2, 2) = a.A;
  B(1, 0) = 1;
  B(3, 0) = 2;
  StateSpace s = space(A, B, MatX::Identity(4, 4));
  const auto one = controllability(s);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].motions, 2);
  EXPECT_EQ(one[0].hidden, 1);
  EXPECT_EQ(one[0].best, 0);
  s.B(1, 1) = 1;
  EXPECT_EQ(controllability(s)[0].hidden, 0);
  EXPECT_EQ(observability(s)[0].hidden, 0);
}

TEST(StateSpace, a_chain_of_integrators_is_one_motion) {
  const auto reach = controllability(chain(4)), sight = observability(chain(4));
  ASSERT_EQ(reach.size(), 1u);
  EXPECT_EQ(reach[0].motions, 1);
  EXPECT_EQ(reach[0].hidden, 0);
  EXPECT_EQ(sight[0].hidden, 0);
}

TEST(StateSpace, units_do_not_matter_to_what_is_reached) {
  const auto small = controllability(oscillator(3, 0.1)), large = controllability(oscillator(3, 0.1, 4096));
  EXPECT_NEAR(small[0].measure, large[0].measure, 1e-12);
}

TEST(StateSpace, shapes_solve_the_equations) {
  const StateSpace s = oscillator(3, 0.1, 1e4);
  const Mode mode = modes(s)[0];
  const Complex pole = mode.reach.pole;
  const VecXc& x = mode.shape;
  EXPECT_LT((s.A.cast<Complex>() * x - pole * x).norm(), 1e-10 * x.norm());
  // Of an oscillator half is place and half is speed, whatever their units.
  EXPECT_NEAR(mode.shares[0], 0.5, 1e-9);
  EXPECT_NEAR(mode.shares.sum(), 1, 1e-12);
}

TEST(StateSpace, some_inputs_and_outputs) {
  const StateSpace s = space(MatX::Identity(2, 2), MatX::Identity(2, 2), MatX::Identity(2, 2));
  const StateSpace part = selected(s, {1}, {0, 1});
  EXPECT_EQ(part.inputs.size(), 1u);
  EXPECT_EQ(part.inputs[0].name, "u2");
  EXPECT_EQ(part.outputs[1].name, "y2");
  EXPECT_EQ(part.B(1, 0), 1);
  EXPECT_EQ(part.D.rows(), 2);
}

}  // namespace
}  // namespace davit::linear
