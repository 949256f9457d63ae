// The law of springs, dampers, ties, light lines and constraints with compliance.
#pragma once

#include "davit/model/row.hpp"

namespace davit {

// λ = -k (g - l) - c ġ; a line (tension_only) carries nothing when g < l, and never pushes.
class SpringLaw final : public Law {
 public:
  struct Data {
    double stiffness = 0;
    double damping = 0;
    double length = 0;
    bool tension_only = false;
  };
  explicit SpringLaw(const Data& data) : data_(data) {}
  double force(double g, double rate) const override { return answer(g, rate); }
  Dual8 force(const Dual8& g, const Dual8& rate) const override { return answer(g, rate); }
  double step_force(double g0, double g1, double h) const override { return quotient(g0, g1, h); }
  Dual8 step_force(const Dual8& g0, const Dual8& g1, double h) const override { return quotient(g0, g1, h); }
  double potential(double g) const override { return stored(g); }
  Dual8 potential(const Dual8& g) const override { return stored(g); }
  double stiffness() const override { return data_.stiffness; }
  double damping() const override { return data_.damping; }
  double rest() const override { return data_.length; }
  bool only_pulls() const override { return data_.tension_only; }
  std::string summary() const override;

 private:
  template <class S>
  S answer(const S& g, const S& rate) const {
    const S x = g - S(data_.length);
    if (data_.tension_only && value_of(x) <= 0) return S(0);
    const S lambda = -(S(data_.stiffness) * x + S(data_.damping) * rate);
    return data_.tension_only && value_of(lambda) > 0 ? S(0) : lambda;
  }
  // V is piecewise quadratic: with x₊ the taut part of the stretch, V(x₁) - V(x₀) = k/2 (x₁₊ + x₀₊)(x₁₊ - x₀₊), and of
  // the way from x₀ to x₁ the share (x₁₊ - x₀₊)/(x₁ - x₀) is taut.
  template <class S>
  S quotient(const S& g0, const S& g1, double h) const {
    S x0 = g0 - S(data_.length), x1 = g1 - S(data_.length), share(1);
    const S way = x1 - x0;
    if (data_.tension_only) {
      if (value_of(x0) <= 0 && value_of(x1) <= 0) return S(0);
      if (value_of(x0) < 0) x0 = S(0), share = x1 / way;
      if (value_of(x1) < 0) x1 = S(0), share = -x0 / way;
    }
    const S lambda = -(S(data_.stiffness / 2) * (x0 + x1) + S(data_.damping / h) * way) * share;
    return data_.tension_only && value_of(lambda) > 0 ? S(0) : lambda;
  }
  template <class S>
  S stored(const S& g) const {
    const S x = g - S(data_.length);
    if (data_.tension_only && value_of(x) <= 0) return S(0);
    return S(data_.stiffness / 2) * x * x;
  }

  Data data_;
};

// Every row of a geometry with the same law.
ConstraintEquation elastic_row(std::shared_ptr<const Geometry>, const SpringLaw::Data&);

}  // namespace davit
