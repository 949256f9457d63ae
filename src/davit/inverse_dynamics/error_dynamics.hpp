// How the errors of outputs shall decay: linear differential equations with constant coefficients, given by their poles
// or, with integral action, as s̈ + a ṡ + b s + c ∫s dt = 0 (110).
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::inverse_dynamics {

using Poles = std::vector<std::complex<double>>;

// c_0 … c_n of Π (x - pole) = Σ c_k x^k, c_n = 1. Poles come as conjugate pairs or are real.
VecX polynomial_of(const Poles&);

// Why errors would not decay with these poles, in a sentence; nothing if they do.
std::optional<std::string> why_not_stable(const Poles&);

// The gains of (110). By Routh's criterion errors decay if a > 0, b > 0, c ≥ 0 and a b > c.
struct ServoGains {
  double a = 0, b = 0, c = 0;
  static ServoGains of_poles(const Poles&);  // two poles: c = 0; or three
  std::optional<std::string> why_not_stable() const;
  Poles poles() const;
};

// exp(A).
MatX exponential_of(const MatX& A);

}  // namespace davit::inverse_dynamics
