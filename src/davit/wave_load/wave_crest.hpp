// Phases of wave forces against the crest of the wave at a point.
#pragma once

#include <cmath>
#include <complex>

#include "davit/math/types.hpp"

namespace davit::wave_load {

// The crest of a wave at a point, against that at the origin.
inline std::complex<double> crest(const Vec2& point, double wave_number, double heading) {
  return std::polar(1.0, -wave_number * (point.x() * std::cos(heading) + point.y() * std::sin(heading)));
}

}  // namespace davit::wave_load
