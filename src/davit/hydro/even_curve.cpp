#include "davit/hydro/even_curve.hpp"

#include <cmath>

namespace davit::hydro {

double EvenCurve::cosine_integral(double t) const {
  double sum = 0;
  for (size_t i = 1; i < frequencies_.size(); ++i) {
    const double width = frequencies_[i] - frequencies_[i - 1];
    if (!(width > 0)) continue;
    if (t == 0) {
      sum += 0.5 * width * (values_[i] + values_[i - 1]);
      continue;
    }
    // By parts: [f sin σt / t] − (slope / t) ∫ sin σt dσ, with the difference of cosines as a product, which keeps its
    // digits when t is small.
    const double slope = (values_[i] - values_[i - 1]) / width;
    const double middle = 0.5 * (frequencies_[i] + frequencies_[i - 1]);
    sum += (values_[i] * std::sin(frequencies_[i] * t) - values_[i - 1] * std::sin(frequencies_[i - 1] * t)) / t -
           slope * 2 * std::sin(middle * t) * std::sin(0.5 * width * t) / (t * t);
  }
  return sum;
}

double EvenCurve::hilbert_integral(double w) const {
  // With f = a + b σ on a piece: a/(2ω) ln|(σ − ω)/(σ + ω)| + b/2 ln|σ² − ω²|, taken between its ends. Where ω is an
  // end, the infinite terms of the two pieces that meet there are opposite, because f is continuous: both are left out.
  const auto log_of = [](double x) { return x == 0 ? 0 : std::log(std::abs(x)); };
  double sum = 0;
  for (size_t i = 1; i < frequencies_.size(); ++i) {
    const double from = frequencies_[i - 1], to = frequencies_[i];
    if (!(to > from)) continue;
    const double b = (values_[i] - values_[i - 1]) / (to - from), a = values_[i - 1] - b * from;
    const double minus = log_of(to - w) - log_of(from - w), plus = log_of(to + w) - log_of(from + w);
    sum += a / (2 * w) * (minus - plus) + 0.5 * b * (minus + plus);
  }
  return sum;
}

}  // namespace davit::hydro
