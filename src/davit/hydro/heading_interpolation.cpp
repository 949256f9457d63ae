#include "davit/hydro/heading_interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/FFT>

#include "davit/hydro/kramers_kronig.hpp"
#include "davit/math/constants.hpp"
#include "davit/math/linear_algebra.hpp"

namespace davit::hydro {

namespace {

// Orders of exp(inβ) that matter at ka.
double orders(double ka) { return ka + 1.8 * std::cbrt(ka); }

// The ka of which so many orders matter: orders() inverted, by Newton's method.
double reach(double wanted) {
  if (!(wanted > 0)) return 0;
  double root = std::cbrt(wanted);
  for (int i = 0; i < 50; ++i) root -= (root * root * root + 1.8 * root - wanted) / (3 * root * root + 1.8);
  return root * root * root;
}

}  // namespace

bool evenly_round(const std::vector<double>& headings) {
  if (headings.size() < 3) return false;
  return widest_gap(headings) < 2 * pi / static_cast<double>(headings.size()) + 1e-6;
}

HeadingInterpolation::HeadingInterpolation(const std::vector<double>& headings)
    : headings_(headings), even_(evenly_round(headings)) {
  const Eigen::Index n = count();
  if (even_ || n < 2) return;
  // Second derivatives of a cubic spline round the circle: A m = D y.
  MatX A = MatX::Zero(n, n), D = A;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index before = (i + n - 1) % n, after = (i + 1) % n;
    const double h0 = gap(before), h1 = gap(i);
    A(i, before) += h0 / 6;
    A(i, i) += (h0 + h1) / 3;
    A(i, after) += h1 / 6;
    D(i, before) += 1 / h0;
    D(i, i) -= 1 / h0 + 1 / h1;
    D(i, after) += 1 / h1;
  }
  curvature_ = solve_lu(A, D);
}

double HeadingInterpolation::gap(Eigen::Index i) const {
  return i + 1 < count() ? at(i + 1) - at(i) : at(0) + 2 * pi - at(count() - 1);
}

Eigen::RowVectorXd HeadingInterpolation::weights(double heading) const {
  if (count() == 1) return Eigen::RowVectorXd::Ones(1);
  return even_ ? trigonometric(heading) : spline(heading);
}

// The interpolating trigonometric polynomial of lowest order: sin(nx/2)/(n sin(x/2)) of the distance x, and with an
// even number n, of which the highest order can only be a cosine, sin(nx/2)/(n tan(x/2)).
Eigen::RowVectorXd HeadingInterpolation::trigonometric(double heading) const {
  const double n = static_cast<double>(count());
  Eigen::RowVectorXd out(count());
  for (Eigen::Index i = 0; i < count(); ++i) {
    const double half = 0.5 * std::remainder(heading - at(i), 2 * pi), s = std::sin(half);
    out[i] = std::abs(s) < 1e-9 ? 1 : std::sin(n * half) / (n * s) * (count() % 2 == 0 ? std::cos(half) : 1);
  }
  return out;
}

Eigen::RowVectorXd HeadingInterpolation::spline(double heading) const {
  const Eigen::Index n = count();
  double x = heading - at(0);
  x -= 2 * pi * std::floor(x / (2 * pi));
  Eigen::Index i = 0;
  while (i + 1 < n && at(i + 1) - at(0) <= x) ++i;
  const Eigen::Index after = (i + 1) % n;
  const double h = gap(i), b = (x - (at(i) - at(0))) / h, a = 1 - b;
  Eigen::RowVectorXd out = h * h / 6 * ((a * a * a - a) * curvature_.row(i) + (b * b * b - b) * curvature_.row(after));
  out[i] += a;
  out[after] += b;
  return out;
}

// By the coefficients of exp(inβ), which the other headings only read at other places.
MatX HeadingInterpolation::upsampled(const MatX& values, int fine) const {
  MatX out(values.rows(), fine);
  if (!even_ || count() > fine) {
    for (Eigen::Index i = 0; i < fine; ++i)
      out.col(i) = values * weights(2 * pi * static_cast<double>(i) / fine).transpose();
    return out;
  }
  const Eigen::Index n = count(), highest = (n - 1) / 2;
  Eigen::FFT<double> transform;
  std::vector<std::complex<double>> given(static_cast<size_t>(n)), orders, all(static_cast<size_t>(fine)), back;
  for (Eigen::Index row = 0; row < values.rows(); ++row) {
    for (Eigen::Index i = 0; i < n; ++i) given[static_cast<size_t>(i)] = values(row, i);
    transform.fwd(orders, given);
    std::fill(all.begin(), all.end(), 0.0);
    const double scale = static_cast<double>(fine) / static_cast<double>(n);
    // Headings begin at the first, not at 0.
    const auto keep = [&](Eigen::Index order, double part) {
      const std::complex<double> coefficient = orders[static_cast<size_t>((order + n) % n)];
      all[static_cast<size_t>((order + fine) % fine)] +=
          part * scale * coefficient * std::polar(1.0, -static_cast<double>(order) * at(0));
    };
    for (Eigen::Index order = -highest; order <= highest; ++order) keep(order, 1);
    // Of the highest order of an even number only a cosine is known.
    if (n % 2 == 0) keep(n / 2, 0.5), keep(-n / 2, 0.5);
    transform.inv(back, all);
    for (Eigen::Index i = 0; i < fine; ++i) out(row, i) = back[static_cast<size_t>(i)].real();
  }
  return out;
}

// A box with the radius of gyration r of a waterplane has the half length √3 r.
Extent extent_of(const Database& database) {
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const FloatingBody& body : database.bodies) {
    const Vec3& middle = body.buoyancy.allFinite() ? body.buoyancy : body.reference;
    const auto half = [&](int rotation) {
      const double radius2 = body.restoring(rotation, rotation) / body.restoring(2, 2);
      return std::isfinite(radius2) && radius2 > 0 ? std::sqrt(3 * radius2) : 0;
    };
    const Vec2 reach(half(4), half(3));
    low = low.cwiseMin(middle.head<2>() - reach);
    high = high.cwiseMax(middle.head<2>() + reach);
  }
  if (database.bodies.empty()) return {};
  return {0.5 * (low + high), 0.5 * (high - low).maxCoeff()};
}

double followed_wave_number(double gap, double half_length, bool of_drift) {
  return reach(pi / gap) / ((of_drift ? 2 : 1) * half_length);
}

double heading_gap_for(double wave_number, double half_length, bool of_drift) {
  return pi / orders((of_drift ? 2 : 1) * wave_number * half_length);
}

double followed_frequency(const Database& database, bool of_drift) {
  const double half_length = extent_of(database).half_length;
  if (!(half_length > 0)) return std::numeric_limits<double>::infinity();
  const double k = followed_wave_number(widest_gap(database.headings), half_length, of_drift);
  return std::sqrt(database.gravity * k * std::tanh(k * database.depth));
}

}  // namespace davit::hydro
