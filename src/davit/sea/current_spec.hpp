// Current as a file describes it:
//
//   current: {speed: 1 m/s, heading: 30 deg, profile: power}
//   current: {profile: table, depths: [0, 20 m, 60 m], speeds: [1.2, 0.6, 0.1], headings: [0, 10 deg, 40 deg]}
#pragma once

#include <optional>
#include <vector>

#include "davit/input/record.hpp"
#include "davit/sea/current.hpp"
#include "davit/sea/water.hpp"

namespace davit::sea {

enum class CurrentProfile { uniform, power, table };

struct CurrentSpec {
  CurrentProfile profile = CurrentProfile::uniform;
  std::optional<double> speed;
  double heading = 0;
  std::optional<double> exponent;
  std::optional<std::vector<double>> depths, speeds, headings;
  input::Where where;
  static const input::Record<CurrentSpec>& record();
};

// None if a power law has no depth to act over.
std::optional<Current> make_current(const CurrentSpec&, const Water&, input::Problems&);

}  // namespace davit::sea
