// A linear relation between joint coordinates, which may follow a motion: gears, racks and driven joints.
#pragma once

#include "davit/model/row.hpp"

namespace davit {

// g = Σ c_i q_i - c: one row, where c is constant or a signal. The coordinates are those whose rate is a generalised
// speed.
class JointCombination final : public GeometryOf<JointCombination> {
 public:
  struct Term {
    int q = 0, u = 0;
    double coefficient = 1;
  };
  // x_b = ratio · x_a + offset
  static JointCombination gear(const CoordinateIndex& a, const CoordinateIndex& b, double ratio, double offset = 0) {
    return {{{b.q, b.u, 1}, {a.q, a.u, -ratio}}, offset, false};
  }
  JointCombination(std::vector<Term> terms, double constant, bool angle)
      : terms_(std::move(terms)), constant_(constant), angle_(angle) {}
  JointCombination(std::vector<Term> terms, Signal target, bool angle)
      : terms_(std::move(terms)), target_(target), angle_(angle) {}
  int size() const override { return 1; }
  std::string summary() const override {
    return terms_.size() == 1 ? "a joint follows a motion" : "joints move in a fixed ratio";
  }
  std::string unit() const override { return angle_ ? "rad" : "m"; }
  bool moves_with_time() const override { return target_.has_value(); }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    g[0] = target_ ? -target_->value(kin) : S(-constant_);
    for (const Term& term : terms_) g[0] += S(term.coefficient) * kin.q[term.q];
  }
  template <class S>
  void gradient(const KinT<S>&, JacobianT<S>& out) const {
    for (const Term& term : terms_) out.add_speed(0, term.u, S(term.coefficient));
  }
  template <class S>
  void drift(const KinT<S>& kin, S* rate) const {
    rate[0] = target_ ? -target_->rate(kin) : S(0);
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    bias[0] = target_ ? -target_->acceleration(kin) : S(0);
  }

 private:
  std::vector<Term> terms_;
  std::optional<Signal> target_;
  double constant_ = 0;
  bool angle_;
};

extern template class GeometryOf<JointCombination>;

}  // namespace davit
