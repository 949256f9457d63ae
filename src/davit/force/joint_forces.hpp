// Forces along one coordinate of a joint: spring, damper, dry friction, actuator. Each acts between the two bodies of
// the joint, so it belongs to the wrench that the joint transmits.
#pragma once

#include "davit/assembly/assembly.hpp"

namespace davit {

// τ = -k (q - q₀) - k₃ (q - q₀)³
class JointSpring final : public ForceOf<JointSpring> {
 public:
  struct Data {
    double stiffness = 0;
    double cubic = 0;
    double rest = 0;
  };
  JointSpring(std::string name, JointCoordinate at, const Data& data)
      : ForceOf(std::move(name)), at_(std::move(at)), data_(data) {}

  std::string summary() const override;
  std::vector<Figure> figures() const override;
  std::vector<Coupling> couplings() const override { return {{.bodies = {}, .speeds = {at_.u}}}; }
  bool conservative() const override { return true; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const S x = c.kin.q[at_.q] - S(data_.rest);
    loads.tau[static_cast<size_t>(at_.u)] -= x * (S(data_.stiffness) + S(data_.cubic) * x * x);
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    const S x = c.kin.q[at_.q] - S(data_.rest), x2 = x * x;
    return x2 * (S(data_.stiffness / 2) + S(data_.cubic / 4) * x2);
  }

 private:
  JointCoordinate at_;
  Data data_;
};

// τ = -b u - b₃ u³ - τ_c tanh(u/u_c): damper (linear, cubic) and Coulomb friction, smooth through zero speed.
class JointDamper final : public ForceOf<JointDamper> {
 public:
  struct Data {
    double damping = 0;
    double cubic = 0;
    double coulomb = 0;
    double creep_speed = 1e-3;  // at which Coulomb friction is 76 % built up
  };
  JointDamper(std::string name, JointCoordinate at, const Data& data)
      : ForceOf(std::move(name)), at_(std::move(at)), data_(data) {}

  std::string summary() const override;
  std::vector<Figure> figures() const override;
  std::vector<Coupling> couplings() const override { return {{.bodies = {}, .speeds = {at_.u}}}; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    using std::tanh;
    const S u = c.kin.u[at_.u];
    S tau = u * (S(data_.damping) + S(data_.cubic) * u * u);
    if (data_.coulomb != 0) tau += S(data_.coulomb) * tanh(u / S(data_.creep_speed));
    loads.tau[static_cast<size_t>(at_.u)] -= tau;
  }

 private:
  JointCoordinate at_;
  Data data_;
};

// τ = w: what a controller commands on an input port.
class JointActuator final : public ForceOf<JointActuator> {
 public:
  JointActuator(std::string name, JointCoordinate at, int input)
      : ForceOf(std::move(name)), at_(std::move(at)), input_(input) {}
  std::string summary() const override;
  std::vector<Coupling> couplings() const override { return {{.bodies = {}, .speeds = {at_.u}, .inputs = {input_}}}; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<size_t>(at_.u)] += c.w[input_];
  }

 private:
  JointCoordinate at_;
  int input_;
};

// Bearing friction proportional to the joint's own reaction: τ = -μ r N tanh(u/u_c) in a revolute joint, where N is the
// force that the bearing carries, and F = -μ N tanh(u/u_c) in a slide, where N is the force across it.
class BearingFriction final : public ReactionForce {
 public:
  struct Data {
    double coefficient = 0;
    double radius = 1;  // of a revolute joint's bearing; 1 in a slide
    double creep_speed = 1e-3;
  };
  BearingFriction(std::string name, JointCoordinate at, int body, const Data& data)
      : ReactionForce(std::move(name)), at_(std::move(at)), body_(body), data_(data) {}

  std::string summary() const override;
  std::vector<Figure> figures() const override;
  int body() const override { return body_; }
  int speed() const override { return at_.u; }
  double load(const KinT<double>& kin, const WrenchT<double>& w) const override { return carried(kin, w); }
  Dual8 load(const KinT<Dual8>& kin, const WrenchT<Dual8>& w) const override { return carried(kin, w); }
  Wrench load_gradient(const KinT<double>&, const Wrench&) const override;
  double factor(const KinT<double>& kin) const override { return scaled(kin); }
  Dual8 factor(const KinT<Dual8>& kin) const override { return scaled(kin); }

 private:
  template <class S>
  S carried(const KinT<S>& kin, const WrenchT<S>& w) const {
    using std::sqrt;
    if (at_.angle) return sqrt(S(w.f.squaredNorm()));
    const S along = w.f.dot(kin.body[static_cast<size_t>(body_)].R.col(2));
    return sqrt(S(w.f.squaredNorm() - along * along));
  }
  template <class S>
  S scaled(const KinT<S>& kin) const {
    using std::tanh;
    return S(data_.coefficient * (at_.angle ? data_.radius : 1.0)) * tanh(kin.u[at_.u] / S(data_.creep_speed));
  }

  JointCoordinate at_;
  int body_;
  Data data_;
};

extern template class ForceOf<JointSpring>;
extern template class ForceOf<JointDamper>;
extern template class ForceOf<JointActuator>;

}  // namespace davit
