// Waves as a file describes them:
//
//   waves: {spectrum: jonswap, hs: 4 m, peak_frequency: 1.3 rad/s, gamma: 3.3, heading: 90 deg,
//           spreading: {directions: 13, exponent: 2}, frequencies: 60, seed: 7}
//
// and the components that they make.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "davit/input/file_path.hpp"
#include "davit/input/record.hpp"
#include "davit/sea/realisation.hpp"

namespace davit::sea {

enum class SpectrumKind {
  jonswap,
  pierson_moskowitz,
  bretschneider,
  torsethaugen,
  torsethaugen_1996,
  ochi_hubble,
  gaussian,
  table,
  sum,
  regular,
  record
};

struct SpreadingSpec {
  Spreading::Kind kind = Spreading::Kind::cos_n;
  double exponent = 2;
  int directions = 13;
  Bands bands = Bands::equal_energy;
  bool random = false;
  static const input::Record<SpreadingSpec>& record();
};

// One of the two peaks of Ochi and Hubble.
struct PeakSpec {
  double hs = 0;
  std::optional<double> tp, peak_frequency;
  double shape = 0;
  static const input::Record<PeakSpec>& record();
};

struct TableSpec {
  std::vector<double> frequencies, densities;
  static const input::Record<TableSpec>& record();
};

struct WavesSpec {
  SpectrumKind spectrum = SpectrumKind::jonswap;
  // Which of these a spectrum takes is said in the record's check.
  std::optional<double> hs, tp, peak_frequency, tz, t1, gamma, alpha, wind_speed, fetch_factor, width, height, period,
      phase;
  std::optional<int> beaufort;  // in place of height and period
  std::optional<std::vector<PeakSpec>> peaks;
  std::optional<TableSpec> table;
  std::optional<std::vector<WavesSpec>> parts;
  std::optional<input::FilePath> file;
  std::optional<Vec2> at;

  double heading = 0;
  std::optional<SpreadingSpec> spreading;
  int frequencies = 100;
  Bands bands = Bands::equal_energy;
  bool random_frequencies = true;
  std::optional<Vec2> range;
  std::optional<std::int64_t> seed;
  input::Where where;

  static const input::Record<WavesSpec>& record();
};

inline constexpr std::int64_t default_seed = 1;

// None for a regular wave and a record, which have no spectrum, and for sums of them.
std::optional<Spectrum> spectrum_of(const WavesSpec&, double gravity);

// None if there is a mistake that only making the waves finds: a record that cannot be read, a range without waves.
std::optional<std::vector<Component>> make_waves(const WavesSpec&, const Water&, input::Problems&);

}  // namespace davit::sea
