// What a bottom at the depth h adds to the deep-water Green function. With V₁ = |z − ζ| and V₂ = z + ζ + 2h,
//
//   G = 1/r + 1/r₂ + Λ(R, V₁) + Λ(R, V₂),    r₂: distance to the mirror image in the bottom,
//   Λ(R, V) = PV∫₀^∞ (k + K) exp(−kh) cosh(kV) / (k sinh kh − K cosh kh) J₀(kR) dk   (real part)
//
// (Wehausen & Laitone (13.18); the split into functions of two variables is Newman's, J. Eng. Math. 19 (1985) 57–67).
// Of Λ(R, V₂) the singular part is the deep-water one, so that G = 1/r + 1/r₁ + 1/r₂ + K F(KR, −K(z+ζ)) + Λ(R, V₁) +
// M(R, V₂), and Λ and M are smooth. At every frequency both are tabulated over (R, V): close by from the integral,
// whose integrand falls off at least as exp(−kh), further out from the series of eigenfunctions (John 1950).
#pragma once

#include <limits>

#include "davit/panel/smooth_table.hpp"

namespace davit::panel {

// A function and its derivatives by R and V.
struct Smooth {
  double value, slope_r, slope_v;
};

class FiniteDepth {
 public:
  // K = ω²/g, infinite for the limit ω → ∞; good for R up to `reach`.
  FiniteDepth(double deep_wave_number, double depth, double reach);

  Smooth lambda(double r, double v) const { return look_up(lambda_, r, v); }
  Smooth remainder(double r, double v) const { return look_up(remainder_, r, v); }

  double wave_number() const { return wave_number_; }

 private:
  using Table = SmoothTable<3>;
  static Smooth look_up(const Table& table, double r, double v) {
    const auto values = table(r, v);
    return {values[0], values[1], values[2]};
  }

  double wave_number_ = 0;
  Table lambda_, remainder_;
};

}  // namespace davit::panel
