#include "davit/hydro/wave_force_table.hpp"

#include <algorithm>
#include <cmath>

#include "davit/hydro/frequency_weights.hpp"
#include "davit/math/constants.hpp"
#include "davit/math/linear_algebra.hpp"

namespace davit::hydro {

namespace {

// A cubic spline through values at headings round the circle.
class PeriodicSpline {
 public:
  explicit PeriodicSpline(const std::vector<double>& headings) : headings_(headings) {
    const Eigen::Index n = count();
    // Second derivatives: A m = D y.
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n), D = A;
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
    if (n > 1) curvature_ = solve_lu(A, D);
  }
  // The weights of the values at a heading.
  Eigen::RowVectorXd weights(double heading) const {
    const Eigen::Index n = count();
    if (n == 1) return Eigen::RowVectorXd::Ones(1);
    double x = heading - at(0);
    x -= 2 * pi * std::floor(x / (2 * pi));
    Eigen::Index i = 0;
    while (i + 1 < n && at(i + 1) - at(0) <= x) ++i;
    const Eigen::Index after = (i + 1) % n;
    const double h = gap(i), b = (x - (at(i) - at(0))) / h, a = 1 - b;
    Eigen::RowVectorXd out =
        h * h / 6 * ((a * a * a - a) * curvature_.row(i) + (b * b * b - b) * curvature_.row(after));
    out[i] += a;
    out[after] += b;
    return out;
  }

 private:
  Eigen::Index count() const { return static_cast<Eigen::Index>(headings_.size()); }
  double at(Eigen::Index i) const { return headings_[static_cast<size_t>(i)]; }
  double gap(Eigen::Index i) const { return i + 1 < count() ? at(i + 1) - at(i) : at(0) + 2 * pi - at(count() - 1); }

  const std::vector<double>& headings_;
  Eigen::MatrixXd curvature_;
};

// None: zero.
std::vector<MatXc> imaginary(const Database& database, const std::vector<MatX>& parts) {
  const auto frequencies = static_cast<Eigen::Index>(database.frequencies.size());
  std::vector<MatXc> out(database.headings.size(), MatXc::Zero(6, frequencies));
  for (size_t h = 0; h < parts.size(); ++h) out[h].imag() = parts[h];
  return out;
}

std::vector<MatXc> forces_on(int body, const std::vector<MatXc>& all) {
  std::vector<MatXc> out;
  for (const MatXc& F : all) out.push_back(F.middleRows(6 * body, 6));
  return out;
}

}  // namespace

Uncovered uncovered(const Database& database, const std::vector<sea::Component>& components) {
  Uncovered out;
  double all = 0;
  for (const sea::Component& c : components) {
    const double energy = c.amplitude * c.amplitude;
    all += energy;
    if (c.frequency < database.frequencies.front()) out.below += energy;
    if (c.frequency > database.frequencies.back()) out.above += energy;
  }
  if (all > 0) out.below /= all, out.above /= all;
  return out;
}

bool knows_drift(const Database& database, int motion) {
  return !database.drift.empty() && std::all_of(database.drift.begin(), database.drift.end(),
                                                [&](const MatX& D) { return D.row(motion).allFinite(); });
}

WaveForceTable::WaveForceTable(const Database& database, int body, const std::vector<sea::Component>& components)
    : WaveForceTable(database, forces_on(body, database.excitation), components) {}

WaveForceTable WaveForceTable::of_drift(const Database& database, int body,
                                        const std::vector<sea::Component>& components,
                                        const std::vector<MatX>& correction) {
  std::vector<MatXc> forces = imaginary(database, correction);
  for (int i = 0; i < 6; ++i)
    if (knows_drift(database, 6 * body + i))
      for (size_t h = 0; h < forces.size(); ++h) forces[h].row(i).real() = database.drift[h].row(6 * body + i);
  return {database, forces, components};
}

WaveForceTable WaveForceTable::of_correction(const Database& database, const std::vector<sea::Component>& components,
                                             const std::vector<MatX>& correction) {
  return {database, imaginary(database, correction), components};
}

WaveForceTable::WaveForceTable(const Database& database, const std::vector<MatXc>& forces,
                               const std::vector<sea::Component>& components)
    : count_(components.size()), values_(components.size() * static_cast<size_t>(steps)) {
  const PeriodicSpline spline(database.headings);
  const auto headings = static_cast<Eigen::Index>(database.headings.size());
  for (size_t n = 0; n < count_; ++n) {
    const double w = components[n].frequency;
    if (w < database.frequencies.front() || w > database.frequencies.back()) continue;
    const FrequencyWeights nearby(database.frequencies, w);
    Eigen::MatrixXcd given = Eigen::MatrixXcd::Zero(headings, 6);
    for (Eigen::Index h = 0; h < headings; ++h)
      for (size_t k = 0; k < nearby.weights.size(); ++k)
        given.row(h) += nearby.weights[k] *
                        forces[static_cast<size_t>(h)].col(static_cast<Eigen::Index>(nearby.first + k)).transpose();
    for (int s = 0; s < steps; ++s) {
      const Eigen::RowVectorXcd force = spline.weights(components[n].heading - 2 * pi * s / steps) * given;
      Parts& parts = values_[static_cast<size_t>(s) * count_ + n];
      for (int i = 0; i < 6; ++i) {
        parts[static_cast<size_t>(i)] = force[i].real();
        parts[static_cast<size_t>(6 + i)] = force[i].imag();
      }
    }
  }
}

WaveForceTable::Cell WaveForceTable::cell(double heading) const {
  const double turns = heading / (2 * pi), x = (turns - std::floor(turns)) * steps, below = std::floor(x);
  // Rounding may take a heading just below zero all the way round.
  const int first = below < steps ? static_cast<int>(below) : 0;
  Cell out;
  out.part = x - below;
  for (int i = 0; i < 4; ++i)
    out.row[static_cast<size_t>(i)] = values_.data() + static_cast<size_t>((first + i - 1 + steps) % steps) * count_;
  return out;
}

}  // namespace davit::hydro
