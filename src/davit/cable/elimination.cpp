// The linear system of a line of bars, 3×3 blocks, eliminated from both ends towards the middle.
#include "davit/cable/elimination.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace davit::cable {

namespace {

using Row = Eigen::Array<double, 4, 1>;

const double* at(const Pack* values, int element) { return reinterpret_cast<const double*>(values) + element % lanes; }
const EquationPack& pack(const LineWork& work, int element) {
  return work.equations[static_cast<size_t>(element / lanes)];
}
double entry(const Pack* s, int element, int index) { return at(s, element)[lanes * index]; }

Mat3 full(const Pack* s, int element) {
  const double* p = at(s, element);
  const double xx = p[lanes * XX], xy = p[lanes * XY], xz = p[lanes * XZ], yy = p[lanes * YY], yz = p[lanes * YZ],
               zz = p[lanes * ZZ];
  Mat3 m;
  m << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return m;
}
Vec3 vector(const Pack* v, int element) { return {entry(v, element, 0), entry(v, element, 1), entry(v, element, 2)}; }

// What is taken from the next node's block and right-hand side, [U S⁻¹U | U S⁻¹b], rows of four.
struct Carried {
  Row row[3] = {Row::Zero(), Row::Zero(), Row::Zero()};
};

// One node: S = D − carried and b = −R − carried give [G | y] = S⁻¹ [U | b], U the coupling to the node that is next.
[[gnu::always_inline]] inline void pass(const LineWork& work, int node, int next_element, Carried& carried,
                                        Eliminated& out, double& worst) {
  const EquationPack &left = pack(work, node - 1), &right = pack(work, node);
  const double *l = at(left.k22, node - 1), *r = at(right.k11, node);
  const auto sum = [&](int i) { return l[lanes * i] + r[lanes * i]; };
  const double a = sum(XX) - carried.row[0][0], b = sum(XY) - carried.row[0][1], c = sum(XZ) - carried.row[0][2],
               d = sum(YY) - carried.row[1][1], e = sum(YZ) - carried.row[1][2], f = sum(ZZ) - carried.row[2][2];
  double force[3];
  for (int i = 0; i < 3; ++i) {
    const double R = entry(left.second, node - 1, i) + entry(right.first, node, i);
    worst = std::max(worst, std::abs(R));
    force[i] = -R - carried.row[i][3];
  }
  // The inverse by cofactors.
  const double xx = d * f - e * e, xy = c * e - b * f, xz = b * e - c * d;
  const double yy = a * f - c * c, yz = b * c - a * e, zz = a * d - b * b;
  const double scale = 1 / (a * xx + b * xy + c * xz);
  const double* u = at(pack(work, next_element).k12, next_element);
  const double uxx = u[lanes * XX], uxy = u[lanes * XY], uxz = u[lanes * XZ], uyy = u[lanes * YY], uyz = u[lanes * YZ],
               uzz = u[lanes * ZZ];
  const Row u0(uxx, uxy, uxz, force[0]), u1(uxy, uyy, uyz, force[1]), u2(uxz, uyz, uzz, force[2]);
  out.pivot[0] = scale * xx, out.pivot[1] = scale * xy, out.pivot[2] = scale * xz;
  out.pivot[3] = scale * yy, out.pivot[4] = scale * yz, out.pivot[5] = scale * zz;
  const Row g0 = scale * (xx * u0 + xy * u1 + xz * u2);
  const Row g1 = scale * (xy * u0 + yy * u1 + yz * u2);
  const Row g2 = scale * (xz * u0 + yz * u1 + zz * u2);
  out.row[0] = g0, out.row[1] = g1, out.row[2] = g2;
  carried.row[0] = uxx * g0 + uxy * g1 + uxz * g2;
  carried.row[1] = uxy * g0 + uyy * g1 + uyz * g2;
  carried.row[2] = uxz * g0 + uyz * g1 + uzz * g2;
}

Carried push(const Mat3& U, const Vec3& given) {
  Carried out;
  const Vec3 force = U * given;
  for (int i = 0; i < 3; ++i) out.row[i][3] = force[i];
  return out;
}

// Δ = y − G Δ of the neighbour.
inline Vec3 follow(const Eliminated& e, const Vec3& neighbour) {
  Vec3 out;
  for (int i = 0; i < 3; ++i)
    out[i] = e.row[i][3] - (e.row[i][0] * neighbour[0] + e.row[i][1] * neighbour[1] + e.row[i][2] * neighbour[2]);
  return out;
}

Mat3 gain(const Eliminated& e) {
  Mat3 m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = e.row[i][j];
  return m;
}
Mat3 pivot(const Eliminated& e) {
  Mat3 m;
  m << e.pivot[0], e.pivot[1], e.pivot[2], e.pivot[1], e.pivot[3], e.pivot[4], e.pivot[2], e.pivot[4], e.pivot[5];
  return m;
}

// F S⁻¹ Fᵀ
Mat3 through(const Mat3& F, const Mat3& inverse) {
  const Mat3 half = F * inverse;
  return half * F.transpose();
}

// The node where both chains meet.
int middle(int nodes) { return nodes / 2; }

}  // namespace

double eliminate(int nodes, LineWork& work, Vec3& hold_a, Vec3& hold_b) {
  const int last = nodes - 1, meet = middle(nodes);
  std::vector<Vec3>& change = work.change;
  const Vec3 da = change.front(), db = change[static_cast<size_t>(last)];
  const EquationPack &head = pack(work, 0), &tail = pack(work, last - 1);
  double worst_a = 0, worst_b = 0;
  if (last > 1) {
    Carried from_a = push(full(head.k12, 0), da), from_b = push(full(tail.k12, last - 1), db);
    Eliminated* e = work.eliminated.data();
    int i = 1, j = last - 1;
    for (; i < meet && j > meet; ++i, --j) {
      pass(work, i, i, from_a, e[i], worst_a);
      pass(work, j, j - 1, from_b, e[j], worst_b);
    }
    for (; i < meet; ++i) pass(work, i, i, from_a, e[i], worst_a);
    for (; j > meet; --j) pass(work, j, j - 1, from_b, e[j], worst_b);
    for (int r = 0; r < 3; ++r) from_a.row[r] += from_b.row[r];
    pass(work, meet, meet, from_a, e[meet], worst_a);
    for (int r = 0; r < 3; ++r) change[static_cast<size_t>(meet)][r] = e[meet].row[r][3];
    i = meet - 1, j = meet + 1;
    for (; i > 0 && j < last; --i, ++j) {
      change[static_cast<size_t>(i)] = follow(e[i], change[static_cast<size_t>(i) + 1]);
      change[static_cast<size_t>(j)] = follow(e[j], change[static_cast<size_t>(j) - 1]);
    }
    for (; i > 0; --i) change[static_cast<size_t>(i)] = follow(e[i], change[static_cast<size_t>(i) + 1]);
    for (; j < last; ++j) change[static_cast<size_t>(j)] = follow(e[j], change[static_cast<size_t>(j) - 1]);
  }
  hold_a = vector(head.first, 0) + full(head.k11, 0) * da + full(head.k12, 0) * change[1];
  hold_b = vector(tail.second, last - 1) + full(tail.k22, last - 1) * db +
           full(tail.k12, last - 1) * change[static_cast<size_t>(last) - 1];
  return std::max(worst_a, worst_b);
}

// The row of an end fills in as nodes are eliminated: F of the next node is −F G, and the end's own block loses
// F S⁻¹Fᵀ of each. At the middle the rows of both ends meet.
Mat6 schur_complement(int nodes, const LineWork& work, bool both) {
  const int last = nodes - 1, meet = middle(nodes);
  const EquationPack &head = pack(work, 0), &tail = pack(work, last - 1);
  Mat6 K = Mat6::Zero();
  Mat3 A = full(head.k11, 0), B = full(tail.k22, last - 1), F = full(head.k12, 0), E = full(tail.k12, last - 1);
  Mat3 across = Mat3::Zero();
  if (last == 1) {
    across = F;
  } else {
    for (int j = last - 1; j > meet; --j) {
      const Eliminated& e = work.eliminated[static_cast<size_t>(j)];
      B -= through(E, pivot(e));
      E = Mat3(-E * gain(e));
    }
    const Mat3 S = pivot(work.eliminated[static_cast<size_t>(meet)]);
    B -= through(E, S);
    for (int i = 1; both && i < meet; ++i) {
      const Eliminated& e = work.eliminated[static_cast<size_t>(i)];
      A -= through(F, pivot(e));
      F = Mat3(-F * gain(e));
    }
    if (both) {
      A -= through(F, S);
      across = -(F * S).eval() * E.transpose();
    }
  }
  K.bottomRightCorner<3, 3>() = B;
  if (!both) return K;
  K.topLeftCorner<3, 3>() = A;
  K.topRightCorner<3, 3>() = across;
  K.bottomLeftCorner<3, 3>() = across.transpose();
  return K;
}

Mat6 exact_schur_complement(int nodes, const LineWork& work, bool both) {
  const int last = nodes - 1;
  const auto first = [&](int e) { return full(pack(work, e).k11, e); };
  const auto second = [&](int e) { return full(pack(work, e).k22, e); };
  const auto between = [&](int e) { return full(pack(work, e).k12, e); };
  Mat3 A = first(0), across = between(0), taken = Mat3::Zero();
  for (int i = 1; i < last; ++i) {
    const Eigen::LDLT<Mat3> pivot(second(i - 1) + first(i) - taken);
    const Mat3 U = between(i), gain = pivot.solve(U);
    A -= across * pivot.solve(across.transpose());
    across = -(across * gain).eval();
    taken = U.transpose() * gain;
  }
  Mat6 K = Mat6::Zero();
  K.bottomRightCorner<3, 3>() = second(last - 1) - taken;
  if (!both) return K;
  K.topLeftCorner<3, 3>() = A;
  K.topRightCorner<3, 3>() = across;
  K.bottomLeftCorner<3, 3>() = across.transpose();
  return K;
}

}  // namespace davit::cable
