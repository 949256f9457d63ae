// Index reduction by minimal extension (Kunkel & Mehrmann; the thesis on servo constraints, 5.1, (5.3)-(5.9)). The
// speeds are split into independent ones and as many dependent ones as there are independent rows, so that G_dep is
// regular. Positions, speeds and accelerations of the dependent ones are unknowns of their own (dummy derivatives), for
// which stand the constraints and their two derivatives:
//   M a + c - f = Gᵀλ,  g(q) = 0,  G u + ∂g/∂t = 0,  G a + Ġu + … = 0                                        (5.7)
// all at the end of the step: a system of index 1, whose differential part is that of the independent coordinates
// alone. They follow the trapezoidal rule, d = h/2 (u₀ + u₁), u₁ = u₀ + h/2 (a₀ + a₁), and so do auxiliary states.
//
// As in the proof of (5.9) the algebraic part is eliminated in every iteration: d_dep from g = 0, u_dep and a_dep from
// G_dep, λ from G_depᵀ λ = F_dep. Left are Nᵀ F = 0 with N = (1; -G_dep⁻¹ G_ind) for the independent speeds. The matrix
// of Newton's method is the exact derivative of F - Gᵀλ along N; what it leaves out, the change of N, is of order h.
// The split is chosen anew at the start of every step, so that it depends on the state alone.
#include <algorithm>
#include <cmath>

#include "davit/math/linear_algebra.hpp"
#include "davit/solve/halving_stepper.hpp"
#include "davit/solve/stepper.hpp"

namespace davit {

namespace {

class MinimalExtension final : public HalvingStepper {
 public:
  MinimalExtension(const Model& model, const ImplicitOptions& options)
      : HalvingStepper(model, options.halvings),
        options_(options),
        nu_(model.nu()),
        nz_(model.nz()),
        rows_(model.rows()) {
    for (VecX* v : {&d_, &u_, &a_, &F_, &a0_, &column_}) v->setZero(nu_);
    for (VecX* v : {&z_, &phi0_}) v->setZero(nz_);
    for (VecX* v : {&g_, &bias_, &no_offset_, &lambda_}) v->setZero(rows_);
    q_ = model.initial_state().q;
    memory_.setZero(nu_ + nz_);
    G_.setZero(nu_, rows_);
    model.prepare(dual_);
    const auto nu = static_cast<size_t>(nu_);
    for (auto* v : {&dual_d_, &dual_u_, &dual_a_, &dual_F_}) v->assign(nu, Dual8(0));
    for (auto* v : {&dual_q0_, &dual_q_}) v->assign(static_cast<size_t>(model.nq()), Dual8(0));
    dual_z_.assign(static_cast<size_t>(nz_), Dual8(0));
  }
  std::string name() const override { return "minimal_extension"; }
  std::string summary() const override {
    return "index 1 by minimal extension, trapezoidal rule, order 2: constraints hold with both derivatives";
  }
  int order() const override { return 2; }
  std::unique_ptr<Stepper> clone_without_history(const Model& model) const override {
    return make_minimal_extension(model, options_);
  }
  std::optional<std::string> unsupported_reason(const Model& model) const override {
    if (auto why = refuses_contacts(model)) return why;
    if (!model.servos().empty())
      return "method " + name() + " cannot solve for the drives of '" + model.servos()[0].element->name() +
             "': use rk4, dopri5, conserving or midpoint";
    for (const auto& c : model.constraints())
      if (!c.constraint.geometry->holonomic())
        return "method " + name() + " is for constraints on positions, and '" + c.constraint.name +
               "' is on speeds: use conserving or midpoint";
    constexpr int most = 200;
    if (model.nu() > most)
      return "method " + name() + " works with dense matrices, and " + std::to_string(model.nu()) +
             " speeds are too many for them: use conserving";
    return std::nullopt;
  }

 private:
  // What the unknown y of the independent coordinates stands for: everything else is constant + factor · y.
  struct Map {
    double constant_of_u0 = 0, constant_of_a0 = 0, factor = 0;
    double at(double u0, double a0, double y) const { return constant_of_u0 * u0 + constant_of_a0 * a0 + factor * y; }
  };
  struct Rule {
    double t = 0;
    Map d, u, a;
    double h_z = 0;  // z₁ = z₀ + h_z (φ₀ + φ₁)
  };

  bool advance(System& system, State& state, double h, Failure& why) override {
    begin(state);
    split(system, state);
    if (state.integrator_history.size() != nu_ + nz_) {
      // The accelerations of the start: y is a, and the state stays.
      Rule now;
      now.t = state.t;
      now.u.constant_of_u0 = 1;
      now.a.factor = 1;
      if (!solve(system, state, now)) {
        why = culprit(system.model());
        return false;
      }
      memory_.head(nu_) = a_;
      for (int i = 0; i < nz_; ++i) memory_[nu_ + i] = system.workspace().zdot[static_cast<size_t>(i)];
    } else {
      memory_ = state.integrator_history;
    }
    a0_ = memory_.head(nu_);
    phi0_ = memory_.tail(nz_);
    Rule end;
    end.t = state.t + h;
    end.d = {h / 2, 0, h / 2};
    end.u.factor = 1;
    end.a = {-2 / h, -1, 2 / h};
    end.h_z = h / 2;
    d_ = h * state.u;
    if (solve(system, state, end)) {
      state.q = q_;
      state.u = u_;
      state.z = z_;
      state.t += h;
      state.lambda.head(rows_) = lambda_;
      memory_.head(nu_) = a_;
      for (int i = 0; i < nz_; ++i) memory_[nu_ + i] = system.workspace().zdot[static_cast<size_t>(i)];
      state.integrator_history = memory_;
      return true;
    }
    why = culprit(system.model());
    return false;
  }

  void begin(const State& state) {
    d_.setZero();
    q_ = state.q;
    u_ = state.u;
    z_ = state.z;
    lambda_ = state.lambda.head(rows_);
  }

  // The row that could not be closed, or else the coordinate that changed most in the last iteration.
  Failure culprit(const Model& model) const {
    Eigen::Index worst = 0;
    if (!closed_) {
      g_.cwiseAbs().maxCoeff(&worst);
      return {model.row_name(static_cast<int>(worst)),
              "the constraints cannot be met here: the mechanism is at a dead point or is pulled apart, or the step is "
              "too long for the motion; try a shorter step"};
    }
    const auto f = static_cast<Eigen::Index>(independent_.size());
    for (Eigen::Index k = 0; k < f; ++k)
      if (!(std::abs(step_[k]) <= std::abs(step_[worst]))) worst = k;
    return {f > 0 ? model.speed_names()[static_cast<size_t>(independent_[static_cast<size_t>(worst)])] : std::string(),
            "the equations of the step have no solution nearby; try a shorter step"};
  }

  // Rows and columns of G by complete pivoting: which rows are independent, and which speeds they determine.
  void split(System& system, const State& state) {
    independent_.clear();
    dependent_.clear();
    kept_.clear();
    Eigen::Index rank = 0;
    if (rows_ > 0) {
      place(system, state.t, state.discrete);
      pivots_.compute(G_, 1e-11);
      rank = pivots_.rank();
    }
    for (int i = 0; i < nu_; ++i) (rank > 0 && pivots_.place_of_row(i) < rank ? dependent_ : independent_).push_back(i);
    for (Eigen::Index k = 0; k < rank; ++k) kept_.push_back(static_cast<int>(pivots_.column(k)));
    const auto f = static_cast<Eigen::Index>(independent_.size());
    G_dep_.resize(rank, rank);
    for (VecX* v : {&dependent_part_, &row_part_}) v->resize(rank);
    N_.setZero(nu_, f);
    matrix_.resize(f + nz_, f + nz_);
    for (VecX* v : {&y_, &residual_, &step_}) v->resize(f + nz_);
  }

  // Kinematics, g and G at q, with the speeds u.
  void place(System& system, double t, const DiscreteState& discrete) {
    const Model& model = system.model();
    Kin& kin = system.workspace().kin;
    kin.t = t;
    kin.signals = &discrete.signals;
    kin.environment = discrete.environment.get();
    kin.q = q_.data();
    kin.u = u_.data();
    for (const auto& b : model.blocks()) b.block->kinematics(q_.data() + b.first_q, u_.data() + b.first_u, kin);
    for (const auto& c : model.constraints()) c.constraint.geometry->rows(kin, g_.data() + c.first_row);
    jacobian_.clear();
    system.collect_rows(kin, jacobian_);
    G_.setZero();
    for (const auto& e : jacobian_.entries) {
      if (e.body == 0) continue;
      const auto& b = model.block_of(e.body);
      b.block->add_generalised(kin, e, 1.0, G_.col(e.row).data() + b.first_u);
    }
    for (const auto& e : jacobian_.speeds) G_(e.speed, e.row) += e.coefficient;
  }
  void factor_dependent() {
    for (size_t k = 0; k < kept_.size(); ++k)
      for (size_t j = 0; j < dependent_.size(); ++j)
        G_dep_(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) = G_(dependent_[j], kept_[k]);
    if (!kept_.empty()) dependent_lu_.compute(G_dep_);
  }
  // x_dep so that G x = -offset, with x_ind as it is.
  void complete(VecX& x, const VecX& offset) {
    for (const int i : dependent_) x[i] = 0;
    for (size_t k = 0; k < kept_.size(); ++k)
      row_part_[static_cast<Eigen::Index>(k)] = -offset[kept_[k]] - G_.col(kept_[k]).dot(x);
    if (!kept_.empty()) dependent_lu_.solve(row_part_, dependent_part_);
    for (size_t j = 0; j < dependent_.size(); ++j) x[dependent_[j]] = dependent_part_[static_cast<Eigen::Index>(j)];
  }
  void find_null_space() {
    N_.setZero();
    for (size_t k = 0; k < independent_.size(); ++k) {
      column_.setZero(nu_);
      column_[independent_[k]] = 1;
      complete(column_, no_offset_);
      N_.col(static_cast<Eigen::Index>(k)) = column_;
    }
  }

  // The algebraic part at y = (independent speeds or accelerations, z), then what is left of the equations.
  bool evaluate(System& system, const State& state, const Rule& rule) {
    const Model& model = system.model();
    const auto f = static_cast<Eigen::Index>(independent_.size());
    for (Eigen::Index k = 0; k < f; ++k) {
      const int i = independent_[static_cast<size_t>(k)];
      d_[i] = rule.d.at(state.u[i], a0_[i], y_[k]);
      u_[i] = rule.u.at(state.u[i], a0_[i], y_[k]);
      a_[i] = rule.a.at(state.u[i], a0_[i], y_[k]);
    }
    z_ = y_.tail(nz_);
    closed_ = rule.d.factor == 0 || close(system, state, rule.t);
    if (!closed_) return false;
    place(system, rule.t, state.discrete);
    factor_dependent();
    // A step that ends where the speed of a row jumps ends with the speed before.
    Kin& kin = system.workspace().kin;
    kin.t = rule.d.factor == 0 ? rule.t : just_before(rule.t);
    for (const auto& c : model.constraints()) c.constraint.geometry->time_rate(kin, bias_.data() + c.first_row);
    kin.t = rule.t;
    complete(u_, bias_);
    Workspace& work = system.workspace();
    system.apply_forces<double>(work, rule.t, q_.data(), u_.data(), z_.data(), state.discrete);
    if (rows_ > 0) system.rate_bias(bias_);
    complete(a_, bias_);
    system.apply_rows<double>(work, jacobian_, lambda_.data());
    system.inverse_dynamics_residual<double>(work, a_.data(), F_.data(), nullptr);
    ++counts_.evaluations;
    // F_dep is λ's: G_depᵀ δλ = F_dep, the rest is Nᵀ F.
    for (size_t j = 0; j < dependent_.size(); ++j) dependent_part_[static_cast<Eigen::Index>(j)] = F_[dependent_[j]];
    if (!kept_.empty()) dependent_lu_.solve_transposed(dependent_part_, row_part_);
    for (size_t k = 0; k < kept_.size(); ++k) {
      const double change = row_part_[static_cast<Eigen::Index>(k)];
      lambda_[kept_[k]] += change;
      F_.noalias() -= change * G_.col(kept_[k]);
    }
    for (Eigen::Index k = 0; k < f; ++k) residual_[k] = F_[independent_[static_cast<size_t>(k)]];
    for (Eigen::Index i = 0; i < nz_; ++i)
      residual_[f + i] = z_[i] - state.z[i] - rule.h_z * (phi0_[i] + work.zdot[static_cast<size_t>(i)]);
    return true;
  }

  // d_dep so that g(q₀ ⊕ d) = 0.
  bool close(System& system, const State& state, double t) {
    for (int iteration = 0; iteration < 20; ++iteration) {
      system.retract(state.q, d_, q_);
      if (rows_ == 0) return true;
      place(system, t, state.discrete);
      const double gap = g_.cwiseAbs().maxCoeff();
      if (gap < 1e-14) return true;
      factor_dependent();
      column_.setZero(nu_);
      complete(column_, g_);
      const double change = column_.cwiseAbs().maxCoeff();
      if (!(change < 1)) return false;
      if (change < 1e-15) return gap < 1e-10;
      d_ += column_;
    }
    return g_.cwiseAbs().maxCoeff() < 1e-10;
  }

  // ∂(Nᵀ (F - Gᵀλ), z-equations)/∂y along N, eight directions at a time.
  void find_matrix(System& system, const State& state, const Rule& rule) {
    find_null_space();
    const auto f = static_cast<Eigen::Index>(independent_.size()), n = f + nz_;
    ++counts_.matrices;
    for (size_t i = 0; i < dual_q0_.size(); ++i) dual_q0_[i] = Dual8(q_[static_cast<Eigen::Index>(i)]);
    for (Eigen::Index first = 0; first < n; first += 8) {
      const Eigen::Index count = std::min<Eigen::Index>(8, n - first);
      for (int i = 0; i < nu_; ++i) {
        const auto at = static_cast<size_t>(i);
        dual_d_[at] = Dual8(0);
        dual_u_[at] = Dual8(u_[i]);
        dual_a_[at] = Dual8(a_[i]);
        for (Eigen::Index k = 0; k < count && first + k < f; ++k) {
          const auto direction = static_cast<size_t>(k);
          dual_d_[at].d[direction] = rule.d.factor * N_(i, first + k);
          dual_u_[at].d[direction] = rule.u.factor * N_(i, first + k);
          dual_a_[at].d[direction] = rule.a.factor * N_(i, first + k);
        }
      }
      for (int i = 0; i < nz_; ++i) {
        Dual8& z = dual_z_[static_cast<size_t>(i)];
        z = Dual8(z_[i]);
        if (f + i >= first && f + i < first + count) z.d[static_cast<size_t>(f + i - first)] = 1;
      }
      for (const auto& b : system.model().blocks())
        b.block->retract(dual_q0_.data() + b.first_q, dual_d_.data() + b.first_u, dual_q_.data() + b.first_q);
      system.apply_forces(dual_, Dual8(rule.t), dual_q_.data(), dual_u_.data(), dual_z_.data(), state.discrete);
      dual_jacobian_.clear();
      system.collect_rows(dual_.kin, dual_jacobian_);
      system.apply_rows(dual_, dual_jacobian_, lambda_.data());
      system.inverse_dynamics_residual<Dual8>(dual_, dual_a_.data(), dual_F_.data(), nullptr);
      for (Eigen::Index k = 0; k < count; ++k) {
        const auto direction = static_cast<size_t>(k);
        for (int i = 0; i < nu_; ++i) column_[i] = dual_F_[static_cast<size_t>(i)].d[direction];
        matrix_.col(first + k).head(f).noalias() = N_.transpose() * column_;
        for (int i = 0; i < nz_; ++i)
          matrix_(f + i, first + k) =
              (f + i == first + k ? 1.0 : 0.0) - rule.h_z * dual_.zdot[static_cast<size_t>(i)].d[direction];
      }
    }
    lu_.compute(matrix_);
  }

  bool solve(System& system, const State& state, const Rule& rule) {
    const auto f = static_cast<Eigen::Index>(independent_.size());
    for (Eigen::Index k = 0; k < f; ++k) {
      const int i = independent_[static_cast<size_t>(k)];
      y_[k] = rule.u.factor != 0 ? state.u[i] : 0;
    }
    y_.tail(nz_) = state.z;
    double last = 0;
    bool refresh = true, done = y_.size() == 0;
    for (int iteration = 0; iteration < options_.newton_iterations; ++iteration) {
      if (!evaluate(system, state, rule)) return false;
      if (done) return true;
      if (refresh) find_matrix(system, state, rule);
      lu_.solve(residual_, step_);
      if (!step_.allFinite()) return false;
      y_ -= step_;
      ++counts_.iterations;
      const double change = step_.cwiseAbs().maxCoeff() / (1 + y_.cwiseAbs().maxCoeff());
      const double contraction = iteration > 0 ? change / last : 0;
      last = change;
      // The last evaluation is at the solution: the algebraic part, a and λ belong to it. Tiny changes that no longer
      // shrink are round-off.
      done = change <= options_.newton_tolerance || (iteration > 2 && change < 1e-8 && contraction > 0.3);
      refresh = contraction > 0.1;
    }
    return false;
  }

  ImplicitOptions options_;
  int nu_, nz_, rows_;
  std::vector<int> independent_, dependent_, kept_;  // speeds, and the rows that determine the dependent ones
  VecX q_, d_, u_, a_, z_, lambda_, F_;              // at the end of the step
  VecX a0_, phi0_, memory_;                          // u̇ and ż at its start
  VecX g_, bias_, no_offset_, column_, dependent_part_, row_part_;
  JacobianT<double> jacobian_;
  MatX G_, G_dep_, N_, matrix_;
  FullPivotLu pivots_;
  PartialPivotLu dependent_lu_, lu_;
  VecX y_, residual_, step_;
  bool closed_ = true;  // the rows at the last evaluation
  EvaluationT<Dual8> dual_;
  JacobianT<Dual8> dual_jacobian_;
  std::vector<Dual8> dual_q0_, dual_q_, dual_d_, dual_u_, dual_a_, dual_z_, dual_F_;
};

}  // namespace

std::unique_ptr<Stepper> make_minimal_extension(const Model& model, const ImplicitOptions& options) {
  return std::make_unique<MinimalExtension>(model, options);
}

}  // namespace davit
