// Implicit one-step methods: each says where the step is evaluated (a Stage) and how it ends; StepEquations does the
// rest. Numbers (3.…) are equations of the thesis on servo constraints, (10) and (11) those of the thesis on block
// erection; see docs/methods.md.
#include <algorithm>
#include <cmath>

#include "davit/solve/halving_stepper.hpp"
#include "davit/solve/reduced_newton.hpp"
#include "davit/solve/stepper.hpp"

namespace davit {

namespace {

// For methods whose forces act where the step begins: what is stiff and acts one way only would be torn apart.
std::optional<std::string> ropes_unsupported_reason(const Model& model, const std::string& method) {
  for (const auto& f : model.forces())
    if (f.element->acts_over_step())
      return "method " + method + " evaluates forces where a step begins, and '" + f.element->name() +
             "', a rope, line or contact, is stiff and acts one way only: use conserving";
  return std::nullopt;
}

// A model whose mass matrix is constant: what discrete gradients and discrete Lagrangians are made for.
std::optional<std::string> needs_constant_mass(const Model& model, const std::string& method) {
  for (const auto& b : model.blocks())
    if (b.block->nu() > 0 && !b.block->constant_mass())
      return "method " + method +
             " needs coordinates with constant mass (particles, scalars, director bodies), and this model has tree "
             "joints: use conserving, which does the same on any coordinates, or describe the bodies as director "
             "bodies";
  return std::nullopt;
}

class ImplicitStepper : public HalvingStepper {
 public:
  ImplicitStepper(const Model& model, const ImplicitOptions& options)
      : HalvingStepper(model, options.halvings),
        options_(options),
        equations_(model, options.reduced ? ReducedNewton::most_unknowns : options.most_dense),
        unknowns_(equations_.make_unknowns()),
        trial_(model.initial_state()),
        end_(VecX::Zero(model.nu())),
        parting_(VecX::Zero(static_cast<Eigen::Index>(model.contacts().size()))),
        lifted_(parting_) {
    if (options.reduced) reduced_.emplace(model, equations_);
  }
  void forget() final { forgets_ = true; }
  const Solution* solution() const final { return solution_.a.size() > 0 ? &solution_ : nullptr; }
  std::optional<std::string> unsupported_reason(const Model& model) const final {
    if (reduced_ && !model.contacts().empty())
      return "method " + name() + ", reduced, has no unknowns for contact '" + model.contacts()[0].name +
             "': use it without run.reduced";
    if (reduced_ && equations_.size() > ReducedNewton::most_unknowns)
      return "method " + name() + ", reduced, works with dense matrices, and " + std::to_string(equations_.size()) +
             " unknowns are too many for them: use it without run.reduced";
    return method_unsupported_reason(model);
  }

 protected:
  // What the method itself cannot take.
  virtual std::optional<std::string> method_unsupported_reason(const Model&) const { return std::nullopt; }
  // Fills the stage of a step of length h.
  virtual bool place(System&, const State&, double h, Stage&) = 0;
  // Turns the solution into the new state; `state` is still the old one.
  virtual bool finish(System& system, State& state, const StepEquations::Unknowns& solution, double h) {
    system.retract(state.q, end_, trial_.q);
    state.q = trial_.q;
    if (guesses_from_memory()) {
      state.integrator_history.resize(state.u.size() + 1);
      state.integrator_history.head(state.u.size()) = (solution.x - state.u) / h;
      state.integrator_history[state.u.size()] = plain_sufficed_ ? 1 : 0;
    }
    state.u = solution.x;
    state.z = solution.z;
    state.t += h;
    state.lambda = solution.lambda.head(state.lambda.size());
    return true;
  }

  // Whether x is the speed at the end of a step whose places alone are closed.
  virtual bool ends_with_speeds() const { return true; }

  // State::integrator_history holds the mean accelerations of the last step, for a first guess of the next, and whether
  // the plain matrix was enough.
  virtual bool guesses_from_memory() const { return false; }

  Solution* part_solution() override { return &solution_; }

  ImplicitOptions options_;

 private:
  bool plain_sufficed_ = true, forgets_ = false;
  bool advance(System& system, State& state, double h, Failure& why) override {
    Stage& stage = equations_.stage();
    stage.clear(state.u.size());
    stage.h = h;
    stage.t_end = state.t + h;
    if (!place(system, state, h, stage)) {
      why = system.failure();
      return false;
    }
    equations_.begin(system, state);
    unknowns_.x = state.u;
    const bool remembers = guesses_from_memory() && state.integrator_history.size() == state.u.size() + 1;
    if (remembers) unknowns_.x += h * state.integrator_history.head(state.u.size());
    unknowns_.z = state.z;
    unknowns_.lambda.setZero();
    unknowns_.lambda.head(state.lambda.size()) = state.lambda;
    if (state.step % snapshot_interval == 0 || forgets_) equations_.renew_matrix();
    forgets_ = false;
    // Where the plain matrix was not enough it is left out, and tried again now and then. For the last digits it is no
    // good.
    const bool plain = options_.newton_tolerance > 1e-12 &&
                       (!remembers || state.integrator_history[state.u.size()] == 1 || state.step % 50 == 0);
    const NewtonOptions limits{
        .tolerance = options_.newton_tolerance, .most_iterations = options_.newton_iterations, .plain_first = plain};
    const NewtonOutcome newton =
        reduced_ ? reduced_->solve(system, equations_, unknowns_, limits) : equations_.solve(system, unknowns_, limits);
    plain_sufficed_ = newton.plain;
    counts_.iterations += newton.iterations;
    counts_.matrices += newton.matrices;
    counts_.evaluations += newton.iterations;
    if (newton.converged && !system.model().contacts().empty())
      counts_.contact_residual = std::max(counts_.contact_residual, equations_.contact_residual(system, unknowns_));
    if (newton.converged) {
      end_ = stage.d_end.constant + stage.d_end.factor * unknowns_.x;
      if (equations_.has_moving_rows() && ends_with_speeds() && equations_.factor_at(system, unknowns_))
        equations_.meet_row_speeds(system, unknowns_);
      equations_.read_solution(unknowns_, solution_);
    }
    if (!newton.converged)
      why = newton.why;
    else if (!finish(system, state, unknowns_, h))
      why = system.failure();
    else if (end_penetration(system, state, h))
      return true;
    else
      why = equations_.entered_contacts();
    return false;
  }

  // Contacts close during a step and act from the next one on: what has entered meanwhile is put back to the surface,
  // by the displacement of least kinetic energy. False where there is no such displacement: nothing gives way.
  bool end_penetration(System& system, State& state, double h) {
    if (system.model().contacts().empty()) return true;
    Stage& stage = equations_.stage();
    stage.clear(state.u.size());
    stage.a_point.factor = stage.d_end.factor = 1;
    stage.gradient = Stage::Gradient::at_start;
    stage.laws = Stage::Laws::as_forces;
    stage.purpose = Stage::Purpose::displacement;
    trial_ = state;
    trial_.u.setZero();
    equations_.begin(system, trial_);
    const double depth = equations_.penetration();
    if (!(depth > least_depth)) return true;
    lift_.x.setZero(state.u.size());
    lift_.z = state.z;
    lift_.lambda.setZero(equations_.rows());
    if (!equations_
             .solve(system, lift_, {.tolerance = 1e-6, .most_iterations = options_.newton_iterations, .scale = depth})
             .converged)
      return false;
    const double before = stored_energy(system, state);
    system.retract(trial_.q, lift_.x, state.q);
    give_back_energy(system, state, before, h);
    trial_.q = state.q;
    equations_.begin(system, trial_);
    constexpr double visible = 1e-3;  // m
    return equations_.penetration() < std::max(visible, 0.1 * depth);
  }

  double stored_energy(System& system, const State& at) {
    system.place_bodies<double>(system.workspace(), at.t, at.q.data(), at.u.data(), at.discrete);
    return system.kinetic_energy(at) + system.potential_energy(at);
  }
  double kinetic_energy(System& system, const State& at, const VecX& u) {
    system.place_bodies<double>(system.workspace(), at.t, at.q.data(), u.data(), at.discrete);
    return system.kinetic_energy(at);
  }

  // Bodies that were put back along x have another energy than before: W, most often that of their weight, which they
  // had gained beyond the surface. They give it back by an impulse along x, as far as they approach the surface, and
  // meet it with the speed that they had there: T(u + s x) - T(u) = -W. The rest is work of the contacts. They never
  // pull: what was lost is lost.
  void give_back_energy(System& system, State& state, double before, double h) {
    const double work = stored_energy(system, state) - before;
    const double of_u = kinetic_energy(system, state, state.u), of_x = kinetic_energy(system, state, lift_.x);
    trial_.u = state.u + lift_.x;
    const double slope = kinetic_energy(system, state, trial_.u) - of_u - of_x;
    trial_.u.setZero();
    double share = 0;
    if (work > 0 && slope < 0) {
      const double square = slope * slope - 4 * of_x * work;
      share = square > 0 ? 2 * work / (std::sqrt(square) - slope) : -slope / (2 * of_x);
      share = std::min(share, largest_share(system, state));
    }
    contact_work_ += work + share * (slope + share * of_x);
    state.u += share * lift_.x;
    state.lambda += share / h * lift_.lambda.head(state.lambda.size());
    solution_.a += share / h * lift_.x;
    solution_.lambda += share / h * lift_.lambda.head(solution_.lambda.size());
  }

  // Of x, that the speeds may change by: what was put back does not part by it. Nothing where bodies were pushed back
  // by others: contacts between those would be torn.
  double largest_share(System& system, const State& state) {
    parting_speeds(system, state, state.u, parting_);
    parting_speeds(system, state, lift_.x, lifted_);
    const auto push = [&](Eigen::Index contact) { return lift_.lambda[system.model().rows() + 3 * contact + 2]; };
    double hardest = 0, most = std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < lifted_.size(); ++i) hardest = std::max(hardest, push(i));
    for (Eigen::Index i = 0; i < lifted_.size(); ++i)
      if (push(i) > 1e-6 * hardest)
        most = std::min(most, lifted_[i] > least_depth ? std::max(0.0, -parting_[i]) / lifted_[i] : 0.0);
    return most;
  }
  void parting_speeds(System& system, const State& at, const VecX& u, VecX& out) {
    Workspace& work = system.workspace();
    system.place_bodies<double>(work, at.t, at.q.data(), u.data(), at.discrete);
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      double speed[3] = {0, 0, 0};
      work.contact_jacobian.clear();
      system.model().contacts()[static_cast<size_t>(i)].geometry->jacobian(work.kin, work.contact_jacobian);
      system.model().add_rates(work.kin, work.contact_jacobian, speed);
      out[i] = speed[2];
    }
  }

  // m. Less is not worth putting back, and lost in round-off.
  static constexpr double least_depth = 1e-9;

  StepEquations equations_;
  std::optional<ReducedNewton> reduced_;
  StepEquations::Unknowns unknowns_, lift_;
  Solution solution_;
  State trial_;
  VecX end_;               // where the step ends
  VecX parting_, lifted_;  // by contact: speed, and way of being put back
};

// u = (u₀ + u₁)/2 all along the step, F in its middle: (3.3), (3.4).
class Midpoint final : public ImplicitStepper {
 public:
  Midpoint(ImplicitMethod method, const Model& model, const ImplicitOptions& options)
      : ImplicitStepper(model, options), method_(method) {}
  std::string name() const override {
    switch (method_) {
      case ImplicitMethod::conserving:
        return "conserving";
      case ImplicitMethod::energy_momentum:
        return "energy_momentum";
      default:
        return "midpoint";
    }
  }
  std::string summary() const override {
    switch (method_) {
      case ImplicitMethod::conserving:
        return "midpoint step, force laws by discrete gradients, order 2";
      case ImplicitMethod::energy_momentum:
        return "energy-momentum step with discrete gradients, order 2";
      default:
        return "midpoint step, order 2";
    }
  }
  int order() const override { return 2; }
  bool guesses_from_memory() const override { return true; }
  std::unique_ptr<Stepper> clone_without_history(const Model& model) const override {
    return make_implicit(method_, model, options_);
  }
  std::optional<std::string> method_unsupported_reason(const Model& model) const override {
    if (method_ != ImplicitMethod::energy_momentum) return std::nullopt;
    const auto why = needs_constant_mass(model, name());
    return why ? why : refuses_contacts(model);
  }

 private:
  bool place(System&, const State& s, double h, Stage& stage) override {
    stage.t_point = s.t + h / 2;
    stage.u_point.constant = 0.5 * s.u;
    stage.u_point.factor = 0.5;
    stage.d_point.constant = h / 4 * s.u;
    stage.d_point.factor = h / 4;
    stage.d_end.constant = h / 2 * s.u;
    stage.d_end.factor = h / 2;
    stage.a_point.constant = -s.u / h;
    stage.a_point.factor = 1 / h;
    stage.z_share = 0.5;
    const bool discrete_gradient = method_ != ImplicitMethod::midpoint;
    stage.gradient = discrete_gradient ? Stage::Gradient::discrete_gradient : Stage::Gradient::at_point;
    stage.laws = discrete_gradient ? Stage::Laws::discrete_gradient : Stage::Laws::at_point;
    return true;
  }
  ImplicitMethod method_;
};

// Everything at the end of the step: (3.2).
class ImplicitEuler final : public ImplicitStepper {
 public:
  using ImplicitStepper::ImplicitStepper;
  std::string name() const override { return "implicit_euler"; }
  std::string summary() const override { return "implicit Euler, order 1, damps"; }
  int order() const override { return 1; }
  bool ends_with_speeds() const override { return false; }  // what is off does not alternate, it dies
  bool guesses_from_memory() const override { return true; }
  std::unique_ptr<Stepper> clone_without_history(const Model& model) const override {
    return make_implicit(ImplicitMethod::implicit_euler, model, options_);
  }

 private:
  bool place(System&, const State& s, double h, Stage& stage) override {
    stage.t_point = s.t + h;
    stage.u_point.factor = 1;
    stage.d_point.factor = h;
    stage.d_end.factor = h;
    stage.a_point.constant = -s.u / h;
    stage.a_point.factor = 1 / h;
    return true;
  }
};

// Arnold & Brüls (2007); on the group as Brüls & Cardona (2010). State::integrator_history holds the algorithmic
// accelerations a and the true ones u̇ of the last step. Auxiliary states follow the trapezoidal rule.
class GeneralisedAlpha final : public ImplicitStepper {
 public:
  GeneralisedAlpha(const Model& model, const ImplicitOptions& options) : ImplicitStepper(model, options) {
    const double rho = options.spectral_radius;
    alpha_m_ = (2 * rho - 1) / (rho + 1);
    alpha_f_ = rho / (rho + 1);
    gamma_ = 0.5 + alpha_f_ - alpha_m_;
    beta_ = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
    memory_.setZero(2 * model.nu());
  }
  std::string name() const override { return "generalised_alpha"; }
  std::string summary() const override { return "generalised-alpha on the group, order 2, damps what is not resolved"; }
  int order() const override { return 2; }
  std::unique_ptr<Stepper> clone_without_history(const Model& model) const override {
    return make_implicit(ImplicitMethod::generalised_alpha, model, options_);
  }
  std::optional<std::string> method_unsupported_reason(const Model& model) const override {
    const auto why = refuses_contacts(model);
    return why ? why : needs_mass(model, name());  // the first accelerations are those of the equations of motion
  }

 private:
  Solution* part_solution() override { return nullptr; }  // multipliers are those of the end
  bool place(System& system, const State& s, double h, Stage& stage) override {
    const Eigen::Index nu = s.u.size();
    const bool known = s.integrator_history.size() == 2 * nu;
    if ((!known || s.z.size() > 0) && !system.evaluate(s, System::Want::accelerations)) return false;
    if (known)
      memory_ = s.integrator_history;
    else
      memory_ << system.workspace().a, system.workspace().a;
    const auto a0 = memory_.head(nu), rate0 = memory_.tail(nu);
    stage.t_point = s.t + h;
    stage.u_point.factor = 1;
    // a₁ = (x - u₀ - h(1-γ)a₀)/(hγ), d = h u₀ + h²(½-β) a₀ + h²β a₁
    stage.d_end.factor = h * beta_ / gamma_;
    stage.d_end.constant = h * s.u + h * h * (0.5 - beta_) * a0 - stage.d_end.factor * (s.u + h * (1 - gamma_) * a0);
    stage.d_point = stage.d_end;
    // (1-αf) u̇₁ + αf u̇₀ = (1-αm) a₁ + αm a₀
    stage.a_point.factor = (1 - alpha_m_) / ((1 - alpha_f_) * h * gamma_);
    stage.a_point.constant =
        (alpha_m_ * a0 - alpha_f_ * rate0) / (1 - alpha_f_) - stage.a_point.factor * (s.u + h * (1 - gamma_) * a0);
    if (s.z.size() > 0) {
      stage.z_rate.resize(s.z.size());
      for (Eigen::Index i = 0; i < s.z.size(); ++i)
        stage.z_rate[i] = 0.5 * system.workspace().zdot[static_cast<size_t>(i)];
      stage.z_weight = 0.5;
    }
    rate_map_ = stage.a_point;
    return true;
  }
  bool finish(System& system, State& state, const StepEquations::Unknowns& solution, double h) override {
    const Eigen::Index nu = state.u.size();
    // Eigen evaluates in order: a₁ needs the old a₀ and u₀.
    memory_.head(nu) = (solution.x - state.u - h * (1 - gamma_) * memory_.head(nu)) / (h * gamma_);
    memory_.tail(nu) = rate_map_.constant + rate_map_.factor * solution.x;
    if (!ImplicitStepper::finish(system, state, solution, h)) return false;
    state.integrator_history = memory_;
    return true;
  }
  double alpha_m_, alpha_f_, gamma_, beta_;
  VecX memory_;
  Stage::Affine rate_map_;
};

// Discrete Euler-Lagrange equations (3.31) in their one-step form (3.23)-(3.25), (3.35)-(3.36): x is the speed of the
// whole step, u the momentum over the mass. The multipliers of the second half are those that bring the new momentum
// onto the constraints; with those of the next first half they make up the λ of the two-step form.
class Variational final : public ImplicitStepper {
 public:
  Variational(ImplicitMethod method, const Model& model, const ImplicitOptions& options)
      : ImplicitStepper(model, options), midpoint_(method == ImplicitMethod::variational_midpoint) {}
  std::string name() const override { return midpoint_ ? "variational_midpoint" : "stoermer_verlet"; }
  std::string summary() const override {
    return midpoint_ ? "variational step with the midpoint rule, order 2, symplectic"
                     : "Stoermer-Verlet step (RATTLE), order 2, symplectic, explicit but for constraints";
  }
  int order() const override { return 2; }
  bool is_explicit() const override { return !midpoint_; }
  std::unique_ptr<Stepper> clone_without_history(const Model& model) const override {
    return make_implicit(midpoint_ ? ImplicitMethod::variational_midpoint : ImplicitMethod::stoermer_verlet, model,
                         options_);
  }
  bool ends_with_speeds() const override { return false; }
  std::optional<std::string> method_unsupported_reason(const Model& model) const override {
    if (const auto why = needs_constant_mass(model, name())) return why;
    if (!midpoint_)
      if (const auto why = ropes_unsupported_reason(model, name())) return why;
    const auto why = refuses_contacts(model);
    return why ? why : needs_mass(model, name());
  }

 private:
  bool place(System&, const State& s, double h, Stage& stage) override {
    // M (x - u₀)·2/h + ∇V(point) - G(q₀)ᵀ λ = 0
    stage.t_point = midpoint_ ? s.t + h / 2 : s.t;
    stage.u_point.factor = 1;
    stage.d_point.factor = midpoint_ ? h / 2 : 0;
    stage.d_end.factor = h;
    stage.a_point.constant = -2 / h * s.u;
    stage.a_point.factor = 2 / h;
    // z is that of the middle, z₀ + h/2 φ(point), and acts in both halves; the second one adds h/2 φ of its own point.
    stage.z_weight = 0.5;
    stage.gradient = Stage::Gradient::at_start;
    stage.laws = Stage::Laws::as_forces;
    half_ = midpoint_ ? h / 2 : h;
    return true;
  }
  // u₁ = x + h/2 M⁻¹ f(point) + M⁻¹ G(q₁)ᵀ μ, with the point in the middle or at the end.
  bool finish(System& system, State& state, const StepEquations::Unknowns& solution, double h) override {
    point_.resize(state.q.size());
    d_ = half_ * solution.x;
    system.retract(state.q, d_, point_);
    if (!system.evaluate(state.t + half_, point_.data(), solution.x.data(), solution.z.data(), state.discrete,
                         System::Want::unconstrained))
      return false;
    d_ = solution.x + h / 2 * system.workspace().a;
    if (!ImplicitStepper::finish(system, state, solution, h)) return false;
    for (Eigen::Index i = 0; i < state.z.size(); ++i)
      state.z[i] += h / 2 * system.workspace().zdot[static_cast<size_t>(i)];
    state.u = d_;
    return system.satisfy_constraints(state, System::Side::before);
  }
  bool midpoint_;
  double half_ = 0;
  VecX point_, d_;
};

// Discrete Euler-Lagrange steps after Lacoursière: forces and gradients at the start, rows linear in the new speeds.
//   M (u₁ - u₀)/h = f + Gᵀ λ,  q₁ = q₀ ⊕ h u₁,
//   (10):  G u₁ + ε λ/h = -g/h
//   (11):  G u₁ + 4εΓ λ/h = -4Γ g/h + Γ G u₀,  Γ = 1/(1 + 4τ/h)    (λ a force; an impulse in the source)
// On tree coordinates this is a semi-implicit step; variational only where the mass is constant.
class DiscreteEulerLagrange final : public ImplicitStepper {
 public:
  DiscreteEulerLagrange(ImplicitMethod method, const Model& model, const ImplicitOptions& options)
      : ImplicitStepper(model, options), relaxed_(method == ImplicitMethod::spook) {}
  std::string name() const override { return relaxed_ ? "spook" : "dele"; }
  std::string summary() const override {
    return relaxed_ ? "discrete Euler-Lagrange step relaxed at velocity level, order 1, one linear solve"
                    : "discrete Euler-Lagrange step regularised by compliance, order 1, one linear solve";
  }
  int order() const override { return 1; }
  std::unique_ptr<Stepper> clone_without_history(const Model& model) const override {
    return make_implicit(relaxed_ ? ImplicitMethod::spook : ImplicitMethod::dele, model, options_);
  }
  std::optional<std::string> method_unsupported_reason(const Model& model) const override {
    return ropes_unsupported_reason(model, name());
  }

 private:
  bool holds_positions() const override { return false; }
  bool ends_with_speeds() const override { return false; }
  bool place(System&, const State& s, double h, Stage& stage) override {
    stage.t_point = s.t;
    stage.u_point.constant = s.u;
    stage.u_point.factor = 0;
    stage.d_point.factor = 0;
    stage.d_end.factor = h;
    stage.a_point.constant = -s.u / h;
    stage.a_point.factor = 1 / h;
    stage.z_share = 0;
    stage.gradient = Stage::Gradient::at_start;
    stage.laws = Stage::Laws::relaxed;
    stage.relaxation = {relaxed_, options_.dissipation * h};
    return true;
  }
  bool relaxed_;
};

}  // namespace

std::unique_ptr<Stepper> make_implicit(ImplicitMethod method, const Model& model, const ImplicitOptions& options) {
  switch (method) {
    case ImplicitMethod::implicit_euler:
      return std::make_unique<ImplicitEuler>(model, options);
    case ImplicitMethod::generalised_alpha:
      return std::make_unique<GeneralisedAlpha>(model, options);
    case ImplicitMethod::variational_midpoint:
    case ImplicitMethod::stoermer_verlet:
      return std::make_unique<Variational>(method, model, options);
    case ImplicitMethod::dele:
    case ImplicitMethod::spook:
      return std::make_unique<DiscreteEulerLagrange>(method, model, options);
    default:
      return std::make_unique<Midpoint>(method, model, options);
  }
}

}  // namespace davit
