// Point masses: three coordinates each, the position in world axes. They do not turn: R = 1, and of a wrench only the
// force acts.
#pragma once

#include "davit/dynamics/vector_space_block.hpp"

namespace davit {

struct Particle {
  std::string name;
  double mass = 0;
  Vec3 position = Vec3::Zero();  // at the start
  Vec3 velocity = Vec3::Zero();
};

class Particles final : public VectorSpaceBlock<Particles> {
 public:
  Particles(const BlockPlace& place, std::vector<Particle> particles)
      : VectorSpaceBlock(place), particles_(std::move(particles)) {}

  const std::vector<Particle>& particles() const { return particles_; }
  int body(int particle) const { return place().body + particle; }  // its index in Kin and loads
  Frame frame(int particle) const { return {body(particle), {}}; }

  int nu() const override { return 3 * bodies(); }
  int bodies() const override { return static_cast<int>(particles_.size()); }
  std::vector<std::vector<int>> groups() const override;
  std::vector<int> speeds_moving(int body) const override;
  void initial_state(double* q, double* u) const override;
  using VectorSpaceBlock::make_work;
  std::unique_ptr<BlockWork> make_work(double) const override;
  void factor_mass(const Kin&, const Loads&, BlockWork&) const override;
  void solve_mass_along(const Kin&, BlockWork&, std::span<const int> chain, const double* r, double* a) const override;
  MassFailure mass_failure(const BlockWork&) const override;
  double kinetic_energy(const Kin&) const override;
  std::vector<std::string> speed_names() const override;
  void add_observables(Observables&) const override;

  void solve(const BlockWork&, double* r) const;
  void add_wrench(const Kin&, int body, const Wrench&, double* generalised) const override;

  template <class S>
  void move(const S* q, const S* u, KinT<S>& kin) const {
    for (int i = 0; i < bodies(); ++i) {
      BodyKinT<S>& k = kin.body[static_cast<size_t>(body(i))];
      k.p = Vec3T<S>(q[3 * i], q[3 * i + 1], q[3 * i + 2]);
      k.r = k.p;
      k.v = Vec3T<S>(u[3 * i], u[3 * i + 1], u[3 * i + 2]);
    }
  }
  template <class S>
  void multiply_mass(const KinT<S>&, const LoadsT<S>& loads, const S* a, S* out) const {
    for (int i = 0; i < bodies(); ++i) {
      const Vec3T<S> acceleration(a[3 * i], a[3 * i + 1], a[3 * i + 2]);
      Vec3T<S> rate = S(particles_[static_cast<size_t>(i)].mass) * acceleration;
      if (!loads.added.empty()) rate += loads.added[static_cast<size_t>(body(i))].M * acceleration;
      for (int k = 0; k < 3; ++k) out[3 * i + k] = rate[k];
    }
  }
  template <class S>
  void subtract_loads(const KinT<S>&, const LoadsT<S>& loads, S* out) const {
    for (int i = 0; i < bodies(); ++i)
      for (int k = 0; k < 3; ++k)
        out[3 * i + k] -=
            loads.wrench[static_cast<size_t>(body(i))].f[k] + loads.tau[static_cast<size_t>(place().u + 3 * i + k)];
  }
  template <class S>
  void add_piece(const KinT<S>&, const typename JacobianT<S>::Entry& entry, const S& factor, S* out) const {
    if (!entry.includes_translation) return;
    const int first = 3 * (entry.body - place().body);
    for (int k = 0; k < 3; ++k) out[first + k] += factor * entry.force[k];
  }
  template <class S>
  S piece_rate(const KinT<S>& kin, const typename JacobianT<S>::Entry& entry) const {
    return entry.includes_translation ? entry.force.dot(kin.body[static_cast<size_t>(entry.body)].v) : S(0);
  }

 private:
  std::vector<Particle> particles_;
};

extern template class VectorSpaceBlock<Particles>;

}  // namespace davit
