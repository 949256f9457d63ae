#include "davit/inverse_dynamics/motion_tangent.hpp"

#include "davit/math/linear_algebra.hpp"

namespace davit::inverse_dynamics {

namespace {

constexpr double tangent_rank = 1e-10;

MatX orthonormal_kernel(const MatX& A) {
  if (A.rows() == 0) return MatX::Identity(A.cols(), A.cols());
  PivotedQr qr;
  MatX Q;
  qr.compute_transposed(A, tangent_rank, Q);
  return Q.rightCols(A.cols() - qr.rank());
}

// L of d(δd)/dt = δu + L δd: how an increment changes when both places move on with the same speeds. Increments of
// rotations are carried along by these; those of plain coordinates are not. By central differences in time.
MatX carried_increments(const Model& model, const Instant& at) {
  const int n = model.nu();
  MatX L = MatX::Zero(n, n);
  if (at.u.cwiseAbs().maxCoeff() == 0) return L;
  constexpr double h = 1e-4, small = 1e-4;
  const auto moved = [&](const VecX& q, const VecX& d) {
    VecX q1(model.nq());
    for (const auto& b : model.blocks())
      b.block->retract(q.data() + b.first_q, d.data() + b.first_u, q1.data() + b.first_q);
    return q1;
  };
  const auto difference = [&](const VecX& q0, const VecX& q1) {
    VecX d(n);
    for (const auto& b : model.blocks())
      b.block->difference(q0.data() + b.first_q, q1.data() + b.first_q, d.data() + b.first_u);
    return d;
  };
  for (int i = 0; i < n; ++i) {
    VecX slope = VecX::Zero(n);
    for (const double time : {h, -h})
      for (const double size : {small, -small}) {
        const VecX beside = moved(at.q, size * VecX::Unit(n, i));
        slope += difference(moved(at.q, time * at.u), moved(beside, time * at.u)) / (time * size);
      }
    L.col(i) = slope / 4;
  }
  return L;
}

}  // namespace

MotionTangent linearise_motion(ServoEquations& equations, const Instant& at) {
  equations.linearise(at);
  const int n = equations.speeds(), m = equations.constraints(), p = equations.inputs();
  const RowTangent &G = equations.constraint_tangent, &S = equations.output_tangent;
  // M δa - Gᵀ δλ = B δw - K δd - D δu,   G δa = -g̈_q δd - g̈_u δu.
  MatX matrix = MatX::Zero(n + m, n + m), given = MatX::Zero(n + m, 2 * n + p);
  matrix.topLeftCorner(n, n) = equations.M;
  matrix.topRightCorner(n, m) = -G.gradient.transpose();
  matrix.bottomLeftCorner(m, n) = G.gradient;
  given.topRows(n) << -equations.K, -equations.D, equations.B;
  given.bottomRows(m) << -G.second_q, -G.second_u, MatX::Zero(m, p);
  ShortestLeastSquares solver;
  solver.compute(matrix, 1e-12);
  MatX a(n, 2 * n + p);
  for (int j = 0; j < 2 * n + p; ++j) a.col(j) = solver.solve(VecX(given.col(j))).head(n);
  MatX full(2 * n, 2 * n), inputs(2 * n, p), held(2 * m, 2 * n), outputs(equations.outputs(), 2 * n), rates = outputs;
  full << carried_increments(*equations.problem().model, at), MatX::Identity(n, n), a.leftCols(2 * n);
  inputs << MatX::Zero(n, p), a.rightCols(p);
  held << G.gradient, MatX::Zero(m, n), G.rate_q, G.gradient;
  outputs << S.gradient, MatX::Zero(outputs.rows(), n);
  rates << S.rate_q, S.gradient;
  MotionTangent out;
  out.T = orthonormal_kernel(held);
  out.A = out.T.transpose() * full * out.T;
  out.B = out.T.transpose() * inputs;
  out.C = outputs * out.T;
  out.C_rate = rates * out.T;
  return out;
}

// The directions B, A B, A² B …, each with what the ones before it do not have. Inputs have units of their own and are
// made as long as one; what A makes of a direction is measured by A.
MatX reachable_part(const MatX& A, const MatX& B) {
  constexpr double round_off = 1e-7;
  const Eigen::Index n = A.rows();
  const double most = B.cols() > 0 ? B.colwise().norm().maxCoeff() : 0, size = A.norm();
  MatX basis(n, 0), fresh = B;
  for (Eigen::Index j = 0; j < fresh.cols(); ++j)
    if (const double length = fresh.col(j).norm(); length > 1e-9 * most) fresh.col(j) /= length;
  while (basis.cols() < n && fresh.cols() > 0) {
    for (int twice = 0; twice < 2; ++twice) fresh -= basis * (basis.transpose() * fresh).eval();
    const SingularValues svd = singular_value_decomposition(fresh);
    const auto more = (svd.values.array() > round_off).count();
    const MatX added = svd.U.leftCols(more);
    MatX wider(n, basis.cols() + more);
    wider << basis, added;
    basis = wider;
    fresh = size > 0 ? MatX(A * added / size) : MatX(n, 0);
  }
  return basis;
}

}  // namespace davit::inverse_dynamics
