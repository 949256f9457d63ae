// A linear relation between joint coordinates, which may follow a motion: gears, racks and driven joints.
#pragma once

#include "davit/math/motion.hpp"
#include "davit/model/row.hpp"

namespace davit {

// g = Σ c_i q_i - c(t): one row. The coordinates are those whose rate is a generalised speed.
class JointCombination final : public GeometryOf<JointCombination> {
 public:
  struct Term {
    int q = 0, u = 0;
    double coefficient = 1;
  };
  // x_b = ratio · x_a + offset
  static JointCombination gear(const CoordinateIndex& a, const CoordinateIndex& b, double ratio, double offset = 0) {
    return {{{b.q, b.u, 1}, {a.q, a.u, -ratio}}, Motion(offset), false};
  }
  JointCombination(std::vector<Term> terms, Motion target, bool angle)
      : terms_(std::move(terms)), target_(std::move(target)), angle_(angle) {}
  int size() const override { return 1; }
  std::string summary() const override {
    return terms_.size() == 1 ? "a joint follows a motion" : "joints move in a fixed ratio";
  }
  std::string unit() const override { return angle_ ? "rad" : "m"; }
  bool moves_with_time() const override { return !target_.breakpoints().empty(); }
  std::vector<double> breakpoints() const override { return target_.breakpoints(); }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    g[0] = -target_.value(kin.t);
    for (const Term& term : terms_) g[0] += S(term.coefficient) * kin.q[term.q];
  }
  template <class S>
  void gradient(const KinT<S>&, JacobianT<S>& out) const {
    for (const Term& term : terms_) out.add_speed(0, term.u, S(term.coefficient));
  }
  template <class S>
  void drift(const KinT<S>& kin, S* rate) const {
    rate[0] = -target_.derivative(1, kin.t);
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    bias[0] = -target_.derivative(2, kin.t);
  }

 private:
  std::vector<Term> terms_;
  Motion target_;
  bool angle_;
};

extern template class GeometryOf<JointCombination>;

}  // namespace davit
