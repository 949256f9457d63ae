// A model evaluated: loads, mass, constraint rows, accelerations, residual, linearisation, energy; a state brought back
// onto its constraints. Bearing friction and drives are in joint_force_solve.cpp.
#include "davit/dynamics/system.hpp"

#include <algorithm>

#include "davit/dynamics/pivoted_cholesky.hpp"

namespace davit {

template <class S>
void System::place_bodies(EvaluationT<S>& e, const S& t, const S* q, const S* u, const DiscreteState& discrete) const {
  e.kin.t = t;
  e.kin.q = q;
  e.kin.u = u;
  e.kin.signals = &discrete.signals;
  e.kin.environment = discrete.environment.get();
  for (const auto& b : model_.blocks()) b.block->kinematics(q + b.first_q, u + b.first_u, e.kin);
}

namespace {

template <class S>
void limit_inputs(const Model& model, std::vector<S>& w) {
  for (size_t i = 0; i < w.size(); ++i) {
    const Input& input = model.inputs()[i];
    if (value_of(w[i]) > input.upper) w[i] = S(input.upper);
    if (value_of(w[i]) < input.lower) w[i] = S(input.lower);
  }
}

}  // namespace

ActingElements all_acting(const Model& model) {
  ActingElements all;
  for (const auto& c : model.controllers()) all.controllers.push_back(&c);
  for (const auto& f : model.forces()) all.forces.push_back(&f);
  return all;
}

template <class S>
void System::gather_inertia(EvaluationT<S>& e, const ActingElements& acting, const S* z,
                            const DiscreteState& discrete) const {
  if (!model_.adds_inertia()) return;
  for (const auto* f : acting.forces)
    if (f->element->adds_inertia()) f->element->inertia(f->context(e, z, discrete), e.loads.added);
}

void System::factor_mass(const State& s) {
  place_bodies<double>(work_, s.t, s.q.data(), s.u.data(), s.discrete);
  work_.loads.clear();
  gather_inertia<double>(work_, all_, s.z.data(), s.discrete);
  for (size_t i = 0; i < model_.blocks().size(); ++i)
    model_.blocks()[i].block->factor_mass(work_.kin, work_.loads, *work_.block[i]);
}

template <class S>
void System::apply_forces(EvaluationT<S>& e, const ActingElements& acting, const S* z, const DiscreteState& discrete,
                          ElasticRows elastic) const {
  e.loads.clear();
  gather_inertia(e, acting, z, discrete);
  add_forces(e, acting, z, discrete, elastic);
}

// Controllers, then forces: data flows one way. Inputs that no controller here writes stay as they are.
template <class S>
void System::add_forces(EvaluationT<S>& e, const ActingElements& acting, const S* z, const DiscreteState& discrete,
                        ElasticRows elastic) const {
  for (const auto* c : acting.controllers)
    c->element->evaluate(c->context(e, z, discrete), e.w.data(), e.zdot.data() + c->first_z);
  limit_inputs(model_, e.w);
  for (const auto* f : acting.forces) {
    if (elastic != ElasticRows::as_forces && f->element->row()) continue;
    if (elastic == ElasticRows::discrete_gradient && f->element->acts_over_step()) continue;
    f->element->apply(f->context(e, z, discrete), e.loads, e.zdot.data() + f->first_z);
  }
}

template <class S>
void System::apply_over_step(EvaluationT<S>& e, const ActingElements& acting, const KinT<S>& start, const KinT<S>& end,
                             double h, const S* z, const DiscreteState& discrete) const {
  for (const auto* f : acting.forces)
    if (f->element->acts_over_step())
      f->element->apply_over_step(StepContextT<S>{start, f->context(e, z, discrete), end, h}, e.loads);
}

template <class S>
void System::collect_rows(const KinT<S>& kin, JacobianT<S>& out) const {
  for (const auto& c : model_.constraints()) {
    const size_t entries = out.entries.size(), speeds = out.speeds.size();
    c.constraint.geometry->jacobian(kin, out);
    out.shift_rows(entries, speeds, c.first_row);
  }
}

template <class S>
void System::apply_rows(EvaluationT<S>& e, const JacobianT<S>& jacobian, const double* lambda) const {
  for (const auto& entry : jacobian.entries) {
    if (entry.body == 0) continue;
    const auto& b = model_.block_of(entry.body);
    b.block->apply(e.kin, entry, S(lambda[entry.row]), e.loads, e.loads.tau.data() + b.first_u);
  }
  for (const auto& entry : jacobian.speeds)
    e.loads.tau[static_cast<size_t>(entry.speed)] += S(lambda[entry.row]) * entry.coefficient;
}

template <class S>
void System::inverse_dynamics_residual(EvaluationT<S>& e, const S* a, S* F, WrenchT<S>* transmitted) const {
  if (!transmitted && !model_.reaction_forces().empty()) {
    e.transmitted.resize(static_cast<size_t>(model_.bodies()));
    transmitted = e.transmitted.data();
  }
  for (size_t i = 0; i < model_.blocks().size(); ++i) {
    const auto& b = model_.blocks()[i];
    b.block->momentum_rate(e.kin, a + b.first_u, e.loads, *e.block[i], F + b.first_u, transmitted);
  }
  if (!transmitted) return;
  for (const auto& r : model_.reaction_forces())
    F[r->speed()] += r->factor(e.kin) * r->load(e.kin, transmitted[r->body()]);
}

bool System::evaluate(const State& s, Want want) {
  apply_forces<double>(work_, s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete);
  apply_contacts(s);
  return accelerate(s.discrete, want);
}

void System::show(const State& s, const Solution& solution) {
  fault_ = Fault::none;
  place_bodies<double>(work_, s.t, s.q.data(), s.u.data(), s.discrete);
  work_.a = solution.a;
  work_.w = solution.w;
  // What a controller holds between samples is known at the instant itself, where it may just have jumped.
  for (const auto& c : model_.controllers())
    if (c.element->sample_time() > 0)
      c.element->evaluate(c.context(work_, s.z.data(), s.discrete), work_.w.data(), unused_rates_.data() + c.first_z);
  limit_inputs(model_, work_.w);
  work_.transmitted = solution.transmitted;
  work_.reaction_load = solution.reaction_load;
  if (model_.rows() > 0) {
    work_.rows.lambda = solution.lambda;
    work_.rows.jacobian.clear();
    collect_rows(work_.kin, work_.rows.jacobian);
  }
  if (model_.drives() > 0) collect_servo_rows(s.discrete);
}

// Contacts push as they did in the last step.
void System::apply_contacts(const State& s) {
  for (size_t i = 0; i < model_.contacts().size(); ++i) {
    work_.contact_jacobian.clear();
    model_.contacts()[i].geometry->jacobian(work_.kin, work_.contact_jacobian);
    apply_rows<double>(work_, work_.contact_jacobian, s.lambda.data() + model_.rows() + 3 * static_cast<int>(i));
  }
}

bool System::evaluate(double t, const double* q, const double* u, const double* z, const DiscreteState& discrete,
                      Want want) {
  apply_forces<double>(work_, t, q, u, z, discrete);
  return accelerate(discrete, want);
}

// Whether the mass just factored has no zero pivot.
bool System::has_mass() {
  for (size_t i = 0; i < model_.blocks().size(); ++i)
    if (model_.blocks()[i].block->mass_failure(*work_.block[i])) {
      fault_ = Fault::mass;
      fault_index_ = i;
      return false;
    }
  return true;
}

// Accelerations, multipliers and wrenches for the applied forces.
bool System::accelerate(const DiscreteState& discrete, Want want) {
  fault_ = Fault::none;
  const bool wrenches = want == Want::reactions || !model_.reaction_forces().empty();
  for (size_t i = 0; i < model_.blocks().size(); ++i) {
    const auto& b = model_.blocks()[i];
    b.block->forward(work_.kin, work_.loads, *work_.block[i], work_.a.data() + b.first_u,
                     wrenches ? work_.transmitted.data() : nullptr);
  }
  if (!has_mass()) return false;
  if (model_.rows() > 0 && want != Want::unconstrained) solve_constraints(wrenches);
  if (model_.drives() > 0 && want != Want::unconstrained && !solve_servos(discrete, wrenches)) return false;
  return model_.reaction_forces().empty() || solve_reaction_forces();
}

Failure System::failure() const {
  switch (fault_) {
    case Fault::mass: {
      const MassFailure m = model_.blocks()[fault_index_].block->mass_failure(*work_.block[fault_index_]);
      return {m.element, m.motion + " has no inertia: " + m.remedy};
    }
    case Fault::servo:
      return {model_.servos()[fault_index_].element->name(),
              "no forces of its drives give what is asked here: the crane is at full reach, folded, or above its own "
              "axis"};
    case Fault::reaction:
      return {model_.reaction_forces()[fault_index_]->name(),
              "friction and reaction have no common solution (the joint locks itself): lower the friction coefficient "
              "or the bearing radius"};
    case Fault::constraint:
      return {model_.row_name(static_cast<int>(fault_index_)),
              "the constraints cannot be met here: the mechanism is at a dead point or is pulled apart"};
    case Fault::none:
      break;
  }
  return {};
}

template <class S>
void System::residual(EvaluationT<S>& e, const S& t, const S* q, const S* u, const S* z, const DiscreteState& discrete,
                      const S* a, S* F, WrenchT<S>* transmitted) const {
  apply_forces(e, t, q, u, z, discrete);
  inverse_dynamics_residual(e, a, F, transmitted);
}
template void System::place_bodies(EvaluationT<double>&, const double&, const double*, const double*,
                                   const DiscreteState&) const;
template void System::place_bodies(EvaluationT<Dual8>&, const Dual8&, const Dual8*, const Dual8*,
                                   const DiscreteState&) const;
template void System::apply_forces(EvaluationT<double>&, const ActingElements&, const double*, const DiscreteState&,
                                   ElasticRows) const;
template void System::apply_forces(EvaluationT<Dual8>&, const ActingElements&, const Dual8*, const DiscreteState&,
                                   ElasticRows) const;
template void System::add_forces(EvaluationT<double>&, const ActingElements&, const double*, const DiscreteState&,
                                 ElasticRows) const;
template void System::add_forces(EvaluationT<Dual8>&, const ActingElements&, const Dual8*, const DiscreteState&,
                                 ElasticRows) const;
template void System::apply_over_step(EvaluationT<double>&, const ActingElements&, const Kin&, const Kin&, double,
                                      const double*, const DiscreteState&) const;
template void System::apply_over_step(EvaluationT<Dual8>&, const ActingElements&, const KinT<Dual8>&,
                                      const KinT<Dual8>&, double, const Dual8*, const DiscreteState&) const;
template void System::collect_rows(const KinT<double>&, JacobianT<double>&) const;
template void System::collect_rows(const KinT<Dual8>&, JacobianT<Dual8>&) const;
template void System::apply_rows(EvaluationT<double>&, const JacobianT<double>&, const double*) const;
template void System::apply_rows(EvaluationT<Dual8>&, const JacobianT<Dual8>&, const double*) const;
template void System::inverse_dynamics_residual(EvaluationT<double>&, const double*, double*, Wrench*) const;
template void System::inverse_dynamics_residual(EvaluationT<Dual8>&, const Dual8*, Dual8*, WrenchT<Dual8>*) const;
template void System::residual(EvaluationT<double>&, const double&, const double*, const double*, const double*,
                               const DiscreteState&, const double*, double*, Wrench*) const;
template void System::residual(EvaluationT<Dual8>&, const Dual8&, const Dual8*, const Dual8*, const Dual8*,
                               const DiscreteState&, const Dual8*, Dual8*, WrenchT<Dual8>*) const;

Linearisation System::linearise(const State& state, const VecX& a, const VecX& lambda) const {
  const int nu = model_.nu(), nz = model_.nz();
  EvaluationT<Dual8> e;
  model_.prepare(e);
  std::vector<Dual8> q0(state.q.begin(), state.q.end()), q(q0), d, u, z, acceleration, F(static_cast<size_t>(nu));
  MatX dF(nu, 3 * nu + nz), dphi(nz, 3 * nu + nz);
  JacobianT<Dual8> jacobian;
  // The unknowns (d, u, a, z) in chunks of eight directions.
  const int unknowns = 3 * nu + nz;
  for (int first = 0; first < unknowns; first += 8) {
    const auto seeded = [&](int begin, int count, auto&& value) {
      std::vector<Dual8> x(static_cast<size_t>(count));
      for (int i = 0; i < count; ++i) {
        x[static_cast<size_t>(i)] = Dual8(value(i));
        const int direction = begin + i - first;
        if (direction >= 0 && direction < 8) x[static_cast<size_t>(i)].d[static_cast<size_t>(direction)] = 1;
      }
      return x;
    };
    d = seeded(0, nu, [](int) { return 0.0; });
    u = seeded(nu, nu, [&](int i) { return state.u[i]; });
    acceleration = seeded(2 * nu, nu, [&](int i) { return a[i]; });
    z = seeded(3 * nu, nz, [&](int i) { return state.z[i]; });
    for (const auto& b : model_.blocks())
      b.block->retract(q0.data() + b.first_q, d.data() + b.first_u, q.data() + b.first_q);
    apply_forces<Dual8>(e, Dual8(state.t), q.data(), u.data(), z.data(), state.discrete);
    if (lambda.size() > 0) {
      jacobian.clear();
      collect_rows(e.kin, jacobian);
      apply_rows(e, jacobian, lambda.data());
    }
    inverse_dynamics_residual<Dual8>(e, acceleration.data(), F.data(), nullptr);
    for (int k = 0; k < 8 && first + k < unknowns; ++k) {
      for (int i = 0; i < nu; ++i) dF(i, first + k) = F[static_cast<size_t>(i)].d[static_cast<size_t>(k)];
      for (int i = 0; i < nz; ++i) dphi(i, first + k) = e.zdot[static_cast<size_t>(i)].d[static_cast<size_t>(k)];
    }
  }
  Linearisation out;
  out.K = dF.leftCols(nu);
  out.D = dF.middleCols(nu, nu);
  out.M = dF.middleCols(2 * nu, nu);
  out.F_z = dF.rightCols(nz);
  out.phi_q = dphi.leftCols(nu);
  out.phi_u = dphi.middleCols(nu, nu);
  out.phi_z = dphi.rightCols(nz);
  return out;
}

MatX System::mass_matrix(const State& state) const {
  // At rest and without loads the momentum rate is M a: column by column, nothing cancels.
  const int nu = model_.nu();
  EvaluationT<double> e;
  model_.prepare(e);
  const VecX rest = VecX::Zero(nu);
  place_bodies<double>(e, state.t, state.q.data(), rest.data(), state.discrete);
  e.loads.clear();
  gather_inertia<double>(e, all_, state.z.data(), state.discrete);
  MatX M(nu, nu);
  for (int j = 0; j < nu; ++j) {
    const VecX unit = VecX::Unit(nu, j);
    for (size_t i = 0; i < model_.blocks().size(); ++i) {
      const auto& b = model_.blocks()[i];
      b.block->momentum_rate(e.kin, unit.data() + b.first_u, e.loads, *e.block[i], M.col(j).data() + b.first_u,
                             nullptr);
    }
  }
  return M;
}

// Of blocks, and of what forces add to the inertia of bodies.
double System::kinetic_energy(const State& state) {
  double sum = 0;
  for (const auto& b : model_.blocks()) sum += b.block->kinetic_energy(work_.kin);
  if (!model_.adds_inertia()) return sum;
  work_.other_loads.clear();
  for (const auto& f : model_.forces())
    if (f.element->adds_inertia() && !f.element->conservative())
      f.element->inertia(f.context(work_, state.z.data(), state.discrete), work_.other_loads.added);
  for (size_t i = 0; i < work_.kin.body.size(); ++i) {
    const Twist motion{work_.kin.body[i].w, work_.kin.body[i].v};
    sum += 0.5 * power(work_.other_loads.added[i] * motion, motion);
  }
  return sum;
}

double System::potential_energy(const State& state) {
  double sum = 0;
  for (const auto& f : model_.forces()) {
    const double potential = f.element->potential(f.context(work_, state.z.data(), state.discrete));
    potentials_[static_cast<size_t>(&f - model_.forces().data())] = potential;
    sum += potential;
  }
  return sum;
}

Energy System::energy(const State& state) {
  Energy e;
  e.kinetic = kinetic_energy(state);
  e.potential = potential_energy(state);
  work_.other_loads.clear();
  for (const auto& f : model_.forces()) {
    // What its inertia takes is kinetic energy; its loads turn that momentum and do no work of their own.
    if (f.element->conservative() || f.element->adds_inertia()) continue;
    const ContextT<double> context = f.context(work_, state.z.data(), state.discrete);
    f.element->apply(context, work_.other_loads, unused_rates_.data() + f.first_z);
    e.power += f.element->potential_rate(context);
  }
  for (size_t i = 0; i < work_.kin.body.size(); ++i)
    e.power += power(work_.other_loads.wrench[i], Twist{work_.kin.body[i].w, work_.kin.body[i].v});
  for (Eigen::Index i = 0; i < state.u.size(); ++i)
    e.power += work_.other_loads.tau[static_cast<size_t>(i)] * state.u[i];
  for (size_t k = 0; k < model_.reaction_forces().size(); ++k) {
    const auto& r = *model_.reaction_forces()[k];
    e.power -= r.factor(work_.kin) * work_.reaction_load[static_cast<Eigen::Index>(k)] * state.u[r.speed()];
  }
  for (const auto& s : model_.servos())
    for (size_t k = 0; k < s.element->speeds().size(); ++k)
      e.power += work_.w[static_cast<size_t>(s.element->inputs()[k])] * state.u[s.element->speeds()[k]];
  // Rows do work λ G u, which is -λ ∂g/∂t where they hold.
  for (const auto& c : model_.constraints()) {
    const int size = c.constraint.geometry->size();
    c.constraint.geometry->time_rate(work_.kin, work_.rows.correction.data() + c.first_row);
    e.power -= work_.rows.lambda.segment(c.first_row, size).dot(work_.rows.correction.segment(c.first_row, size));
  }
  return e;
}

bool System::commit(State& state, const Solution* solution) {
  bool changed = false;
  place_bodies<double>(work_, state.t, state.q.data(), state.u.data(), state.discrete);
  for (const auto& e : model_.elements())
    changed = e.element->commit(e.context(work_, state.z.data(), state.discrete), state.discrete) || changed;
  changed = sample_servos(state) || changed;
  return measure(state, solution) || changed;
}

std::vector<Measurement> measurements_of(const Model& model) {
  std::vector<Measurement> out;
  for (const auto& e : model.elements()) {
    const auto* element = dynamic_cast<const Measuring*>(e.element.get());
    if (!element) continue;
    std::vector<Channel> channels;
    for (const std::string& name : element->measured()) {
      const auto at = std::find_if(model.channels().begin(), model.channels().end(),
                                   [&](const Channel& c) { return c.name == name; });
      if (at == model.channels().end())
        throw std::logic_error("'" + e.element->name() + "' measures '" + name + "', which is no channel of the model");
      channels.push_back(*at);
    }
    out.push_back({element, e, ChannelReader(channels), std::vector<double>(channels.size())});
  }
  return out;
}

// All read what was there before any of them acts. A state without accelerations (no mass somewhere, before the first
// step) still has places, speeds and tensions.
bool System::measure(State& state, const Solution* solution) {
  const auto is_due = [&](const Measurement& m) {
    return m.element->is_due(m.place.context<double>(work_, state.z.data(), state.discrete));
  };
  if (std::none_of(measurements_.begin(), measurements_.end(), is_due)) return false;
  if (solution)
    show(state, *solution);
  else
    evaluate(state);
  for (Measurement& m : measurements_)
    if (is_due(m)) m.reader.read(state, work_, m.values.data());
  bool changed = false;
  for (Measurement& m : measurements_)
    if (is_due(m))
      changed = m.element->sample(m.place.context<double>(work_, state.z.data(), state.discrete), m.values.data(),
                                  state.discrete) ||
                changed;
  return changed;
}

// Columns of generalised forces for unit multipliers.
void System::add_generalised(const JacobianT<double>& jacobian, MatX& columns) const {
  model_.add_generalised(work_.kin, jacobian, 1.0, [&](int row) { return columns.col(row).data(); });
}

// G, M⁻¹Gᵀ and the factor of G M⁻¹ Gᵀ at the configuration whose mass is factored. Of position, rows on speeds alone
// are zero, which takes them out of the factor.
void System::assemble_rows(RowsOf which) {
  RowWork& rows = work_.rows;
  rows.jacobian.clear();
  collect_rows(work_.kin, rows.jacobian);
  rows.G.setZero();
  add_generalised(rows.jacobian, rows.G);
  if (which == RowsOf::position)
    for (const auto& c : model_.constraints())
      if (!c.constraint.geometry->holonomic()) rows.G.middleCols(c.first_row, c.constraint.geometry->size()).setZero();
  for (int k = 0; k < model_.rows(); ++k)
    for (size_t i = 0; i < model_.blocks().size(); ++i) {
      const auto& b = model_.blocks()[i];
      b.block->solve_mass(work_.kin, *work_.block[i], rows.G.col(k).data() + b.first_u,
                          rows.MinvG.col(k).data() + b.first_u, nullptr);
    }
  rows.gram.noalias() = rows.G.transpose().lazyProduct(rows.MinvG);
  rows.rank = pivoted_cholesky(rows.gram, rows.order, rows.diagonal);
}

// Where the kinematics of all blocks are rigid the geometries know Ġu in closed form. Otherwise it is the derivative of
// ġ = G u + ∂g/∂t along the motion with constant speeds, q(ε) = q ⊕ ε u at t + ε, by one run on dual numbers.
void System::rate_bias(VecX& bias) {
  if (model_.rigid_kinematics()) {
    for (const auto& c : model_.constraints()) c.constraint.geometry->rate_bias(work_.kin, bias.data() + c.first_row);
    return;
  }
  RowRateWork& r = work_.rows.rates;
  const size_t nq = r.q.size(), nu = r.u.size();
  for (size_t i = 0; i < nq; ++i) r.start[i] = Dual8(work_.kin.q[i]);
  for (size_t i = 0; i < nu; ++i) {
    r.u[i] = Dual8(work_.kin.u[i]);
    r.d[i] = Dual8(0);
    r.d[i].d[0] = work_.kin.u[i];
  }
  r.kin.t = Dual8::variable(work_.kin.t, 0);
  r.kin.q = r.q.data();
  r.kin.u = r.u.data();
  r.kin.signals = work_.kin.signals;
  r.kin.environment = work_.kin.environment;
  for (const auto& b : model_.blocks()) {
    b.block->retract(r.start.data() + b.first_q, r.d.data() + b.first_u, r.q.data() + b.first_q);
    b.block->kinematics(r.q.data() + b.first_q, r.u.data() + b.first_u, r.kin);
  }
  r.jacobian.clear();
  for (const auto& c : model_.constraints()) {
    const size_t entries = r.jacobian.entries.size(), speeds = r.jacobian.speeds.size();
    c.constraint.geometry->time_rate(r.kin, r.rate.data() + c.first_row);
    c.constraint.geometry->jacobian(r.kin, r.jacobian);
    r.jacobian.shift_rows(entries, speeds, c.first_row);
  }
  model_.add_rates(r.kin, r.jacobian, r.rate.data());
  for (Eigen::Index i = 0; i < bias.size(); ++i) bias[i] = r.rate[static_cast<size_t>(i)].d[0];
}

// G a + Ġu = 0: λ from G M⁻¹ Gᵀ λ = -(G a₀ + Ġu), with a₀ the accelerations without constraints.
void System::solve_constraints(bool wrenches) {
  RowWork& rows = work_.rows;
  assemble_rows(RowsOf::speed);
  rate_bias(rows.lambda);
  rows.lambda = -rows.lambda;
  rows.lambda.noalias() -= rows.G.transpose().lazyProduct(work_.a);
  pivoted_solve(rows.gram, rows.order, rows.rank, rows.lambda, rows.scratch);
  work_.a.noalias() += rows.MinvG.lazyProduct(rows.lambda);
  if (!wrenches) return;
  apply_rows<double>(work_, rows.jacobian, rows.lambda.data());
  for (size_t i = 0; i < model_.blocks().size(); ++i) {
    const auto& b = model_.blocks()[i];
    b.block->forward(work_.kin, work_.loads, *work_.block[i], work_.a.data() + b.first_u, work_.transmitted.data());
  }
}

// Kinematics, mass factor and rows at a state, without forces.
void System::evaluate_constraints(const State& state, RowsOf which) {
  factor_mass(state);
  assemble_rows(which);
  measure_rows();
}

void System::measure_rows() {
  for (const auto& c : model_.constraints()) c.constraint.geometry->rows(work_.kin, work_.rows.g.data() + c.first_row);
}

// ∂g/∂t of all rows, where the workspace was placed.
void System::find_time_rates(Side side, VecX& rates) {
  const double t = work_.kin.t;
  if (side == Side::before) work_.kin.t = just_before(t);
  for (const auto& c : model_.constraints()) c.constraint.geometry->time_rate(work_.kin, rates.data() + c.first_row);
  work_.kin.t = t;
}

// G u + ∂g/∂t = 0, to round-off.
bool System::moves_as_constrained(const State& state, Side side) {
  assemble_rows(RowsOf::speed);
  RowWork& rows = work_.rows;
  find_time_rates(side, rows.correction);
  rows.correction.noalias() += rows.G.transpose().lazyProduct(state.u);
  return rows.correction.cwiseAbs().maxCoeff() < 1e-10;
}

// The nearest speeds in the metric of M, for rows that are assembled.
void System::correct_speeds(State& state, Side side) {
  RowWork& rows = work_.rows;
  find_time_rates(side, rows.correction);
  rows.correction = -rows.correction;
  rows.correction.noalias() -= rows.G.transpose().lazyProduct(state.u);
  pivoted_solve(rows.gram, rows.order, rows.rank, rows.correction, rows.scratch);
  state.u.noalias() += rows.MinvG.lazyProduct(rows.correction);
}

bool System::satisfy_speeds(State& state) {
  factor_mass(state);
  if (!has_mass()) return false;
  assemble_rows(RowsOf::speed);
  correct_speeds(state, Side::after);
  return true;
}

bool System::satisfy_constraints(State& state, Side side) {
  if (model_.rows() == 0) return true;
  RowWork& rows = work_.rows;
  bool met = false;
  for (int iteration = 0; iteration < 20 && !met; ++iteration) {
    evaluate_constraints(state, RowsOf::position);
    met = rows.g.cwiseAbs().maxCoeff() < 1e-13;
    // Without mass there is no metric to project in: then all must fit already.
    if (!has_mass()) return rows.g.cwiseAbs().maxCoeff() < 1e-10 && moves_as_constrained(state, side);
    rows.correction = -rows.g;
    pivoted_solve(rows.gram, rows.order, rows.rank, rows.correction, rows.scratch);
    step_.noalias() = rows.MinvG.lazyProduct(rows.correction);
    if (!step_.allFinite() || step_.cwiseAbs().maxCoeff() > 1) break;
    // Down to the last digit of the coordinates, round-off of g is all that is left.
    met = met || (iteration > 2 && step_.cwiseAbs().maxCoeff() < 1e-15);
    if (!met) {
      retract(state.q, step_, moved_);
      std::swap(state.q, moved_);
    }
  }
  if (!met && !(rows.g.cwiseAbs().maxCoeff() < 1e-10)) {
    fault_ = Fault::constraint;
    Eigen::Index worst = 0;
    rows.g.cwiseAbs().maxCoeff(&worst);
    fault_index_ = static_cast<size_t>(worst);
    return false;
  }
  const auto on_speeds = [](const auto& c) { return !c.constraint.geometry->holonomic(); };
  if (std::any_of(model_.constraints().begin(), model_.constraints().end(), on_speeds)) assemble_rows(RowsOf::speed);
  correct_speeds(state, side);
  return true;
}

double System::violation(const State& state, int constraint) {
  evaluate_constraints(state, RowsOf::position);
  const auto& c = model_.constraints()[static_cast<size_t>(constraint)];
  return work_.rows.g.segment(c.first_row, c.constraint.geometry->size()).cwiseAbs().maxCoeff();
}

double System::violation() {
  if (model_.rows() == 0) return 0;
  measure_rows();
  return work_.rows.g.cwiseAbs().maxCoeff();
}

const RowWork& System::rows_at(const State& state) {
  if (model_.rows() > 0) evaluate_constraints(state, RowsOf::speed);
  return work_.rows;
}

std::vector<std::string> System::redundant_rows(const State& state) {
  std::vector<std::string> names;
  rows_at(state);
  for (int i = work_.rows.rank; i < model_.rows(); ++i)
    names.push_back(model_.row_name(work_.rows.order[static_cast<size_t>(i)]));
  return names;
}

void System::retract(const VecX& q, const VecX& d, VecX& q1) const {
  for (const auto& b : model_.blocks())
    b.block->retract(q.data() + b.first_q, d.data() + b.first_u, q1.data() + b.first_q);
}
void System::difference(const VecX& q0, const VecX& q1, VecX& d) const {
  for (const auto& b : model_.blocks())
    b.block->difference(q0.data() + b.first_q, q1.data() + b.first_q, d.data() + b.first_u);
}
void System::increment_rate(const VecX& d, const VecX& u, VecX& rate) const {
  for (const auto& b : model_.blocks())
    b.block->increment_rate(d.data() + b.first_u, u.data() + b.first_u, rate.data() + b.first_u);
}

}  // namespace davit
