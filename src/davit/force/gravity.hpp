// Gravity: a constant field on the weights of bodies. Weight is separate from inertia: a body may be weightless, and
// something without inertia may have weight.
#pragma once

#include "davit/model/element.hpp"

namespace davit {

class Gravity final : public ForceOf<Gravity> {
 public:
  struct Weight {
    int body;
    double mass;
    Vec3 centre;  // in the body's kernel frame
  };
  Gravity(const Vec3& acceleration, std::vector<Weight> weights)
      : ForceOf("gravity"), g_(acceleration), weights_(std::move(weights)) {}

  std::string summary() const override;
  std::vector<Figure> figures() const override;
  std::vector<Coupling> couplings() const override;
  bool conservative() const override { return true; }
  Vec3 field() const override { return g_; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    for (const Weight& w : weights_) {
      const auto& R = c.kin.body[static_cast<size_t>(w.body)].R;
      loads.add_force(w.body, R * as<S>(w.centre), as<S>(Vec3(w.mass * g_)));
    }
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    S V(0);
    for (const Weight& w : weights_)
      V -= position(c.kin, Frame{w.body, {Mat3::Identity(), w.centre}}).dot(as<S>(Vec3(w.mass * g_)));
    return V;
  }

 private:
  Vec3 g_;
  std::vector<Weight> weights_;
};

extern template class ForceOf<Gravity>;

}  // namespace davit
