#include "davit/inverse_dynamics/error_dynamics.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "davit/math/linear_algebra.hpp"

namespace davit::inverse_dynamics {

VecX polynomial_of(const Poles& poles) {
  std::vector<std::complex<double>> c{1.0};
  for (const auto& pole : poles) {
    c.push_back(0);
    for (size_t k = c.size() - 1; k > 0; --k) c[k] = c[k - 1] - pole * c[k];
    c[0] *= -pole;
  }
  VecX out(static_cast<Eigen::Index>(c.size()));
  for (size_t k = 0; k < c.size(); ++k) {
    if (std::abs(c[k].imag()) > 1e-9 * (1 + std::abs(c[k])))
      throw std::invalid_argument("poles that are not real must come as conjugate pairs");
    out[static_cast<Eigen::Index>(k)] = c[k].real();
  }
  return out;
}

std::optional<std::string> why_not_stable(const Poles& poles) {
  for (const auto& pole : poles)
    if (!(pole.real() < 0))
      return fmt::format("errors would not decay: the pole {:.4g}{:+.4g}i 1/s is not in the left half plane",
                         pole.real(), pole.imag());
  return std::nullopt;
}

ServoGains ServoGains::of_poles(const Poles& poles) {
  const VecX c = polynomial_of(poles);
  if (poles.size() == 2) return {c[1], c[0], 0};
  if (poles.size() == 3) return {c[2], c[1], c[0]};
  throw std::invalid_argument("the servo law has two poles, or three with integral action");
}

std::optional<std::string> ServoGains::why_not_stable() const {
  if (!(a > 0) || !(b > 0) || !(c >= 0))
    return fmt::format("errors would not decay: a = {:.4g} and b = {:.4g} must be positive, c = {:.4g} not negative", a,
                       b, c);
  if (a * b <= c)
    return fmt::format("errors would grow: a b = {:.4g} is not above c = {:.4g} (Routh's criterion)", a * b, c);
  return std::nullopt;
}

Poles ServoGains::poles() const {
  MatX companion(2, 2);
  companion << 0, 1, -b, -a;
  if (c != 0) {
    companion.setZero(3, 3);
    companion << 0, 1, 0, 0, 0, 1, -c, -b, -a;
  }
  const VecXc values = complex_eigenvalues(companion);
  return {values.begin(), values.end()};
}

// Scaling and squaring of the Taylor series: with |A| ≤ 1/2 eighteen terms are exact to round-off.
MatX exponential_of(const MatX& A) {
  const double norm = A.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = std::max(0, static_cast<int>(std::ceil(std::log2(std::max(norm, 1e-300)))) + 1);
  const MatX scaled = A * std::exp2(-halvings);
  MatX term = MatX::Identity(A.rows(), A.cols()), sum = term;
  for (int k = 1; k <= 18; ++k) {
    term = (term * scaled / k).eval();
    sum += term;
  }
  for (int k = 0; k < halvings; ++k) sum = (sum * sum).eval();
  return sum;
}

}  // namespace davit::inverse_dynamics
