#include "davit/panel/green_function.hpp"

#include <cassert>

#include "davit/math/constants.hpp"
#include "davit/panel/bessel.hpp"
#include "davit/panel/wave_numbers.hpp"

namespace davit::panel {

GreenFunction::GreenFunction(double deep_wave_number, double depth, double reach)
    : deep_(deep_wave_number), depth_(depth), wave_number_(deep_wave_number), tables_(&DeepWater::tables()) {
  if (std::isinf(depth)) return;
  assert(deep_wave_number > 0);
  bottom_.emplace(deep_wave_number, depth, reach);
  if (!has_waves()) return;
  wave_number_ = bottom_->wave_number();
  wave_strength_ = panel::wave_strength(deep_, wave_number_, depth_);
}

WaveTerm GreenFunction::wave(double r, double z, double zeta) const {
  double value = 0, slope_r = 0, slope_z = 0, im_value = 0, im_slope_r = 0, im_slope_z = 0;
  if (has_waves()) {
    const double k = deep_;
    const DeepWave deep = (*tables_)(k * r, -k * (z + zeta));
    value = k * deep.value;
    slope_r = k * k * deep.slope_x;
    slope_z = k * value;
    im_value = -2 * pi * k * deep.wave_j0;
    im_slope_r = 2 * pi * k * k * deep.wave_j1;
    im_slope_z = k * im_value;
  }
  if (bottom_) {
    const Smooth near = bottom_->lambda(r, std::abs(z - zeta)), far = bottom_->remainder(r, z + zeta + 2 * depth_);
    value += near.value + far.value;
    slope_r += near.slope_r + far.slope_r;
    slope_z += (z > zeta ? near.slope_v : -near.slope_v) + far.slope_v;
    if (has_waves()) {
      const double k = wave_number_;
      const DepthProfile here = depth_profile(k, depth_, z);
      const double strength = -pi * wave_strength_ * depth_profile(k, depth_, zeta).value;
      const double x = k * r;
      const double bessel_j0 = x >= 20 ? bessel_far(x).j0 : ::j0(x), bessel_j1 = x >= 20 ? bessel_far(x).j1 : ::j1(x);
      im_value = strength * here.value * bessel_j0;
      im_slope_r = -strength * here.value * k * bessel_j1;
      im_slope_z = strength * here.slope * bessel_j0;
    }
  }
  return {{value, im_value}, {slope_r, im_slope_r}, {slope_z, im_slope_z}};
}

}  // namespace davit::panel
