// The equations of one implicit step and Newton's method on them. Every one-step method here evaluates the motion at
// one point of the step, and everything about that point is affine in the unknown x (the new speeds, or those of the
// middle):
//   F(q₀ ⊕ d_point, u_point, a_point, z_point, t_point) - Gᵀ λ = 0,
//   g(q₀ ⊕ d_end) = 0 for rigid rows,  λ = law(g) for elastic ones,  G u + ∂g/∂t = 0 for rows on speeds,
//   z₁ = z₀ + h (z_rate + z_weight φ(point)).
// The residual is exact; the matrix may be approximate. Newton's method begins with a plain matrix of masses, gradients
// and slopes of laws, which leaves out how forces and gradients change with the motion. Where that converges slowly the
// exact matrix follows: dual numbers seeded with x run through the same templates, several groups of speeds at once
// where none of the equations sees two of them (colouring), so that a chain of any length costs the same few sweeps.
// Small systems are solved by dense LU with pivoting, large ones by SparseLu with a kept order.
#pragma once

#include <set>

#include "davit/dynamics/system.hpp"
#include "davit/solve/linear_solver.hpp"

namespace davit {

// Where a method evaluates: vectors are the parts that do not depend on x, numbers the factors of x.
struct Stage {
  struct Affine {
    VecX constant;
    double factor = 0;
  };
  double h = 0;
  double t_point = 0, t_end = 0;
  Affine d_point, u_point, a_point, d_end;
  double z_share = 1;  // z_point = z₀ + z_share (z₁ - z₀)
  VecX z_rate;         // empty: zero
  double z_weight = 1;
  enum class Gradient { at_point, discrete_gradient, at_start } gradient = Gradient::at_point;
  // Laws of elastic rows act at the point, by their discrete gradient over the step, or as plain forces; or all rows,
  // rigid ones too, are relaxed: linear in the new speeds, as discrete Euler-Lagrange steps have them.
  enum class Laws { at_point, discrete_gradient, as_forces, relaxed } laws = Laws::at_point;
  struct Relaxation {
    bool at_velocity = false;  // SPOOK; else only regularised by compliance
    double tau = 0;            // s, of SPOOK
  } relaxation;
  // Contacts hold at velocity level, with impacts by Newton's law. Or the stage is a mere displacement x of least
  // M-norm that ends the penetration of contacts and closes the rigid rows.
  enum class Purpose { motion, displacement } purpose = Purpose::motion;

  // As new, for so many speeds; allocates only the first time.
  void clear(Eigen::Index speeds) {
    for (Affine* map : {&d_point, &u_point, &a_point, &d_end}) {
      map->constant.setZero(speeds);
      map->factor = 0;
    }
    z_share = z_weight = 1;
    z_rate.resize(0);
    gradient = Gradient::at_point;
    laws = Laws::at_point;
    relaxation = {};
    purpose = Purpose::motion;
  }
};

struct NewtonOptions {
  double tolerance = 1e-11;  // on the last change of the speeds, relative to the largest or the scale
  int most_iterations = 30;
  double scale = 1;
  bool plain_first = true;  // begin with the plain matrix
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
    VecX lambda;  // of the constraints, the contacts and the elastic rows
  };
  Unknowns make_unknowns() const;
  int rows() const { return rows_; }
  int size() const { return size_; }

  // The start of a step, after its stage was filled in.
  void begin(System&, const State& start);
  Stage& stage() { return stage_; }

  NewtonOutcome solve(System&, Unknowns&, const NewtonOptions&);
  // How deep contacts are at the start of the step: the largest penetration.
  double penetration() const;
  // Largest violation of the contact laws at the last solution, as a speed: zero where gaps, forces and slip all fit.
  double contact_residual(System&, const Unknowns&);
  // The residual (of x and z, then of the rows) and the matrix at a point, without contacts.
  void residual(System&, const Unknowns&, VecX& out);
  void matrix(System&, const Unknowns&, MatX& out);
  bool sparse() const { return sparse_; }
  // What to say when a change of all unknowns leads nowhere.
  Failure culprit(const Model&, const VecX& step) const;

 private:
  template <class S>
  struct Scratch;
  // The rows of one constraint or elastic element.
  struct RowSet {
    std::string name;
    const Geometry* geometry;
    const ConstraintEquation* row;  // elastic, or nullptr
    const Contact* contact;         // or nullptr; rigid when both are
    int first = 0, size = 0;
    std::vector<int> groups;  // that it touches
    std::vector<int> speeds;  // of those groups
  };
  // One run of the residual on dual numbers: which unknown each direction stands for, and where results go.
  struct Seed {
    int unknown, direction;
  };
  struct Target {
    int equation, unknown, direction, place;
  };
  struct Sweep {
    std::vector<Seed> seeds;
    std::vector<Target> targets;
  };

  static bool rigid(const RowSet& set) { return !set.row && !set.contact; }
  bool is_left_out(const RowSet& set, int row) const {
    return redundant_ && rigid(set) && left_out_[static_cast<size_t>(set.first + row)] != 0;
  }
  void choose_rows();
  template <class S>
  void evaluate(System&, Scratch<S>&, const double* lambda) const;
  template <class S>
  void evaluate_rows(Scratch<S>&, const RowSet&, const double* lambda, S* out) const;
  template <class S>
  void contact_rows(Scratch<S>&, const RowSet&, const double* lambda, S* out) const;
  void prepare_contacts(System&);
  NewtonOutcome iterate(System&, Unknowns&, const NewtonOptions&);
  NewtonOutcome solve_by_bounds(System&, Unknowns&, const NewtonOptions&);
  void find_contact_slopes(const Unknowns&);
  // Factors of a relaxed row: G x = -of_gap (g₀ - rest) + of_speed G u₀ - of_force λ.
  struct RelaxedRow {
    double of_gap = 0, of_speed = 0, of_force = 0;
  };
  RelaxedRow relaxed_row(const RowSet&, int row) const;
  template <class S>
  void relaxed_rows(Scratch<S>&, const RowSet&, const double* lambda, S* out) const;
  void compute_residual(System&, const Unknowns&);
  bool has_plain_matrix() const;
  void compute_plain_matrix(System&, const Unknowns&);
  void compute_matrix(System&, const Unknowns&);
  void fill_strips(const Unknowns&);
  void find_structure(System&);
  void add_groups_of(JacobianT<double>::Entry, std::set<int>& groups);
  std::vector<std::vector<int>> find_couplings(System&);
  void make_sweeps(const std::vector<std::vector<int>>& couplings);

  const Model& model_;
  int nu_, nz_, rows_ = 0, size_ = 0, most_dense_;
  bool structured_ = false, sparse_ = false, acts_over_step_ = false;
  std::vector<std::vector<int>> groups_;  // of unknowns; the last holds all z
  std::vector<int> group_of_;
  std::vector<RowSet> row_sets_;
  std::vector<Sweep> sweeps_;
  std::vector<std::vector<int>> strip_places_;  // per row set: places of -Gᵀ, row by row
  std::vector<std::vector<int>> row_places_;    // … and of the transposed ones
  struct MassEntry {
    int row, column, place;
  };
  std::vector<std::vector<MassEntry>> mass_entries_;  // by the place of the column in its group
  std::vector<int> law_places_;                       // per row: the diagonal
  std::vector<int> contact_places_;                   // per contact: the nine places of ∂(rows)/∂λ
  // Per contact: whether it may carry this step, speed gained per unit force over the step, speed of parting asked for.
  struct Touch {
    bool closed = false;
    double response[3] = {1, 1, 1};
    double rebound = 0;
    double bound = -1;  // of friction, where it is held fixed; negative: in proportion to the normal force
  };
  std::vector<Touch> touches_;
  double free_fall_ = 0;  // acceleration of gravity
  // Redundant rigid rows: whether there are any at the first step, and those left out of this one.
  bool redundant_ = false;
  std::vector<char> left_out_;
  std::vector<int> row_order_;
  std::vector<double> gram_diagonal_;
  MatX start_gradient_, gram_;
  Unknowns guess_;
  std::vector<Mat3> contact_slopes_;
  JacobianT<double> slope_jacobian_;
  VecX row_value_, row_rate_;

  Stage stage_;
  State start_;
  VecX g0_;  // rows at the start
  std::unique_ptr<Scratch<double>> scratch_;
  std::unique_ptr<Scratch<Dual8>> dual_;
  std::unique_ptr<LinearSolver> solver_;
  VecX residual_, step_, column_, unit_, momentum_, inertia_;
};

}  // namespace davit
