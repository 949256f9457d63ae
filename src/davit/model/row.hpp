// A row is a Geometry × a Law. The geometry says how far (g), along which directions (G) and with which velocity
// products (Ġu); the law says how the multiplier λ depends on g and ġ. A row with a law is an elastic
// ConstraintEquation: explicit methods see it as a force (CompliantConstraint), implicit ones solve for its multiplier.
// Rows that hold exactly are Constraints.
#pragma once

#include <vector>

#include "davit/model/element.hpp"

namespace davit {

// The gradient of rows by where bodies are. Every row is built of two pieces, which every kind of coordinates can take:
//   a force at a point fixed in a body: ġ = f·(v + Ṙ ρ), and
//   the same without the motion of the origin: ġ = f·(Ṙ ρ), the change of a direction R ρ,
// and of plain coefficients of generalised speeds. On rigid bodies they are wrenches; on director bodies they are exact
// derivatives by all twelve coordinates, also between the steps, where directors are not orthonormal.
template <class S>
struct JacobianT {
  struct Entry {
    int row = 0;
    int body = 0;
    Vec3T<S> force;
    Vec3T<S> point;                    // ρ, in the axes of the body
    bool includes_translation = true;  // with the motion of the origin

    WrenchT<S> wrench(const KinT<S>& kin) const {
      const Vec3T<S> arm = kin.body[static_cast<size_t>(body)].R * point;
      return {arm.cross(force), includes_translation ? force : Vec3T<S>(Vec3T<S>::Zero())};
    }
  };
  struct SpeedEntry {
    int row = 0;
    int speed = 0;
    S coefficient = S(0);
  };
  std::vector<Entry> entries;
  std::vector<SpeedEntry> speeds;

  void clear() {
    entries.clear();
    speeds.clear();
  }
  void add_point(int row, const Frame& at, const Vec3T<S>& force) {
    entries.push_back({row, at.body, force, as<S>(at.offset.p), true});
  }
  void add_direction(int row, int body, const Vec3& direction, const Vec3T<S>& gradient) {
    entries.push_back({row, body, gradient, as<S>(direction), false});
  }
  void add_speed(int row, int speed, const S& coefficient) { speeds.push_back({row, speed, coefficient}); }
  // Rows appended from here on are those of an element whose first row is `first`.
  void shift_rows(size_t from_entry, size_t from_speed, int first) {
    for (size_t i = from_entry; i < entries.size(); ++i) entries[i].row += first;
    for (size_t i = from_speed; i < speeds.size(); ++i) speeds[i].row += first;
  }
};

// ġ of a piece on a rigid body.
template <class S>
S rigid_rate(const KinT<S>& kin, const typename JacobianT<S>::Entry& entry) {
  const auto& k = kin.body[static_cast<size_t>(entry.body)];
  return power(entry.wrench(kin), TwistT<S>{k.w, k.v});
}

template <class S>
class GeometryKernel {
 public:
  virtual ~GeometryKernel() = default;
  virtual void rows(const KinT<S>&, S* g) const = 0;
  virtual void jacobian(const KinT<S>&, JacobianT<S>&) const = 0;  // appends
  virtual void rate_bias(const KinT<S>&, S* bias) const = 0;       // Ġu, and ∂²g/∂t² of rows that move with time
  // ∂g/∂t of rows that move with time.
  virtual void time_rate(const KinT<S>&, S* rate) const = 0;
  // The gradient over a step, with G (q₁ - q₀) = g₁ - g₀: that at the middle where g is quadratic in points and
  // directions (Gonzalez 1996), which is the default.
  virtual void discrete_jacobian(const KinT<S>& /*start*/, const KinT<S>& middle, const KinT<S>& /*end*/,
                                 JacobianT<S>& out) const {
    jacobian(middle, out);
  }
};

class Geometry : public GeometryKernel<double>, public GeometryKernel<Dual8> {
 public:
  using GeometryKernel<double>::rows, GeometryKernel<Dual8>::rows;
  using GeometryKernel<double>::jacobian, GeometryKernel<Dual8>::jacobian;
  using GeometryKernel<double>::rate_bias, GeometryKernel<Dual8>::rate_bias;
  using GeometryKernel<double>::time_rate, GeometryKernel<Dual8>::time_rate;
  using GeometryKernel<double>::discrete_jacobian, GeometryKernel<Dual8>::discrete_jacobian;
  virtual int size() const = 0;
  virtual std::string summary() const = 0;
  virtual std::string unit() const = 0;  // of g
  // False: the rows are on speeds alone (G u + ∂g/∂t = 0) and have no g.
  virtual bool holonomic() const { return true; }
  // True: ∂g/∂t is not zero at all times, so that the rows do work.
  virtual bool moves_with_time() const { return false; }
  virtual std::vector<double> breakpoints() const { return {}; }  // times at which they are not smooth
};

// Authors write template members `measure`, `gradient`, `products` (and `drift`, `step_gradient` where they differ).
template <class Self>
class GeometryOf : public Geometry {
 public:
  void rows(const KinT<double>& k, double* g) const final { self().measure(k, g); }
  void rows(const KinT<Dual8>& k, Dual8* g) const final { self().measure(k, g); }
  void jacobian(const KinT<double>& k, JacobianT<double>& out) const final { self().gradient(k, out); }
  void jacobian(const KinT<Dual8>& k, JacobianT<Dual8>& out) const final { self().gradient(k, out); }
  void rate_bias(const KinT<double>& k, double* bias) const final { self().products(k, bias); }
  void rate_bias(const KinT<Dual8>& k, Dual8* bias) const final { self().products(k, bias); }
  void time_rate(const KinT<double>& k, double* rate) const final { self().drift(k, rate); }
  void time_rate(const KinT<Dual8>& k, Dual8* rate) const final { self().drift(k, rate); }
  void discrete_jacobian(const KinT<double>& a, const KinT<double>& m, const KinT<double>& b,
                         JacobianT<double>& out) const final {
    self().step_gradient(a, m, b, out);
  }
  void discrete_jacobian(const KinT<Dual8>& a, const KinT<Dual8>& m, const KinT<Dual8>& b,
                         JacobianT<Dual8>& out) const final {
    self().step_gradient(a, m, b, out);
  }

  template <class S>
  void drift(const KinT<S>&, S* rate) const {
    for (int i = 0; i < size(); ++i) rate[i] = S(0);
  }
  template <class S>
  void step_gradient(const KinT<S>&, const KinT<S>& middle, const KinT<S>&, JacobianT<S>& out) const {
    self().gradient(middle, out);
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

// The response of one multiplier: λ = force(g, ġ), positive when it pushes g to grow.
class Law {
 public:
  virtual ~Law() = default;
  virtual double force(double g, double rate) const = 0;
  virtual Dual8 force(const Dual8& g, const Dual8& rate) const = 0;
  // Over a step of length h from g₀ to g₁: the discrete gradient -(V(g₁) - V(g₀))/(g₁ - g₀), less damping.
  virtual double step_force(double g0, double g1, double h) const = 0;
  virtual Dual8 step_force(const Dual8& g0, const Dual8& g1, double h) const = 0;
  virtual double potential(double g) const = 0;
  virtual Dual8 potential(const Dual8& g) const = 0;
  // k of the stiffest response.
  virtual double stiffness() const = 0;
  // 1/k: what scales the row, and what is left of it as k grows without bound.
  double compliance() const { return stiffness() > 0 ? 1 / stiffness() : 1; }
  // Force per speed where it acts.
  virtual double damping() const = 0;
  // The g at which it is free of force.
  virtual double rest() const { return 0; }
  // It only pulls (λ ≤ 0): a line, not a spring.
  virtual bool only_pulls() const { return false; }
  // Nothing is lost: the force is -dV/dg.
  bool conservative() const { return damping() == 0; }
  virtual std::string summary() const = 0;
};

// A geometry with laws, one for each of its rows.
struct ConstraintEquation {
  std::shared_ptr<const Geometry> geometry;
  std::vector<std::shared_ptr<const Law>> laws;
};

// Rows that hold exactly: g = 0. Their multipliers are solved with the accelerations.
struct Constraint {
  std::string name;
  std::shared_ptr<const Geometry> geometry;
};

// Two bodies that may touch and not enter each other. The geometry has three rows: two tangential ones and the gap, all
// measured along the contact's own axes. λ of the gap is never negative, and only where the gap is closed (Signorini);
// the tangential force is at most `friction` times that, and opposes sliding when it is at the bound (Coulomb).
struct Contact {
  std::string name;
  std::shared_ptr<const Geometry> geometry;
  double friction = 0;
  double restitution = 0;  // Newton's: speed of parting over speed of approach
};

}  // namespace davit
