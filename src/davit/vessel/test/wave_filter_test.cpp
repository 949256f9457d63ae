// The wave filter with the vessel that it assumes: the closed loop has exactly the poles that it was made for.
#include "davit/vessel/wave_filter.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>

#include "davit/math/types.hpp"

namespace davit::vessel {
namespace {

using Complex = std::complex<double>;
constexpr double w0 = 0.7, w1 = 0.28, r = 0.004, w = 0.1, zeta = 0.7;

// Of y and ẏ of a free mass, and of the filter that steers it: f = −ω²x − 2ζωv − b.
MatX closed_loop() {
  const WaveFilter filter(w0, w1, r);
  MatX A = MatX::Zero(7, 7);
  for (int j = 0; j < 7; ++j) {
    const VecX at = VecX::Unit(7, j);
    const double f = -w * w * at[4] - 2 * zeta * w * at[5] - at[6];
    A(0, j) = at[1];
    A(1, j) = f;
    filter.rates<double>(at.data() + 2, at[0], f, A.col(j).data() + 2);
  }
  return A;
}

TEST(WaveFilter, PolesAreThoseAskedFor) {
  const MatX A = closed_loop();
  for (const Complex s : {Complex(0.1, 0), Complex(-0.05, 0.3), Complex(0.2, 0.9), Complex(-1, 0.4)}) {
    const Complex found = (s * MatX::Identity(7, 7) - A.cast<Complex>()).determinant();
    const Complex asked = std::pow(s + w0, 2) * std::pow(s + w1, 2) * (s + r) * (s * s + 2 * zeta * w * s + w * w);
    EXPECT_LT(std::abs(found - asked), 1e-12 * std::abs(asked)) << s;
  }
}

// About the frequency of the waves at most a tenth of the thrust that there is without a filter.
TEST(WaveFilter, TellsWavesFromSlowMotion) {
  const Eigen::MatrixXcd A = closed_loop().bottomRightCorner(5, 5).cast<Complex>();
  const Eigen::VectorXcd B = closed_loop().block(2, 0, 5, 1).cast<Complex>();
  const auto command = [&](double frequency) {
    const Eigen::VectorXcd z = (Complex(0, frequency) * Eigen::MatrixXcd::Identity(5, 5) - A).partialPivLu().solve(B);
    return std::abs(w * w * z[2] + 2 * zeta * w * z[3] + z[4]) / std::abs(Complex(w * w, 2 * zeta * w * frequency));
  };
  for (const double part : {0.8, 1.0, 1.25}) EXPECT_LT(command(part * w0), 0.1) << part;
}

}  // namespace
}  // namespace davit::vessel
