#include "davit/cable/beam_elimination.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace davit::cable {

namespace {

enum class Corner { first, second, between };

// The block of an element between its nodes.
Mat6 block(const BeamWork& work, int element, Corner corner) {
  const BeamEquationPack& p = work.equations[static_cast<size_t>(element / lanes)];
  const int lane = element % lanes, row = corner == Corner::second ? 2 : 0, column = corner == Corner::first ? 0 : 2;
  Mat6 out;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const bool upper = row + i <= column + j;
      const Pack* k = upper ? p.tangent[row + i][column + j] : p.tangent[column + j][row + i];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out(3 * i + r, 3 * j + c) = k[upper ? 3 * r + c : 3 * c + r][lane];
    }
  return out;
}

void add_residual(const BeamWork& work, int element, int first_row, Vec6& out) {
  const BeamEquationPack& p = work.equations[static_cast<size_t>(element / lanes)];
  for (int i = 0; i < 2; ++i)
    for (int r = 0; r < 3; ++r) out[3 * i + r] += p.residual[first_row + i][r][element % lanes];
}

// By L D Lᵀ without pivots: the matrix of a step is positive definite, that of statics is made so by its mass.
Mat6 symmetric_inverse(const Mat6& S) {
  double L[6][6], D[6], per[6];
  for (int j = 0; j < 6; ++j) {
    double d = S(j, j);
    for (int k = 0; k < j; ++k) d -= L[j][k] * L[j][k] * D[k];
    D[j] = d, per[j] = 1 / d;
    for (int i = j + 1; i < 6; ++i) {
      double x = S(i, j);
      for (int k = 0; k < j; ++k) x -= L[i][k] * L[j][k] * D[k];
      L[i][j] = x * per[j];
    }
  }
  // M = L⁻¹, lower with ones; S⁻¹ = Mᵀ D⁻¹ M.
  double M[6][6];
  for (int j = 0; j < 6; ++j) {
    M[j][j] = 1;
    for (int i = j + 1; i < 6; ++i) {
      double x = -L[i][j];
      for (int k = j + 1; k < i; ++k) x -= L[i][k] * M[k][j];
      M[i][j] = x;
    }
  }
  Mat6 out;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) {
      double x = 0;
      for (int k = i; k < 6; ++k) x += M[k][i] * per[k] * M[k][j];
      out(i, j) = out(j, i) = x;
    }
  return out;
}

}  // namespace

GivenEnd::GivenEnd(Hold hold, const Vec3& place, const Vec3& d, const Vec3& position, const Vec3& slope) {
  if (hold == Hold::free) {
    free = Mat6::Identity();
    return;
  }
  given.topLeftCorner<3, 3>().setIdentity();
  change.head<3>() = place - position;
  if (hold == Hold::ball) {
    free.setZero(6, 3);
    free.bottomRows<3>().setIdentity();
    return;
  }
  const Mat3 across = Mat3::Identity() - d * d.transpose();
  given.bottomRightCorner<3, 3>() = across;
  change.tail<3>() = -(across * slope);
  free.setZero(6, 1);
  free.block<3, 1>(3, 0) = d;
  stretch = slope.norm();
}

Mat6 GivenEnd::turning(const Vec6& residual) const {
  Mat6 out = Mat6::Zero();
  if (free.cols() != 1) return out;
  const Vec3 d = free.block<3, 1>(3, 0), across = (given * residual).tail<3>();
  const Mat3 half = d * across.transpose() / stretch;
  out.bottomRightCorner<3, 3>() = half + half.transpose();
  return out;
}

Mat6 GivenEnd::free_inverse(const Mat6& S) const {
  if (free.cols() == 6) return symmetric_inverse(S);
  if (free.cols() == 3) {
    Mat6 out = Mat6::Zero();
    const Mat3 slopes = S.bottomRightCorner<3, 3>();
    out.bottomRightCorner<3, 3>() = slopes.inverse();
    return out;
  }
  const Vec6 f = free.col(0);
  const Vec6 Sf = S * f;
  return f * f.transpose() / f.dot(Sf);
}

double eliminate(int nodes, BeamWork& work, const GivenEnd& a, const GivenEnd& b, Vec6& hold_a, Vec6& hold_b) {
  const int last = nodes - 1;
  double worst = 0;
  Mat6 S = block(work, 0, Corner::first), U = block(work, 0, Corner::between);
  Vec6 R = Vec6::Zero();
  add_residual(work, 0, 0, R);
  const Vec6 first_residual = R;
  S += a.turning(R);
  worst = (a.free.transpose() * R).cwiseAbs().maxCoeff();
  work.first_pivot = S;
  EliminatedBeamNode* e = work.eliminated.data();
  e[0].inverse = a.free_inverse(S);
  e[0].gain = e[0].inverse * U;
  e[0].y = a.change + e[0].inverse * (-R - S * a.change);
  const Mat6 first_coupling = U;
  for (int i = 1; i <= last; ++i) {
    R.setZero();
    add_residual(work, i - 1, 2, R);
    S = block(work, i - 1, Corner::second);
    S.noalias() -= U.transpose() * e[i - 1].gain;
    Vec6 rest = Vec6::Zero();
    if (i < last) {
      add_residual(work, i, 0, R);
      S += block(work, i, Corner::first);
      worst = std::max(worst, R.cwiseAbs().maxCoeff());
    } else {
      worst = std::max(worst, (b.free.transpose() * R).cwiseAbs().maxCoeff());
    }
    rest = -R - U.transpose() * e[i - 1].y;
    if (i == last) {
      S += b.turning(R);
      work.last_pivot = S;
      e[i].inverse = b.free_inverse(S);
      e[i].gain.setZero();
      e[i].y = b.change + e[i].inverse * (rest - S * b.change);
      hold_b = S * e[i].y - rest;
    } else {
      U = block(work, i, Corner::between);
      e[i].inverse = symmetric_inverse(S);
      e[i].gain.noalias() = e[i].inverse * U;
      e[i].y.noalias() = e[i].inverse * rest;
    }
  }
  work.change[static_cast<size_t>(last)] = e[last].y;
  for (int i = last - 1; i >= 0; --i)
    work.change[static_cast<size_t>(i)] = e[i].y - e[i].gain * work.change[static_cast<size_t>(i) + 1];
  hold_a = first_residual + work.first_pivot * work.change[0] + first_coupling * work.change[1];
  return worst;
}

// A given change δ of node 0 moves it by P δ, P = 1 − S⁻¹S among its free directions, and pushes on node 1 by UᵀP δ;
// eliminating a node takes C to −Gᵀ C and C S⁻¹Cᵀ from A's own block.
Mat12 schur_complement(int nodes, const BeamWork& work, const GivenEnd& a, const GivenEnd& b, bool both) {
  const int last = nodes - 1;
  const auto& e = work.eliminated;
  const Mat6 S = work.last_pivot, to_free = e.back().inverse;
  const Mat6 P = (Mat6::Identity() - to_free * S) * b.given;
  Mat12 K = Mat12::Zero();
  K.bottomRightCorner<6, 6>() = P.transpose() * S * P;
  if (!both) return K;
  const Mat6 start = (Mat6::Identity() - e[0].inverse * work.first_pivot) * a.given;
  Mat6 A = start.transpose() * work.first_pivot * start;
  Mat6 C = block(work, 0, Corner::between).transpose() * start;
  for (int i = 1; i < last; ++i) {
    const EliminatedBeamNode& node = e[static_cast<size_t>(i)];
    A -= C.transpose() * node.inverse * C;
    C = -(node.gain.transpose() * C).eval();
  }
  A -= C.transpose() * to_free * C;
  K.topLeftCorner<6, 6>() = A;
  K.bottomLeftCorner<6, 6>() = P.transpose() * C;
  K.topRightCorner<6, 6>() = K.bottomLeftCorner<6, 6>().transpose();
  return K;
}

}  // namespace davit::cable
