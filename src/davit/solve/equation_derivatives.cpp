#include "davit/solve/equation_derivatives.hpp"

#include <algorithm>

namespace davit {

ArgumentPlaces::ArgumentPlaces(const Model& model) {
  u = d + model.nu();
  z = u + model.nu();
  a = z + model.nz();
  lambda = a + model.nu();
  drive = lambda + model.rows();
  input = drive + model.drives();
  signal = input + static_cast<int>(model.inputs().size());
  size = signal + 3 * static_cast<int>(model.signals().size());
}

// An instant and how far it is off, in one scalar.
template <class S>
struct ModelEquations::Arguments {
  std::vector<S> q, u, z, a, lambda, drive, input;
  std::vector<SignalDeviation<S>> signal;

  // `off(i)`: the argument in column i, beside its value at the instant.
  template <class Off>
  Arguments(const Model& model, const EquationPoint& at, const ArgumentPlaces& place, Off&& off) {
    const auto beside = [&](const VecX& values, int first) {
      std::vector<S> x(values.begin(), values.end());
      for (size_t i = 0; i < x.size(); ++i) x[i] += off(first + static_cast<int>(i));
      return x;
    };
    const std::vector<S> d = beside(VecX::Zero(model.nu()), place.d), start(at.state.q.begin(), at.state.q.end());
    q = start;
    for (const auto& b : model.blocks())
      b.block->retract(start.data() + b.first_q, d.data() + b.first_u, q.data() + b.first_q);
    u = beside(at.state.u, place.u);
    z = beside(at.state.z, place.z);
    a = beside(at.a, place.a);
    lambda = beside(at.lambda, place.lambda);
    drive = beside(at.drive, place.drive);
    input = beside(VecX::Zero(static_cast<Eigen::Index>(model.inputs().size())), place.input);
    for (size_t i = 0; i < model.signals().size(); ++i) {
      const int first = place.signal + 3 * static_cast<int>(i);
      signal.push_back({off(first), off(first + 1), off(first + 2)});
    }
  }
};

template <class S>
struct ModelEquations::Values {
  std::vector<S> F, phi, row, rate, second, demand, w, y;
  explicit Values(const Model& model, size_t outputs)
      : F(static_cast<size_t>(model.nu())),
        phi(static_cast<size_t>(model.nz())),
        row(static_cast<size_t>(model.rows())),
        rate(row),
        second(row),
        demand(static_cast<size_t>(model.drives())),
        w(model.inputs().size()),
        y(outputs) {}
};

ModelEquations::ModelEquations(System& system, std::vector<Output> outputs)
    : system_(system),
      model_(system.model()),
      outputs_(std::move(outputs)),
      places_(model_),
      forces_(all_acting(model_)) {
  forces_.controllers.clear();
}

template <class S>
void ModelEquations::apply_controllers(const EquationPoint& at, Loop loop, const Arguments<S>& x,
                                       EvaluationT<S>& e) const {
  std::fill(e.zdot.begin(), e.zdot.end(), S(0));
  for (size_t i = 0; i < e.w.size(); ++i) e.w[i] = S(loop == Loop::open ? at.w[static_cast<Eigen::Index>(i)] : 0.0);
  if (loop == Loop::closed)
    for (const auto& c : model_.controllers())
      c.element->evaluate(c.template context<S>(e, x.z.data(), at.state.discrete), e.w.data(),
                          e.zdot.data() + c.first_z);
  for (size_t i = 0; i < e.w.size(); ++i) e.w[i] += x.input[i];
}

// Drives push on their joints by themselves; their ports only tell how much, and what is added to these acts too.
template <class S>
void ModelEquations::apply_drives(const Arguments<S>& x, EvaluationT<S>& e) const {
  size_t k = 0;
  for (const auto& s : model_.servos())
    for (size_t i = 0; i < s.element->speeds().size(); ++i, ++k) {
      const auto port = static_cast<size_t>(s.element->inputs()[i]);
      e.w[port] = x.drive[k] + x.input[port];
      e.loads.tau[static_cast<size_t>(s.element->speeds()[i])] += e.w[port];
    }
}

template <class S>
void ModelEquations::evaluate_rows(const Arguments<S>& x, EvaluationT<S>& e, Values<S>& out) const {
  const auto rows = static_cast<size_t>(model_.rows()), nu = static_cast<size_t>(model_.nu());
  if (rows == 0) return;
  JacobianT<S> jacobian;
  system_.collect_rows(e.kin, jacobian);
  for (const auto& entry : jacobian.entries) {
    if (entry.body == 0) continue;
    const auto& b = model_.block_of(entry.body);
    b.block->apply(e.kin, entry, x.lambda[static_cast<size_t>(entry.row)], e.loads, e.loads.tau.data() + b.first_u);
  }
  for (const auto& entry : jacobian.speeds)
    e.loads.tau[static_cast<size_t>(entry.speed)] += x.lambda[static_cast<size_t>(entry.row)] * entry.coefficient;
  for (const auto& c : model_.constraints()) {
    c.constraint.geometry->rows(e.kin, out.row.data() + c.first_row);
    c.constraint.geometry->time_rate(e.kin, out.rate.data() + c.first_row);
    c.constraint.geometry->rate_bias(e.kin, out.second.data() + c.first_row);
  }
  std::vector<S> G(rows * nu, S(0));
  model_.add_generalised(e.kin, jacobian, S(1), [&](int row) { return G.data() + static_cast<size_t>(row) * nu; });
  for (size_t row = 0; row < rows; ++row)
    for (size_t i = 0; i < nu; ++i) {
      out.rate[row] += G[row * nu + i] * x.u[i];
      out.second[row] += G[row * nu + i] * x.a[i];
    }
}

template <class S>
void ModelEquations::evaluate_servos(const EquationPoint& at, const Arguments<S>& x, EvaluationT<S>& e,
                                     Values<S>& out) const {
  const auto nu = static_cast<size_t>(model_.nu());
  size_t first = 0;
  for (const auto& s : model_.servos()) {
    const size_t count = s.element->speeds().size();
    JacobianT<S> rows;
    std::vector<S> right(count), error(count), coefficients(count * nu, S(0));
    s.element->desired_accelerations(
        {e.kin, nullptr, e.w.data(), at.state.discrete, s.first_slot, e.element[static_cast<size_t>(s.index)].get()},
        rows, right.data(), error.data());
    model_.add_generalised(e.kin, rows, S(1),
                           [&](int row) { return coefficients.data() + static_cast<size_t>(row) * nu; });
    for (size_t k = 0; k < count; ++k) {
      out.demand[first + k] = -right[k];
      for (size_t i = 0; i < nu; ++i) out.demand[first + k] += coefficients[k * nu + i] * x.a[i];
    }
    first += count;
  }
}

template <class S>
void ModelEquations::evaluate(const EquationPoint& at, Loop loop, const Arguments<S>& x, EvaluationT<S>& e,
                              Values<S>& out) const {
  e.kin.deviations = x.signal.data();
  system_.place_bodies<S>(e, S(at.state.t), x.q.data(), x.u.data(), at.state.discrete);
  apply_controllers(at, loop, x, e);
  system_.apply_forces<S>(e, forces_, x.z.data(), at.state.discrete, System::ElasticRows::as_forces);
  apply_drives(x, e);
  evaluate_rows(x, e, out);
  evaluate_servos(at, x, e, out);
  system_.inverse_dynamics_residual<S>(e, x.a.data(), out.F.data(), nullptr);
  out.phi = e.zdot;
  out.w = e.w;
  for (size_t i = 0; i < outputs_.size(); ++i) out.y[i] = outputs_[i].value(e.kin);
}

EquationDerivatives ModelEquations::derivatives(const EquationPoint& at, Loop loop) const {
  EvaluationT<Dual8> e;
  model_.prepare(e);
  Values<Dual8> values(model_, outputs_.size());
  EquationDerivatives out;
  const std::pair<EquationDerivatives::Part*, std::vector<Dual8>*> parts[] = {
      {&out.F, &values.F},           {&out.phi, &values.phi},       {&out.row, &values.row}, {&out.rate, &values.rate},
      {&out.second, &values.second}, {&out.demand, &values.demand}, {&out.w, &values.w},     {&out.y, &values.y}};
  for (const auto& [part, from] : parts) {
    part->value.resize(static_cast<Eigen::Index>(from->size()));
    part->by.resize(part->value.size(), places_.size);
  }
  // In chunks of eight directions; once at least, for the values.
  for (int first = 0; first == 0 || first < places_.size; first += 8) {
    const auto seed = [first](int i) { return i >= first && i < first + 8 ? Dual8::variable(0, i - first) : Dual8(0); };
    evaluate<Dual8>(at, loop, Arguments<Dual8>(model_, at, places_, seed), e, values);
    for (const auto& [part, from] : parts)
      for (size_t i = 0; i < from->size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        part->value[row] = (*from)[i].value;
        for (int k = 0; k < 8 && first + k < places_.size; ++k)
          part->by(row, first + k) = (*from)[i].d[static_cast<size_t>(k)];
      }
  }
  if (!model_.rigid_kinematics()) correct_bias(at, out.second);
  return out;
}

VecX ModelEquations::bias_at(const State& state) const {
  VecX bias(model_.rows());
  system_.workspace().kin.deviations = nullptr;
  system_.place_bodies<double>(system_.workspace(), state.t, state.q.data(), state.u.data(), state.discrete);
  system_.rate_bias(bias);
  return bias;
}

// The closed form of Ġu in geometries is that of rigid bodies. Where there are others the System has it by dual
// numbers, whose derivatives by coordinates and speeds are taken by differences over two widths: Ġu is a polynomial of
// second degree in the speeds, and in the coordinates of director bodies, so nothing but round-off is lost. By signals
// the closed form holds.
void ModelEquations::correct_bias(const EquationPoint& at, EquationDerivatives::Part& second) const {
  if (at.state.u.isZero(0)) return;
  EvaluationT<double> e;
  model_.prepare(e);
  const auto closed_form = [&](const State& s) {
    VecX bias(model_.rows());
    system_.place_bodies<double>(e, s.t, s.q.data(), s.u.data(), s.discrete);
    for (const auto& c : model_.constraints()) c.constraint.geometry->rate_bias(e.kin, bias.data() + c.first_row);
    return bias;
  };
  const auto missing = [&](const State& s) { return VecX(bias_at(s) - closed_form(s)); };
  second.value += missing(at.state);
  for (int i = 0; i < 2 * model_.nu(); ++i) {
    const auto beside = [&](double h) {
      State s = at.state;
      if (i < model_.nu())
        system_.retract(at.state.q, h * VecX::Unit(model_.nu(), i), s.q);
      else
        s.u[i - model_.nu()] += h;
      return missing(s);
    };
    constexpr double h = 1e-2;
    second.by.col(places_.d + i) += (8 * (beside(h) - beside(-h)) - (beside(2 * h) - beside(-2 * h))) / (12 * h);
  }
}

void ModelEquations::show(const EquationPoint& at, Loop loop, const VecX& arguments, State& state) {
  EvaluationT<double> e;
  model_.prepare(e);
  Values<double> values(model_, outputs_.size());
  const Arguments<double> x(model_, at, places_, [&](int i) { return arguments[i]; });
  e.transmitted.resize(static_cast<size_t>(model_.bodies()));
  evaluate<double>(at, loop, x, e, values);
  system_.inverse_dynamics_residual<double>(e, x.a.data(), values.F.data(), e.transmitted.data());
  const auto vector = [](const std::vector<double>& v) {
    return VecX(Eigen::Map<const VecX>(v.data(), static_cast<Eigen::Index>(v.size())));
  };
  state = at.state;
  state.q = vector(x.q);
  state.u = vector(x.u);
  state.z = vector(x.z);
  Solution solution{at.state.t, vector(x.a), vector(x.lambda), e.w, e.transmitted, {}};
  solution.reaction_load.resize(static_cast<Eigen::Index>(model_.reaction_forces().size()));
  for (size_t k = 0; k < model_.reaction_forces().size(); ++k) {
    const ReactionForce& r = *model_.reaction_forces()[k];
    solution.reaction_load[static_cast<Eigen::Index>(k)] = r.load(e.kin, e.transmitted[static_cast<size_t>(r.body())]);
  }
  shown_signals_ = x.signal;
  system_.workspace().kin.deviations = shown_signals_.data();
  system_.show(state, solution);
}

}  // namespace davit
