// An even function of frequency by its values at some of them, linear in between and zero beyond the last, and the two
// integrals of it that radiation needs. For such a function both are exact.
#pragma once

#include <vector>

namespace davit::hydro {

class EvenCurve {
 public:
  // Ascending from zero or more.
  EvenCurve(std::vector<double> frequencies, std::vector<double> values)
      : frequencies_(std::move(frequencies)), values_(std::move(values)) {}

  // ∫₀^∞ f(σ) cos σt dσ
  double cosine_integral(double t) const;
  // Principal value of ∫₀^∞ f(σ)/(σ² − ω²) dσ, ω > 0
  double hilbert_integral(double w) const;
  double integral() const { return cosine_integral(0); }

 private:
  std::vector<double> frequencies_, values_;
};

}  // namespace davit::hydro
