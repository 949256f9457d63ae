// Blocks whose coordinates are plain numbers: retraction is addition, speeds are the rates of the coordinates and there
// are no velocity products, so momentum is M u with M constant (added inertia aside). Authors write template members
//   move(q, u, kin)                     the motion of the block's bodies
//   multiply_mass(kin, loads, a, out)   out = M a, with the added inertia of the loads
//   subtract_loads(kin, loads, out)     out -= the loads as generalised forces
//   add_piece(kin, entry, factor, out)  out += a piece of a row as generalised forces
//   piece_rate(kin, entry)              ġ of a piece of a row
// and solve(work, r): r ← M⁻¹ r. VectorSpaceBlock turns them into the functions of a Block for all scalars.
#pragma once

#include "davit/model/block.hpp"

namespace davit {

// Of a block that keeps nothing.
struct NoWork final : BlockWork {};

template <class Self>
class VectorSpaceBlock : public Block {
 public:
  BlockPlace place() const final { return place_; }
  int nq() const final { return nu(); }
  bool constant_mass() const final { return true; }

  using Block::make_work;
  std::unique_ptr<BlockWork> make_work(Dual8) const final { return std::make_unique<NoWork>(); }
  void retract(const double* q, const double* d, double* q1) const final { add(q, d, q1); }
  void retract(const Dual8* q, const Dual8* d, Dual8* q1) const final { add(q, d, q1); }
  void difference(const double* q0, const double* q1, double* d) const final {
    for (int i = 0; i < nu(); ++i) d[i] = q1[i] - q0[i];
  }
  void increment_rate(const double*, const double* u, double* rate) const final { std::copy(u, u + nu(), rate); }

  void kinematics(const double* q, const double* u, KinT<double>& kin) const final { self().move(q, u, kin); }
  void kinematics(const Dual8* q, const Dual8* u, KinT<Dual8>& kin) const final { self().move(q, u, kin); }
  void momentum_rate(const KinT<double>& kin, const double* a, const LoadsT<double>& loads, BlockWork&,
                     double* residual, WrenchT<double>* transmitted) const final {
    balance(kin, a, loads, residual, transmitted);
  }
  void momentum_rate(const KinT<Dual8>& kin, const Dual8* a, const LoadsT<Dual8>& loads, BlockWork&, Dual8* residual,
                     WrenchT<Dual8>* transmitted) const final {
    balance(kin, a, loads, residual, transmitted);
  }
  double rate(const KinT<double>& kin, const JacobianT<double>::Entry& entry) const final {
    return self().piece_rate(kin, entry);
  }
  Dual8 rate(const KinT<Dual8>& kin, const JacobianT<Dual8>::Entry& entry) const final {
    return self().piece_rate(kin, entry);
  }
  void apply(const KinT<double>& kin, const JacobianT<double>::Entry& entry, const double& factor, LoadsT<double>&,
             double* tau) const final {
    self().add_piece(kin, entry, factor, tau);
  }
  void apply(const KinT<Dual8>& kin, const JacobianT<Dual8>::Entry& entry, const Dual8& factor, LoadsT<Dual8>&,
             Dual8* tau) const final {
    self().add_piece(kin, entry, factor, tau);
  }
  void add_generalised(const KinT<double>& kin, const JacobianT<double>::Entry& entry, const double& factor,
                       double* generalised) const final {
    self().add_piece(kin, entry, factor, generalised);
  }
  void add_generalised(const KinT<Dual8>& kin, const JacobianT<Dual8>::Entry& entry, const Dual8& factor,
                       Dual8* generalised) const final {
    self().add_piece(kin, entry, factor, generalised);
  }

  void forward(const Kin& kin, const Loads& loads, BlockWork& work, double* a, Wrench* transmitted) const final {
    factor_mass(kin, loads, work);
    std::fill(a, a + nu(), 0.0);
    self().subtract_loads(kin, loads, a);
    for (int i = 0; i < nu(); ++i) a[i] = -a[i];
    self().solve(work, a);
    clear(transmitted);
  }
  void solve_mass(const Kin&, BlockWork& work, const double* r, double* a, Wrench* transmitted) const final {
    std::copy(r, r + nu(), a);
    self().solve(work, a);
    clear(transmitted);
  }

 protected:
  explicit VectorSpaceBlock(const BlockPlace& place) : place_(place) {}

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }

  template <class S>
  void add(const S* q, const S* d, S* q1) const {
    for (int i = 0; i < nu(); ++i) q1[i] = q[i] + d[i];
  }
  template <class S>
  void balance(const KinT<S>& kin, const S* a, const LoadsT<S>& loads, S* residual, WrenchT<S>* transmitted) const {
    self().multiply_mass(kin, loads, a, residual);
    self().subtract_loads(kin, loads, residual);
    clear(transmitted);
  }
  // There are no joints.
  template <class S>
  void clear(WrenchT<S>* transmitted) const {
    if (transmitted) std::fill_n(transmitted + place_.body, bodies(), WrenchT<S>{});
  }

  BlockPlace place_;
};

}  // namespace davit
