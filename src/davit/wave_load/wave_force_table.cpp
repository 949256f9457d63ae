#include "davit/wave_load/wave_force_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "davit/hydro/heading_interpolation.hpp"
#include "davit/math/constants.hpp"
#include "davit/sea/dispersion.hpp"
#include "davit/wave_load/frequency_weights.hpp"
#include "davit/wave_load/wave_crest.hpp"

namespace davit::wave_load {

namespace {

using Complex = std::complex<double>;

// Forces at the headings of the grid, a column for each: six real and six imaginary parts.
using Columns = Eigen::Matrix<double, 12, Eigen::Dynamic>;

// Forces of a database at its frequencies and at the headings of the grid.
class FineHeadings {
 public:
  // `forces`: by heading of the database, 6 × frequencies. Phases are made leads over the crest at `centre`: they
  // change least with heading and frequency when that is the middle of the bodies.
  FineHeadings(const hydro::Database& database, const std::vector<MatXc>& forces, const Vec2& centre)
      : headings_(database.headings),
        database_(database),
        forces_(forces),
        centre_(centre),
        columns_(database.frequencies.size()) {}

  Columns between(double frequency) {
    const FrequencyWeights near(database_.frequencies, frequency, FrequencyWeights::of_wave_forces);
    Columns out = near.weights[0] * at(near.first);
    for (size_t k = 1; k < near.weights.size(); ++k) out += near.weights[k] * at(near.first + k);
    if (centre_.isZero(0)) return out;
    const double k = wave_number(frequency);
    for (Eigen::Index i = 0; i < out.cols(); ++i)
      multiply(out.col(i), crest(centre_, k, 2 * pi * static_cast<double>(i) / static_cast<double>(out.cols())));
    return out;
  }

 private:
  // Made when it is first asked for: a sea needs only some frequencies.
  const Columns& at(size_t frequency) {
    Columns& out = columns_[frequency];
    if (out.cols() > 0) return out;
    const double k = wave_number(database_.frequencies[frequency]);
    Columns given(12, static_cast<Eigen::Index>(forces_.size()));
    for (size_t h = 0; h < forces_.size(); ++h) {
      auto column = given.col(static_cast<Eigen::Index>(h));
      const auto X = forces_[h].col(static_cast<Eigen::Index>(frequency));
      column << X.real(), X.imag();
      if (!centre_.isZero(0)) multiply(column, std::conj(crest(centre_, k, database_.headings[h])));
    }
    out = headings_.upsampled(given, WaveForceTable::steps);
    return out;
  }
  double wave_number(double frequency) const { return sea::wave_number(frequency, database_.depth, database_.gravity); }
  static void multiply(Eigen::Ref<Eigen::Matrix<double, 12, 1>> column, const Complex& factor) {
    const Vec6 re = column.head<6>(), im = column.tail<6>();
    column << factor.real() * re - factor.imag() * im, factor.real() * im + factor.imag() * re;
  }

  hydro::HeadingInterpolation headings_;
  const hydro::Database& database_;
  const std::vector<MatXc>& forces_;
  Vec2 centre_;
  std::vector<Columns> columns_;
};

std::vector<MatXc> no_forces(const hydro::Database& database) {
  return {database.headings.size(), MatXc::Zero(6, static_cast<Eigen::Index>(database.frequencies.size()))};
}

std::vector<MatXc> forces_on(int body, const std::vector<MatXc>& all) {
  std::vector<MatXc> out;
  for (const MatXc& F : all) out.push_back(F.middleRows(6 * body, 6));
  return out;
}

}  // namespace

Uncovered uncovered(const hydro::Database& database, const std::vector<sea::Component>& components) {
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

bool knows_drift(const hydro::Database& database, int motion) {
  return !database.drift.empty() && std::all_of(database.drift.begin(), database.drift.end(),
                                                [&](const MatX& D) { return D.row(motion).allFinite(); });
}

WaveForceTable::WaveForceTable(const hydro::Database& database, int body, const std::vector<sea::Component>& components)
    : WaveForceTable(database, forces_on(body, database.excitation), hydro::extent_of(database).centre, components) {}

WaveForceTable WaveForceTable::of_drift(const hydro::Database& database, int body,
                                        const std::vector<sea::Component>& components, const MeanLoads& beside) {
  std::vector<MatXc> forces = no_forces(database);
  for (int i = 0; i < 6; ++i)
    if (knows_drift(database, 6 * body + i))
      for (size_t h = 0; h < forces.size(); ++h) forces[h].row(i).real() = database.drift[h].row(6 * body + i);
  return {database, forces, Vec2::Zero(), components, beside};  // a mean has no phase
}

WaveForceTable WaveForceTable::of_mean_loads(const hydro::Database& database,
                                             const std::vector<sea::Component>& components, const MeanLoads& loads) {
  return {database, no_forces(database), Vec2::Zero(), components, loads};
}

WaveForceTable::WaveForceTable(const hydro::Database& database, const std::vector<MatXc>& forces, const Vec2& centre,
                               const std::vector<sea::Component>& components, const MeanLoads& beside) {
  FineHeadings fine(database, forces, centre);
  const hydro::HeadingInterpolation headings(database.headings);
  std::map<double, size_t> blocks;  // by frequency
  values_.resize(block, Parts{});   // the first is zero: of frequencies that the database does not know
  for (const sea::Component& c : components) {
    size_t first = 0;
    if (c.frequency >= database.frequencies.front() && c.frequency <= database.frequencies.back()) {
      const auto [known, is_new] = blocks.emplace(c.frequency, values_.size());
      first = known->second;
      if (is_new) {
        values_.resize(first + block);
        Columns columns = fine.between(c.frequency);
        if (beside) columns.bottomRows<6>() = headings.upsampled(beside(c.frequency), steps);
        for (int row = 0; row < block; ++row)
          Eigen::Map<Eigen::Matrix<double, 12, 1>>(values_[first + static_cast<size_t>(row)].data()) =
              columns.col((row - 1 + steps) % steps);
      }
    }
    places_.push_back({first, c.heading * per_radian});
  }
}

}  // namespace davit::wave_load
