// The signals that change the weather of a run; none of them where nobody may.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/model/weather.hpp"

namespace davit {

inline WeatherSignals weather_signals(Assembly& assembly) {
  const auto shared = assembly.shared<WeatherSignals>();
  return shared ? *shared : WeatherSignals{};
}

}  // namespace davit
