// Dual numbers: a value and its derivatives in N directions at once, carried exactly through any kernel that is a
// template over its scalar. Linearisation runs the model on Dual<8> in chunks of eight directions.
// Not here: second derivatives (nest nothing; see CORE in docs/architecture.md) and branches on derivatives.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>

namespace davit {

template <int N>
struct Dual {
  double value = 0;
  std::array<double, N> d{};

  constexpr Dual() = default;
  constexpr Dual(double v) : value(v) {}  // NOLINT(google-explicit-constructor): constants mix with duals in formulas

  // The variable number `direction`, with derivative one.
  static constexpr Dual variable(double v, int direction) {
    Dual x(v);
    x.d[static_cast<size_t>(direction)] = 1;
    return x;
  }

  // f(x) from the value and slope of f at x: the chain rule.
  Dual chain(double f, double slope) const {
    Dual y(f);
    for (int i = 0; i < N; ++i) y.d[i] = slope * d[i];
    return y;
  }

  Dual operator-() const { return chain(-value, -1); }
  Dual& operator+=(const Dual& b) {
    value += b.value;
    for (int i = 0; i < N; ++i) d[i] += b.d[i];
    return *this;
  }
  Dual& operator-=(const Dual& b) {
    value -= b.value;
    for (int i = 0; i < N; ++i) d[i] -= b.d[i];
    return *this;
  }
  Dual& operator*=(const Dual& b) {
    for (int i = 0; i < N; ++i) d[i] = d[i] * b.value + value * b.d[i];
    value *= b.value;
    return *this;
  }
  Dual& operator/=(const Dual& b) {
    const double inverse = 1 / b.value;
    value *= inverse;
    for (int i = 0; i < N; ++i) d[i] = (d[i] - value * b.d[i]) * inverse;
    return *this;
  }
  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }

  friend Dual sqrt(const Dual& x) {
    const double root = std::sqrt(x.value);
    return x.chain(root, root > 0 ? 0.5 / root : 0.0);
  }
  friend Dual sin(const Dual& x) { return x.chain(std::sin(x.value), std::cos(x.value)); }
  friend Dual cos(const Dual& x) { return x.chain(std::cos(x.value), -std::sin(x.value)); }
  friend Dual tan(const Dual& x) {
    const double t = std::tan(x.value);
    return x.chain(t, 1 + t * t);
  }
  friend Dual asin(const Dual& x) { return x.chain(std::asin(x.value), 1 / std::sqrt(1 - x.value * x.value)); }
  friend Dual acos(const Dual& x) { return x.chain(std::acos(x.value), -1 / std::sqrt(1 - x.value * x.value)); }
  friend Dual exp(const Dual& x) {
    const double e = std::exp(x.value);
    return x.chain(e, e);
  }
  friend Dual log(const Dual& x) { return x.chain(std::log(x.value), 1 / x.value); }
  friend Dual tanh(const Dual& x) {
    const double t = std::tanh(x.value);
    return x.chain(t, 1 - t * t);
  }
  friend Dual abs(const Dual& x) { return x.value < 0 ? -x : x; }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double square = x.value * x.value + y.value * y.value;
    Dual r(std::atan2(y.value, x.value));
    for (int i = 0; i < N; ++i) r.d[i] = (x.value * y.d[i] - y.value * x.d[i]) / square;
    return r;
  }
};

using Dual8 = Dual<8>;

// Both at once: together they cost little more than one.
inline void sine_and_cosine(double x, double& sine, double& cosine) {
  sine = std::sin(x);
  cosine = std::cos(x);
}
template <int N>
void sine_and_cosine(const Dual<N>& x, Dual<N>& sine, Dual<N>& cosine) {
  const double s = std::sin(x.value), c = std::cos(x.value);
  sine = x.chain(s, c);
  cosine = x.chain(c, -s);
}

// The plain number behind any scalar: for decisions that have no derivative.
inline double value_of(double x) { return x; }
template <int N>
double value_of(const Dual<N>& x) {
  return x.value;
}

}  // namespace davit

namespace Eigen {
template <int N>
struct NumTraits<davit::Dual<N>> : GenericNumTraits<davit::Dual<N>> {
  using Real = davit::Dual<N>;
  using NonInteger = davit::Dual<N>;
  using Nested = davit::Dual<N>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N,
    AddCost = N,
    MulCost = 2 * N
  };
  static double epsilon() { return std::numeric_limits<double>::epsilon(); }
  static double dummy_precision() { return 1e-12; }
};
template <int N, typename Op>
struct ScalarBinaryOpTraits<davit::Dual<N>, double, Op> {
  using ReturnType = davit::Dual<N>;
};
template <int N, typename Op>
struct ScalarBinaryOpTraits<double, davit::Dual<N>, Op> {
  using ReturnType = davit::Dual<N>;
};
}  // namespace Eigen
