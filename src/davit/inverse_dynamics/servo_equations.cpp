#include "davit/inverse_dynamics/servo_equations.hpp"

#include "davit/math/linear_algebra.hpp"

namespace davit::inverse_dynamics {

ServoEquations::ServoEquations(const ServoProblem& problem)
    : problem_(problem),
      model_(*problem.model),
      system_(model_),
      acting_(all_acting(model_)),
      n_(model_.nu()),
      m_(model_.rows()),
      p_(static_cast<int>(problem.inputs.size())),
      outputs_(problem.rows()) {
  acting_.controllers.clear();  // inputs are what is looked for
  for (const auto& c : model_.constraints()) constraint_rows_.push_back(c.constraint.geometry.get());
  for (const Output& o : problem.outputs) output_rows_.push_back(o.rows.get());
  const auto prepare = [&](auto& e) {
    model_.prepare(e.e);
    e.q.resize(static_cast<size_t>(model_.nq()));
    for (auto* x : {&e.u, &e.a, &e.F}) x->resize(static_cast<size_t>(n_));
    e.w.resize(static_cast<size_t>(p_));
    const auto size = [&](auto& rows, int count) {
      for (auto* x : {&rows.value, &rows.rate, &rows.second}) x->resize(static_cast<size_t>(count));
      rows.gradient.resize(static_cast<size_t>(count * n_));
    };
    size(e.constraint, m_);
    size(e.output, outputs_);
  };
  prepare(plain_);
  prepare(dual_);
  dual_start_.resize(static_cast<size_t>(model_.nq()));
  dual_moved_.resize(static_cast<size_t>(n_));
}

// Everything but R itself.
template <class S>
void ServoEquations::place(Evaluation<S>& at, const S& t, const VecX& lambda) {
  const DiscreteState& discrete = problem_.start.discrete;
  system_.place_bodies(at.e, t, at.q.data(), at.u.data(), discrete);
  std::fill(at.e.w.begin(), at.e.w.end(), S(0));
  for (size_t i = 0; i < at.w.size(); ++i) at.e.w[static_cast<size_t>(problem_.inputs[i])] = at.w[i];
  system_.apply_forces(at.e, acting_, static_cast<const S*>(nullptr), discrete, System::ElasticRows::as_forces);
  at.jacobian.clear();
  system_.collect_rows(at.e.kin, at.jacobian);
  system_.apply_rows(at.e, at.jacobian, lambda.data());
  rows(at, constraint_rows_, at.constraint);
  rows(at, output_rows_, at.output);
}

template <class S>
void ServoEquations::rows(Evaluation<S>& at, const std::vector<const Geometry*>& geometries,
                          typename Evaluation<S>::Rows& out) const {
  std::fill(out.gradient.begin(), out.gradient.end(), S(0));
  int first = 0;
  for (const Geometry* geometry : geometries) {
    const auto f = static_cast<size_t>(first);
    at.jacobian.clear();
    geometry->jacobian(at.e.kin, at.jacobian);
    geometry->rows(at.e.kin, out.value.data() + f);
    geometry->time_rate(at.e.kin, out.rate.data() + f);
    model_.add_rates(at.e.kin, at.jacobian, out.rate.data() + f);
    geometry->rate_bias(at.e.kin, out.second.data() + f);
    model_.add_generalised(at.e.kin, at.jacobian, S(1),
                           [&](int row) { return out.gradient.data() + (first + row) * n_; });
    for (int row = first; row < first + geometry->size(); ++row)
      for (int i = 0; i < n_; ++i)
        out.second[static_cast<size_t>(row)] +=
            out.gradient[static_cast<size_t>(row * n_ + i)] * at.a[static_cast<size_t>(i)];
    first += geometry->size();
  }
}

void ServoEquations::evaluate(const Instant& at) {
  std::copy(at.q.begin(), at.q.end(), plain_.q.begin());
  std::copy(at.u.begin(), at.u.end(), plain_.u.begin());
  std::copy(at.a.begin(), at.a.end(), plain_.a.begin());
  std::copy(at.w.begin(), at.w.end(), plain_.w.begin());
  place<double>(plain_, at.t, at.lambda);
  motion(at.a, R);
  const auto copy = [](const auto& from, RowRates& to) {
    to.value = Eigen::Map<const VecX>(from.value.data(), static_cast<Eigen::Index>(from.value.size()));
    to.rate = Eigen::Map<const VecX>(from.rate.data(), static_cast<Eigen::Index>(from.rate.size()));
    to.second = Eigen::Map<const VecX>(from.second.data(), static_cast<Eigen::Index>(from.second.size()));
  };
  copy(plain_.constraint, constraint);
  copy(plain_.output, output);
  if (allowed.value.size() == 0) return;
  output.value -= allowed.value;
  output.rate -= allowed.rate;
  output.second -= allowed.second;
}

void ServoEquations::motion(const VecX& a, VecX& out) {
  out.resize(n_);
  system_.inverse_dynamics_residual<double>(plain_.e, a.data(), out.data(), nullptr);
}

void ServoEquations::linearise(const Instant& at) {
  for (MatX* x : {&K, &D, &M}) x->setZero(n_, n_);
  B.setZero(n_, p_);
  const auto size = [&](RowTangent& t, int rows) {
    for (MatX* x : {&t.gradient, &t.rate_q, &t.second_q, &t.second_u}) x->setZero(rows, n_);
  };
  size(constraint_tangent, m_);
  size(output_tangent, outputs_);
  std::copy(at.q.begin(), at.q.end(), dual_start_.begin());
  // Directions: increments, speeds, accelerations, inputs.
  const int directions = 3 * n_ + p_;
  for (int first = 0; first < directions; first += 8) {
    const auto seed = [&](std::vector<Dual8>& x, int begin, auto&& value) {
      for (size_t i = 0; i < x.size(); ++i) {
        x[i] = Dual8(value(static_cast<Eigen::Index>(i)));
        const int direction = begin + static_cast<int>(i) - first;
        if (direction >= 0 && direction < 8) x[i].d[static_cast<size_t>(direction)] = 1;
      }
    };
    seed(dual_moved_, 0, [](Eigen::Index) { return 0.0; });
    seed(dual_.u, n_, [&](Eigen::Index i) { return at.u[i]; });
    seed(dual_.a, 2 * n_, [&](Eigen::Index i) { return at.a[i]; });
    seed(dual_.w, 3 * n_, [&](Eigen::Index i) { return at.w[i]; });
    for (const auto& b : model_.blocks())
      b.block->retract(dual_start_.data() + b.first_q, dual_moved_.data() + b.first_u, dual_.q.data() + b.first_q);
    place<Dual8>(dual_, Dual8(at.t), at.lambda);
    system_.inverse_dynamics_residual<Dual8>(dual_.e, dual_.a.data(), dual_.F.data(), nullptr);
    for (int k = 0; k < 8 && first + k < directions; ++k) {
      const int direction = first + k, column = direction % std::max(n_, 1);
      const auto slope = [&](const Dual8& x) { return x.d[static_cast<size_t>(k)]; };
      MatX& of_motion = direction < n_ ? K : direction < 2 * n_ ? D : direction < 3 * n_ ? M : B;
      const int motion_column = direction < 3 * n_ ? column : direction - 3 * n_;
      for (int i = 0; i < n_; ++i)
        of_motion(i, motion_column) = (direction < 3 * n_ ? 1 : -1) * slope(dual_.F[static_cast<size_t>(i)]);
      if (direction >= 2 * n_) continue;
      const auto rows_of = [&](const auto& rows, RowTangent& t) {
        for (size_t r = 0; r < rows.value.size(); ++r) {
          const auto row = static_cast<Eigen::Index>(r);
          if (direction < n_) {
            t.gradient(row, column) = slope(rows.value[r]);
            t.rate_q(row, column) = slope(rows.rate[r]);
            t.second_q(row, column) = slope(rows.second[r]);
          } else {
            t.second_u(row, column) = slope(rows.second[r]);
          }
        }
      };
      rows_of(dual_.constraint, constraint_tangent);
      rows_of(dual_.output, output_tangent);
    }
  }
}

// M a - Gᵀλ = B w - R₀,   G a = -g̈₀.
VecX accelerations_at(ServoEquations& equations, Instant at) {
  const int n = equations.speeds(), m = equations.constraints();
  at.a.setZero(n);
  at.lambda.setZero(m);
  equations.linearise(at);
  equations.evaluate(at);  // R of a = λ = 0, with these inputs
  MatX matrix = MatX::Zero(n + m, n + m);
  matrix.topLeftCorner(n, n) = equations.M;
  matrix.topRightCorner(n, m) = -equations.constraint_tangent.gradient.transpose();
  matrix.bottomLeftCorner(m, n) = equations.constraint_tangent.gradient;
  VecX given(n + m);
  given << -equations.R, -equations.constraint.second;
  ShortestLeastSquares solver;
  solver.compute(matrix, 1e-12);
  return solver.solve(given).head(n);
}

Instant held_at(ServoEquations& equations, const State& state) {
  const int n = equations.speeds(), m = equations.constraints(), p = equations.inputs();
  Instant at{state.t, state.q, state.u, VecX::Zero(n), VecX::Zero(m), VecX::Zero(p)};
  equations.evaluate(at);
  equations.linearise(at);
  MatX forces(n, m + p);
  forces << equations.constraint_tangent.gradient.transpose(), equations.B;
  const VecX held = shortest_least_squares(forces, equations.R, 1e-11);
  at.lambda = held.head(m);
  at.w = held.tail(p);
  return at;
}

}  // namespace davit::inverse_dynamics
