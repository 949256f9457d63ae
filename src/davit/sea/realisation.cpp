#include "davit/sea/realisation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "davit/sea/dispersion.hpp"
#include "davit/sea/energy.hpp"

namespace davit::sea {

namespace {

// Frequencies of a band by u of [0, 1).
struct FrequencyBand {
  double energy;
  double from, to;  // frequencies of equal_width, energies below of equal_energy
  double frequency(const Energy& distribution, Bands kind, double u) const {
    const double at = from + u * (to - from);
    return kind == Bands::equal_width ? at : distribution.frequency(at);
  }
};

std::vector<FrequencyBand> frequency_bands(const IrregularSea& sea, const Energy& distribution) {
  const auto count = static_cast<std::size_t>(sea.frequencies);
  constexpr double outside = 0.0005;  // on either side of a range that is not given
  const double total = distribution.total();
  const bool given = sea.range.has_value();
  const double low = given ? sea.range->from : distribution.frequency(outside * total);
  const double high = given ? sea.range->to : distribution.frequency((1 - outside) * total);
  // Frequencies are drawn between these energies; the bands hold all energy between first and last.
  const double inner_first = distribution.below(low), inner_last = distribution.below(high);
  const double first = given ? inner_first : 0, last = given ? inner_last : total;
  if (!(last > first)) throw std::invalid_argument("the range of frequencies holds no waves");

  const auto part = [&](std::size_t i, double from, double to) {
    const double s = static_cast<double>(i) / static_cast<double>(count);
    return (1 - s) * from + s * to;
  };
  std::vector<FrequencyBand> bands(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (sea.bands == Bands::equal_energy) {
      const auto inside = [&](double below) { return std::clamp(below, inner_first, inner_last); };
      bands[i] = {(last - first) / static_cast<double>(count), inside(part(i, first, last)),
                  inside(part(i + 1, first, last))};
    } else {
      const double from = part(i, low, high), to = part(i + 1, low, high);
      const double below_from = i == 0 ? first : distribution.below(from);
      const double below_to = i + 1 == count ? last : distribution.below(to);
      bands[i] = {std::max(0.0, below_to - below_from), from, to};
    }
  }
  return bands;
}

}  // namespace

std::vector<Component> realise(const IrregularSea& sea, const Water& water, Random& random) {
  if (sea.frequencies < 1) throw std::invalid_argument("there is no frequency");
  const Energy distribution(sea.spectrum);
  const auto& crested = sea.short_crested;
  std::vector<DirectionBand> directions;
  std::vector<double> middles;
  if (crested) {
    directions = direction_bands(crested->spreading, crested->directions, crested->bands);
    for (const DirectionBand& band : directions) middles.push_back(band.angle(crested->spreading, 0.5));
  }
  const std::size_t per_band = std::max<std::size_t>(1, directions.size());

  std::vector<Component> components;
  components.reserve(static_cast<std::size_t>(sea.frequencies) * per_band);
  for (const FrequencyBand& band : frequency_bands(sea, distribution))
    for (std::size_t j = 0; j < per_band; ++j) {
      const double frequency_draw = random.unit(), direction_draw = random.unit(), phase_draw = random.unit();
      Component c{};
      c.frequency = band.frequency(distribution, sea.bands, sea.random_frequencies ? frequency_draw : 0.5);
      c.wave_number = wave_number(c.frequency, water.depth, water.gravity);
      c.heading = sea.heading;
      double part = 1;
      if (crested) {
        part = directions[j].part;
        c.heading += crested->random ? directions[j].angle(crested->spreading, direction_draw) : middles[j];
      }
      c.amplitude = std::sqrt(2 * band.energy * part);
      c.phase = 2 * std::numbers::pi * phase_draw;
      components.push_back(c);
    }
  return components;
}

Component regular_wave(double height, double frequency, double heading, double phase, const Water& water) {
  return {0.5 * height, frequency, wave_number(frequency, water.depth, water.gravity), heading, phase};
}

double energy(const std::vector<Component>& components) {
  double total = 0;
  for (const Component& c : components) total += 0.5 * c.amplitude * c.amplitude;
  return total;
}

}  // namespace davit::sea
