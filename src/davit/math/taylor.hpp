// Truncated Taylor series in time: x(t₀ + τ) = Σ c_k τ^k for k < N, carried exactly through any kernel that is a
// template over its scalar. Inverse dynamics runs the model on them: all that a desired motion asks of a crane follows
// from the derivatives of that motion (Griewank & Walther, Evaluating Derivatives, chapter 13).
// Comparisons are those of the values at t₀: branches have no derivatives.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>

#include "davit/math/dual.hpp"

namespace davit {

template <int N>
struct Taylor;
// Both at once.
template <int N>
void sine_and_cosine(const Taylor<N>& x, Taylor<N>& sine, Taylor<N>& cosine);

template <int N>
struct Taylor {
  std::array<double, N> c{};

  constexpr Taylor() = default;
  constexpr Taylor(double v) { c[0] = v; }  // NOLINT(google-explicit-constructor): constants mix in formulas

  // t₀ + τ
  static constexpr Taylor time(double t) {
    Taylor x(t);
    if (N > 1) x.c[1] = 1;
    return x;
  }

  double value() const { return c[0]; }
  // dx/dτ; its last coefficient is lost.
  Taylor rate() const {
    Taylor y;
    for (int k = 0; k + 1 < N; ++k) y.c[k] = (k + 1) * c[k + 1];
    return y;
  }

  Taylor operator-() const {
    Taylor y;
    for (int k = 0; k < N; ++k) y.c[k] = -c[k];
    return y;
  }
  Taylor& operator+=(const Taylor& b) {
    for (int k = 0; k < N; ++k) c[k] += b.c[k];
    return *this;
  }
  Taylor& operator-=(const Taylor& b) {
    for (int k = 0; k < N; ++k) c[k] -= b.c[k];
    return *this;
  }
  Taylor& operator*=(const Taylor& b) { return *this = *this * b; }
  Taylor& operator/=(const Taylor& b) { return *this = *this / b; }
  friend Taylor operator+(Taylor a, const Taylor& b) { return a += b; }
  friend Taylor operator-(Taylor a, const Taylor& b) { return a -= b; }
  friend Taylor operator*(const Taylor& a, const Taylor& b) {
    Taylor y;
    for (int i = 0; i < N; ++i)
      for (int k = i; k < N; ++k) y.c[k] += a.c[i] * b.c[k - i];
    return y;
  }
  // y b = a
  friend Taylor operator/(const Taylor& a, const Taylor& b) {
    Taylor y;
    const double inverse = 1 / b.c[0];
    for (int k = 0; k < N; ++k) {
      double sum = a.c[k];
      for (int i = 0; i < k; ++i) sum -= y.c[i] * b.c[k - i];
      y.c[k] = sum * inverse;
    }
    return y;
  }

  friend bool operator<(const Taylor& a, const Taylor& b) { return a.c[0] < b.c[0]; }
  friend bool operator>(const Taylor& a, const Taylor& b) { return a.c[0] > b.c[0]; }
  friend bool operator<=(const Taylor& a, const Taylor& b) { return a.c[0] <= b.c[0]; }
  friend bool operator>=(const Taylor& a, const Taylor& b) { return a.c[0] >= b.c[0]; }
  friend bool operator==(const Taylor& a, const Taylor& b) { return a.c[0] == b.c[0]; }
  friend bool operator!=(const Taylor& a, const Taylor& b) { return a.c[0] != b.c[0]; }

  // y² = x. Of zero it is zero: a series has no root there.
  friend Taylor sqrt(const Taylor& x) {
    if (!(x.c[0] > 0)) return Taylor(std::sqrt(x.c[0]));
    Taylor y(std::sqrt(x.c[0]));
    const double inverse = 0.5 / y.c[0];
    for (int k = 1; k < N; ++k) {
      double sum = x.c[k];
      for (int i = 1; i < k; ++i) sum -= y.c[i] * y.c[k - i];
      y.c[k] = sum * inverse;
    }
    return y;
  }
  // y with y(t₀) = f and ẏ = slope · ẋ, where the slope may itself be a function of y: k y_k = Σ i x_i slope_{k-i}.
  // `slope(k, y)` gives its coefficient number k from those of y up to k.
  template <class Slope>
  Taylor integrate(double f, Slope&& slope) const {
    Taylor y(f), s;
    for (int k = 1; k < N; ++k) {
      s.c[k - 1] = slope(k - 1, y);
      double sum = 0;
      for (int i = 1; i <= k; ++i) sum += i * c[i] * s.c[k - i];
      y.c[k] = sum / k;
    }
    return y;
  }
  friend Taylor exp(const Taylor& x) {
    return x.integrate(std::exp(x.c[0]), [](int k, const Taylor& y) { return y.c[k]; });
  }
  friend Taylor log(const Taylor& x) {
    const Taylor slope = Taylor(1) / x;
    return x.integrate(std::log(x.c[0]), [&](int k, const Taylor&) { return slope.c[k]; });
  }
  friend Taylor tanh(const Taylor& x) {
    return x.integrate(std::tanh(x.c[0]),
                       [](int k, const Taylor& y) { return (k == 0) - coefficient_of_square(y, k); });
  }
  friend Taylor tan(const Taylor& x) {
    return x.integrate(std::tan(x.c[0]), [](int k, const Taylor& y) { return (k == 0) + coefficient_of_square(y, k); });
  }
  friend Taylor asin(const Taylor& x) {
    const Taylor slope = Taylor(1) / sqrt(Taylor(1) - x * x);
    return x.integrate(std::asin(x.c[0]), [&](int k, const Taylor&) { return slope.c[k]; });
  }
  friend Taylor acos(const Taylor& x) {
    const Taylor slope = Taylor(-1) / sqrt(Taylor(1) - x * x);
    return x.integrate(std::acos(x.c[0]), [&](int k, const Taylor&) { return slope.c[k]; });
  }
  friend Taylor abs(const Taylor& x) { return x.c[0] < 0 ? -x : x; }
  // ẏ (a² + b²) = b ȧ - a ḃ of y = atan2(a, b)
  friend Taylor atan2(const Taylor& a, const Taylor& b) {
    const Taylor rate = (b * a.rate() - a * b.rate()) / (a * a + b * b);
    Taylor y(std::atan2(a.c[0], b.c[0]));
    for (int k = 1; k < N; ++k) y.c[k] = rate.c[k - 1] / k;
    return y;
  }
  friend Taylor sin(const Taylor& x) {
    Taylor sine, cosine;
    sine_and_cosine(x, sine, cosine);
    return sine;
  }
  friend Taylor cos(const Taylor& x) {
    Taylor sine, cosine;
    sine_and_cosine(x, sine, cosine);
    return cosine;
  }

 private:
  static double coefficient_of_square(const Taylor& y, int k) {
    double sum = 0;
    for (int i = 0; i <= k; ++i) sum += y.c[i] * y.c[k - i];
    return sum;
  }
};

template <int N>
void sine_and_cosine(const Taylor<N>& x, Taylor<N>& sine, Taylor<N>& cosine) {
  sine = Taylor<N>(std::sin(x.c[0]));
  cosine = Taylor<N>(std::cos(x.c[0]));
  for (int k = 1; k < N; ++k) {
    double s = 0, c = 0;
    for (int i = 1; i <= k; ++i) {
      s += i * x.c[i] * cosine.c[k - i];
      c -= i * x.c[i] * sine.c[k - i];
    }
    sine.c[k] = s / k;
    cosine.c[k] = c / k;
  }
}

template <int N>
double value_of(const Taylor<N>& x) {
  return x.c[0];
}

}  // namespace davit

namespace Eigen {
template <int N>
struct NumTraits<davit::Taylor<N>> : GenericNumTraits<davit::Taylor<N>> {
  using Real = davit::Taylor<N>;
  using NonInteger = davit::Taylor<N>;
  using Nested = davit::Taylor<N>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N,
    AddCost = N,
    MulCost = N * (N + 1) / 2
  };
  static double epsilon() { return std::numeric_limits<double>::epsilon(); }
  static double dummy_precision() { return 1e-12; }
};
template <int N, typename Op>
struct ScalarBinaryOpTraits<davit::Taylor<N>, double, Op> {
  using ReturnType = davit::Taylor<N>;
};
template <int N, typename Op>
struct ScalarBinaryOpTraits<double, davit::Taylor<N>, Op> {
  using ReturnType = davit::Taylor<N>;
};
}  // namespace Eigen
