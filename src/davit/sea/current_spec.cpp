#include "davit/sea/current_spec.hpp"

#include <cmath>
#include <stdexcept>

namespace davit::sea {

namespace {

Current table_of(const CurrentSpec& s) {
  std::vector<Current::Point> points;
  for (std::size_t i = 0; i < s.depths->size(); ++i)
    points.push_back({(*s.depths)[i], (*s.speeds)[i], s.headings ? (*s.headings)[i] : s.heading});
  return Current::table(points);
}

void check_current(const CurrentSpec& s, const input::Where& place, input::Problems& problems) {
  const bool table = s.profile == CurrentProfile::table;
  if (table != !s.speed)
    problems.error(place, table ? "a table has a speed of its own besides" : "there is no speed",
                   table ? "leave out 'speed'" : "give 'speed'");
  if (s.exponent && s.profile != CurrentProfile::power)
    problems.error(place, "'exponent' belongs to a power law", "leave it out, or take 'profile: power'");
  if (!table) {
    if (s.depths || s.speeds || s.headings)
      problems.error(place, "'depths', 'speeds' and 'headings' belong to a table", "take 'profile: table'");
    return;
  }
  if (!s.depths || !s.speeds || s.depths->size() != s.speeds->size() ||
      (s.headings && s.headings->size() != s.depths->size())) {
    problems.error(place, "the table of the current is not complete", "give 'depths' and 'speeds', as many of each");
    return;
  }
  try {
    table_of(s);
  } catch (const std::invalid_argument& mistake) {
    problems.error(place, mistake.what(), "sort the depths, the surface first");
  }
}

}  // namespace

const input::Record<CurrentSpec>& CurrentSpec::record() {
  static const auto r =
      input::Record<CurrentSpec>("current", "The current of the water")
          .choice("profile", &CurrentSpec::profile,
                  {{"uniform", CurrentProfile::uniform},
                   {"power", CurrentProfile::power},
                   {"table", CurrentProfile::table}},
                  "the same at all depths; a power law down to the bed; a table over depth")
          .by_default()
          .field("speed", &CurrentSpec::speed, "m/s", "at the surface")
          .at_least(0)
          .field("heading", &CurrentSpec::heading, "rad", "where it flows to: 0 along x, 90 deg along y")
          .by_default()
          .field("exponent", &CurrentSpec::exponent, "1", "of the power law; left out: 1/7")
          .above(0)
          .at_most(1)
          .field("depths", &CurrentSpec::depths, "m", "of the table, ascending")
          .at_least(0)
          .field("speeds", &CurrentSpec::speeds, "m/s", "at the depths")
          .field("headings", &CurrentSpec::headings, "rad", "at the depths; left out: 'heading' at all of them")
          .located(&CurrentSpec::where)
          .check(check_current);
  return r;
}

std::optional<Current> make_current(const CurrentSpec& s, const Water& water, input::Problems& problems) {
  switch (s.profile) {
    case CurrentProfile::uniform:
      return Current::uniform(*s.speed, s.heading);
    case CurrentProfile::table:
      return table_of(s);
    case CurrentProfile::power:
      break;
  }
  if (std::isinf(water.depth)) {
    problems.error(s.where, "a power law of the current needs the depth of the water",
                   "give the depth, or take 'profile: uniform'");
    return std::nullopt;
  }
  return Current::power_law(*s.speed, s.heading, water.depth, s.exponent.value_or(1.0 / 7));
}

}  // namespace davit::sea
