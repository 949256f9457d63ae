// The equations of constraint rows in a step: rigid, elastic, on speeds, relaxed.
#include "davit/solve/step_scratch.hpp"

namespace davit {

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

template void StepEquations::evaluate_rows(Scratch<double>&, const RowSet&, const double*, double*) const;
template void StepEquations::evaluate_rows(Scratch<Dual8>&, const RowSet&, const double*, Dual8*) const;

}  // namespace davit
