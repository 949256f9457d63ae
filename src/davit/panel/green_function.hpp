// The free-surface Green function of one frequency: a pulsating source at (0, 0, ζ) seen at the horizontal distance R
// and the height z, for the time factor exp(iωt), with outgoing waves. Its singular parts are integrated over panels in
// closed form elsewhere (rankine.hpp); here is what is left:
//
//   G = 1/r ± 1/r₁ (+ 1/r₂ with a bottom) + wave(R, z, ζ)
//
// with the sign − only in the limit ω → ∞. Of ∂G/∂z the part 2K/r₁ is left to the closed form too: `slope_z` is without
// it.
#pragma once

#include <complex>
#include <optional>

#include "davit/panel/deep_water.hpp"
#include "davit/panel/finite_depth.hpp"

namespace davit::panel {

using Complex = std::complex<double>;
inline constexpr Complex i_unit(0, 1);

struct WaveTerm {
  Complex value, slope_r, slope_z;
};

class GreenFunction {
 public:
  // K = ω²/g; 0 and infinity are the limits without waves (with a bottom only infinity has one). `reach`: the greatest
  // R.
  GreenFunction(double deep_wave_number, double depth, double reach);

  WaveTerm wave(double r, double z, double zeta) const;

  bool has_waves() const { return deep_ > 0 && !std::isinf(deep_); }
  bool vanishes() const { return !has_waves() && !bottom_; }  // nothing beside the closed forms
  double deep_wave_number() const { return deep_; }
  double wave_number() const { return wave_number_; }
  double depth() const { return depth_; }
  double image_sign() const { return std::isinf(deep_) ? -1 : 1; }

 private:
  double deep_, depth_, wave_number_, wave_strength_ = 0;
  std::optional<FiniteDepth> bottom_;
  const DeepWater* tables_;
};

}  // namespace davit::panel
