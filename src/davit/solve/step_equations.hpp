// The equations of one implicit step and Newton's method on them. Every one-step method here evaluates the motion at
// one point of the step, and everything about that point is affine in the unknown x (the new speeds, or those of the
// middle):
//   F(q₀ ⊕ d_point, u_point, a_point, z_point, t_point) - Gᵀ λ = 0,
//   g(q₀ ⊕ d_end) = 0 for rigid rows,  λ = law(g) for elastic ones,  G u + ∂g/∂t = 0 for rows on speeds,
//   S u̇ = s at the point for the drives of servos, whose forces are unknowns with the multipliers,
//   z₁ = z₀ + h (z_rate + z_weight φ(point)).
// The residual is exact; the matrix may be approximate. Newton's method begins with a plain matrix of masses, gradients
// and slopes of laws, which leaves out how forces and gradients change with the motion. Where that converges slowly the
// exact matrix follows: dual numbers seeded with x run through the same templates, several groups of speeds at once
// where none of the equations sees two of them (colouring), so that a chain of any length costs the same few sweeps. In
// a sweep only those elements are evaluated that see one of its seeds; the loads of the others are those of the
// residual. Auxiliary states are eliminated element by element (StateElimination): the linear solver sees x and λ only.
// Small systems are solved by dense LU with pivoting, large ones by SparseLu with a kept order.
//
// In files: step_equations.cpp the residual, step_rows.cpp and step_contacts.cpp its rows, step_structure.cpp who sees
// whom, step_matrix.cpp the matrices, step_newton.cpp the iteration.
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <optional>
#include <set>

#include "davit/dynamics/system.hpp"
#include "davit/solve/contact_law.hpp"
#include "davit/solve/dependencies.hpp"
#include "davit/solve/linear_solver.hpp"
#include "davit/solve/redundant_rows.hpp"
#include "davit/solve/stage.hpp"
#include "davit/solve/state_elimination.hpp"

namespace davit {

struct NewtonOptions {
  double tolerance = 1e-11;  // on the last change of the speeds, relative to the largest or the scale
  int most_iterations = 30;
  double scale = 1;
  bool plain_first = true;  // begin with the plain matrix
  bool explain = true;      // say why where it does not converge, which takes words from the heap
};

struct NewtonOutcome {
  bool converged = false;
  int iterations = 0, matrices = 0;
  bool plain = false;  // the plain matrix was enough
  double change = 0;   // of the last iteration
  Failure why;         // when not converged
};

class StepEquations {
 public:
  // `most_dense`: up to this many unknowns the matrix is dense.
  explicit StepEquations(const Model&, int most_dense = 100);
  ~StepEquations();

  struct Unknowns {
    VecX x, z;
    VecX lambda;  // of the constraints, the contacts and the elastic rows, then the forces of drives
  };
  Unknowns make_unknowns() const;
  int rows() const { return rows_; }
  int size() const { return size_; }

  // The start of a step, after its stage was filled in.
  void begin(System&, const State& start);
  Stage& stage() { return stage_; }

  NewtonOutcome solve(System&, Unknowns&, const NewtonOptions&);
  // Factors of a matrix are kept from one solution to the next, where they serve; from here on a new one is made.
  void renew_matrix() {
    kept_.reset();
    has_inertia_.reset();
    misses_ = 0;
  }
  // Whether some rigid row moves with time.
  bool has_moving_rows() const { return has_moving_rows_; }
  // After solve(), which closes rows where they are at the end: brings their speeds there to those of the rows too.
  void meet_row_speeds(System&, Unknowns&);
  // What the last solution means at the point of the step.
  void read_solution(const Unknowns&, Solution&) const;
  // How deep contacts are at the start of the step: the largest penetration.
  double penetration() const;
  // What to say where they stay that deep.
  Failure entered_contacts() const;
  // Largest violation of the contact laws at the last solution, as a speed: zero where gaps, forces and slip all fit.
  double contact_residual(System&, const Unknowns&);
  // The residual (of x and z, then of the rows) and the exact matrix at a point, dense or by its entries; without
  // contacts.
  void residual(System&, const Unknowns&, VecX& out);
  void matrix(System&, const Unknowns&, MatX& out);
  std::vector<Eigen::Triplet<double>> matrix_entries(System&, const Unknowns&);
  // For another iteration than `solve`: factors the exact matrix at a point, and gives the residual there and the
  // change of all unknowns (x, z, λ) that follows from it.
  bool factor_at(System&, const Unknowns&);
  const VecX& last_residual() const { return residual_; }
  const VecX& correction();
  bool sparse() const { return sparse_; }
  // Of the last matrix, if it is sparse and symmetric: along how many independent directions that the rows allow it is
  // negative. By the inertia of [[A, -Gᵀ], [G, 0]]: as many negative pivots of x as of rows if there are none.
  int unstable_directions() const;
  // What to say when a change of all unknowns leads nowhere.
  Failure culprit(const Model&, const VecX& step) const;

 private:
  template <class S>
  struct Scratch;
  // The rows of one constraint, contact or elastic element.
  struct RowSet {
    std::string name;
    const Geometry* geometry;
    const ConstraintEquation* row;  // elastic, or nullptr
    const Contact* contact;         // or nullptr; rigid when both are
    int index = 0, first = 0, size = 0;
    Speeds speeds = {};  // that it sees
  };
  // The rows of a servo: S u̇ = s, or, where the forces of its drives are known (held between samples, at their limits),
  // force = given.
  struct DrivenRows {
    const Model::Placed<Servo>* servo;
    int first = 0;  // among the rows
    Speeds speeds = {};
    std::vector<double> given = {};  // empty: solved for
  };
  // What of the model is evaluated.
  struct Selection {
    ActingElements acting;
    std::vector<const RowSet*> row_sets;
    std::vector<const DrivenRows*> driven;
  };
  // One run on dual numbers: which speed each direction stands for, what sees one of them, and where results go.
  struct Seed {
    int speed, direction;
  };
  struct Target {
    int equation, unknown, direction, place;  // x, then λ
  };
  struct StateTarget {
    size_t cluster;
    int column, direction;
  };
  struct Sweep {
    std::vector<Seed> seeds;
    Selection seen_by;
    std::vector<Target> targets;
    std::vector<StateTarget> state_targets;
  };

  // Per contact: whether it may carry this step, speed gained per unit force over the step, speed of parting asked for.
  struct Touch {
    bool closed = false;
    ContactResponse response;
    double response_of(int row) const { return row < 2 ? response.along : response.normal; }
    double rebound = 0;
    double bound = -1;  // of friction, where it is held fixed; negative: in proportion to the normal force
    // Per block: the bodies that its forces move.
    std::vector<std::pair<size_t, std::vector<int>>> chains = {};
  };

  static bool rigid(const RowSet& set) { return !set.row && !set.contact; }
  bool is_left_out(const RowSet& set, int row) const { return rigid(set) && redundant_.left_out(set.first + row); }
  bool elastic_as_forces() const { return stage_.laws == Stage::Laws::as_forces; }
  System::ElasticRows elastic_rows() const;

  // The residual.
  template <class S>
  void place_bodies(System&, Scratch<S>&) const;
  template <class S>
  void place_states(Scratch<S>&) const;
  template <class S>
  void apply_loads(System&, Scratch<S>&, const Selection&, const double* lambda) const;
  template <class S>
  void evaluate_row_sets(Scratch<S>&, const Selection&, const double* lambda) const;
  template <class S>
  void evaluate_rows(Scratch<S>&, const RowSet&, const double* lambda, S* out) const;
  template <class S>
  void contact_rows(Scratch<S>&, const RowSet&, const double* lambda, S* out) const;
  // Factors of a relaxed row: G x = -of_gap (g₀ - rest) + of_speed G u₀ - of_force λ.
  struct RelaxedRow {
    double of_gap = 0, of_speed = 0, of_force = 0;
  };
  RelaxedRow relaxed_row(const RowSet&, int row) const;
  template <class S>
  void relaxed_rows(Scratch<S>&, const RowSet&, const double* lambda, S* out) const;
  void compute_residual(System&, const Unknowns&);
  // G x + ∂g/∂t of rigid rows where the step ends, as residuals of their equations; the largest of them.
  double speed_residual(const Unknowns&);

  template <class S>
  void driven_rows(Scratch<S>&, const DrivenRows&, const double* lambda, S* out) const;
  void prepare_drives();
  bool cut_drives(const Unknowns&);

  void prepare_contacts(System&);
  double take_response(System&, const RowSet&, const Touch&);
  void meet(Touch&, const RowSet&, double speed, std::optional<double> acceleration);
  void guess_contacts(Unknowns&) const;
  void find_contact_slopes(const Unknowns&);

  bool may_keep_matrix(System&);
  void find_responses(System&);
  double speed_left(const Unknowns&, double scale) const;
  NewtonOutcome iterate(System&, Unknowns&, const NewtonOptions&);
  NewtonOutcome solve_with_contacts(System&, Unknowns&, const NewtonOptions&);
  NewtonOutcome solve_by_bounds(System&, Unknowns&, const NewtonOptions&);
  bool factor();
  void solve_linear();

  // The matrices, at the point of the last residual.
  bool has_plain_matrix() const;
  void compute_plain_matrix(System&, const Unknowns&);
  template <class Put>
  void find_inertia(System&, const Put&);
  void compute_matrix(System&, const Unknowns&);
  void compute_state_columns(System&, const Unknowns&);
  size_t take_state_tangent(StateElimination&);
  void apply_cluster(System&, const Dependencies::StateCluster&);
  void take_generalised(const Dependencies::StateCluster&, size_t direction, Eigen::Ref<VecX> out);
  void differentiate(System&, const Selection&, const Unknowns&);
  void fill_strips(const Unknowns&);
  template <class Put>
  void give_entries(const Put&) const;

  // Who sees whom.
  void find_structure(System&);
  void find_chains(Touch&, const JacobianT<double>&) const;
  std::vector<std::vector<int>> find_couplings(System&);
  void probe_couplings(System&, std::vector<std::set<int>>& sees);
  void probe_states(System&);
  void make_solver(const std::vector<std::vector<int>>& couplings);
  void make_sweeps(const std::vector<std::vector<int>>& couplings);
  void choose_selection(Sweep&) const;
  std::set<int> groups_of(const Speeds&) const;

  const Model& model_;
  int nu_, nz_, rows_ = 0, size_ = 0, most_dense_;
  bool structured_ = false, sparse_ = false, acts_over_step_ = false, has_moving_rows_ = false;
  Dependencies dependencies_;
  std::vector<std::vector<int>> groups_;  // of speeds that share inertia
  std::vector<int> group_of_;
  std::vector<RowSet> row_sets_;
  std::vector<DrivenRows> driven_;
  std::vector<int> drive_places_;  // per drive: the diagonal, then those of −B
  Selection all_;
  std::vector<Sweep> sweeps_;
  std::vector<std::vector<int>> strip_places_;  // per row set: places of -Gᵀ, row by row
  std::vector<std::vector<int>> row_places_;    // … and of the transposed ones
  struct MassEntry {
    int row, column, place;
  };
  std::vector<std::vector<MassEntry>> mass_entries_;  // by the place of the column in its group
  std::vector<int> law_places_;                       // per row: the diagonal
  std::vector<int> contact_places_;                   // per contact: the nine places of ∂(rows)/∂λ
  std::vector<Touch> touches_;
  double free_fall_ = 0;  // acceleration of gravity
  RedundantRows redundant_;
  Unknowns guess_;
  std::vector<Mat3> contact_slopes_;
  JacobianT<double> slope_jacobian_;
  VecX row_value_, row_rate_;

  std::vector<StateElimination> states_;        // per cluster
  std::vector<std::vector<int>> state_places_;  // per cluster: places of its speeds × speeds, by columns

  // For which kind of stage the factors at hand were made.
  class KeptMatrix {
   public:
    KeptMatrix(const Stage& stage, bool plain) : stage_(stage.kind()), plain_(plain) {}
    bool serves(const Stage& stage, bool plain) const { return plain == plain_ && stage.kind() == stage_; }

   private:
    Stage::Kind stage_;
    bool plain_;
  };
  std::optional<KeptMatrix> kept_;
  VecX response_;
  std::optional<bool> has_inertia_;  // every speed has, where it was looked at
  int misses_ = 0;                   // of kept matrices, since the last renewal

  Stage stage_;
  State start_;
  VecX g0_;  // rows at the start
  std::unique_ptr<Scratch<double>> scratch_;
  std::unique_ptr<Scratch<Dual8>> dual_;
  std::unique_ptr<LinearSolver> solver_;
  VecX residual_, step_, column_, unit_, momentum_, inertia_;
  VecX right_, state_right_, state_step_;
  StateTangent tangent_;
  MatX unit_wrenches_;
};

}  // namespace davit
