// Rows with laws as a force, f = Gᵀ λ(g, ġ), so that explicit methods run the same model; implicit ones take the rows
// themselves (Force::row).
#pragma once

#include "davit/model/row.hpp"

namespace davit {

class CompliantConstraint final : public ForceOf<CompliantConstraint> {
 public:
  CompliantConstraint(std::string name, ConstraintEquation row) : ForceOf(std::move(name)), row_(std::move(row)) {}
  std::string summary() const override { return row_.laws[0]->summary() + ", " + row_.geometry->summary(); }
  std::vector<Figure> figures() const override;
  bool conservative() const override;
  const ConstraintEquation* row() const override { return &row_; }
  std::vector<double> breakpoints() const override { return row_.geometry->breakpoints(); }
  double potential_rate(const ContextT<double>& c) const override;
  bool acts_one_way() const override { return row_.laws.size() == 1 && row_.laws[0]->only_pulls(); }
  double carried(const ContextT<double>& c) const override { return std::abs(multiplier(c, 0)); }
  std::unique_ptr<ElementWork> make_work(double) const override { return std::make_unique<RowMotion<double>>(); }
  std::unique_ptr<ElementWork> make_work(Dual8) const override { return std::make_unique<RowMotion<Dual8>>(); }

  // λ of one row where the bodies are and move.
  double multiplier(const ContextT<double>& c, int row) const { return force(evaluate(c), row); }
  // Adds what it exerts on a body, about the body's origin.
  void add_wrench(const ContextT<double>& c, int body, Wrench& sum) const {
    const RowMotion<double>& m = evaluate(c);
    for (const auto& e : m.jacobian.entries)
      if (e.body == body) sum += force(m, e.row) * e.wrench(c.kin);
  }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const RowMotion<S>& m = evaluate(c);
    for (const auto& e : m.jacobian.entries)
      loads.wrench[static_cast<size_t>(e.body)] += force(m, e.row) * e.wrench(c.kin);
    for (const auto& e : m.jacobian.speeds) loads.tau[static_cast<size_t>(e.speed)] += force(m, e.row) * e.coefficient;
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    const RowMotion<S>& m = evaluate(c);
    S sum(0);
    for (size_t i = 0; i < row_.laws.size(); ++i) sum += row_.laws[i]->potential(m.g[i]);
    return sum;
  }

 private:
  // g, ġ and G of the rows.
  template <class S>
  struct RowMotion : ElementWork {
    std::vector<S> g, rate;
    JacobianT<S> jacobian;
  };
  template <class S>
  S force(const RowMotion<S>& m, int row) const {
    const auto i = static_cast<size_t>(row);
    return row_.laws[i]->force(m.g[i], m.rate[i]);
  }
  template <class S>
  const RowMotion<S>& evaluate(const ContextT<S>& c) const {
    const KinT<S>& kin = c.kin;
    auto& m = static_cast<RowMotion<S>&>(*c.work);
    m.g.resize(row_.laws.size());
    m.rate.resize(row_.laws.size());
    m.jacobian.clear();
    row_.geometry->rows(kin, m.g.data());
    row_.geometry->time_rate(kin, m.rate.data());
    row_.geometry->jacobian(kin, m.jacobian);
    for (const auto& e : m.jacobian.entries) {
      const auto& k = kin.body[static_cast<size_t>(e.body)];
      m.rate[static_cast<size_t>(e.row)] += power(e.wrench(kin), TwistT<S>{k.w, k.v});
    }
    for (const auto& e : m.jacobian.speeds) m.rate[static_cast<size_t>(e.row)] += e.coefficient * kin.u[e.speed];
    return m;
  }

  ConstraintEquation row_;
};

extern template class ForceOf<CompliantConstraint>;

}  // namespace davit
