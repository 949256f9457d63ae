// The residual of a step: where it is evaluated; loads, rows and states put together. The header lists the other
// sources of the class.
#include "davit/solve/step_equations.hpp"

#include <algorithm>

#include "davit/solve/step_scratch.hpp"

namespace davit {

namespace {

template <class S>
void affine(const Stage::Affine& map, const std::vector<S>& x, std::vector<S>& out) {
  for (size_t i = 0; i < out.size(); ++i) out[i] = S(map.constant[static_cast<Eigen::Index>(i)]) + S(map.factor) * x[i];
}

template <class S>
void kinematics(const Model& model, double t, const std::vector<S>& q, const std::vector<S>& u,
                const DiscreteState& discrete, KinT<S>& kin) {
  kin.t = S(t);
  kin.signals = &discrete.signals;
  kin.environment = discrete.environment.get();
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
    : model_(model), nu_(model.nu()), nz_(model.nz()), most_dense_(most_dense), dependencies_(model) {
  const auto add = [this](std::string name, const Geometry& geometry, const ConstraintEquation* row,
                          const Contact* contact) {
    row_sets_.push_back({.name = std::move(name),
                         .geometry = &geometry,
                         .row = row,
                         .contact = contact,
                         .index = static_cast<int>(row_sets_.size()),
                         .first = rows_,
                         .size = geometry.size()});
    rows_ += geometry.size();
  };
  for (const auto& c : model.constraints()) add(c.constraint.name, *c.constraint.geometry, nullptr, nullptr);
  for (const Contact& c : model.contacts()) add(c.name, *c.geometry, nullptr, &c);
  for (const auto& f : model.forces())
    if (const ConstraintEquation* row = f.element->row()) add(f.element->name(), *row->geometry, row, nullptr);
  for (const auto& servo : model.servos()) {
    driven_.push_back({.servo = &servo, .first = rows_});
    rows_ += static_cast<int>(servo.element->speeds().size());
  }
  all_.acting = all_acting(model);
  for (const RowSet& set : row_sets_) all_.row_sets.push_back(&set);
  for (const DrivenRows& rows : driven_) all_.driven.push_back(&rows);
  acts_over_step_ = std::any_of(model.forces().begin(), model.forces().end(),
                                [](const auto& f) { return f.element->acts_over_step(); });
  has_moving_rows_ = std::any_of(row_sets_.begin(), row_sets_.end(),
                                 [](const RowSet& set) { return rigid(set) && set.geometry->moves_with_time(); });
  Vec3 field = Vec3::Zero();
  for (const auto& f : model.forces()) field += f.element->field();
  free_fall_ = field.norm();
  touches_.resize(model.contacts().size());
  size_ = nu_ + nz_ + rows_;
  group_of_.assign(static_cast<size_t>(nu_), 0);
  for (const auto& b : model.blocks())
    for (auto group : b.block->groups()) {
      for (int& speed : group) {
        speed += b.first_u;
        group_of_[static_cast<size_t>(speed)] = static_cast<int>(groups_.size());
      }
      groups_.push_back(std::move(group));
    }
  states_.reserve(dependencies_.clusters().size());
  for (const auto& cluster : dependencies_.clusters()) states_.emplace_back(cluster);
  scratch_ = std::make_unique<Scratch<double>>(model, row_sets_.size(), rows_);
  dual_ = std::make_unique<Scratch<Dual8>>(model, row_sets_.size(), rows_);
  g0_.setZero(rows_);
  residual_.setZero(size_);
  step_.setZero(size_);
  right_.setZero(nu_ + rows_);
  for (VecX* v : {&column_, &unit_, &momentum_, &inertia_, &response_}) v->setZero(nu_);
  for (VecX* v : {&state_right_, &state_step_}) v->setZero(nz_);
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
    kinematics(model_, start.t, s.q0, s.u0, start_.discrete, s.start);
  };
  prepare(*scratch_);
  prepare(*dual_);
  for (const RowSet& set : row_sets_) set.geometry->rows(scratch_->start, g0_.data() + set.first);
  if (!structured_) find_structure(system);
  if (redundant_.any() && redundant_.choose(model_, scratch_->start)) kept_.reset();
  if (!touches_.empty()) prepare_contacts(system);
  prepare_drives();
}

// Where bodies are at the point and at the end of the step. Relaxed rows stay at the start.
template <class S>
void StepEquations::place_bodies(System& system, Scratch<S>& s) const {
  affine(stage_.d_end, s.x, s.d);
  retract(model_, s.q0, s.d, s.q_end);
  kinematics(model_, stage_.t_end, stage_.laws == Stage::Laws::relaxed ? s.q0 : s.q_end, s.x, start_.discrete, s.end);
  affine(stage_.d_point, s.x, s.d);
  affine(stage_.u_point, s.x, s.u);
  affine(stage_.a_point, s.x, s.a);
  retract(model_, s.q0, s.d, s.q_point);
  system.place_bodies<S>(s.point, S(stage_.t_point), s.q_point.data(), s.u.data(), start_.discrete);
  if (!touches_.empty()) kinematics(model_, stage_.t_point, s.q_point, s.x, start_.discrete, s.parting);
}

template <class S>
void StepEquations::place_states(Scratch<S>& s) const {
  for (size_t i = 0; i < s.z.size(); ++i) {
    const double z0 = start_.z[static_cast<Eigen::Index>(i)];
    s.z[i] = S(z0) + S(stage_.z_share) * (s.z1[i] - S(z0));
  }
}

System::ElasticRows StepEquations::elastic_rows() const {
  switch (stage_.laws) {
    case Stage::Laws::as_forces:
      return System::ElasticRows::as_forces;
    case Stage::Laws::discrete_gradient:
      return System::ElasticRows::discrete_gradient;
    default:
      return System::ElasticRows::left_out;
  }
}

// Loads and ż at the point, by forces and by the multipliers of rows.
template <class S>
void StepEquations::apply_loads(System& system, Scratch<S>& s, const Selection& selected, const double* lambda) const {
  if (stage_.purpose == Stage::Purpose::displacement) {
    s.point.loads.clear();
    std::fill(s.point.zdot.begin(), s.point.zdot.end(), S(0));
  } else {
    system.apply_forces<S>(s.point, selected.acting, s.z.data(), start_.discrete, elastic_rows());
    if (stage_.laws == Stage::Laws::discrete_gradient)
      system.apply_over_step<S>(s.point, selected.acting, s.start, s.end, stage_.h, s.z.data(), start_.discrete);
  }
  for (const RowSet* set : selected.row_sets) {
    if (set->row && elastic_as_forces()) continue;
    JacobianT<S>& jacobian = s.jacobian[static_cast<size_t>(set->index)];
    jacobian.clear();
    switch (stage_.gradient) {
      case Stage::Gradient::at_point:
        set->geometry->jacobian(s.point.kin, jacobian);
        break;
      case Stage::Gradient::discrete_gradient:
        set->geometry->discrete_jacobian(s.start, s.point.kin, s.end, jacobian);
        break;
      case Stage::Gradient::at_start:
        set->geometry->jacobian(s.start, jacobian);
        break;
    }
    system.apply_rows<S>(s.point, jacobian, lambda + set->first);
  }
  for (const DrivenRows* rows : selected.driven) {
    const std::vector<int>& speeds = rows->servo->element->speeds();
    for (size_t k = 0; k < speeds.size(); ++k)
      s.point.loads.tau[static_cast<size_t>(speeds[k])] += S(lambda[rows->first + static_cast<int>(k)]);
  }
}

template <class S>
void StepEquations::evaluate_row_sets(Scratch<S>& s, const Selection& selected, const double* lambda) const {
  for (const RowSet* set : selected.row_sets) {
    S* rows = s.rows.data() + set->first;
    const double* multipliers = lambda + set->first;
    if (set->row && elastic_as_forces())
      std::copy(multipliers, multipliers + set->size, rows);
    else
      evaluate_rows(s, *set, lambda, rows);
    for (int i = 0; i < set->size; ++i)
      if (is_left_out(*set, i)) rows[i] = S(multipliers[i]);
  }
  for (const DrivenRows* rows : selected.driven) driven_rows(s, *rows, lambda, s.rows.data() + rows->first);
}

template void StepEquations::place_bodies(System&, Scratch<double>&) const;
template void StepEquations::place_bodies(System&, Scratch<Dual8>&) const;
template void StepEquations::place_states(Scratch<double>&) const;
template void StepEquations::place_states(Scratch<Dual8>&) const;
template void StepEquations::apply_loads(System&, Scratch<double>&, const Selection&, const double*) const;
template void StepEquations::apply_loads(System&, Scratch<Dual8>&, const Selection&, const double*) const;
template void StepEquations::evaluate_row_sets(Scratch<double>&, const Selection&, const double*) const;
template void StepEquations::evaluate_row_sets(Scratch<Dual8>&, const Selection&, const double*) const;

void StepEquations::compute_residual(System& system, const Unknowns& at) {
  Scratch<double>& s = *scratch_;
  assign(s.x, at.x);
  assign(s.z1, at.z);
  place_bodies(system, s);
  place_states(s);
  apply_loads(system, s, all_, at.lambda.data());
  system.inverse_dynamics_residual<double>(s.point, s.a.data(), s.F.data(), s.point.transmitted.data());
  evaluate_row_sets(s, all_, at.lambda.data());
  for (int i = 0; i < nu_; ++i) residual_[i] = s.F[static_cast<size_t>(i)];
  // A choice in the loop would become masked loads from nowhere, which cost a hundred times as much.
  const auto state_residual = [&](const auto& given_rate) {
    for (int i = 0; i < nz_; ++i)
      residual_[nu_ + i] =
          (at.z[i] - start_.z[i]) / stage_.h - given_rate(i) - stage_.z_weight * s.point.zdot[static_cast<size_t>(i)];
  };
  if (stage_.z_rate.size() > 0)
    state_residual([&](int i) { return stage_.z_rate[i]; });
  else
    state_residual([](int) { return 0.0; });
  for (int i = 0; i < rows_; ++i) residual_[nu_ + nz_ + i] = s.rows[static_cast<size_t>(i)];
}

// Speeds of the end at the places of the end; where a row's speed jumps there, that before.
double StepEquations::speed_residual(const Unknowns& at) {
  Scratch<double>& s = *scratch_;
  assign(s.x, at.x);
  kinematics(model_, just_before(stage_.t_end), s.q_end, s.x, start_.discrete, s.end);
  residual_.setZero();
  double largest = 0;
  for (const RowSet& set : row_sets_) {
    if (!rigid(set)) continue;
    double* rows = residual_.data() + nu_ + nz_ + set.first;
    s.set_jacobian.clear();
    set.geometry->time_rate(s.end, rows);
    set.geometry->jacobian(s.end, s.set_jacobian);
    model_.add_rates(s.end, s.set_jacobian, rows);
    // The equation of a row on places changes by G with x, that of a row on speeds by the share of x at the point.
    const double share = set.geometry->holonomic() ? 1 : stage_.u_point.factor;
    for (int i = 0; i < set.size; ++i) {
      rows[i] = is_left_out(set, i) ? 0 : share * rows[i];
      largest = std::max(largest, std::abs(rows[i]));
    }
  }
  return largest;
}

// Rows that are closed at the end of every step say nothing of the speeds there. By the midpoint rule (u₀ + u₁)/2 is
// what brings a row to its place: what u₀ is off, u₁ is off with the other sign, without end, and so is what the change
// of the row's acceleration leaves in every step. So when the places of the end are known its speeds are brought onto
// G u₁ + ∂g/∂t = 0, by the same equations: λ changes with them, and M (u₁ - u₀)/h = f + Gᵀλ still holds.
void StepEquations::meet_row_speeds(System& system, Unknowns& at) {
  Scratch<double>& s = *scratch_;
  assign(s.x, at.x);
  affine(stage_.d_end, s.x, s.d);
  retract(model_, s.q0, s.d, s.q_end);
  constexpr int most = 4;  // the matrix may be that of a step before
  for (int iteration = 0; iteration < most; ++iteration) {
    if (speed_residual(at) <= 1e-13 * (1 + at.x.cwiseAbs().maxCoeff())) break;
    solve_linear();
    if (!step_.allFinite()) break;
    at.x += step_.head(nu_);
    at.z += step_.segment(nu_, nz_);
    at.lambda += step_.tail(rows_);
  }
  compute_residual(system, at);
}

void StepEquations::read_solution(const Unknowns& at, Solution& out) const {
  const Scratch<double>& s = *scratch_;
  out.t = stage_.t_point;
  out.a = Eigen::Map<const VecX>(s.a.data(), nu_);
  out.lambda = at.lambda.head(model_.rows());
  out.w = s.point.w;
  for (const DrivenRows& rows : driven_)
    for (size_t k = 0; k < rows.servo->element->inputs().size(); ++k)
      out.w[static_cast<size_t>(rows.servo->element->inputs()[k])] = at.lambda[rows.first + static_cast<int>(k)];
  out.transmitted = s.point.transmitted;
  const auto& friction = model_.reaction_forces();
  out.reaction_load.resize(static_cast<Eigen::Index>(friction.size()));
  for (size_t i = 0; i < friction.size(); ++i)
    out.reaction_load[static_cast<Eigen::Index>(i)] =
        friction[i]->load(s.point.kin, out.transmitted[static_cast<size_t>(friction[i]->body())]);
}

void StepEquations::residual(System& system, const Unknowns& at, VecX& out) {
  compute_residual(system, at);
  out = residual_;
}

}  // namespace davit
