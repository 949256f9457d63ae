#include "davit/hydro/wave_force_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "davit/hydro/heading_interpolation.hpp"
#include "davit/math/constants.hpp"
#include "davit/sea/dispersion.hpp"

namespace davit::hydro {

namespace {

using Complex = std::complex<double>;

// Weights of the frequencies around w: the polynomial through six of them (four where their steps are uneven), or
// fewer. The phase at the ends of a hull changes by a radian from one frequency to the next in the shortest waves of a
// usual database: a cubic is off by 4 % there, and the fifth order by 1.9 % in the last interval and 0.6 % before it.
struct Nearby {
  size_t first = 0;
  std::vector<double> weights;
};
Nearby around(const std::vector<double>& frequencies, double w, size_t most) {
  const size_t count = frequencies.size(), points = std::min(most, count), half = points / 2;
  const auto above =
      static_cast<size_t>(std::upper_bound(frequencies.begin(), frequencies.end(), w) - frequencies.begin());
  Nearby out;
  out.first = std::min(above >= half ? above - half : 0, count - points);
  double narrowest = std::numeric_limits<double>::infinity(), widest = 0;
  for (size_t i = out.first + 1; i < out.first + points; ++i) {
    narrowest = std::min(narrowest, frequencies[i] - frequencies[i - 1]);
    widest = std::max(widest, frequencies[i] - frequencies[i - 1]);
  }
  if (points > 4 && widest > 3 * narrowest) return around(frequencies, w, 4);
  for (size_t i = 0; i < points; ++i) {
    double weight = 1;
    for (size_t j = 0; j < points; ++j)
      if (j != i)
        weight *= (w - frequencies[out.first + j]) / (frequencies[out.first + i] - frequencies[out.first + j]);
    out.weights.push_back(weight);
  }
  return out;
}

// Weights of six neighbours on an even grid for the place `part` of the way from the third to the fourth.
std::array<double, 6> sextic(double part) {
  std::array<double, 6> out;
  for (int i = 0; i < 6; ++i) {
    double weight = 1;
    for (int j = 0; j < 6; ++j)
      if (j != i) weight *= (part + 2 - j) / (i - j);
    out[static_cast<size_t>(i)] = weight;
  }
  return out;
}

// The crest of a wave at a point, against that at the origin.
Complex crest(const Vec2& point, double wave_number, double heading) {
  return std::polar(1.0, -wave_number * (point.x() * std::cos(heading) + point.y() * std::sin(heading)));
}

// Forces of a database at its frequencies and at fine, even headings: rows of six real and six imaginary parts. At
// twice the grid of a run six neighbours give any heading between to 1e-5.
class FineHeadings {
 public:
  static constexpr int count = 2 * WaveForceTable::steps;
  using Rows = Eigen::Matrix<double, 12, Eigen::Dynamic>;  // a column for each heading

  // `forces`: by heading of the database, 6 × frequencies. Phases are made leads over the crest at `centre`: they
  // change least with heading and frequency when that is the middle of the bodies.
  FineHeadings(const Database& database, const std::vector<MatXc>& forces, const Vec2& centre)
      : upsampling_(HeadingInterpolation(database.headings).upsampling(count).transpose()),
        database_(database),
        forces_(forces),
        centre_(centre),
        rows_(database.frequencies.size()) {}

  // Made when it is first asked for: a sea needs only some frequencies.
  const Rows& at(size_t frequency) {
    Rows& rows = rows_[frequency];
    if (rows.cols() > 0) return rows;
    const auto headings = static_cast<Eigen::Index>(forces_.size());
    const double k = sea::wave_number(database_.frequencies[frequency], database_.depth, database_.gravity);
    Rows given(12, headings);
    for (Eigen::Index h = 0; h < headings; ++h) {
      const auto i = static_cast<size_t>(h);
      Eigen::VectorXcd X = forces_[i].col(static_cast<Eigen::Index>(frequency));
      if (!centre_.isZero(0)) X *= std::conj(crest(centre_, k, database_.headings[i]));
      given.col(h) << X.real(), X.imag();
    }
    rows.noalias() = given * upsampling_;
    return rows;
  }

 private:
  MatX upsampling_;  // headings × count
  const Database& database_;
  const std::vector<MatXc>& forces_;
  Vec2 centre_;
  std::vector<Rows> rows_;
};

// Six rows of each matrix, as complex numbers.
template <class Matrix>
std::vector<MatXc> rows_of(const std::vector<Matrix>& forces, int body) {
  std::vector<MatXc> out;
  for (const Matrix& F : forces) out.push_back(F.middleRows(6 * body, 6).template cast<Complex>());
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
    : WaveForceTable(database, rows_of(database.excitation, body), extent_of(database).centre, components) {}

WaveForceTable WaveForceTable::of_drift(const Database& database, int body,
                                        const std::vector<sea::Component>& components) {
  std::vector<MatXc> forces = rows_of(database.drift, body);
  for (int i = 0; i < 6; ++i)
    if (!knows_drift(database, 6 * body + i))
      for (MatXc& F : forces) F.row(i).setZero();
  return {database, forces, Vec2::Zero(), components};  // a mean has no phase
}

WaveForceTable::WaveForceTable(const Database& database, const std::vector<MatXc>& forces, const Vec2& centre,
                               const std::vector<sea::Component>& components)
    : count_(components.size()), values_(components.size() * static_cast<size_t>(steps)) {
  constexpr int finer = FineHeadings::count / steps;
  FineHeadings fine(database, forces, centre);
  FineHeadings::Rows given;
  for (size_t n = 0; n < count_; ++n) {
    const double w = components[n].frequency;
    if (w < database.frequencies.front() || w > database.frequencies.back()) continue;
    const Nearby nearby = around(database.frequencies, w, 6);
    given = nearby.weights[0] * fine.at(nearby.first);
    for (size_t k = 1; k < nearby.weights.size(); ++k) given += nearby.weights[k] * fine.at(nearby.first + k);
    // From one heading of the hull to the next the place between the fine headings stays the same.
    const double turns = components[n].heading / (2 * pi), x = (turns - std::floor(turns)) * FineHeadings::count;
    const int first = static_cast<int>(std::floor(x));
    const std::array<double, 6> between = sextic(x - first);
    const double k = sea::wave_number(w, database.depth, database.gravity);
    for (int s = 0; s < steps; ++s) {
      Eigen::Map<Eigen::Matrix<double, 12, 1>> parts(values_[static_cast<size_t>(s) * count_ + n].data());
      parts.setZero();
      for (int i = 0; i < 6; ++i)
        parts += between[static_cast<size_t>(i)] *
                 given.col((first + i - 2 - finer * s + 2 * FineHeadings::count) % FineHeadings::count);
      if (centre.isZero(0)) continue;
      const Complex there = crest(centre, k, components[n].heading - 2 * pi * s / steps);
      const Vec6 re = parts.head<6>(), im = parts.tail<6>();
      parts << there.real() * re - there.imag() * im, there.real() * im + there.imag() * re;
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
