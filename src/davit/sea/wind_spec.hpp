// Wind as a file describes it:
//
//   wind: {model: npd, speed: 20 m/s, heading: 90 deg, seed: 3}
#pragma once

#include <cstdint>
#include <optional>

#include "davit/input/record.hpp"
#include "davit/sea/wind.hpp"

namespace davit::sea {

enum class WindKind { constant, npd, kaimal };

struct WindSpec {
  WindKind model = WindKind::constant;
  std::optional<double> speed;
  std::optional<int> beaufort;  // in its place
  double heading = 0;
  std::optional<double> height;          // of the speed
  std::optional<double> exponent;        // of the mean profile
  std::optional<double> intensity;       // of gusts
  std::optional<double> averaging_time;  // of the speed
  double reference_height = 10;          // where gusts have their variance exactly
  int harmonics = 200;
  Vec2 range = Vec2(1.0 / 600, 0.5);
  double ramp = 10;
  std::int64_t seed = 1;
  input::Where where;
  static const input::Record<WindSpec>& record();
  double mean_speed() const;
};

WindField make_wind(const WindSpec&);

}  // namespace davit::sea
