#include "verify/vessels/hemisphere.hpp"

#include <cmath>
#include <complex>
#include <functional>
#include <vector>

#include "davit/math/constants.hpp"
#include "davit/panel/deep_water.hpp"
#include "davit/panel/quadrature.hpp"
#include "verify/complex_algebra.hpp"

namespace davit::verify {

namespace {

using Complex = std::complex<double>;

// A function on the unit sphere at the colatitude θ from straight down: value and radial derivative.
struct OnSphere {
  Complex value, slope;
};

// The wave source at the centre: ½G = 1/r + ½K (F − 2πi exp(−Y) J₀), X = K sin θ, Y = K cos θ.
OnSphere wave_source(double k, double theta) {
  const double sine = std::sin(theta), cosine = std::cos(theta), x = k * sine, y = k * cosine;
  const auto [f, f_x] = panel::DeepWater::by_quadrature(x, y);
  const double f_y = -f - 2 / k, e = std::exp(-y);  // d = K on the unit sphere
  const Complex value(f, -2 * pi * e * ::j0(x));
  const Complex by_x(f_x, 2 * pi * e * ::j1(x)), by_y(f_y, 2 * pi * e * ::j0(x));
  return {1.0 + 0.5 * k * value, -1.0 + 0.5 * k * k * (by_x * sine + by_y * cosine)};
}

// The horizontal wave dipole −∂/∂R of it (times cos φ); second derivatives of F from ∂F/∂Y = −F − 2/d and Laplace's
// equation.
OnSphere wave_dipole(double k, double theta) {
  const double sine = std::sin(theta), cosine = std::cos(theta), x = k * sine, y = k * cosine, d3 = k * k * k;
  const auto [f, f_x] = panel::DeepWater::by_quadrature(x, y);
  const double f_xy = -f_x + 2 * x / d3, f_yy = f + 2 / k + 2 * y / d3, f_xx = -f_x / x - f_yy, e = std::exp(-y);
  const double j0 = ::j0(x), j1 = ::j1(x);
  const Complex by_x(f_x, 2 * pi * e * j1), by_xx(f_xx, 2 * pi * e * (j0 - j1 / x)), by_xy(f_xy, -2 * pi * e * j1);
  return {sine - 0.5 * k * k * by_x, -2 * sine - 0.5 * k * k * k * (by_xx * sine + by_xy * cosine)};
}

// rˡ-type multipole with the exponent −p and the Legendre function of degree n and order m at cos θ.
double multipole(int n, int m, double theta) {
  return std::assoc_legendre(static_cast<unsigned>(n), static_cast<unsigned>(m), std::cos(theta));
}

// Solves for the flow with the normal velocity `wanted` and gives −∫ φ · wanted · sin θ dθ.
Complex pressure(double k, const std::function<OnSphere(double)>& wave, int order,
                 const std::function<double(double)>& wanted) {
  constexpr int multipoles = 24, points = 120;
  Eigen::MatrixXcd slopes(points, multipoles + 1), values(points, multipoles + 1);
  Eigen::VectorXcd velocity(points);
  Eigen::VectorXd weight(points);
  int row = 0;
  panel::quadrature<20>(0, pi / 2, points / 20, [&](double theta, double w) {
    const OnSphere source = wave(theta);
    values(row, 0) = source.value;
    slopes(row, 0) = source.slope;
    for (int n = 1; n <= multipoles; ++n) {
      const double high = multipole(2 * n + order, order, theta), low = multipole(2 * n - 1 + order, order, theta);
      values(row, n) = high + k / (2 * n) * low;
      slopes(row, n) = -(2 * n + 1 + order) * high - k * (2 * n + order) / (2 * n) * low;
    }
    velocity[row] = wanted(theta);
    weight[row] = w * std::sin(theta);
    ++row;
  });
  // Columns of like size, so that least squares sees them alike.
  const Eigen::VectorXd size = slopes.colwise().norm();
  const Eigen::MatrixXcd scaled = slopes * size.cwiseInverse().asDiagonal();
  const Eigen::VectorXcd coefficients = size.cwiseInverse().asDiagonal() * least_squares(scaled, MatXc(velocity));
  const Eigen::VectorXcd potential = values * coefficients;
  return -(potential.array() * velocity.array() * weight.array().cast<Complex>()).sum();
}

// A − iB/ω = −ρ∫ φ n dS; over the azimuth the integral is 2π (heave) or π (surge, cos²).
HemisphereCoefficients coefficients(Complex integral, double azimuth) {
  const Complex mass = integral * azimuth / (2 * pi / 3);
  return {mass.real(), -mass.imag()};
}

}  // namespace

HemisphereCoefficients hemisphere_heave(double ka) {
  // Downward is cos θ = 1, where the outward normal points down.
  return coefficients(pressure(
                          ka, [&](double t) { return wave_source(ka, t); }, 0, [](double t) { return std::cos(t); }),
                      2 * pi);
}

HemisphereCoefficients hemisphere_surge(double ka) {
  return coefficients(pressure(
                          ka, [&](double t) { return wave_dipole(ka, t); }, 1, [](double t) { return std::sin(t); }),
                      pi);
}

}  // namespace davit::verify
