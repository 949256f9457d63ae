// A rigid body without rotational parameters (Betsch & Steinmann 2001; the thesis on servo constraints, 2.3.3): the
// place φ of the centre of mass and three directors d₁, d₂, d₃ along the body's axes, twelve coordinates with the
// constant mass matrix diag(m 1, E_ij 1), E = ½ tr(J) 1 - J the Euler tensor (2.39)-(2.42). Six internal constraints,
// `rigidity`, keep the directors orthonormal; between them R = [d₁ d₂ d₃] is taken as it is, so that rows which are
// quadratic in points and directions have exact discrete gradients.
//
// A point ρ of the body is at φ + Σ ρᵢ dᵢ. A piece of a row therefore gives φ the force f and dᵢ the force ρᵢ f: exact
// derivatives by all twelve coordinates. The angular velocity is ω = ½ Σ dᵢ × ḋᵢ, which is the true one when the body
// is rigid, and a wrench (n, f) acts by f on φ and ½ n × dᵢ on dᵢ: its power is n·ω + f·φ̇ at any directors.
#pragma once

#include "davit/dynamics/vector_space_block.hpp"
#include "davit/model/body.hpp"

namespace davit {

class DirectorBody final : public VectorSpaceBlock<DirectorBody> {
 public:
  using Vec12 = Eigen::Matrix<double, 12, 1>;
  using Mat12 = Eigen::Matrix<double, 12, 12>;

  // Name, mass, centre and inertia are those of `body`; its joint is not used. At the start the body's own frame is at
  // `pose` in the world and moves with `twist`: world axes, v is the velocity of the frame's origin.
  DirectorBody(const BlockPlace& place, const Body& body, const Pose& pose, const Twist& twist = {});

  int body() const { return place().body; }  // in Kin and loads
  // A frame fixed in the body: its own frame, moved by `offset`.
  Frame frame(const Pose& offset = {}) const { return {body(), {offset.R, offset.p - centre_}}; }
  // ½(dᵢ·dᵢ - 1) and dᵢ·dⱼ, (2.44): a model with this body needs it among its constraints.
  Constraint rigidity() const;
  const Mat3& euler_tensor() const { return euler_; }

  // q̇ = P(q) (φ̇; ω) for motions that keep the body rigid, (2.50)-(2.51).
  static Eigen::Matrix<double, 12, 6> null_space(const Vec12& q);
  // q = F(φ, θ): the start directors turned by exp(θ̂), (2.58)-(2.60).
  Vec12 configuration(const Vec3& position, const Vec3& theta) const;

  int nu() const override { return 12; }
  int bodies() const override { return 1; }
  bool rigid_kinematics() const override { return false; }
  std::vector<std::vector<int>> groups() const override;
  std::vector<int> speeds_moving(int) const override { return groups().front(); }
  void add_wrench(const Kin& kin, int body, const Wrench& wrench, double* generalised) const override {
    add_body_wrench(kin.body[static_cast<size_t>(body)], wrench, 1.0, generalised);
  }
  void initial_state(double* q, double* u) const override;
  using VectorSpaceBlock::make_work;
  std::unique_ptr<BlockWork> make_work(double) const override;
  void factor_mass(const Kin&, const Loads&, BlockWork&) const override;
  MassFailure mass_failure(const BlockWork&) const override;
  double kinetic_energy(const Kin&) const override;
  std::vector<std::string> speed_names() const override;
  void add_observables(Observables&) const override;

  void solve(const BlockWork&, double* r) const;

  template <class S>
  void move(const S* q, const S* u, KinT<S>& kin) const {
    BodyKinT<S>& k = kin.body[static_cast<size_t>(body())];
    k.p = part(q, 0);
    k.r = k.p;
    k.v = part(u, 0);
    k.w.setZero();
    for (int i = 0; i < 3; ++i) {
      k.R.col(i) = part(q, i + 1);
      k.w += S(0.5) * Vec3T<S>(k.R.col(i)).cross(part(u, i + 1));
    }
  }
  template <class S>
  void multiply_mass(const KinT<S>& kin, const LoadsT<S>& loads, const S* a, S* out) const {
    Vec3T<S> momentum_rate[4];
    momentum_rate[0] = S(mass_) * part(a, 0);
    for (int i = 0; i < 3; ++i) {
      momentum_rate[i + 1].setZero();
      for (int j = 0; j < 3; ++j) momentum_rate[i + 1] += S(euler_(i, j)) * part(a, j + 1);
    }
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 3; ++k) out[3 * i + k] = momentum_rate[i][k];
    if (loads.added.empty()) return;
    // The acceleration that added inertia answers is the rate of (ω; φ̇): ½ Σ dᵢ × d̈ᵢ, since ḋᵢ × ḋᵢ = 0.
    TwistT<S> acceleration{Vec3T<S>::Zero(), part(a, 0)};
    const BodyKinT<S>& k = kin.body[static_cast<size_t>(body())];
    for (int i = 0; i < 3; ++i) acceleration.w += S(0.5) * Vec3T<S>(k.R.col(i)).cross(part(a, i + 1));
    add_body_wrench(k, loads.added[static_cast<size_t>(body())] * acceleration, S(1), out);
  }
  template <class S>
  void subtract_loads(const KinT<S>& kin, const LoadsT<S>& loads, S* out) const {
    const auto b = static_cast<size_t>(body());
    add_body_wrench(kin.body[b], loads.wrench[b], S(-1), out);
    for (int i = 0; i < 12; ++i) out[i] -= loads.tau[static_cast<size_t>(place().u + i)];
  }
  template <class S>
  void add_piece(const KinT<S>&, const typename JacobianT<S>::Entry& entry, const S& factor, S* out) const {
    const Vec3T<S> force = factor * entry.force;
    for (int k = 0; k < 3; ++k) {
      if (entry.includes_translation) out[k] += force[k];
      for (int i = 0; i < 3; ++i) out[3 * (i + 1) + k] += entry.point[i] * force[k];
    }
  }
  template <class S>
  S piece_rate(const KinT<S>& kin, const typename JacobianT<S>::Entry& entry) const {
    const S* u = kin.u + place().u;
    Vec3T<S> velocity = Vec3T<S>::Zero();
    if (entry.includes_translation) velocity += part(u, 0);
    for (int i = 0; i < 3; ++i) velocity += entry.point[i] * part(u, i + 1);
    return entry.force.dot(velocity);
  }

 private:
  // φ (0) or a director (1 to 3) of the twelve numbers.
  template <class S>
  static Vec3T<S> part(const S* x, int i) {
    return {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  }
  template <class S>
  static void add_body_wrench(const BodyKinT<S>& k, const WrenchT<S>& wrench, const S& factor, S* out) {
    for (int j = 0; j < 3; ++j) out[j] += factor * wrench.f[j];
    for (int i = 0; i < 3; ++i) {
      const Vec3T<S> force = wrench.n.cross(Vec3T<S>(k.R.col(i)));
      for (int j = 0; j < 3; ++j) out[3 * (i + 1) + j] += S(0.5) * factor * force[j];
    }
  }
  Mat12 own_mass() const;

  std::string name_;
  double mass_;
  Vec3 centre_;  // of mass, in the body's own frame
  Mat3 euler_;   // about the centre, in the axes of the directors
  Pose start_;   // of the body's own frame
  Twist start_twist_;
};

extern template class VectorSpaceBlock<DirectorBody>;

}  // namespace davit
