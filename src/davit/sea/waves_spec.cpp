// The keys of `waves`, which of them each spectrum takes, the steepness of what they make, and the components.
#include "davit/sea/waves_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "davit/input/columns.hpp"
#include "davit/math/constants.hpp"
#include "davit/sea/beaufort.hpp"
#include "davit/sea/elevation_record.hpp"
#include "davit/sea/two_peaks.hpp"

namespace davit::sea {

namespace {

// Every wave costs at every step; a record of eight hours at 2 Hz has 29,000.
constexpr std::int64_t most_waves = 100'000;

const std::vector<std::pair<std::string, SpectrumKind>>& spectrum_words() {
  static const std::vector<std::pair<std::string, SpectrumKind>> words = {
      {"jonswap", SpectrumKind::jonswap},
      {"pierson_moskowitz", SpectrumKind::pierson_moskowitz},
      {"bretschneider", SpectrumKind::bretschneider},
      {"torsethaugen", SpectrumKind::torsethaugen},
      {"torsethaugen_1996", SpectrumKind::torsethaugen_1996},
      {"ochi_hubble", SpectrumKind::ochi_hubble},
      {"gaussian", SpectrumKind::gaussian},
      {"table", SpectrumKind::table},
      {"sum", SpectrumKind::sum},
      {"regular", SpectrumKind::regular},
      {"record", SpectrumKind::record}};
  return words;
}

// Ways to describe a spectrum, each a list of what must be given, and what may be given besides.
struct Rule {
  SpectrumKind kind;
  std::vector<std::vector<std::string_view>> ways;
  std::vector<std::string_view> besides;
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {SpectrumKind::jonswap,
       {{"hs", "tp"}, {"hs", "peak_frequency"}, {"alpha", "tp"}, {"alpha", "peak_frequency"}, {"beaufort"}},
       {"gamma", "spreading", "range"}},
      {SpectrumKind::pierson_moskowitz,
       {{"hs", "tp"}, {"hs", "peak_frequency"}, {"wind_speed"}},
       {"spreading", "range"}},
      {SpectrumKind::bretschneider,
       {{"hs", "tp"}, {"hs", "peak_frequency"}, {"hs", "tz"}, {"hs", "t1"}},
       {"spreading", "range"}},
      {SpectrumKind::torsethaugen, {{"hs", "tp"}, {"hs", "peak_frequency"}}, {"fetch_factor", "spreading", "range"}},
      {SpectrumKind::torsethaugen_1996,
       {{"hs", "tp"}, {"hs", "peak_frequency"}},
       {"fetch_factor", "spreading", "range"}},
      {SpectrumKind::ochi_hubble, {{"peaks"}}, {"spreading", "range"}},
      {SpectrumKind::gaussian, {{"hs", "tp", "width"}, {"hs", "peak_frequency", "width"}}, {"spreading", "range"}},
      {SpectrumKind::table, {{"table"}}, {"spreading", "range"}},
      {SpectrumKind::sum, {{"parts"}}, {}},
      {SpectrumKind::regular, {{"height", "period"}}, {"phase"}},
      {SpectrumKind::record, {{"file"}}, {"at", "range"}},
  };
  return all;
}

std::vector<std::string_view> given_of(const WavesSpec& s) {
  const std::pair<std::string_view, bool> fields[] = {{"hs", s.hs.has_value()},
                                                      {"tp", s.tp.has_value()},
                                                      {"peak_frequency", s.peak_frequency.has_value()},
                                                      {"tz", s.tz.has_value()},
                                                      {"t1", s.t1.has_value()},
                                                      {"gamma", s.gamma.has_value()},
                                                      {"alpha", s.alpha.has_value()},
                                                      {"wind_speed", s.wind_speed.has_value()},
                                                      {"fetch_factor", s.fetch_factor.has_value()},
                                                      {"width", s.width.has_value()},
                                                      {"height", s.height.has_value()},
                                                      {"period", s.period.has_value()},
                                                      {"phase", s.phase.has_value()},
                                                      {"beaufort", s.beaufort.has_value()},
                                                      {"peaks", s.peaks.has_value()},
                                                      {"table", s.table.has_value()},
                                                      {"parts", s.parts.has_value()},
                                                      {"file", s.file.has_value()},
                                                      {"at", s.at.has_value()},
                                                      {"spreading", s.spreading.has_value()},
                                                      {"range", s.range.has_value()}};
  std::vector<std::string_view> given;
  for (const auto& [name, is_given] : fields)
    if (is_given) given.push_back(name);
  return given;
}

std::string listed(const std::vector<std::string_view>& names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? last : ", ", names[i]);
  return text;
}

bool contains(const std::vector<std::string_view>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

void check_fields(const WavesSpec& s, const input::Where& place, input::Problems& problems) {
  const Rule& rule = *std::find_if(rules().begin(), rules().end(), [&](const Rule& r) { return r.kind == s.spectrum; });
  const std::string& word = std::find_if(spectrum_words().begin(), spectrum_words().end(), [&](const auto& w) {
                              return w.second == s.spectrum;
                            })->first;
  std::vector<std::string_view> essential;
  for (const std::string_view name : given_of(s))
    if (!contains(rule.besides, name)) essential.push_back(name);
  // A way in any order.
  for (const auto& way : rule.ways)
    if (way.size() == essential.size() &&
        std::all_of(way.begin(), way.end(), [&](std::string_view name) { return contains(essential, name); }))
      return;
  std::string ways;
  for (const auto& way : rule.ways) ways += (ways.empty() ? "" : ", or ") + listed(way, " and ");
  problems.error(place,
                 essential.empty()
                     ? fmt::format("spectrum '{}' is not described", word)
                     : fmt::format("spectrum '{}' is not described by {}", word, listed(essential, " and ")),
                 fmt::format("give {}{}", ways,
                             rule.besides.empty() ? "" : "; besides them only " + listed(rule.besides, " and ")));
}

// With the height and period that a number on the Beaufort scale stands for.
WavesSpec in_numbers(const WavesSpec& s) {
  WavesSpec out = s;
  if (const auto sea = s.beaufort ? beaufort_sea(*s.beaufort) : std::nullopt) {
    out.hs = sea->hs;
    out.tp = sea->tp;
    out.beaufort.reset();
  }
  return out;
}

void check_waves(const WavesSpec& given, const input::Where& place, input::Problems& problems) {
  const std::size_t before = problems.error_count();
  check_fields(given, place, problems);
  if (given.beaufort && !beaufort_sea(*given.beaufort))
    problems.error(place, fmt::format("the table of seas has no Beaufort number {}", *given.beaufort),
                   "give 5 or 7, or the sea by 'hs' and 'tp'");
  const WavesSpec s = in_numbers(given);
  for (const auto& [name, height] : {std::pair{"hs", s.hs}, {"height", s.height}})
    if (height == 0.0)
      problems.error(place, fmt::format("waves of no height: '{}' is 0", name),
                     "leave 'waves' out for still water, or give a height above zero");
  if (s.spreading && std::int64_t{s.frequencies} * s.spreading->directions > most_waves)
    problems.error(place,
                   fmt::format("{} frequencies in {} directions are {} waves", s.frequencies, s.spreading->directions,
                               std::int64_t{s.frequencies} * s.spreading->directions),
                   fmt::format("take fewer of them: {} waves at most", most_waves));
  if (s.range && !((*s.range)[0] >= 0 && (*s.range)[0] < (*s.range)[1]))
    problems.error(place, "'range' is not a lower and a higher frequency", "give two frequencies, the lower first");
  if (s.peaks && s.peaks->size() != 2)
    problems.error(place, fmt::format("'peaks' has {} entries", s.peaks->size()), "give two, swell and wind sea");
  if (s.parts) {
    if (s.parts->empty()) problems.error(place, "'parts' is empty", "give the seas that are to be added");
    for (const WavesSpec& part : *s.parts)
      if (part.seed) problems.error(part.where, "a part of a sum has a seed", "give one seed, to the sum");
  }
  if (problems.error_count() > before) return;
  try {
    if (s.spectrum != SpectrumKind::sum) spectrum_of(s, 9.80665);
  } catch (const std::invalid_argument& mistake) {
    problems.error(place, mistake.what(), "change the numbers of the spectrum");
  }
  if (s.spectrum == SpectrumKind::jonswap && s.hs)
    if (const auto doubt = jonswap_doubt(*s.hs, s.tp ? 2 * pi / *s.tp : *s.peak_frequency))
      problems.warning(place, *doubt, "check height and period, or take another spectrum");
}

double peak_frequency(const WavesSpec& s) { return s.tp ? 2 * pi / *s.tp : *s.peak_frequency; }

// A wave on its own breaks where it is steeper than 0.142 tanh kd (Miche 1944).
void check_steepness(const WavesSpec& s, const Component& wave, const Water& water, input::Problems& problems) {
  const double height = 2 * wave.amplitude, steepness = height * wave.wave_number / (2 * pi);
  const double breaks = 0.142 * (std::isfinite(water.depth) ? std::tanh(wave.wave_number * water.depth) : 1);
  if (!(steepness > breaks)) return;
  problems.warning(
      s.where,
      fmt::format("a wave of {:.4g} m in {:.4g} s has a steepness of {:.3g} %, and waves break beyond {:.3g} %", height,
                  2 * pi / wave.frequency, 100 * steepness, 100 * breaks),
      fmt::format("there is no such wave, and linear theory is for low ones: at this period {:.2g} m are the highest",
                  breaks * 2 * pi / wave.wave_number));
}

// Seas are not steeper, 2πHs/(g Tz²), than 1/10 up to Tz = 6 s and 1/15 from 12 s (DNV-RP-C205, 3.5.4), and not higher
// than about 0.6 of the water's depth.
void check_steepness(const WavesSpec& s, const std::vector<Component>& sea, const Water& water,
                     input::Problems& problems) {
  constexpr double most_of_depth = 0.6;
  double zeroth = 0, second = 0;
  for (const Component& c : sea) {
    zeroth += 0.5 * c.amplitude * c.amplitude;
    second += 0.5 * c.amplitude * c.amplitude * c.frequency * c.frequency;
  }
  if (!(second > 0)) return;
  const double hs = 4 * std::sqrt(zeroth), tz = 2 * pi * std::sqrt(zeroth / second);
  const double steepness = 2 * pi * hs / (water.gravity * tz * tz);
  const double most = 0.1 + (1 / 15.0 - 0.1) * std::clamp((tz - 6) / 6, 0.0, 1.0);
  if (steepness > most)
    problems.warning(
        s.where,
        fmt::format("a sea of Hs {:.3g} m and Tz {:.3g} s has a steepness of {:.3g} %; seas are not steeper "
                    "than {:.3g} % (DNV-RP-C205)",
                    hs, tz, 100 * steepness, 100 * most),
        "check height and period: steeper waves break, and linear theory is for low ones");
  else if (hs > most_of_depth * water.depth)
    problems.warning(s.where,
                     fmt::format("a sea of Hs {:.3g} m in water of {:.3g} m breaks: about {:.2g} m are possible", hs,
                                 water.depth, most_of_depth * water.depth),
                     "check height and water_depth");
}

// The random numbers of a sum are used part after part.
std::optional<std::vector<Component>> make_waves(const WavesSpec& s, const Water& water, Random& random,
                                                 input::Problems& problems) {
  std::optional<FrequencyRange> range;
  if (s.range) range = FrequencyRange{(*s.range)[0], (*s.range)[1]};
  try {
    switch (s.spectrum) {
      case SpectrumKind::sum: {
        std::vector<Component> all;
        for (const WavesSpec& part : *s.parts) {
          const auto waves = make_waves(part, water, random, problems);
          if (!waves) return std::nullopt;
          all.insert(all.end(), waves->begin(), waves->end());
        }
        return all;
      }
      case SpectrumKind::regular: {
        const Component wave = regular_wave(*s.height, 2 * pi / *s.period, s.heading, s.phase.value_or(0), water);
        check_steepness(s, wave, water, problems);
        return std::vector{wave};
      }
      case SpectrumKind::record: {
        RecordedWaves waves =
            waves_of(read_record(s.file->resolved()), s.heading, s.at.value_or(Vec2::Zero()), water, range);
        return std::move(waves.components);
      }
      default: {
        IrregularSea sea{*spectrum_of(s, water.gravity), s.heading};
        if (s.spreading)
          sea.short_crested = ShortCrested{Spreading(s.spreading->kind, s.spreading->exponent), s.spreading->directions,
                                           s.spreading->bands, s.spreading->random};
        sea.frequencies = s.frequencies;
        sea.bands = s.bands;
        sea.random_frequencies = s.random_frequencies;
        sea.range = range;
        std::vector<Component> waves = realise(sea, water, random);
        check_steepness(s, waves, water, problems);
        return waves;
      }
    }
  } catch (const input::ColumnsError& mistake) {
    problems.error(s.file->where, mistake.what(), mistake.remedy);
    return std::nullopt;
  } catch (const std::exception& mistake) {
    problems.error(s.file ? s.file->where : s.where, mistake.what(), "change what describes the waves");
    return std::nullopt;
  }
}

}  // namespace

const input::Record<SpreadingSpec>& SpreadingSpec::record() {
  static const auto r =
      input::Record<SpreadingSpec>("spreading", "How waves spread about their main heading")
          .choice("kind", &SpreadingSpec::kind,
                  {{"cos_n", Spreading::Kind::cos_n}, {"cos_2s", Spreading::Kind::cos_2s}},
                  "cosⁿ of the angle, within a right angle; or cos²ˢ of half of it, all round")
          .by_default()
          .field("exponent", &SpreadingSpec::exponent, "1", "n or s")
          .above(0)
          .at_most(1000)
          .by_default()
          .field("directions", &SpreadingSpec::directions, "number of directions")
          .at_least(1)
          .at_most(1000)
          .by_default()
          .choice("bands", &SpreadingSpec::bands,
                  {{"equal_energy", Bands::equal_energy}, {"equal_width", Bands::equal_width}},
                  "what is equal in all bands of directions")
          .by_default()
          .field("random", &SpreadingSpec::random, "draw every direction in its band, instead of its middle")
          .by_default();
  return r;
}

const input::Record<PeakSpec>& PeakSpec::record() {
  static const auto r =
      input::Record<PeakSpec>("ochi_hubble_peak", "One of the two peaks of Ochi and Hubble's spectrum")
          .field("hs", &PeakSpec::hs, "m", "significant wave height of this peak")
          .above(0)
          .field("tp", &PeakSpec::tp, "s", "its peak period")
          .above(0)
          .field("peak_frequency", &PeakSpec::peak_frequency, "rad/s", "instead of the period")
          .above(0)
          .field("shape", &PeakSpec::shape, "1", "λ, 1 is Bretschneider's shape, more is narrower")
          .at_least(0.3)
          .at_most(50)
          .check([](const PeakSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.tp.has_value() == s.peak_frequency.has_value())
              problems.error(place, "the place of the peak is given twice or not at all",
                             "give 'tp' or 'peak_frequency'");
          });
  return r;
}

const input::Record<TableSpec>& TableSpec::record() {
  static const auto r =
      input::Record<TableSpec>("wave_spectrum_table", "A spectrum by points, with straight lines between them")
          .field("frequencies", &TableSpec::frequencies, "rad/s", "ascending")
          .field("densities", &TableSpec::densities, "m^2 s/rad", "S(ω) at them, one-sided: its integral is Hs²/16");
  return r;
}

const input::Record<WavesSpec>& WavesSpec::record() {
  static const auto r =
      input::Record<WavesSpec>("waves", "The waves of a sea")
          .choice("spectrum", &WavesSpec::spectrum, spectrum_words(),
                  "a spectrum; or a sum of seas, a regular wave, a measured record")
          .by_default()
          .field("beaufort", &WavesSpec::beaufort,
                 "number on the Beaufort scale, in place of height and period (jonswap): 5 is 1.65 m and 5.1 s, 7 is "
                 "3.6 m and 6.7 s")
          .at_least(0)
          .at_most(highest_beaufort)
          .field("hs", &WavesSpec::hs, "m", "significant wave height, four times the root of the mean square")
          .at_least(0)
          .field("tp", &WavesSpec::tp, "s", "period of the peak of the spectrum")
          .above(0)
          .field("peak_frequency", &WavesSpec::peak_frequency, "rad/s", "frequency of the peak, instead of the period")
          .above(0)
          .field("tz", &WavesSpec::tz, "s", "mean period between zero upcrossings (bretschneider)")
          .above(0)
          .field("t1", &WavesSpec::t1, "s", "mean period, 2π m0/m1 (bretschneider)")
          .above(0)
          .field("gamma", &WavesSpec::gamma, "1",
                 "peak enhancement (jonswap); left out: from height and period by DNV-RP-C205, 3.3 with alpha")
          .at_least(1)
          .at_most(20)
          .field("alpha", &WavesSpec::alpha, "1", "Phillips' constant, instead of a height (jonswap)")
          .above(0)
          .field("wind_speed", &WavesSpec::wind_speed, "m/s",
                 "19.5 m above the water, instead of height and period "
                 "(pierson_moskowitz)")
          .above(0)
          .field("fetch_factor", &WavesSpec::fetch_factor, "1",
                 "period of the developed sea by the cube root of its height, in s and m (both torsethaugen); 6.6 for "
                 "370 km "
                 "of fetch, 5.3 for 100 km")
          .above(0)
          .field("width", &WavesSpec::width, "rad/s", "standard deviation of the frequencies of swell (gaussian)")
          .above(0)
          .field("peaks", &WavesSpec::peaks, "the two peaks (ochi_hubble)")
          .field("table", &WavesSpec::table, "points of the spectrum (table)")
          .field("parts", &WavesSpec::parts, "the seas that are added, each with its own heading (sum)")
          .field("height", &WavesSpec::height, "m", "from trough to crest (regular)")
          .at_least(0)
          .field("period", &WavesSpec::period, "s", "period (regular)")
          .above(0)
          .field("phase", &WavesSpec::phase, "rad", "of the wave at the origin at time zero, 0 is a crest (regular)")
          .field("file", &WavesSpec::file, "two columns, time in s and elevation in m (record)")
          .field("at", &WavesSpec::at, "m", "where the record was taken; left out: the origin (record)")
          .field("heading", &WavesSpec::heading, "rad", "where the waves go: 0 along x, 90 deg along y")
          .by_default()
          .field("spreading", &WavesSpec::spreading, "short-crested waves; left out: all go in the main heading")
          .field("frequencies", &WavesSpec::frequencies, "number of frequency bands")
          .at_least(1)
          .at_most(100000)
          .by_default()
          .choice("bands", &WavesSpec::bands,
                  {{"equal_energy", Bands::equal_energy}, {"equal_width", Bands::equal_width}},
                  "what is equal in all bands of frequencies")
          .by_default()
          .field("random_frequencies", &WavesSpec::random_frequencies,
                 "draw every frequency in its band, instead of its middle")
          .by_default()
          .field("range", &WavesSpec::range, "rad/s",
                 "lowest and highest frequency; energy outside is left out. Not given: 99.9 % of the energy, and the "
                 "outermost bands hold the rest")
          .field("seed", &WavesSpec::seed, "the same seed gives the same waves; left out: 1")
          .at_least(0)
          .located(&WavesSpec::where)
          .check(check_waves);
  return r;
}

std::optional<Spectrum> spectrum_of(const WavesSpec& given, double gravity) {
  const WavesSpec s = in_numbers(given);
  switch (s.spectrum) {
    case SpectrumKind::jonswap: {
      const double wp = peak_frequency(s);
      if (s.alpha) return jonswap_alpha(*s.alpha, wp, s.gamma.value_or(3.3), gravity);
      return jonswap(*s.hs, wp, s.gamma ? *s.gamma : jonswap_gamma(*s.hs, wp));
    }
    case SpectrumKind::pierson_moskowitz:
      return s.wind_speed ? pierson_moskowitz(*s.wind_speed, gravity) : bretschneider(*s.hs, peak_frequency(s));
    case SpectrumKind::bretschneider:
      return bretschneider(*s.hs, s.tz   ? bretschneider_peak_of_tz(*s.tz)
                                  : s.t1 ? bretschneider_peak_of_t1(*s.t1)
                                         : peak_frequency(s));
    case SpectrumKind::torsethaugen:
      return torsethaugen(*s.hs, peak_frequency(s), gravity, s.fetch_factor.value_or(6.6));
    case SpectrumKind::torsethaugen_1996:
      return torsethaugen_1996(*s.hs, peak_frequency(s), gravity, s.fetch_factor.value_or(6.6));
    case SpectrumKind::ochi_hubble: {
      const auto peak = [](const PeakSpec& p) {
        return OchiHubblePeak{p.hs, p.tp ? 2 * pi / *p.tp : *p.peak_frequency, p.shape};
      };
      return ochi_hubble(peak((*s.peaks)[0]), peak((*s.peaks)[1]));
    }
    case SpectrumKind::gaussian:
      return gaussian(*s.hs, peak_frequency(s), *s.width);
    case SpectrumKind::table:
      return table(s.table->frequencies, s.table->densities);
    case SpectrumKind::sum: {
      std::vector<Spectrum> parts;
      for (const WavesSpec& part : *s.parts) {
        const auto spectrum = spectrum_of(part, gravity);
        if (!spectrum) return std::nullopt;
        parts.push_back(*spectrum);
      }
      return sum(std::move(parts));
    }
    case SpectrumKind::regular:
    case SpectrumKind::record:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::vector<Component>> make_waves(const WavesSpec& s, const Water& water, input::Problems& problems) {
  Random random(static_cast<std::uint64_t>(s.seed.value_or(default_seed)));
  auto waves = make_waves(s, water, random, problems);
  if (waves && waves->size() > static_cast<std::size_t>(most_waves)) {
    problems.error(
        s.where, fmt::format("these are {} waves", waves->size()),
        fmt::format("{} at most: take fewer frequencies, a shorter record or a narrower 'range'", most_waves));
    return std::nullopt;
  }
  return waves;
}

}  // namespace davit::sea
