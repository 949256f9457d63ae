// Newton's method on the equations of a step.
#include <algorithm>
#include <cmath>

#include "davit/model/solved_inside.hpp"
#include "davit/solve/step_scratch.hpp"

namespace davit {

Failure StepEquations::culprit(const Model& model, const VecX& step) const {
  for (const auto& force : model.forces())
    if (const auto* inside = dynamic_cast<const SolvedInside*>(force.element.get()))
      if (std::string why = inside->unsolved(*scratch_->point.element[static_cast<size_t>(force.index)]); !why.empty())
        return {force.element->name(), std::move(why)};
  Eigen::Index worst = 0;
  for (Eigen::Index i = 0; i < nu_; ++i)
    if (!(std::abs(step[i]) <= std::abs(step[worst]))) worst = i;
  return {nu_ > 0 ? model.speed_names()[static_cast<size_t>(worst)] : std::string(),
          "the equations of the step have no solution nearby: a mechanism at a dead point or pulled apart, or a step "
          "too long for the motion; try a shorter step"};
}

bool StepEquations::factor() {
  double* values = solver_->values();
  for (size_t c = 0; c < states_.size(); ++c) {
    const MatX& condensed = states_[c].eliminate();
    for (size_t i = 0; i < state_places_[c].size(); ++i) values[state_places_[c][i]] -= condensed.data()[i];
  }
  return solver_->factor();
}

int StepEquations::unstable_directions() const {
  return std::abs(solver_->negative_pivots(0, nu_) - solver_->negative_pivots(nu_, nu_ + rows_));
}

bool StepEquations::factor_at(System& system, const Unknowns& at) {
  compute_residual(system, at);
  compute_matrix(system, at);
  return factor();
}

const VecX& StepEquations::correction() {
  solve_linear();
  return step_;
}

// The change of all unknowns for the residual.
void StepEquations::solve_linear() {
  right_.head(nu_) = -residual_.head(nu_);
  right_.tail(rows_) = -residual_.tail(rows_);
  state_right_ = -residual_.segment(nu_, nz_);
  for (StateElimination& states : states_) states.reduce(state_right_, right_);
  solver_->solve(right_);
  for (const StateElimination& states : states_) states.recover(right_, state_step_);
  step_.head(nu_) = right_.head(nu_);
  step_.segment(nu_, nz_) = state_step_;
  step_.tail(rows_) = right_.tail(rows_);
}

NewtonOutcome StepEquations::solve(System& system, Unknowns& unknowns, const NewtonOptions& options) {
  NewtonOutcome out = solve_with_contacts(system, unknowns, options);
  if (!out.converged || !cut_drives(unknowns)) return out;
  const NewtonOutcome again = solve_with_contacts(system, unknowns, options);
  out.iterations += again.iterations;
  out.matrices += again.matrices;
  out.converged = again.converged;
  out.change = again.change;
  out.why = again.why;
  return out;
}

NewtonOutcome StepEquations::solve_with_contacts(System& system, Unknowns& unknowns, const NewtonOptions& options) {
  if (touches_.empty()) return iterate(system, unknowns, options);
  guess_ = unknowns;
  NewtonOptions silently = options;
  silently.explain = false;
  const NewtonOutcome direct = iterate(system, unknowns, silently);
  if (direct.converged) return direct;
  unknowns = guess_;
  guess_contacts(unknowns);
  const NewtonOutcome guessed = iterate(system, unknowns, silently);
  if (guessed.converged) return guessed;
  unknowns = guess_;
  return solve_by_bounds(system, unknowns, options);
}

NewtonOutcome StepEquations::iterate(System& system, Unknowns& unknowns, const NewtonOptions& options) {
  NewtonOutcome out;
  double last = 0;
  int uses = 0;  // of the matrix at hand
  bool plain = options.plain_first && has_plain_matrix();
  // A matrix of a step before serves as long as it converges fast. Where something was stiff then and is not now (a
  // line that went slack), changes by it are small whatever is missing: what is left of the equations is looked at too.
  bool refresh = !(kept_ && kept_->serves(stage_, plain)), of_this_step = refresh;
  double left = 0, left_before = 0, best = 1;
  // Beyond this the iteration has run away: there every change is small beside the value.
  const double most = nu_ > 0 ? 1e8 * (options.scale + unknowns.x.cwiseAbs().maxCoeff()) : 0;
  for (; out.iterations < options.most_iterations; ++out.iterations) {
    compute_residual(system, unknowns);
    if (!of_this_step) {
      left_before = left;
      left = speed_left(unknowns, options.scale);
    }
    if (refresh) {
      if (plain)
        compute_plain_matrix(system, unknowns);
      else
        compute_matrix(system, unknowns);
      ++out.matrices;
      uses = 0;
      of_this_step = true;
      if (!factor()) break;
    }
    solve_linear();
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
    // An exact matrix squares what is left; a kept one only shrinks it, and energy would show that in many steps. Its
    // best contraction counts: the last may be that of round-off.
    if (out.iterations > 0) best = std::min(best, contraction);
    const double remains = of_this_step || out.iterations == 0 ? 0 : best * out.change;
    const bool small = out.change <= options.tolerance && (of_this_step || left <= options.tolerance) &&
                       remains <= 1e-3 * options.tolerance;
    // Where changes no longer shrink but are tiny, they are round-off of an ill-conditioned matrix.
    const bool stalled = of_this_step && out.iterations > 2 && out.change < 1e-8 && contraction > 0.3;
    if (small || stalled) {
      if (of_this_step && may_keep_matrix(system)) kept_.emplace(stage_, plain);
      out.converged = true;
      out.plain = plain;
      ++out.iterations;
      return out;
    }
    if (contraction > 10 && out.iterations > 6) break;
    // A plain matrix is kept while it serves; an exact one is renewed when it no longer converges fast: two changes by
    // the same matrix tell. Contacts need the matrix of the set of contacts that they are at.
    ++uses;
    const bool slow = contraction > (plain ? 0.2 : 0.05) || (!of_this_step && left > 0.2 * left_before);
    refresh = !touches_.empty() || (uses > 1 && slow);
    if (refresh && !of_this_step) ++misses_;
    plain = plain && !refresh;
  }
  kept_.reset();
  if (options.explain) out.why = culprit(model_, step_);
  return out;
}

// Not where contacts open and close, drives meet their limits or kept matrices did not serve of late.
bool StepEquations::may_keep_matrix(System& system) {
  if (!touches_.empty() || !driven_.empty() || misses_ > 1) return false;
  if (!has_inertia_) find_responses(system);
  return *has_inertia_;
}

// What one unit of each equation of motion would change its speed by, were there nothing but its own inertia.
void StepEquations::find_responses(System& system) {
  has_inertia_ = true;
  response_.setZero(nu_);
  find_inertia(system, [&](const MassEntry& e, double mass) {
    if (e.row != e.column) return;
    has_inertia_ = *has_inertia_ && mass > 0;
    response_[e.row] = 1 / mass;
  });
}

// The largest change of a speed that the residual would bring if nothing but inertia held it, against the speeds; of
// auxiliary states by their rate.
double StepEquations::speed_left(const Unknowns& at, double scale) const {
  const auto size = [](const auto& x) { return x.size() ? x.cwiseAbs().maxCoeff() : 0.0; };
  const double motion = size(residual_.head(nu_).cwiseProduct(response_)) / stage_.a_point.factor;
  return std::max(std::max(motion, size(residual_.tail(rows_))) / (scale + size(at.x)),
                  stage_.h * size(residual_.segment(nu_, nz_)) / (scale + size(at.z)));
}

}  // namespace davit
