// Plain coordinates with a constant mass each: the angle of a drum, the length of rope paid out, the coordinates that
// augment a formulation without any (Betsch & Uhlar). No bodies: rows reach them by JacobianT::add_speed, forces by
// loads.tau. A mass may be zero when a row ties the coordinate to others; then only implicit methods can run the model.
#pragma once

#include "davit/dynamics/vector_space_block.hpp"

namespace davit {

struct Scalar {
  std::string name;
  std::string unit = "rad";
  double mass = 0;
  double value = 0, rate = 0;  // at the start
};

class Scalars final : public VectorSpaceBlock<Scalars> {
 public:
  Scalars(const BlockPlace& place, std::vector<Scalar> scalars)
      : VectorSpaceBlock(place), scalars_(std::move(scalars)) {}

  CoordinateIndex at(int scalar) const { return {place().q + scalar, place().u + scalar}; }

  int nu() const override { return static_cast<int>(scalars_.size()); }
  int bodies() const override { return 0; }
  std::vector<std::vector<int>> groups() const override;
  std::vector<int> speeds_moving(int) const override { return {}; }
  void add_wrench(const Kin&, int, const Wrench&, double*) const override {}
  void initial_state(double* q, double* u) const override;
  using VectorSpaceBlock::make_work;
  std::unique_ptr<BlockWork> make_work(double) const override { return std::make_unique<NoWork>(); }
  void factor_mass(const Kin&, const Loads&, BlockWork&) const override {}
  MassFailure mass_failure(const BlockWork&) const override;
  double kinetic_energy(const Kin&) const override;
  std::vector<std::string> speed_names() const override;
  void add_observables(Observables&) const override;

  void solve(const BlockWork&, double* r) const {
    for (const Scalar& s : scalars_) *r++ /= s.mass;
  }

  template <class S>
  void move(const S*, const S*, KinT<S>&) const {}
  template <class S>
  void multiply_mass(const KinT<S>&, const LoadsT<S>&, const S* a, S* out) const {
    for (const Scalar& s : scalars_) *out++ = S(s.mass) * *a++;
  }
  template <class S>
  void subtract_loads(const KinT<S>&, const LoadsT<S>& loads, S* out) const {
    for (int i = 0; i < nu(); ++i) out[i] -= loads.tau[static_cast<size_t>(at(i).u)];
  }
  template <class S>
  void add_piece(const KinT<S>&, const typename JacobianT<S>::Entry&, const S&, S*) const {}
  template <class S>
  S piece_rate(const KinT<S>&, const typename JacobianT<S>::Entry&) const {
    return S(0);
  }

 private:
  std::vector<Scalar> scalars_;
};

extern template class VectorSpaceBlock<Scalars>;

}  // namespace davit
