#include "davit/hydro/kramers_kronig.hpp"

#include <algorithm>
#include <cmath>

#include "davit/math/constants.hpp"
#include "davit/sea/dispersion.hpp"

namespace davit::hydro {
namespace {

constexpr double ratio = 1.04;  // between frequencies of a continuation: the chord of ω^−8 is within 0.5 % of it
constexpr double negligible = 1e-4;   // of the last value, where a continuation ends
constexpr double least_points = 256;  // of the curve up to the last frequency
constexpr double least_power = 2, greatest_power = 8;

// The power p of values ~ ω^p between two frequencies, where it is one.
std::optional<double> power_between(double w1, double b1, double w2, double b2) {
  if (!(b1 * b2 > 0)) return std::nullopt;
  return std::log(b2 / b1) / std::log(w2 / w1);
}

// Of the parabola through a point and its neighbours, at an end through the last three.
double slope(std::span<const double> x, std::span<const double> y, size_t i) {
  if (x.size() == 2) return (y[1] - y[0]) / (x[1] - x[0]);
  const size_t m = std::clamp<size_t>(i, 1, x.size() - 2);
  const double before = (y[m] - y[m - 1]) / (x[m] - x[m - 1]), after = (y[m + 1] - y[m]) / (x[m + 1] - x[m]);
  const double bend = (after - before) / (x[m + 1] - x[m - 1]);
  return before + bend * (2 * x[i] - x[m - 1] - x[m]);
}

}  // namespace

EvenCurve Damping::continued(std::span<const double> frequencies, std::span<const double> values) {
  std::vector<double> w{0}, b{0};
  // From zero up by the power of the first two, at least linearly.
  const double rise =
      std::clamp(power_between(frequencies[0], values[0], frequencies[1], values[1]).value_or(1), 1.0, 5.0);
  for (int i = 1; i < 8; ++i) {
    w.push_back(frequencies[0] * i / 8);
    b.push_back(values[0] * std::pow(i / 8.0, rise));
  }
  const size_t last = frequencies.size() - 1;
  w.push_back(frequencies[0]);
  b.push_back(values[0]);
  for (size_t i = 0; i < last; ++i) {
    const double width = frequencies[i + 1] - frequencies[i];
    const double from = slope(frequencies, values, i), to = slope(frequencies, values, i + 1);
    const int pieces = static_cast<int>(std::ceil(width * least_points / frequencies[last]));
    for (int k = 1; k <= pieces; ++k) {
      // Hermite's cubic: the chord, and what the slopes at both ends differ from it.
      const double x = static_cast<double>(k) / pieces, chord = (values[i + 1] - values[i]) / width;
      w.push_back(frequencies[i] + x * width);
      b.push_back(values[i] + x * width * chord + x * (1 - x) * width * ((1 - x) * (from - chord) - x * (to - chord)));
    }
  }
  for (size_t i = 1; i < w.size(); ++i) given_ += 0.5 * (w[i] - w[i - 1]) * (std::abs(b[i]) + std::abs(b[i - 1]));

  // The power over the last fifth: the very last points may carry the noise of panels that are too large for them.
  size_t before = last;
  while (before > 0 && frequencies[before] > 0.8 * frequencies[last]) --before;
  const auto fall = power_between(frequencies[before], values[before], frequencies[last], values[last]);
  if (!fall) return {std::move(w), std::move(b)};
  power_ = std::clamp(-*fall, least_power, greatest_power);
  for (double factor = ratio; factor * 1.0 < std::pow(negligible, -1 / power_); factor *= ratio) {
    w.push_back(frequencies[last] * factor);
    b.push_back(values[last] * std::pow(factor, -power_));
  }
  added_ = std::abs(values[last]) * frequencies[last] / (power_ - 1);
  return {std::move(w), std::move(b)};
}

Damping::Damping(std::span<const double> frequencies, std::span<const double> values)
    : curve_(continued(frequencies, values)) {}

double Damping::kernel(double t) const { return 2 / pi * curve_.cosine_integral(t); }

double Damping::added_mass_change(double w) const { return 2 / pi * curve_.hilbert_integral(w); }

double Damping::tail_share() const { return given_ + added_ > 0 ? added_ / (given_ + added_) : 0; }

namespace {

EvenCurve change_of(std::span<const double> frequencies, std::span<const double> added_mass, double infinite,
                    std::optional<double> zero) {
  std::vector<double> w{0}, f{zero.value_or(added_mass[0]) - infinite};
  for (size_t i = 0; i < frequencies.size(); ++i) {
    w.push_back(frequencies[i]);
    f.push_back(added_mass[i] - infinite);
  }
  const double last = frequencies.back(), value = f.back();
  for (double factor = ratio; factor < 1 / std::sqrt(negligible); factor *= ratio) {
    w.push_back(last * factor);
    f.push_back(value / (factor * factor));
  }
  return {std::move(w), std::move(f)};
}

}  // namespace

DampingFromAddedMass::DampingFromAddedMass(std::span<const double> frequencies, std::span<const double> added_mass,
                                           double infinite, std::optional<double> zero)
    : curve_(change_of(frequencies, added_mass, infinite, zero)) {}

double DampingFromAddedMass::operator()(double w) const { return -2 * w * w / pi * curve_.hilbert_integral(w); }

double known_length(std::span<const double> frequencies, std::span<const double> damping) {
  double share = 0, weight = 0;
  for (size_t f = 1; f < damping.size(); ++f) {
    const double step = frequencies[f] - frequencies[f - 1];
    const double area = step * (std::abs(damping[f]) + std::abs(damping[f - 1]));
    share += area * step;
    weight += area;
  }
  return weight > 0 ? pi * weight / share : pi / frequencies.front();
}

std::vector<double> entry(const std::vector<MatX>& matrices, int i, int j) {
  std::vector<double> values;
  for (const MatX& m : matrices) values.push_back(m(i, j));
  return values;
}

MatX infinite_added_mass(const Database& database) {
  MatX A = MatX::Zero(database.modes(), database.modes());
  const auto all_zero = [](const std::vector<double>& list) {
    return std::all_of(list.begin(), list.end(), [](double x) { return x == 0; });
  };
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) {
      const auto added = entry(database.added_mass, i, j), damped = entry(database.damping, i, j);
      if (all_zero(added) && all_zero(damped)) continue;
      const Damping damping(database.frequencies, damped);
      std::vector<double> limits;
      for (size_t f = 0; f < added.size(); ++f)
        limits.push_back(added[f] - damping.added_mass_change(database.frequencies[f]));
      const auto middle = limits.begin() + static_cast<std::ptrdiff_t>(limits.size() / 2);
      std::nth_element(limits.begin(), middle, limits.end());
      A(i, j) = *middle;
    }
  return A;
}

double haskind_damping(const Database& database, int mode, size_t frequency) {
  const size_t n = database.headings.size();
  double integral = 0;
  for (size_t h = 0; h < n; ++h) {
    // Half of the angle to both neighbours: the trapezoidal rule round the circle.
    const double before = h == 0 ? database.headings[n - 1] - 2 * pi : database.headings[h - 1];
    const double after = h + 1 == n ? database.headings[0] + 2 * pi : database.headings[h + 1];
    integral += 0.5 * (after - before) * std::norm(database.excitation[h](mode, static_cast<Eigen::Index>(frequency)));
  }
  const double w = database.frequencies[frequency];
  const double k = sea::wave_number(w, database.depth, database.gravity);
  return k * integral / (8 * pi * database.density * database.gravity * sea::group_velocity(w, k, database.depth));
}

double widest_gap(const std::vector<double>& headings) {
  if (headings.empty()) return 2 * pi;
  double widest = headings.front() + 2 * pi - headings.back();
  for (size_t h = 1; h < headings.size(); ++h) widest = std::max(widest, headings[h] - headings[h - 1]);
  return widest;
}

}  // namespace davit::hydro
