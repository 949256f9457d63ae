// How much stronger or weaker than a file has it the weather is in a run, where somebody may change it: signals.
#pragma once

#include <cmath>

#include "davit/model/kin.hpp"

namespace davit {

struct WeatherSignals {
  static constexpr const char *sea_height_name = "sea.height", *wind_speed_name = "wind.speed",
                              *wind_direction_name = "wind.direction";
  Signal sea_height{};      // times the height of the waves
  Signal wind_speed{};      // times the speed of the wind
  Signal wind_direction{};  // by which it has turned, rad

  template <class S>
  double waves(const KinT<S>& kin) const {
    return sea_height.value_or(1, kin);
  }
  template <class S>
  Vec3 wind(const Vec3& given, const KinT<S>& kin) const {
    const double times = wind_speed.value_or(1, kin), turned = wind_direction.value_or(0, kin);
    if (turned == 0) return times * given;
    const double c = std::cos(turned), s = std::sin(turned);
    return times * Vec3(c * given.x() - s * given.y(), s * given.x() + c * given.y(), given.z());
  }
};

}  // namespace davit
