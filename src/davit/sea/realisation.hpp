// From the description of a sea to waves: a list of components whose sum is the sea,
//
//   ζ(x, y, t) = Σ a cos(ωt − k(x cos β + y sin β) + ε),
//
// β the heading in which a component goes, (61)–(70) of Tysse & Egeland. The axis of frequencies is cut into bands, and
// that of directions; the amplitude of a component comes from the energy of its band, a²/2 = ∫ S dω ∫ D dχ, not from
// the density at one point, so the components together have the energy of the spectrum.
#pragma once

#include <optional>
#include <vector>

#include "davit/math/types.hpp"
#include "davit/sea/random.hpp"
#include "davit/sea/spectrum.hpp"
#include "davit/sea/spreading.hpp"
#include "davit/sea/water.hpp"

namespace davit::sea {

struct Component {
  double amplitude, frequency, wave_number, heading, phase;
};

struct FrequencyRange {
  double from, to;
};

struct ShortCrested {
  Spreading spreading;
  int directions;
  Bands bands = Bands::equal_energy;
  bool random = false;  // directions drawn in their bands instead of in the middle
};

struct IrregularSea {
  Spectrum spectrum;
  double heading = 0;
  std::optional<ShortCrested> short_crested = std::nullopt;
  int frequencies = 100;
  Bands bands = Bands::equal_energy;
  // Every component draws its own frequency in its band: evenly in one of equal width, (62), and as the energy lies in
  // one of equal energy. The sea then does not repeat itself, and waves of one band that go in different directions do
  // not stand still in a pattern, as waves of exactly the same frequency do. Otherwise the middle of the band.
  bool random_frequencies = true;
  // Energy outside is left out. Not given: where all but 0.1 % of the energy is, and the outermost bands hold the rest.
  std::optional<FrequencyRange> range = std::nullopt;
};

// The random numbers are used in a fixed order: for each band of frequencies, for each band of directions: frequency,
// direction, phase; those that are not needed are drawn all the same, so that phases do not depend on other choices.
std::vector<Component> realise(const IrregularSea&, const Water&, Random&);

Component regular_wave(double height, double frequency, double heading, double phase, const Water&);

// Σ a²/2, the mean square of the elevation, over a long time or all places.
double energy(const std::vector<Component>&);

}  // namespace davit::sea
