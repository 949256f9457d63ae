#include "davit/solve/sparse_linearisation.hpp"

#include <limits>

#include "davit/solve/step_equations.hpp"

namespace davit {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

// A range of rows or columns of the step's matrix.
struct Span {
  int first, size;
  bool holds(int i) const { return i >= first && i < first + size; }
};

SparseLinearisation::Matrix part(const Triplets& all, Span rows, Span columns, double factor = 1) {
  Triplets of_part;
  for (const auto& e : all)
    if (rows.holds(e.row()) && columns.holds(e.col()))
      of_part.emplace_back(e.row() - rows.first, e.col() - columns.first, factor * e.value());
  SparseLinearisation::Matrix out(rows.size, columns.size);
  out.setFromTriplets(of_part.begin(), of_part.end());
  return out;
}

}  // namespace

SparseLinearisation sparse_linearise(System& system, const State& state, const VecX& a, const VecX& lambda) {
  const Model& model = system.model();
  StepEquations equations(model, 0);
  StepEquations::Unknowns at = equations.make_unknowns();
  at.z = state.z;
  at.lambda.head(lambda.size()) = lambda;
  const Span x{0, model.nu()}, z{model.nu(), model.nz()}, rows{model.nu() + model.nz(), equations.rows()};
  // Some of d, u and a move with the unknown of the step. Rows on places hold at the end of it, which always moves.
  using Moving = Stage::Affine Stage::*;
  const auto begin = [&](std::initializer_list<Moving> moving) {
    Stage& stage = equations.stage();
    stage.clear(model.nu());
    stage.h = std::numeric_limits<double>::infinity();
    stage.t_point = stage.t_end = state.t;
    stage.u_point.constant = state.u;
    stage.a_point.constant = a;
    stage.d_end.factor = 1;
    for (const Moving map : moving) (stage.*map).factor = 1;
    stage.laws = Stage::Laws::as_forces;
    equations.begin(system, state);
  };
  const auto entries = [&](Moving moving) {
    begin({moving});
    return equations.matrix_entries(system, at);
  };
  // Who sees whom is found at the first beginning: with all of them moving.
  begin({&Stage::d_point, &Stage::u_point, &Stage::a_point});
  SparseLinearisation out;
  const Triplets by_a = entries(&Stage::a_point);
  out.M = part(by_a, x, x);
  const Triplets by_u = entries(&Stage::u_point);
  out.D = part(by_u, x, x);
  out.phi_u = part(by_u, z, x, -1);
  const Triplets by_q = entries(&Stage::d_point);
  out.K = part(by_q, x, x);
  out.phi_q = part(by_q, z, x, -1);
  out.F_z = part(by_q, x, z);
  out.phi_z = part(by_q, z, z, -1);
  out.P = part(by_q, x, rows);
  out.R_lambda = part(by_q, rows, rows);
  // What rows on places say at the end of the step is in all three; what is left without it are rows on speeds.
  out.R_q = part(by_q, rows, x);
  out.R_u = part(by_u, rows, x) - part(by_a, rows, x);
  out.R_u.prune(0.0);
  out.residual = equations.last_residual().head(model.nu());
  return out;
}

}  // namespace davit
