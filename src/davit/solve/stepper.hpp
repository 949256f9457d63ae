// A stepper advances a State by the equations of a System. It sees increments in the tangent space only, so every
// method works on rotations as on numbers. Methods say what they can take; `unsupported_reason` turns a bad pair into
// words.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "davit/dynamics/system.hpp"

namespace davit {

struct StepOutcome {
  bool ok = true;
  double taken = 0;  // s
  Failure why;       // when not ok
};

struct StepCounts {
  long steps = 0, rejected = 0, evaluations = 0;
  long iterations = 0, matrices = 0;  // of Newton's method
  double contact_residual = 0;        // largest misfit of the contact laws after a step, m/s
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  struct Step {
    double length = 0;  // s
    long iterations = 0, rejected = 0;
    template <class A>
    void archive(A& a) {
      a(length, iterations, rejected);
    }
  } last;
  void accept(double h) {
    ++steps;
    last = {h, iterations - up_to_last.iterations, rejected - up_to_last.rejected};
    up_to_last = {0, iterations, rejected};
    shortest = std::min(shortest, h);
    longest = std::max(longest, h);
  }
  template <class A>
  void archive(A& a) {
    a(steps, rejected, evaluations, iterations, matrices, contact_residual, shortest, longest, last, up_to_last);
  }

 private:
  Step up_to_last;
};

// A State after a multiple of so many steps continues bit for bit with a new stepper; at others, with implicit methods,
// to the tolerance of Newton's method: they keep the factors of a matrix from step to step as long as they serve.
inline constexpr int snapshot_interval = 16;

class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;
  virtual int order() const = 0;
  virtual bool adaptive() const = 0;
  // One step of at most `limit`: fixed methods take exactly that, adaptive ones choose.
  virtual StepOutcome step(System&, State&, double limit) = 0;
  // The state at a time inside the last step.
  virtual void interpolate(System&, double t, State& out) = 0;
  // What the last step found, or nullptr: then the state is evaluated to show it.
  virtual const Solution* solution() const { return nullptr; }
  // J, by which putting bodies back onto contacts that they had entered changed the energy in the last step.
  virtual double contact_work() const { return 0; }
  // The State was changed from outside (commit, a jump): forget what was kept of it.
  virtual void restart(State&) {}
  // The next step begins where the last one did: forget where that ended.
  virtual void go_back() {}
  // Goes on from here as a new stepper would: what is kept between steps to save work is not used again.
  virtual void forget() {}
  // The workspace holds an evaluation of the state that the next step begins with: a method that would begin with the
  // same one takes it.
  virtual void take_evaluation(const System&, const State&) {}
  // The same method without history, for measuring its own error.
  virtual std::unique_ptr<Stepper> clone_without_history(const Model&) const = 0;
  // What the method cannot take of a model, in words; nothing if it can.
  virtual std::optional<std::string> unsupported_reason(const Model&) const { return std::nullopt; }
  // Explicit methods must resolve the fastest motion.
  virtual bool is_explicit() const { return false; }
  const StepCounts& counts() const { return counts_; }
  // Of a run that goes on.
  void resume_counts(const StepCounts& counts) { counts_ = counts; }

 protected:
  StepCounts counts_;
};

// A step in which an element cannot go on has failed by that.
inline StepOutcome try_step(Stepper& stepper, System& system, State& state, double h) {
  try {
    return stepper.step(system, state, h);
  } catch (const Breakdown& breakdown) {
    return {false, 0, {breakdown.element, breakdown.why}};
  }
}

// q as an increment d from the step's start, u and z: what explicit methods integrate.
struct TangentPoint {
  VecX d, u, z;
  void resize(const Model& model) {
    d.setZero(model.nu());
    u.setZero(model.nu());
    z.setZero(model.nz());
  }
  void assign_start(const State& s) {
    d.setZero();
    u = s.u;
    z = s.z;
  }
  void add(double factor, const TangentPoint& rate) {
    d.noalias() += factor * rate.d;
    u.noalias() += factor * rate.u;
    z.noalias() += factor * rate.z;
  }
};

// Rates at a stage: (ḋ, u̇, ż) at q₀ ⊕ d. False when the accelerations have no solution.
class StageEvaluator {
 public:
  void resize(const Model& model) { q_.setZero(model.nq()); }
  bool rates(System&, const State& start, double t, const TangentPoint& at, TangentPoint& out);

 private:
  VecX q_;
};

// Explicit Runge-Kutta of order four with fixed steps.
std::unique_ptr<Stepper> make_rk4(const Model&);

// Dormand-Prince 5(4) with step control and dense output of order four. The tolerance is on each increment (rad, m)
// and, relative to 1 + |value|, on speeds and auxiliary states.
struct AdaptiveOptions {
  double tolerance = 1e-8;
  double first_step = 1e-3;
  double longest = std::numeric_limits<double>::infinity();
};
std::unique_ptr<Stepper> make_dormand_prince(const Model&, const AdaptiveOptions& = {});

// Implicit one-step methods, all on the equations of solve/step_equations.hpp. They hold constraints at the end of
// every step, solve elastic rows for their multipliers and take steps that need not resolve the stiffest motion.
struct ImplicitOptions {
  double newton_tolerance = 1e-11;
  int newton_iterations = 30;
  int halvings = 8;              // of a step on which Newton's method fails
  double spectral_radius = 0.8;  // generalised-α: at infinite frequency
  double dissipation = 2;        // SPOOK: τ in steps
  int most_dense = 100;          // unknowns up to which the matrix is dense
  bool reduced = false;          // Newton's method in independent speeds alone: solve/reduced_newton.hpp
};
enum class ImplicitMethod {
  conserving,            // midpoint, laws and gradients over the step
  energy_momentum,       // the same on constant mass, where it conserves energy to round-off
  midpoint,              // laws and gradients at the middle
  implicit_euler,        // everything at the end
  generalised_alpha,     // Arnold & Brüls (2007), on the group
  variational_midpoint,  // discrete Euler-Lagrange equations with the midpoint rule
  stoermer_verlet,       // … with the trapezoidal rule (RATTLE)
  dele,                  // discrete Euler-Lagrange, regularised by compliance
  spook                  // … relaxed at velocity level (Lacoursière)
};
std::unique_ptr<Stepper> make_implicit(ImplicitMethod, const Model&, const ImplicitOptions& = {});

// Index reduction by minimal extension: constraints hold with their first two derivatives, see
// solve/minimal_extension.cpp.
std::unique_ptr<Stepper> make_minimal_extension(const Model&, const ImplicitOptions& = {});

// Why a method that divides by the mass cannot run this model; nothing if every coordinate has some.
std::optional<std::string> needs_mass(const Model&, const std::string& method);

// Why this method cannot run this model with that step, and what to do instead; nothing if it can.
std::optional<std::string> unsupported_reason(const Stepper&, const Model&, double step);

}  // namespace davit
