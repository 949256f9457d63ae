#include "davit/solve/step_equations.hpp"

#include <algorithm>
#include <cmath>

#include "davit/dynamics/pivoted_cholesky.hpp"

namespace davit {

// What one evaluation of the residual needs in one scalar.
template <class S>
struct StepEquations::Scratch {
  EvaluationT<S> point;
  KinT<S> start, end;
  std::vector<S> x, z1;  // the unknowns
  std::vector<S> q0, q_point, q_end, d, u, a, z, u0;
  KinT<S> parting;  // at the point, with the speeds of the end
  std::vector<S> F, rows;
  JacobianT<S> jacobian;
  JacobianT<S> set_jacobian;  // of one set of rows
  std::vector<S> set_rate;

  explicit Scratch(const Model& model, int row_count) {
    model.prepare(point);
    start.body.resize(static_cast<size_t>(model.bodies()));
    end.body.resize(static_cast<size_t>(model.bodies()));
    parting.body.resize(static_cast<size_t>(model.bodies()));
    const auto nu = static_cast<size_t>(model.nu()), nz = static_cast<size_t>(model.nz());
    for (auto* v : {&x, &d, &u, &a, &u0}) v->assign(nu, S(0));
    for (auto* v : {&z1, &z}) v->assign(nz, S(0));
    for (auto* v : {&q0, &q_point, &q_end}) v->assign(static_cast<size_t>(model.nq()), S(0));
    F.assign(nu + nz, S(0));
    rows.assign(static_cast<size_t>(row_count), S(0));
  }
};

namespace {

template <class S>
void assign(std::vector<S>& to, const VecX& from) {
  for (size_t i = 0; i < to.size(); ++i) to[i] = S(from[static_cast<Eigen::Index>(i)]);
}

template <class S>
void affine(const Stage::Affine& map, const std::vector<S>& x, std::vector<S>& out) {
  for (size_t i = 0; i < out.size(); ++i) out[i] = S(map.constant[static_cast<Eigen::Index>(i)]) + S(map.factor) * x[i];
}

template <class S>
void kinematics(const Model& model, double t, const std::vector<S>& q, const std::vector<S>& u, KinT<S>& kin) {
  kin.t = S(t);
  kin.q = q.data();
  kin.u = u.data();
  for (const auto& b : model.blocks()) b.block->kinematics(q.data() + b.first_q, u.data() + b.first_u, kin);
}

template <class S>
void retract(const Model& model, const std::vector<S>& q, const std::vector<S>& d, std::vector<S>& q1) {
  for (const auto& b : model.blocks())
    b.block->retract(q.data() + b.first_q, d.data() + b.first_u, q1.data() + b.first_q);
}

}  // namespace

StepEquations::StepEquations(const Model& model, int most_dense)
    : model_(model), nu_(model.nu()), nz_(model.nz()), most_dense_(most_dense) {
  const auto add = [this](std::string name, const Geometry& geometry, const ConstraintEquation* row,
                          const Contact* contact) {
    row_sets_.push_back({std::move(name), &geometry, row, contact, rows_, geometry.size(), {}, {}});
    rows_ += geometry.size();
  };
  for (const auto& c : model.constraints()) add(c.constraint.name, *c.constraint.geometry, nullptr, nullptr);
  for (const Contact& c : model.contacts()) add(c.name, *c.geometry, nullptr, &c);
  for (const auto& f : model.forces())
    if (const ConstraintEquation* row = f.element->row()) add(f.element->name(), *row->geometry, row, nullptr);
  acts_over_step_ = std::any_of(model.forces().begin(), model.forces().end(),
                                [](const auto& f) { return f.element->acts_over_step(); });
  Vec3 field = Vec3::Zero();
  for (const auto& f : model.forces()) field += f.element->field();
  free_fall_ = field.norm();
  touches_.resize(model.contacts().size());
  size_ = nu_ + nz_ + rows_;
  for (const auto& b : model.blocks())
    for (auto group : b.block->groups()) {
      for (int& speed : group) speed += b.first_u;
      groups_.push_back(std::move(group));
    }
  if (nz_ > 0) {
    groups_.emplace_back();
    for (int i = 0; i < nz_; ++i) groups_.back().push_back(nu_ + i);
  }
  group_of_.assign(static_cast<size_t>(nu_ + nz_), 0);
  for (size_t g = 0; g < groups_.size(); ++g)
    for (int unknown : groups_[g]) group_of_[static_cast<size_t>(unknown)] = static_cast<int>(g);
  scratch_ = std::make_unique<Scratch<double>>(model, rows_);
  dual_ = std::make_unique<Scratch<Dual8>>(model, rows_);
  g0_.setZero(rows_);
  residual_.setZero(size_);
  step_.setZero(size_);
  column_.setZero(nu_);
  unit_.setZero(nu_);
  momentum_.setZero(nu_);
  inertia_.setZero(nu_);
  stage_.clear(nu_);
}

StepEquations::~StepEquations() = default;

StepEquations::Unknowns StepEquations::make_unknowns() const {
  return {VecX::Zero(nu_), VecX::Zero(nz_), VecX::Zero(rows_)};
}

void StepEquations::begin(System& system, const State& start) {
  start_ = start;
  const auto prepare = [&](auto& s) {
    assign(s.q0, start.q);
    assign(s.u0, start.u);
    kinematics(model_, start.t, s.q0, s.u0, s.start);
  };
  prepare(*scratch_);
  prepare(*dual_);
  for (const RowSet& set : row_sets_) set.geometry->rows(scratch_->start, g0_.data() + set.first);
  if (!structured_) find_structure(system);
  if (redundant_) choose_rows();
  if (!touches_.empty()) prepare_contacts(system);
}

namespace {

// Gaps below this (m) count as closed; they may open at any time.
constexpr double closed_gap = 1e-6;

// Part of the response that contacts are softened by, so that forces of a body on more points than it needs are shared
// evenly instead of being undetermined. It answers the change of the force since the last step: what rests does not
// sink.
constexpr double contact_softness = 1e-8;
constexpr double no_force[3] = {0, 0, 0};

// Signorini and Coulomb by projection (Alart & Curnier 1991), with speeds `after` (the normal one less the rebound) and
// forces λ, `last` those of the last step; Newton's method on this is a search for the set of sticking, slipping and
// open contacts. Scaled to speeds.
template <class S>
void contact_law(const S* after, const S* lambda, const double* last, const double* response, double friction,
                 double fixed_bound, S* out) {
  using std::sqrt;
  const auto yielded = [&](int i) { return after[i] + S(contact_softness * response[i]) * (lambda[i] - S(last[i])); };
  const S normal = lambda[2] - yielded(2) / S(response[2]);
  const bool open = value_of(normal) <= 0;
  out[2] = open ? S(response[2]) * lambda[2] : yielded(2);
  const S bound = fixed_bound >= 0 ? S(fixed_bound) : open ? S(0) : S(friction) * normal;
  const S x = lambda[0] - after[0] / S(response[0]), y = lambda[1] - after[1] / S(response[1]);
  const S trial = sqrt(S(x * x + y * y));
  if (value_of(bound) > 0 && value_of(trial) <= value_of(bound)) {
    out[0] = yielded(0);
    out[1] = yielded(1);
    return;
  }
  const S share = value_of(trial) > 0 ? bound / trial : S(0);
  out[0] = S(response[0]) * (lambda[0] - share * x);
  out[1] = S(response[1]) * (lambda[1] - share * y);
}

}  // namespace

// Which contacts may carry: those that are closed half a step ahead (Moreau). The response of a row is h G M⁻¹ Gᵀ.
void StepEquations::prepare_contacts(System& system) {
  Workspace& work = system.workspace();
  const bool motion = stage_.purpose == Stage::Purpose::motion;
  system.factor_mass(start_);
  JacobianT<double>& jacobian = scratch_->jacobian;
  size_t contact = 0;
  for (const RowSet& set : row_sets_) {
    if (!set.contact) continue;
    Touch& touch = touches_[contact++];
    jacobian.clear();
    set.geometry->jacobian(scratch_->start, jacobian);
    double speed[3] = {0, 0, 0};
    model_.add_rates(scratch_->start, jacobian, speed);
    const double gap = g0_[set.first + 2];
    // A displacement that frees one contact may close another, so there all may carry.
    touch.closed = !motion || gap + stage_.h / 2 * speed[2] <= closed_gap;
    touch.rebound = 0;
    touch.bound = -1;
    // What fell for less than two steps is taken as rest: bouncing must end. Without gravity nothing falls back, and
    // every approach is an impact; what another force presses together then trembles by what it gains in two steps.
    const double restitution = set.contact->restitution;
    if (motion && restitution > 0 && speed[2] < -2 * free_fall_ * stage_.h)
      touch.rebound = -restitution * speed[2];
    else if (motion && gap > 0 && gap <= closed_gap)
      touch.rebound = -gap / stage_.h;  // or gaps of resting contacts would add up until they count as open
    for (int i = 0; i < 3; ++i) {
      for (const auto& e : jacobian.entries) {
        if (e.row != i || e.body == 0) continue;
        const auto& b = model_.block_of(e.body);
        b.block->add_generalised(scratch_->start, e, 1.0, column_.data() + b.first_u);
      }
      double response = 0;
      for (size_t k = 0; k < model_.blocks().size(); ++k) {
        const auto& b = model_.blocks()[k];
        b.block->solve_mass(work.kin, *work.block[k], column_.data() + b.first_u, work.a.data() + b.first_u, nullptr);
        for (int u = b.first_u; u < b.first_u + b.block->nu(); ++u) response += column_[u] * work.a[u];
      }
      touch.response[i] = (motion ? stage_.h : 1) * response;
      column_.setZero();
    }
  }
}

double StepEquations::penetration() const {
  double deepest = 0;
  for (const RowSet& set : row_sets_)
    if (set.contact) deepest = std::max(deepest, -g0_[set.first + 2]);
  return deepest;
}

double StepEquations::contact_residual(System& system, const Unknowns& at) {
  compute_residual(system, at);
  double worst = 0;
  for (const RowSet& set : row_sets_)
    if (set.contact) worst = std::max(worst, residual_.segment(nu_ + nz_ + set.first, 3).cwiseAbs().maxCoeff());
  return worst;
}

template <class S>
void StepEquations::contact_rows(Scratch<S>& s, const RowSet& set, const double* lambda, S* out) const {
  const Touch& touch = touches_[static_cast<size_t>((set.first - model_.rows()) / 3)];
  S after[3] = {S(0), S(0), S(0)}, force[3];
  for (int i = 0; i < 3; ++i) force[i] = S(lambda[set.first + i]);
  if (!touch.closed) {
    for (int i = 0; i < 3; ++i) out[i] = S(touch.response[i]) * force[i];
    return;
  }
  if (stage_.purpose == Stage::Purpose::displacement) {
    set.geometry->rows(s.end, after);
    contact_law(after, force, no_force, touch.response, 0.0, -1, out);
    return;
  }
  JacobianT<S>& jacobian = s.set_jacobian;
  jacobian.clear();
  set.geometry->jacobian(s.parting, jacobian);
  model_.add_rates(s.parting, jacobian, after);
  after[2] -= S(touch.rebound);
  contact_law(after, force, start_.lambda.data() + set.first, touch.response, set.contact->friction, touch.bound, out);
}

// (10): λ = -k (g + h ġ₁) - c ġ₁, the spring at the end of the step. (11): ġ₁ = -4Γ g/h + Γ ġ₀ - 4Γ λ/(k h) with
// Γ = h/(h + 4τ), where the damping of the law adds c/k to τ. Both in forms that stand k = 0 and k without bound.
StepEquations::RelaxedRow StepEquations::relaxed_row(const RowSet& set, int row) const {
  const double h = stage_.h, tau = stage_.relaxation.tau;
  const bool at_velocity = stage_.relaxation.at_velocity;
  if (!set.geometry->holonomic() && !set.row) return {};
  if (!set.row) return at_velocity ? RelaxedRow{4 / (h + 4 * tau), h / (h + 4 * tau), 0} : RelaxedRow{1 / h, 0, 0};
  const Law& law = *set.row->laws[static_cast<size_t>(row)];
  const double k = law.stiffness(), c = law.damping();
  if (!at_velocity) return {k / (k * h + c), 0, 1 / (k * h + c)};
  const double sum = k * (h + 4 * tau) + 4 * c;
  return {4 * k / sum, k * h / sum, 4 / sum};
}

// The pieces of a row at the start, with the speeds x and u₀.
template <class S>
void StepEquations::relaxed_rows(Scratch<S>& s, const RowSet& set, const double* lambda, S* out) const {
  JacobianT<S>& jacobian = s.set_jacobian;
  std::vector<S>& before = s.set_rate;
  jacobian.clear();
  before.assign(static_cast<size_t>(set.size), S(0));
  set.geometry->jacobian(s.start, jacobian);
  set.geometry->time_rate(s.start, before.data());
  for (int i = 0; i < set.size; ++i) out[i] = before[static_cast<size_t>(i)];
  model_.add_rates(s.start, jacobian, before.data());
  model_.add_rates(s.end, jacobian, out);
  for (int i = 0; i < set.size; ++i) {
    const RelaxedRow row = relaxed_row(set, i);
    const Law* law = set.row ? set.row->laws[static_cast<size_t>(i)].get() : nullptr;
    out[i] -= S(row.of_speed) * before[static_cast<size_t>(i)];
    if (set.geometry->holonomic()) out[i] += S(row.of_gap * (g0_[set.first + i] - (law ? law->rest() : 0)));
    const S answer(row.of_force * lambda[set.first + i]);
    // A line that would have to push is slack: λ = 0.
    out[i] = law && law->only_pulls() && value_of(out[i]) < 0 ? answer : out[i] + answer;
  }
}

// Rows that follow from the others where the step begins need not do so in its middle: their multipliers would be
// determined by that difference alone, and large. They are left out of the step (λ = 0); the others imply them.
void StepEquations::choose_rows() {
  start_gradient_.setZero(nu_, model_.rows());
  JacobianT<double>& jacobian = scratch_->jacobian;
  for (const RowSet& set : row_sets_) {
    if (!rigid(set)) continue;
    jacobian.clear();
    set.geometry->jacobian(scratch_->start, jacobian);
    for (const auto& e : jacobian.entries) {
      if (e.body == 0) continue;
      const auto& b = model_.block_of(e.body);
      b.block->add_generalised(scratch_->start, e, 1.0, start_gradient_.col(set.first + e.row).data() + b.first_u);
    }
    for (const auto& e : jacobian.speeds) start_gradient_(e.speed, set.first + e.row) += e.coefficient;
  }
  gram_.noalias() = start_gradient_.transpose().lazyProduct(start_gradient_);
  const int rank = pivoted_cholesky(gram_, row_order_, gram_diagonal_);
  std::fill(left_out_.begin(), left_out_.end(), char(0));
  for (size_t i = static_cast<size_t>(rank); i < row_order_.size(); ++i)
    left_out_[static_cast<size_t>(row_order_[i])] = 1;
}

// The equation of each row, scaled to a speed.
template <class S>
void StepEquations::evaluate_rows(Scratch<S>& s, const RowSet& set, const double* lambda, S* out) const {
  if (set.contact) {
    contact_rows(s, set, lambda, out);
    return;
  }
  if (stage_.laws == Stage::Laws::relaxed) {
    relaxed_rows(s, set, lambda, out);
    return;
  }
  const double scale = 1 / stage_.d_end.factor;
  if (!set.geometry->holonomic()) {
    JacobianT<S>& jacobian = s.set_jacobian;
    jacobian.clear();
    set.geometry->time_rate(s.point.kin, out);
    set.geometry->jacobian(s.point.kin, jacobian);
    model_.add_rates(s.point.kin, jacobian, out);
    if (set.row)
      for (int i = 0; i < set.size; ++i) {
        const Law& law = *set.row->laws[static_cast<size_t>(i)];
        out[i] = S(scale * law.compliance()) * (S(lambda[set.first + i]) - law.force(S(0), out[i]));
      }
    return;
  }
  if (!set.row || stage_.laws == Stage::Laws::discrete_gradient) {
    set.geometry->rows(s.end, out);
    for (int i = 0; i < set.size; ++i) {
      if (!set.row) {
        out[i] *= S(scale);
        continue;
      }
      const Law& law = *set.row->laws[static_cast<size_t>(i)];
      const S force = law.step_force(S(g0_[set.first + i]), out[i], stage_.h);
      out[i] = S(scale * law.compliance()) * (S(lambda[set.first + i]) - force);
    }
    return;
  }
  std::vector<S>& rate = s.set_rate;
  JacobianT<S>& jacobian = s.set_jacobian;
  rate.assign(static_cast<size_t>(set.size), S(0));
  jacobian.clear();
  set.geometry->rows(s.point.kin, out);
  set.geometry->time_rate(s.point.kin, rate.data());
  set.geometry->jacobian(s.point.kin, jacobian);
  model_.add_rates(s.point.kin, jacobian, rate.data());
  for (int i = 0; i < set.size; ++i) {
    const Law& law = *set.row->laws[static_cast<size_t>(i)];
    const S force = law.force(out[i], rate[static_cast<size_t>(i)]);
    out[i] = S(scale * law.compliance()) * (S(lambda[set.first + i]) - force);
  }
}

template <class S>
void StepEquations::evaluate(System& system, Scratch<S>& s, const double* lambda) const {
  // The end of the step: rows. Relaxed rows stay at the start.
  const bool relaxed = stage_.laws == Stage::Laws::relaxed;
  affine(stage_.d_end, s.x, s.d);
  retract(model_, s.q0, s.d, s.q_end);
  kinematics(model_, stage_.t_end, relaxed ? s.q0 : s.q_end, s.x, s.end);
  // The point: F.
  affine(stage_.d_point, s.x, s.d);
  affine(stage_.u_point, s.x, s.u);
  affine(stage_.a_point, s.x, s.a);
  retract(model_, s.q0, s.d, s.q_point);
  for (size_t i = 0; i < s.z.size(); ++i) {
    const double z0 = start_.z[static_cast<Eigen::Index>(i)];
    s.z[i] = S(z0) + S(stage_.z_share) * (s.z1[i] - S(z0));
  }
  const bool lowered = stage_.laws == Stage::Laws::as_forces,
             discrete_gradient = stage_.laws == Stage::Laws::discrete_gradient;
  system.apply_forces<S>(s.point, S(stage_.t_point), s.q_point.data(), s.u.data(), s.z.data(), start_.discrete,
                         lowered             ? System::ElasticRows::as_forces
                         : discrete_gradient ? System::ElasticRows::discrete_gradient
                                             : System::ElasticRows::left_out);
  if (discrete_gradient) system.apply_over_step<S>(s.point, s.start, s.end, stage_.h, s.z.data(), start_.discrete);
  if (!touches_.empty()) kinematics(model_, stage_.t_point, s.q_point, s.x, s.parting);
  if (stage_.purpose == Stage::Purpose::displacement) s.point.loads.clear();
  s.jacobian.clear();
  for (const RowSet& set : row_sets_) {
    if (set.row && lowered) continue;
    const size_t entries = s.jacobian.entries.size(), speeds = s.jacobian.speeds.size();
    switch (stage_.gradient) {
      case Stage::Gradient::at_point:
        set.geometry->jacobian(s.point.kin, s.jacobian);
        break;
      case Stage::Gradient::discrete_gradient:
        set.geometry->discrete_jacobian(s.start, s.point.kin, s.end, s.jacobian);
        break;
      case Stage::Gradient::at_start:
        set.geometry->jacobian(s.start, s.jacobian);
        break;
    }
    s.jacobian.shift_rows(entries, speeds, set.first);
  }
  system.apply_rows<S>(s.point, s.jacobian, lambda);
  system.inverse_dynamics_residual<S>(s.point, s.a.data(), s.F.data(), nullptr);
  for (int i = 0; i < nz_; ++i) {
    const auto k = static_cast<size_t>(i);
    const double rate = stage_.z_rate.size() ? stage_.z_rate[i] : 0;
    s.F[static_cast<size_t>(nu_ + i)] =
        (s.z1[k] - S(start_.z[i])) / S(stage_.h) - S(rate) - S(stage_.z_weight) * s.point.zdot[k];
  }
  for (const RowSet& set : row_sets_) {
    if (set.row && lowered)
      for (int i = 0; i < set.size; ++i) s.rows[static_cast<size_t>(set.first + i)] = S(lambda[set.first + i]);
    else
      evaluate_rows(s, set, lambda, s.rows.data() + set.first);
    for (int i = 0; i < set.size; ++i)
      if (is_left_out(set, i)) s.rows[static_cast<size_t>(set.first + i)] = S(lambda[set.first + i]);
  }
}

void StepEquations::compute_residual(System& system, const Unknowns& at) {
  assign(scratch_->x, at.x);
  assign(scratch_->z1, at.z);
  evaluate(system, *scratch_, at.lambda.data());
  for (int i = 0; i < nu_ + nz_; ++i) residual_[i] = scratch_->F[static_cast<size_t>(i)];
  for (int i = 0; i < rows_; ++i) residual_[nu_ + nz_ + i] = scratch_->rows[static_cast<size_t>(i)];
}

void StepEquations::compute_matrix(System& system, const Unknowns& at) {
  solver_->clear();
  double* values = solver_->values();
  for (const Sweep& sweep : sweeps_) {
    assign(dual_->x, at.x);
    assign(dual_->z1, at.z);
    for (const Seed& seed : sweep.seeds) {
      Dual8& unknown = seed.unknown < nu_ ? dual_->x[static_cast<size_t>(seed.unknown)]
                                          : dual_->z1[static_cast<size_t>(seed.unknown - nu_)];
      unknown.d[static_cast<size_t>(seed.direction)] = 1;
    }
    evaluate(system, *dual_, at.lambda.data());
    for (const Target& target : sweep.targets) {
      const Dual8& value = target.equation < nu_ + nz_ ? dual_->F[static_cast<size_t>(target.equation)]
                                                       : dual_->rows[static_cast<size_t>(target.equation - nu_ - nz_)];
      values[target.place] = value.d[static_cast<size_t>(target.direction)];
    }
  }
  fill_strips(at);
}

// What depends on the multipliers: -Gᵀ and the slopes of laws.
void StepEquations::fill_strips(const Unknowns& at) {
  double* values = solver_->values();
  find_contact_slopes(at);
  // -Gᵀ: generalised forces of unit multipliers at the residual's own point.
  const JacobianT<double>& jacobian = scratch_->jacobian;
  size_t entry = 0, speed = 0;
  for (size_t k = 0; k < row_sets_.size(); ++k) {
    const RowSet& set = row_sets_[k];
    if (set.row && stage_.laws == Stage::Laws::as_forces) {
      for (int i = 0; i < set.size; ++i) values[law_places_[static_cast<size_t>(set.first + i)]] = 1;
      continue;
    }
    const size_t first_entry = entry, first_speed = speed;
    const auto of_set = [&](int row) { return row >= set.first && row < set.first + set.size; };
    while (entry < jacobian.entries.size() && of_set(jacobian.entries[entry].row)) ++entry;
    while (speed < jacobian.speeds.size() && of_set(jacobian.speeds[speed].row)) ++speed;
    const auto& places = strip_places_[k];
    size_t place = 0;
    for (int i = 0; i < set.size; ++i) {
      for (size_t e = first_entry; e < entry; ++e) {
        const auto& piece = jacobian.entries[e];
        if (piece.row != set.first + i || piece.body == 0) continue;
        const auto& b = model_.block_of(piece.body);
        b.block->add_generalised(scratch_->point.kin, piece, 1.0, column_.data() + b.first_u);
      }
      for (size_t e = first_speed; e < speed; ++e)
        if (jacobian.speeds[e].row == set.first + i)
          column_[jacobian.speeds[e].speed] += jacobian.speeds[e].coefficient;
      for (int u : set.speeds) {
        values[places[place++]] = is_left_out(set, i) ? 0 : -column_[u];
        column_[u] = 0;
      }
      if (set.contact) {
        const size_t contact = static_cast<size_t>((set.first - model_.rows()) / 3);
        for (int j = 0; j < 3; ++j)
          values[contact_places_[9 * contact + 3 * static_cast<size_t>(i) + static_cast<size_t>(j)]] =
              contact_slopes_[contact](i, j);
      }
      if (is_left_out(set, i)) values[law_places_[static_cast<size_t>(set.first + i)]] = 1;
      if (set.row) {
        const Law& law = *set.row->laws[static_cast<size_t>(i)];
        values[law_places_[static_cast<size_t>(set.first + i)]] =
            stage_.laws == Stage::Laws::relaxed ? relaxed_row(set, i).of_force : law.compliance() / stage_.d_end.factor;
      }
    }
  }
}

// Which groups' equations see which groups' unknowns: found by running the residual on dual numbers with a random
// direction per group, eight groups at a time; and by the rows that groups share.
std::vector<std::vector<int>> StepEquations::find_couplings(System& system) {
  std::vector<std::set<int>> sees(groups_.size());
  Scratch<Dual8>& s = *dual_;
  const VecX ones = VecX::Ones(rows_);
  const auto irrational = [](int i) { return 0.6 + 0.3 * std::sin(1.7 * i + 0.4); };
  for (size_t first = 0; first < groups_.size(); first += 8) {
    for (int i = 0; i < nu_; ++i) s.x[static_cast<size_t>(i)] = Dual8(start_.u[i] + 0.1 * irrational(i));
    for (int i = 0; i < nz_; ++i) s.z1[static_cast<size_t>(i)] = Dual8(start_.z[i]);
    for (size_t k = 0; k < 8 && first + k < groups_.size(); ++k)
      for (int unknown : groups_[first + k]) {
        Dual8& seeded = unknown < nu_ ? s.x[static_cast<size_t>(unknown)] : s.z1[static_cast<size_t>(unknown - nu_)];
        seeded.d[k] = irrational(unknown + 31);
      }
    evaluate(system, s, ones.data());
    for (int i = 0; i < nu_ + nz_; ++i)
      for (size_t k = 0; k < 8 && first + k < groups_.size(); ++k)
        if (s.F[static_cast<size_t>(i)].d[k] != 0) sees[first + k].insert(group_of_[static_cast<size_t>(i)]);
  }
  const auto couple = [&](const auto& groups) {
    for (int a : groups)
      for (int b : groups) sees[static_cast<size_t>(a)].insert(b);
  };
  for (const RowSet& set : row_sets_) couple(set.groups);
  for (const auto& f : model_.forces()) {
    std::set<int> touched;
    for (int body : f.element->may_couple()) add_groups_of({0, body, Vec3::Zero(), Vec3::Zero(), true}, touched);
    for (int speed : f.element->may_couple_speeds()) touched.insert(group_of_[static_cast<size_t>(speed)]);
    couple(touched);
  }
  std::vector<std::vector<int>> couplings;
  for (size_t g = 0; g < groups_.size(); ++g) {
    sees[g].insert(static_cast<int>(g));
    // The pattern is symmetric.
    for (int other : sees[g]) sees[static_cast<size_t>(other)].insert(static_cast<int>(g));
  }
  for (const auto& set : sees) couplings.emplace_back(set.begin(), set.end());
  return couplings;
}

// Groups of one colour have no equation in common, so they may share the directions of a sweep.
void StepEquations::make_sweeps(const std::vector<std::vector<int>>& couplings) {
  std::vector<int> colour(groups_.size(), -1);
  int colours = 0;
  for (size_t g = 0; g < groups_.size(); ++g) {
    std::set<int> taken;
    for (int k : couplings[g])
      for (int other : couplings[static_cast<size_t>(k)]) taken.insert(colour[static_cast<size_t>(other)]);
    while (taken.count(colour[g] = colour[g] < 0 ? 0 : colour[g])) ++colour[g];
    colours = std::max(colours, colour[g] + 1);
  }
  std::vector<std::vector<const RowSet*>> rows_of(groups_.size());
  for (const RowSet& set : row_sets_)
    for (int g : set.groups) rows_of[static_cast<size_t>(g)].push_back(&set);

  // Small groups of different colours fit side by side into one sweep.
  sweeps_.clear();
  int free_directions = 0;
  for (int c = 0; c < colours; ++c) {
    size_t width = 0;
    for (size_t g = 0; g < groups_.size(); ++g)
      if (colour[g] == c) width = std::max(width, groups_[g].size());
    for (size_t first = 0; first < width; first += 8) {
      const int here = static_cast<int>(std::min<size_t>(8, width - first));
      if (free_directions < here) {
        sweeps_.emplace_back();
        free_directions = 8;
      }
      const int offset = 8 - free_directions;
      free_directions -= here;
      Sweep& sweep = sweeps_.back();
      for (size_t g = 0; g < groups_.size(); ++g) {
        if (colour[g] != c) continue;
        for (size_t k = first; k < std::min(first + 8, groups_[g].size()); ++k) {
          const int unknown = groups_[g][k], direction = offset + static_cast<int>(k - first);
          sweep.seeds.push_back({unknown, direction});
          for (int other : couplings[g])
            for (int equation : groups_[static_cast<size_t>(other)])
              sweep.targets.push_back({equation, unknown, direction, solver_->place(equation, unknown)});
          for (const RowSet* set : rows_of[g])
            for (int i = 0; i < set->size; ++i) {
              const int equation = nu_ + nz_ + set->first + i;
              sweep.targets.push_back({equation, unknown, direction, solver_->place(equation, unknown)});
            }
        }
      }
    }
  }
}

// Groups whose speeds move a body: those that any force at any point of it acts on.
void StepEquations::add_groups_of(JacobianT<double>::Entry entry, std::set<int>& groups) {
  if (entry.body == 0) return;
  entry.force += Vec3(0.37, 0.71, 0.53);
  entry.point += Vec3(0.29, 0.43, 0.61);
  column_.setZero();
  const auto& b = model_.block_of(entry.body);
  b.block->add_generalised(scratch_->start, entry, 1.0, column_.data() + b.first_u);
  for (int u = 0; u < nu_; ++u)
    if (column_[u] != 0) groups.insert(group_of_[static_cast<size_t>(u)]);
  column_.setZero();
}

void StepEquations::find_structure(System& system) {
  // What rows touch, by the generalised forces of their pieces.
  JacobianT<double> jacobian;
  for (RowSet& set : row_sets_) {
    jacobian.clear();
    set.geometry->jacobian(scratch_->start, jacobian);
    std::set<int> touched;
    for (const auto& entry : jacobian.entries) add_groups_of(entry, touched);
    for (const auto& entry : jacobian.speeds) touched.insert(group_of_[static_cast<size_t>(entry.speed)]);
    set.groups.assign(touched.begin(), touched.end());
    set.speeds.clear();
    for (int g : set.groups)
      for (int u : groups_[static_cast<size_t>(g)]) set.speeds.push_back(u);
  }
  const auto couplings = find_couplings(system);
  sparse_ = size_ > most_dense_;
  if (sparse_) {
    auto sparse = std::make_unique<SparseSolver>();
    std::vector<std::vector<int>> nodes = groups_, after(groups_.size());
    std::vector<std::pair<int, int>> pairs;
    for (size_t g = 0; g < groups_.size(); ++g)
      for (int other : couplings[g]) pairs.emplace_back(static_cast<int>(g), other);
    for (const RowSet& set : row_sets_) {
      const int node = static_cast<int>(nodes.size());
      nodes.emplace_back();
      for (int i = 0; i < set.size; ++i) nodes.back().push_back(nu_ + nz_ + set.first + i);
      after.push_back(set.groups);
      pairs.emplace_back(node, node);
      for (int g : set.groups) pairs.emplace_back(node, g);
    }
    sparse->lu().analyse(size_, nodes, pairs, after);
    solver_ = std::move(sparse);
  } else {
    solver_ = std::make_unique<DenseSolver>(size_);
  }
  make_sweeps(couplings);
  mass_entries_.clear();
  for (const auto& group : groups_)
    for (size_t k = 0; k < group.size() && group[k] < nu_; ++k) {
      if (mass_entries_.size() <= k) mass_entries_.emplace_back();
      for (int row : group) mass_entries_[k].push_back({row, group[k], solver_->place(row, group[k])});
    }
  strip_places_.assign(row_sets_.size(), {});
  row_places_.assign(row_sets_.size(), {});
  law_places_.assign(static_cast<size_t>(rows_), 0);
  for (size_t k = 0; k < row_sets_.size(); ++k)
    for (int i = 0; i < row_sets_[k].size; ++i) {
      const int row = nu_ + nz_ + row_sets_[k].first + i;
      law_places_[static_cast<size_t>(row_sets_[k].first + i)] = solver_->place(row, row);
      for (int u : row_sets_[k].speeds) {
        strip_places_[k].push_back(solver_->place(u, row));
        row_places_[k].push_back(solver_->place(row, u));
      }
    }
  contact_places_.clear();
  for (const RowSet& set : row_sets_)
    if (set.contact)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          contact_places_.push_back(solver_->place(nu_ + nz_ + set.first + i, nu_ + nz_ + set.first + j));
  contact_slopes_.assign(touches_.size(), Mat3::Zero());
  left_out_.assign(static_cast<size_t>(model_.rows()), 0);
  row_order_.resize(static_cast<size_t>(model_.rows()));
  if (model_.rows() > 0) choose_rows();
  redundant_ = std::any_of(left_out_.begin(), left_out_.end(), [](char out) { return out != 0; });
  structured_ = true;
}

// ∂(rows)/∂λ of the contacts, at the speeds of the last residual.
void StepEquations::find_contact_slopes(const Unknowns& at) {
  size_t contact = 0;
  for (const RowSet& set : row_sets_) {
    if (!set.contact) continue;
    const Touch& touch = touches_[contact];
    Mat3& slope = contact_slopes_[contact++];
    slope.setZero();
    if (!touch.closed) {
      for (int i = 0; i < 3; ++i) slope(i, i) = touch.response[i];
      continue;
    }
    double speed[3] = {0, 0, 0};
    double friction = set.contact->friction;
    const double* last = start_.lambda.data() + set.first;
    if (stage_.purpose == Stage::Purpose::displacement) {
      set.geometry->rows(scratch_->end, speed);
      friction = 0;
      last = no_force;
    } else {
      JacobianT<double>& jacobian = slope_jacobian_;
      jacobian.clear();
      set.geometry->jacobian(scratch_->parting, jacobian);
      model_.add_rates(scratch_->parting, jacobian, speed);
      speed[2] -= touch.rebound;
    }
    Dual8 after[3], force[3], out[3];
    for (int i = 0; i < 3; ++i) {
      after[i] = Dual8(speed[i]);
      force[i] = Dual8(at.lambda[set.first + i]);
      force[i].d[static_cast<size_t>(i)] = 1;
    }
    contact_law(after, force, last, touch.response, friction, touch.bound, out);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) slope(i, j) = out[i].d[static_cast<size_t>(j)];
  }
}

bool StepEquations::has_plain_matrix() const {
  return stage_.purpose == Stage::Purpose::motion && stage_.gradient != Stage::Gradient::at_start &&
         (stage_.laws == Stage::Laws::discrete_gradient || stage_.laws == Stage::Laws::at_point) && nz_ == 0 &&
         touches_.empty() && model_.reaction_forces().empty() && !acts_over_step_;
}

// [[a M, -Gᵀ], [slope G, compliance]] at the residual's own point.
void StepEquations::compute_plain_matrix(System& system, const Unknowns& at) {
  solver_->clear();
  double* values = solver_->values();
  fill_strips(at);
  // Momentum rates are affine in the accelerations: one pass per place in the groups, all groups at once.
  Scratch<double>& s = *scratch_;
  const auto pass = [&](VecX& out) {
    system.inverse_dynamics_residual<double>(s.point, unit_.data(), out.data(), nullptr);
  };
  unit_.setZero();
  pass(momentum_);
  for (size_t k = 0; k < mass_entries_.size(); ++k) {
    for (const auto& group : groups_)
      if (k < group.size()) unit_[group[k]] = 1;
    pass(inertia_);
    for (const auto& group : groups_)
      if (k < group.size()) unit_[group[k]] = 0;
    for (const MassEntry& e : mass_entries_[k])
      values[e.place] = stage_.a_point.factor * (inertia_[e.row] - momentum_[e.row]);
  }
  const double scale = 1 / stage_.d_end.factor;
  const bool discrete_gradient = stage_.laws == Stage::Laws::discrete_gradient;
  for (size_t k = 0; k < row_sets_.size(); ++k) {
    const RowSet& set = row_sets_[k];
    const bool at_end = set.geometry->holonomic() && (!set.row || discrete_gradient);
    const KinT<double>& kin = at_end ? s.end : s.point.kin;
    JacobianT<double>& jacobian = slope_jacobian_;
    jacobian.clear();
    set.geometry->jacobian(kin, jacobian);
    VecX& g = row_value_;
    g.setZero(set.size);
    VecX& rate = row_rate_;
    rate.setZero(set.size);
    if (set.row) {
      if (set.geometry->holonomic()) set.geometry->rows(kin, g.data());
      set.geometry->time_rate(kin, rate.data());
      model_.add_rates(kin, jacobian, rate.data());
    }
    size_t place = 0;
    for (int i = 0; i < set.size; ++i) {
      // How the row's equation answers a unit of G x.
      double slope = is_left_out(set, i) ? 0 : at_end ? 1 : stage_.u_point.factor;
      if (set.row) {
        const Law& law = *set.row->laws[static_cast<size_t>(i)];
        const Dual8 gap = Dual8::variable(g[i], 0), speed = Dual8::variable(rate[i], 1);
        const Dual8 force = at_end ? law.step_force(Dual8(g0_[set.first + i]), gap, stage_.h)
                                   : law.force(set.geometry->holonomic() ? gap : Dual8(0), speed);
        slope = -scale * law.compliance() *
                (at_end ? force.d[0] * stage_.d_end.factor
                        : force.d[0] * stage_.d_point.factor + force.d[1] * stage_.u_point.factor);
      }
      for (const auto& e : jacobian.entries) {
        if (e.row != i || e.body == 0) continue;
        const auto& b = model_.block_of(e.body);
        b.block->add_generalised(kin, e, slope, column_.data() + b.first_u);
      }
      for (const auto& e : jacobian.speeds)
        if (e.row == i) column_[e.speed] += slope * e.coefficient;
      for (int u : set.speeds) {
        values[row_places_[k][place++]] = column_[u];
        column_[u] = 0;
      }
    }
  }
}

Failure StepEquations::culprit(const Model& model, const VecX& step) const {
  Eigen::Index worst = 0;
  for (Eigen::Index i = 0; i < nu_; ++i)
    if (!(std::abs(step[i]) <= std::abs(step[worst]))) worst = i;
  return {nu_ > 0 ? model.speed_names()[static_cast<size_t>(worst)] : std::string(),
          "the equations of the step have no solution nearby: a mechanism at a dead point or pulled apart, or a step "
          "too long for the motion; try a shorter step"};
}

NewtonOutcome StepEquations::solve(System& system, Unknowns& unknowns, const NewtonOptions& options) {
  if (touches_.empty()) return iterate(system, unknowns, options);
  guess_ = unknowns;
  const NewtonOutcome direct = iterate(system, unknowns, options);
  if (direct.converged) return direct;
  unknowns = guess_;
  return solve_by_bounds(system, unknowns, options);
}

// With the bounds of friction held fixed the contacts are those of a convex problem; the bounds then follow the normal
// forces until both agree.
NewtonOutcome StepEquations::solve_by_bounds(System& system, Unknowns& unknowns, const NewtonOptions& options) {
  NewtonOutcome sum;
  for (Touch& touch : touches_) touch.bound = 0;
  for (int outer = 0; outer < 100; ++outer) {
    const NewtonOutcome inner = iterate(system, unknowns, options);
    sum.iterations += inner.iterations;
    sum.matrices += inner.matrices;
    sum.change = inner.change;
    sum.why = inner.why;
    if (!inner.converged) break;
    double change = 0, largest = 0;
    size_t contact = 0;
    for (const RowSet& set : row_sets_) {
      if (!set.contact) continue;
      Touch& touch = touches_[contact++];
      const double bound = touch.closed ? set.contact->friction * std::max(0.0, unknowns.lambda[set.first + 2]) : 0;
      change = std::max(change, std::abs(bound - touch.bound));
      largest = std::max(largest, bound);
      touch.bound = bound;
    }
    sum.converged = change <= 1e-8 * largest;
    if (sum.converged) break;
  }
  for (Touch& touch : touches_) touch.bound = -1;
  return sum;
}

NewtonOutcome StepEquations::iterate(System& system, Unknowns& unknowns, const NewtonOptions& options) {
  NewtonOutcome out;
  double last = 0;
  int uses = 0;  // of the matrix at hand
  bool refresh = true, plain = options.plain_first && has_plain_matrix();
  // Beyond this the iteration has run away: there every change is small beside the value.
  const double most = nu_ > 0 ? 1e8 * (options.scale + unknowns.x.cwiseAbs().maxCoeff()) : 0;
  for (; out.iterations < options.most_iterations; ++out.iterations) {
    compute_residual(system, unknowns);
    if (refresh) {
      if (plain)
        compute_plain_matrix(system, unknowns);
      else
        compute_matrix(system, unknowns);
      ++out.matrices;
      uses = 0;
      if (!solver_->factor()) break;
    }
    step_ = -residual_;
    solver_->solve(step_);
    if (!step_.allFinite()) break;
    unknowns.x += step_.head(nu_);
    unknowns.z += step_.segment(nu_, nz_);
    unknowns.lambda += step_.tail(rows_);
    if (nu_ > 0 && unknowns.x.cwiseAbs().maxCoeff() > most) break;
    const auto relative = [&](const auto& change, const VecX& value) {
      return change.size() ? change.cwiseAbs().maxCoeff() / (options.scale + value.cwiseAbs().maxCoeff()) : 0.0;
    };
    out.change = std::max(relative(step_.head(nu_), unknowns.x), relative(step_.segment(nu_, nz_), unknowns.z));
    const double contraction = out.iterations > 0 ? out.change / last : 0;
    last = out.change;
    // With the contraction known, what is left is contraction/(1 - contraction) of the last change. Where changes no
    // longer shrink but are tiny, they are round-off of an ill-conditioned matrix.
    const bool small = out.change <= options.tolerance;
    const bool stalled = out.iterations > 2 && out.change < 1e-8 && contraction > 0.3;
    if (small || stalled) {
      out.converged = true;
      out.plain = plain;
      ++out.iterations;
      return out;
    }
    if (contraction > 10 && out.iterations > 6) break;
    // A plain matrix is kept while it serves; an exact one is renewed when it no longer converges fast: two changes by
    // the same matrix tell. Contacts need the matrix of the set of contacts that they are at.
    ++uses;
    refresh = !touches_.empty() || (uses > 1 && contraction > (plain ? 0.2 : 0.05));
    plain = plain && !refresh;
  }
  out.why = culprit(model_, step_);
  return out;
}

void StepEquations::residual(System& system, const Unknowns& at, VecX& out) {
  compute_residual(system, at);
  out = residual_;
}

void StepEquations::matrix(System& system, const Unknowns& at, MatX& dense) {
  compute_residual(system, at);
  compute_matrix(system, at);
  dense.setZero(size_, size_);
  const double* values = solver_->values();
  for (const Sweep& sweep : sweeps_)
    for (const Target& target : sweep.targets) dense(target.equation, target.unknown) = values[target.place];
  for (size_t k = 0; k < row_sets_.size(); ++k) {
    const RowSet& set = row_sets_[k];
    size_t place = 0;
    for (int i = 0; i < set.size; ++i) {
      const int row = nu_ + nz_ + set.first + i;
      for (int u : set.speeds) dense(u, row) = values[strip_places_[k][place++]];
      dense(row, row) = values[law_places_[static_cast<size_t>(set.first + i)]];
    }
  }
}

}  // namespace davit
