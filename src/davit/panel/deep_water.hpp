// The wave part of the free-surface Green function in deep water,
//
//   F(X, Y) = 2 PV∫₀^∞ exp(−κY) J₀(κX) / (κ − 1) dκ,    X = KR,  Y = −K(z + ζ) ≥ 0,
//
// which makes G = 1/r + 1/r₁ + K (F − 2πi exp(−Y) J₀(X)) with r₁ the distance to the mirror image in the water plane
// and the time factor exp(iωt). After Newman, "Algorithms for the free-surface Green function", J. Eng. Math. 19 (1985)
// 57–67: the logarithm is taken out near the origin, the asymptotic series is used far away, polynomials in between.
// His polynomials are replaced by tables that are filled when first used, from
//
//   F = −2π exp(−Y) Y₀(X) − 2 exp(−Y) ∫₀^∞ exp(−Xt)/√(1+t²) dt − 2 ∫₀^Y exp(t−Y)/√(X²+t²) dt,
//
// by Gauss quadrature. The error is below 1e-7 everywhere (deep_water test), and ∂F/∂Y = −F − 2/√(X²+Y²) needs no
// table.
#pragma once

#include "davit/panel/smooth_table.hpp"

namespace davit::panel {

// F and ∂F/∂X, with the Bessel functions J₀ and J₁ of X that its companion −2πi exp(−Y) J₀(X) needs, times exp(−Y).
struct DeepWave {
  double value, slope_x;
  double wave_j0, wave_j1;
};

class DeepWater {
 public:
  static const DeepWater& tables();  // filled once, then shared
  DeepWave operator()(double x, double y) const;

  // The definition above, by quadrature: slow, to full precision; X = 0 is allowed, X = Y = 0 is not.
  static std::array<double, 2> by_quadrature(double x, double y);

 private:
  DeepWater();
  SmoothTable<4> near_, middle_;  // F, ∂F/∂X, exp(−Y) J₀, exp(−Y) J₁
};

}  // namespace davit::panel
