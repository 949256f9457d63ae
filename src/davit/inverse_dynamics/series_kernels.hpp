// The parts of a model on Taylor series: which kernels there are, and how they are called. Included by one source for
// each scalar.
#pragma once

#include "davit/constraint/angle_row.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/tied_row.hpp"
#include "davit/dynamics/director_body.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/rigidity.hpp"
#include "davit/dynamics/scalars.hpp"
#include "davit/dynamics/tree_kernels.hpp"
#include "davit/force/applied_wrench.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/inverse_dynamics/series_model.hpp"
#include "davit/inverse_dynamics/servo_constraint.hpp"
#include "davit/rope/rigid_rope.hpp"

namespace davit::inverse_dynamics {

template <class S>
class TreeSeries final : public SeriesBlock<S> {
 public:
  explicit TreeSeries(const Tree& tree) : tree_(tree), work_(tree.segments().size()) {}
  void retract(const S* q, const S* d, S* q1) const override { tree_kernels::retract(tree_.segments(), q, d, q1); }
  // See Tree::increment_rate: θ̇ = J⁻¹ ω and ρ̇ = exp(θ/2) v - ω½ × ρ.
  void speeds(const S* d, const S* rate, S* u) const override {
    using tree_kernels::put3, tree_kernels::vec3;
    for (const Segment& s : tree_.segments()) {
      if (s.kind == Primitive::revolute || s.kind == Primitive::prismatic) u[s.u] = rate[s.u];
      if (s.kind != Primitive::ball && s.kind != Primitive::free) continue;
      const Vec3T<S> theta = vec3(d + s.u), theta_rate = vec3(rate + s.u);
      put3<S>(u + s.u, exp_derivative(theta) * theta_rate);
      if (s.kind != Primitive::free) continue;
      const Vec3T<S> half = S(0.5) * theta, half_rate = exp_derivative(half) * Vec3T<S>(S(0.5) * theta_rate);
      const Vec3T<S> moved = vec3(d + s.u + 3), moved_rate = vec3(rate + s.u + 3);
      put3<S>(u + s.u + 3, exp_rotation(half).transpose() * Vec3T<S>(moved_rate + half_rate.cross(moved)));
    }
  }
  void kinematics(const S* q, const S* u, KinT<S>& kin) const override {
    tree_kernels::kinematics(tree_.segments(), q, u, kin.body);
  }
  void momentum_rate(const KinT<S>& kin, const S* a, const LoadsT<S>& loads, S* residual) const override {
    tree_kernels::momentum_rate(tree_.segments(), kin, a, loads, work_, residual, static_cast<WrenchT<S>*>(nullptr));
  }
  void apply(const KinT<S>& kin, const typename JacobianT<S>::Entry& entry, const S& factor, LoadsT<S>& loads,
             S*) const override {
    loads.wrench[static_cast<size_t>(entry.body)] += factor * entry.wrench(kin);
  }

 private:
  const Tree& tree_;
  mutable TreeWorkT<S> work_;
};

template <class S, class B>
class VectorSpaceSeries final : public SeriesBlock<S> {
 public:
  explicit VectorSpaceSeries(const B& block) : block_(block) {}
  void retract(const S* q, const S* d, S* q1) const override {
    for (int i = 0; i < block_.nu(); ++i) q1[i] = q[i] + d[i];
  }
  void speeds(const S*, const S* rate, S* u) const override { std::copy(rate, rate + block_.nu(), u); }
  void kinematics(const S* q, const S* u, KinT<S>& kin) const override { block_.move(q, u, kin); }
  void momentum_rate(const KinT<S>& kin, const S* a, const LoadsT<S>& loads, S* residual) const override {
    block_.multiply_mass(kin, loads, a, residual);
    block_.subtract_loads(kin, loads, residual);
  }
  void apply(const KinT<S>& kin, const typename JacobianT<S>::Entry& entry, const S& factor, LoadsT<S>&,
             S* tau) const override {
    block_.add_piece(kin, entry, factor, tau);
  }

 private:
  const B& block_;
};

template <class S, class F>
class ForceSeries final : public SeriesForce<S> {
 public:
  explicit ForceSeries(const F& force) : force_(force) {}
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads) const override {
    force_.add_loads(c, loads, static_cast<S*>(nullptr));
  }

 private:
  const F& force_;
};

template <class S, class G>
class RowsSeries final : public SeriesRows<S> {
 public:
  explicit RowsSeries(const G& geometry) : geometry_(geometry) {}
  void measure(const KinT<S>& kin, S* g) const override { geometry_.measure(kin, g); }
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const override { geometry_.gradient(kin, out); }

 private:
  const G& geometry_;
};

template <class S>
class TiedRowSeries final : public SeriesRows<S> {
 public:
  explicit TiedRowSeries(const TiedRow& row) : row_(row), inner_(series_rows<S>(row.geometry())) {}
  bool complete() const { return inner_ != nullptr; }
  void measure(const KinT<S>& kin, S* g) const override {
    inner_->measure(kin, g);
    g[0] -= S(row_.ratio()) * kin.q[row_.coordinate().q];
  }
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const override {
    inner_->gradient(kin, out);
    out.add_speed(0, row_.coordinate().u, S(-row_.ratio()));
  }

 private:
  const TiedRow& row_;
  std::unique_ptr<SeriesRows<S>> inner_;
};

// The first of the kinds that a part is of.
template <class Base, template <class, class> class Adapter, class S, class Part, class... Kinds>
std::unique_ptr<Base> adapted(const Part& part) {
  std::unique_ptr<Base> out;
  const auto attempt = [&]<class Kind>() {
    if (out) return;
    if (const auto* kind = dynamic_cast<const Kind*>(&part)) out = std::make_unique<Adapter<S, Kind>>(*kind);
  };
  (attempt.template operator()<Kinds>(), ...);
  return out;
}

template <class S>
std::unique_ptr<SeriesBlock<S>> series_block(const Block& block) {
  if (const auto* tree = dynamic_cast<const Tree*>(&block)) return std::make_unique<TreeSeries<S>>(*tree);
  return adapted<SeriesBlock<S>, VectorSpaceSeries, S, Block, Particles, Scalars, DirectorBody>(block);
}
template <class S>
std::unique_ptr<SeriesForce<S>> series_force(const Force& force) {
  return adapted<SeriesForce<S>, ForceSeries, S, Force, Gravity, JointSpring, JointDamper, JointActuator,
                 AppliedWrench>(force);
}
template <class S>
std::unique_ptr<SeriesRows<S>> series_rows(const Geometry& geometry) {
  if (const auto* tied = dynamic_cast<const TiedRow*>(&geometry)) {
    auto rows = std::make_unique<TiedRowSeries<S>>(*tied);
    if (rows->complete()) return rows;
    return nullptr;
  }
  return adapted<SeriesRows<S>, RowsSeries, S, Geometry, PointDistance, FrameConstraint, JointCombination, AngleRow,
                 Rigidity, rope::RigidRope, PlaceServo, OffsetServo, CoordinateServo, OrientationServo>(geometry);
}

template <class S>
SeriesModel<S>::SeriesModel(const ServoProblem& problem) : problem_(problem), model_(*problem.model), t_(S(0)) {
  for (const auto& b : model_.blocks()) blocks_.push_back(series_block<S>(*b.block));
  for (const auto& f : model_.forces()) forces_.push_back(series_force<S>(*f.element));
  for (const auto& c : model_.constraints())
    constraints_.push_back({series_rows<S>(*c.constraint.geometry), c.first_row});
  int first = 0;
  for (const Output& o : problem.outputs) {
    outputs_.push_back({series_rows<S>(*o.rows), first});
    first += o.rows->size();
  }
  const auto nu = static_cast<size_t>(model_.nu()), nq = static_cast<size_t>(model_.nq());
  kin_.body.resize(static_cast<size_t>(model_.bodies()));
  loads_.resize(model_.bodies(), model_.nu(), false);
  q.resize(nq), start_.resize(nq);
  u.resize(nu), a.resize(nu), rate_.resize(nu), F.resize(nu);
  g.resize(static_cast<size_t>(model_.rows()));
  s.resize(static_cast<size_t>(first));
  w_.resize(model_.inputs().size());
}

template <class S>
typename SeriesModel<S>::Motion SeriesModel<S>::make_motion() const {
  return {std::vector<S>(u.size()), std::vector<S>(g.size()), std::vector<S>(problem_.inputs.size())};
}

template <class S>
void SeriesModel<S>::place(double t0, double time_scale, const VecX& q0, const std::vector<S>& d) {
  t_ = S(t0);
  t_.c[1] = time_scale;
  for (size_t i = 0; i < start_.size(); ++i) start_[i] = S(q0[static_cast<Eigen::Index>(i)]);
  for (size_t i = 0; i < rate_.size(); ++i) rate_[i] = d[i].rate() * S(1 / time_scale);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const auto& b = model_.blocks()[i];
    blocks_[i]->retract(start_.data() + b.first_q, d.data() + b.first_u, q.data() + b.first_q);
    blocks_[i]->speeds(d.data() + b.first_u, rate_.data() + b.first_u, u.data() + b.first_u);
  }
  for (size_t i = 0; i < a.size(); ++i) a[i] = u[i].rate() * S(1 / time_scale);
}

template <class S>
void SeriesModel<S>::evaluate(const std::vector<S>& lambda, const std::vector<S>& w) {
  kin_.t = t_;
  kin_.q = q.data();
  kin_.u = u.data();
  kin_.signals = &problem_.start.discrete.signals;
  kin_.environment = problem_.start.discrete.environment.get();
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const auto& b = model_.blocks()[i];
    blocks_[i]->kinematics(q.data() + b.first_q, u.data() + b.first_u, kin_);
  }
  std::fill(w_.begin(), w_.end(), S(0));
  for (size_t i = 0; i < problem_.inputs.size(); ++i) w_[static_cast<size_t>(problem_.inputs[i])] = w[i];
  loads_.clear();
  const ContextT<S> context{kin_, nullptr, w_.data(), problem_.start.discrete, 0, nullptr};
  for (const auto& f : forces_) f->add_loads(context, loads_);
  jacobian_.clear();
  for (const PlacedRows& c : constraints_) {
    const size_t entries = jacobian_.entries.size(), speeds = jacobian_.speeds.size();
    c.rows->gradient(kin_, jacobian_);
    jacobian_.shift_rows(entries, speeds, c.first);
    c.rows->measure(kin_, g.data() + c.first);
  }
  for (const auto& entry : jacobian_.entries) {
    if (entry.body == 0) continue;
    const auto& b = model_.block_of(entry.body);
    blocks_[static_cast<size_t>(&b - model_.blocks().data())]->apply(
        kin_, entry, lambda[static_cast<size_t>(entry.row)], loads_, loads_.tau.data() + b.first_u);
  }
  for (const auto& entry : jacobian_.speeds)
    loads_.tau[static_cast<size_t>(entry.speed)] += lambda[static_cast<size_t>(entry.row)] * entry.coefficient;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const auto& b = model_.blocks()[i];
    blocks_[i]->momentum_rate(kin_, a.data() + b.first_u, loads_, F.data() + b.first_u);
  }
  for (const PlacedRows& o : outputs_) o.rows->measure(kin_, s.data() + o.first);
}

}  // namespace davit::inverse_dynamics
