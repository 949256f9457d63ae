// The undisturbed wave of unit amplitude: its potential and velocity at a point, time factor exp(iωt).
//
//   φ = (ig/ω) c(z) exp(−ik(x cos β + y sin β)),  c(z) = cosh k(z+h)/cosh kh
#pragma once

#include <complex>

#include "davit/math/types.hpp"
#include "davit/panel/wave_numbers.hpp"

namespace davit::panel {

struct IncidentWave {
  double frequency, wave_number, depth, gravity, heading;

  struct Here {
    std::complex<double> potential;
    Eigen::Vector3cd velocity;
  };
  Here at(const Vec3& point) const {
    constexpr std::complex<double> i(0, 1);
    const double c = std::cos(heading), s = std::sin(heading);
    const DepthProfile profile = depth_profile(wave_number, depth, point.z());
    const std::complex<double> phase =
        i * gravity / frequency * std::exp(-i * wave_number * (point.x() * c + point.y() * s));
    const std::complex<double> potential = phase * profile.value, across = -i * wave_number * potential;
    return {potential, {across * c, across * s, phase * profile.slope}};
  }
};

}  // namespace davit::panel
