// The System joins a Model and a Workspace and offers the one equation of the core,
//   F(q, u, a, z, ż, w, t) = { M a + c - f ;  ż - φ },
// as a residual for any scalar, its fast special solution `evaluate` (accelerations in O(n), with every joint wrench),
// its exact linearisation by dual numbers, the energy, and `commit`. Steppers, statics and modes see nothing else.
#pragma once

#include <optional>
#include <string>

#include "davit/model/measuring.hpp"
#include "davit/model/model.hpp"

namespace davit {

// Why an evaluation has no solution, in words for the user.
struct Failure {
  std::string element;
  std::string why;
};

struct Energy {
  double kinetic = 0;
  double potential = 0;
  double power = 0;  // of all that has no potential (forces, rows that move), positive when it feeds the model
  double total() const { return kinetic + potential; }
  template <class A>
  void archive(A& a) {
    a(kinetic, potential, power);
  }
};

// F about a point: M, D, K are ∂F/∂a, ∂F/∂u, ∂F/∂q in the tangent space, with multipliers kept as they are; F_z and
// ∂φ/∂(q, u, z) for auxiliary states.
struct Linearisation {
  MatX M, D, K, F_z;
  MatX phi_q, phi_u, phi_z;
};

// Some of the controllers and forces of a model, in its order.
struct ActingElements {
  std::vector<const Model::Placed<Controller>*> controllers;
  std::vector<const Model::Placed<Force>*> forces;
};
ActingElements all_acting(const Model&);

// An element that measures, with what it looks at.
struct Measurement {
  const Measuring* element;
  ElementPlace place;
  ChannelReader reader;
  std::vector<double> values;
};
// Throws std::logic_error when an element names a channel that is not there.
std::vector<Measurement> measurements_of(const Model&);

class System {
 public:
  explicit System(const Model& model)
      : model_(model),
        work_(model.make_workspace()),
        all_(all_acting(model)),
        measurements_(measurements_of(model)),
        step_(VecX::Zero(model.nu())),
        moved_(VecX::Zero(model.nq())),
        unused_rates_(static_cast<size_t>(model.nz())),
        potentials_(model.forces().size()) {}

  const Model& model() const { return model_; }
  Workspace& workspace() { return work_; }
  const Workspace& workspace() const { return work_; }

  // Fills the workspace at a state: kinematics, inputs, loads, a = u̇, ż and, with reactions, the transmitted wrenches.
  // False when there is no solution; failure() then says why. Allocates nothing.
  // `unconstrained` leaves the constraints out: a = M⁻¹(f - c).
  enum class Want { unconstrained, accelerations, reactions };
  bool evaluate(const State& state, Want want = Want::reactions);
  // The same for the pieces of a state that a stepper has at hand.
  bool evaluate(double t, const double* q, const double* u, const double* z, const DiscreteState& discrete, Want want);
  // Fills it with what a step found instead, and solves nothing: the kinematics are those of the state, accelerations,
  // multipliers, inputs and wrenches those of the solution's instant.
  void show(const State& state, const Solution& solution);
  Failure failure() const;

  // The parts of F. `place_bodies` fills the kinematics, `apply_forces` inputs, loads and ż there; elastic rows act in
  // it as forces, or are left to the caller, who solves for their multipliers; so are forces that act over the step, if
  // laws do (`apply_over_step`). `apply_rows` adds Gᵀλ, and `inverse_dynamics_residual` gives M a + c - f.
  template <class S>
  void place_bodies(EvaluationT<S>&, const S& t, const S* q, const S* u, const DiscreteState&) const;
  enum class ElasticRows { as_forces, left_out, discrete_gradient };
  template <class S>
  void apply_forces(EvaluationT<S>&, const ActingElements&, const S* z, const DiscreteState&, ElasticRows) const;
  // The same without clearing what was there, and without added inertia.
  template <class S>
  void add_forces(EvaluationT<S>&, const ActingElements&, const S* z, const DiscreteState&, ElasticRows) const;
  template <class S>
  void apply_forces(EvaluationT<S>& e, const S* z, const DiscreteState& discrete,
                    ElasticRows elastic = ElasticRows::as_forces) const {
    apply_forces(e, all_, z, discrete, elastic);
  }
  template <class S>
  void apply_forces(EvaluationT<S>& e, const S& t, const S* q, const S* u, const S* z,
                    const DiscreteState& discrete) const {
    place_bodies(e, t, q, u, discrete);
    apply_forces(e, z, discrete);
  }
  // Adds what acts over the step, at the point of apply_forces.
  template <class S>
  void apply_over_step(EvaluationT<S>&, const ActingElements&, const KinT<S>& start, const KinT<S>& end, double h,
                       const S* z, const DiscreteState&) const;
  // The gradient of all rows, appended.
  template <class S>
  void collect_rows(const KinT<S>&, JacobianT<S>&) const;
  template <class S>
  void apply_rows(EvaluationT<S>&, const JacobianT<S>&, const double* lambda) const;
  template <class S>
  void inverse_dynamics_residual(EvaluationT<S>&, const S* a, S* F, WrenchT<S>* transmitted) const;
  // F without constraints at any a. `transmitted` per body or nullptr.
  template <class S>
  void residual(EvaluationT<S>&, const S& t, const S* q, const S* u, const S* z, const DiscreteState&, const S* a, S* F,
                WrenchT<S>* transmitted) const;

  // Kinematics and the factor of the mass with added inertia, in the workspace; forces are not looked at.
  void factor_mass(const State& state);

  // With multipliers, K has the change of Gᵀλ with the configuration.
  Linearisation linearise(const State& state, const VecX& a, const VecX& lambda = {}) const;
  MatX mass_matrix(const State& state) const;

  // Needs an evaluated workspace at the state.
  Energy energy(const State& state);
  // The parts of it that are stored; need a workspace placed at the state.
  double kinetic_energy(const State&);
  double potential_energy(const State&);
  // Of each force, at the last potential_energy().
  const std::vector<double>& potentials() const { return potentials_; }
  // After every accepted step, and once before the first. Elements that measure see what the step found (`solution`),
  // or what an evaluation finds there. Throws the Breakdown of an element that cannot go on.
  bool commit(State& state, const Solution* solution = nullptr);

  // Brings a state onto the constraints: the nearest configuration in the metric of M with g = 0 (of the rows that have
  // a g), then the nearest speeds with G u + ∂g/∂t = 0. False when Newton's method does not get there. Steppers call it
  // after every step. Where a row's speed jumps at this instant it is the one that a step ends with, before the jump,
  // or the one that motion goes on with.
  enum class Side { before, after };
  bool satisfy_constraints(State& state, Side side = Side::after);
  // The speeds alone, by impulses of the rows: these, as rows_at() finds them, are left in the workspace
  // (RowWork::correction). False where something has no mass, which leaves the speeds as they are.
  bool satisfy_speeds(State& state);
  // Ġu of all constraints, and what rows that move with time add: g̈ = G u̇ + bias. Needs an evaluated workspace.
  void rate_bias(VecX& bias);
  // Largest |g| of a constraint at a state.
  double violation(const State& state, int constraint);
  // The largest of all, where the bodies of the workspace are: m, or rad of rows that are angles.
  double violation();
  // G, M⁻¹Gᵀ, the factor of G M⁻¹Gᵀ and g of all rows at a state.
  const RowWork& rows_at(const State& state);
  // Rows that follow from the others at a state, by name; their multipliers are set to zero.
  std::vector<std::string> redundant_rows(const State& state);

  void retract(const VecX& q, const VecX& d, VecX& q1) const;
  void difference(const VecX& q0, const VecX& q1, VecX& d) const;
  void increment_rate(const VecX& d, const VecX& u, VecX& rate) const;

 private:
  template <class S>
  void gather_inertia(EvaluationT<S>&, const ActingElements&, const S* z, const DiscreteState&) const;
  void apply_contacts(const State&);
  bool has_mass();
  bool accelerate(const DiscreteState& discrete, Want want);
  ContextT<double> context_of(const Model::Placed<Servo>& s, const DiscreteState& discrete) const {
    return {work_.kin, nullptr,      work_.w.data(),
            discrete,  s.first_slot, work_.element[static_cast<size_t>(s.index)].get()};
  }
  void collect_servo_rows(const DiscreteState& discrete);
  bool solve_servos(const DiscreteState& discrete, bool wrenches);
  bool sample_servos(State& state);
  bool measure(State& state, const Solution* solution);
  bool solve_reaction_forces();
  void prepare_response();
  void unit_responses(bool wrenches);
  void add_response(bool wrenches);
  enum class RowsOf { position, speed };
  void add_generalised(const JacobianT<double>&, MatX& columns) const;
  void assemble_rows(RowsOf);
  void measure_rows();  // g, where the bodies were placed
  void solve_constraints(bool wrenches);
  void evaluate_constraints(const State& state, RowsOf);
  bool moves_as_constrained(const State& state, Side);
  void find_time_rates(Side, VecX& rates);
  void correct_speeds(State& state, Side);

  const Model& model_;
  Workspace work_;
  ActingElements all_;
  std::vector<Measurement> measurements_;
  VecX step_, moved_;                 // of Newton's method on the constraints
  std::vector<double> unused_rates_;  // of auxiliary states, where only loads are asked for
  std::vector<double> potentials_;
  bool sampling_ = false;  // sampled drives are solved for instead of held
  enum class Fault { none, mass, servo, reaction, constraint } fault_ = Fault::none;
  size_t fault_index_ = 0;
};

}  // namespace davit
