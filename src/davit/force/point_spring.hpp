// A spring, tie or light line between points of two bodies: the row PointDistance × SpringLaw, lowered to a force. Any
// row whose law is not rigid can be lowered like this.
#pragma once

#include "davit/constraint/point_distance.hpp"

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
  double potential(double g) const override { return stored(g); }
  Dual8 potential(const Dual8& g) const override { return stored(g); }
  bool conservative() const override { return data_.damping == 0; }
  std::string summary() const override;

 private:
  template <class S>
  S answer(const S& g, const S& rate) const {
    const S x = g - S(data_.length);
    if (data_.tension_only && value_of(x) <= 0) return S(0);
    const S lambda = -(S(data_.stiffness) * x + S(data_.damping) * rate);
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

// A row with a law that is not rigid, as a force: f = Gᵀ λ(g, ġ).
class RowForce final : public ForceOf<RowForce> {
 public:
  RowForce(std::string name, Row row) : ForceOf(std::move(name)), row_(std::move(row)) {}
  std::string summary() const override { return row_.law->summary() + ", " + row_.geometry->summary(); }
  bool conservative() const override { return row_.law->conservative(); }
  const Row& row() const { return row_; }

  double potential_rate(const ContextT<double>& c) const override {
    thread_local RowMotion<double> m;
    evaluate(c, m);
    return -row_.law->force(m.g, 0.0) * m.rate;
  }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    thread_local RowMotion<S> m;
    evaluate(c, m);
    const S lambda = row_.law->force(m.g, m.rate);
    for (const auto& e : m.entries) loads.wrench[static_cast<size_t>(e.body)] += lambda * e.wrench;
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    S g;
    row_.geometry->rows(c.kin, &g);
    return row_.law->potential(g);
  }

 private:
  // g, ġ and G of the row; kept per thread so that the step loop allocates nothing.
  template <class S>
  struct RowMotion {
    S g, rate;
    std::vector<RowEntryT<S>> entries;
  };
  template <class S>
  void evaluate(const ContextT<S>& c, RowMotion<S>& m) const {
    m.entries.clear();
    row_.geometry->rows(c.kin, &m.g);
    row_.geometry->jacobian(c.kin, m.entries);
    m.rate = S(0);
    for (const auto& e : m.entries) {
      const auto& k = c.kin.body[static_cast<size_t>(e.body)];
      m.rate += power(e.wrench, TwistT<S>{k.w, k.v});
    }
  }

  Row row_;
};

}  // namespace davit
