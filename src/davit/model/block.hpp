// A block of coordinates: it knows its retraction, its kinematics, its inertia and how to solve with it in O(n).
// Increments and velocities always live in the tangent space (nu numbers): steppers never see a quaternion.
// Pointers are to the block's own part of the model's vectors; Kin and loads are those of the whole model.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "davit/model/element.hpp"
#include "davit/model/row.hpp"

namespace davit {

// A block's scratch for one scalar; lives in the Workspace, made by the block.
class BlockWork {
 public:
  virtual ~BlockWork() = default;
};

template <class S>
class BlockKernel {
 public:
  virtual ~BlockKernel() = default;
  virtual std::unique_ptr<BlockWork> make_work(S scalar) const = 0;
  virtual void retract(const S* q, const S* d, S* q1) const = 0;
  virtual void kinematics(const S* q, const S* u, KinT<S>&) const = 0;
  // residual = M a + c - f, with f the loads; `transmitted` (per body, world axes, about the body's origin) is the
  // wrench through each joint, or nullptr. One pass out, one pass back.
  virtual void momentum_rate(const KinT<S>&, const S* a, const LoadsT<S>&, BlockWork&, S* residual,
                             WrenchT<S>* transmitted) const = 0;
  // ġ of a piece of a row, f·(v + Ṙρ), with the speeds of the kinematics; the piece may be of another configuration.
  virtual S rate(const KinT<S>&, const typename JacobianT<S>::Entry&) const = 0;
  // Applies a piece of a row (see JacobianT), times `factor`, as a load; `tau` is the block's part of loads.tau.
  virtual void apply(const KinT<S>&, const typename JacobianT<S>::Entry&, const S& factor, LoadsT<S>&,
                     S* tau) const = 0;
  // The same as generalised forces, which are added.
  virtual void add_generalised(const KinT<S>&, const typename JacobianT<S>::Entry&, const S& factor,
                               S* generalised) const = 0;
};

// A motion without inertia, in words; all empty when there is none.
struct MassFailure {
  std::string element, motion, remedy;
  explicit operator bool() const { return !motion.empty(); }
};

// Where a block's part begins in the model's lists: bodies of Kin and loads (0 is the world), coordinates, speeds. The
// tree comes first; every other block is told its place when it is made, and the Model checks it.
struct BlockPlace {
  int body = 1, q = 0, u = 0;
  bool operator==(const BlockPlace&) const = default;
};

class Block : public BlockKernel<double>, public BlockKernel<Dual8> {
 public:
  using BlockKernel<double>::make_work, BlockKernel<Dual8>::make_work;
  using BlockKernel<double>::retract, BlockKernel<Dual8>::retract;
  using BlockKernel<double>::kinematics, BlockKernel<Dual8>::kinematics;
  using BlockKernel<double>::momentum_rate, BlockKernel<Dual8>::momentum_rate;
  using BlockKernel<double>::rate, BlockKernel<Dual8>::rate;
  using BlockKernel<double>::apply, BlockKernel<Dual8>::apply;
  using BlockKernel<double>::add_generalised, BlockKernel<Dual8>::add_generalised;

  virtual BlockPlace place() const { return {}; }
  virtual int nq() const = 0;
  virtual int nu() const = 0;
  virtual int bodies() const = 0;
  virtual bool constant_mass() const = 0;
  // Bodies move as rigid ones whatever the speeds, and at u̇ = 0 they turn on: R̈ = (α̂ + ω̂²) R with Kin's ω and α.
  // Geometry::rate_bias assumes it; of other blocks the System takes Ġu by dual numbers.
  virtual bool rigid_kinematics() const { return true; }
  // Speeds that share inertia, as a partition: the mass matrix has no entries between groups.
  virtual std::vector<std::vector<int>> groups() const = 0;
  // The block's own speeds that move one of its bodies.
  virtual std::vector<int> speeds_moving(int body) const = 0;
  // The bodies that carry one of its bodies, and that one, in ascending order.
  virtual std::vector<int> chain_to(int body) const { return {body}; }
  virtual void initial_state(double* q, double* u) const = 0;

  // d with q1 = q0 ⊕ d, and the rate ḋ of an increment d(t) from a fixed q0 when the block moves with speeds u.
  virtual void difference(const double* q0, const double* q1, double* d) const = 0;
  virtual void increment_rate(const double* d, const double* u, double* rate) const = 0;

  // Adds a wrench on one of its bodies (world axes, about the body's origin) as generalised forces.
  virtual void add_wrench(const Kin&, int body, const Wrench&, double* generalised) const = 0;
  // M a = r - c: factor once per configuration, then solve for any number of right-hand sides.
  virtual void factor_mass(const Kin&, const Loads&, BlockWork&) const = 0;
  // Accelerations under the loads; `transmitted` as above or nullptr.
  virtual void forward(const Kin&, const Loads&, BlockWork&, double* a, Wrench* transmitted) const = 0;
  // a = M⁻¹ r, and the change of the transmitted wrenches that goes with it.
  virtual void solve_mass(const Kin&, BlockWork&, const double* r, double* a, Wrench* transmitted) const = 0;
  // Of a = M⁻¹ r the speeds that move the bodies of some chains, in ascending order, where r acts on no others: for the
  // price of these bodies where the block can.
  virtual void solve_mass_along(const Kin& kin, BlockWork& work, std::span<const int> /*chain*/, const double* r,
                                double* a) const {
    solve_mass(kin, work, r, a, nullptr);
  }
  // The first motion without inertia that factor_mass met.
  virtual MassFailure mass_failure(const BlockWork&) const = 0;

  virtual double kinetic_energy(const Kin&) const = 0;
  virtual std::vector<std::string> speed_names() const = 0;
  virtual void add_observables(Observables&) const = 0;
};

// The place of the block that follows another.
inline BlockPlace after(const Block& b) {
  const BlockPlace at = b.place();
  return {at.body + b.bodies(), at.q + b.nq(), at.u + b.nu()};
}

}  // namespace davit
