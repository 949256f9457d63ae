#include "davit/cable/elimination.hpp"

#include <algorithm>
#include <cmath>

namespace davit::cable {

namespace {

struct Place {
  const EquationPack* pack;
  int lane;
};
Place place(const LineWork& work, int element) {
  return {&work.equations[static_cast<size_t>(element / lanes)], element % lanes};
}
Mat3 full(const Pack* s, int lane) {
  Mat3 m;
  m << s[XX][lane], s[XY][lane], s[XZ][lane],  //
      s[XY][lane], s[YY][lane], s[YZ][lane],   //
      s[XZ][lane], s[YZ][lane], s[ZZ][lane];
  return m;
}
Vec3 vector(const Pack* v, int lane) { return {v[0][lane], v[1][lane], v[2][lane]}; }

Mat3 coupling(const LineWork& work, int element) {
  const auto [p, lane] = place(work, element);
  return full(p->k12, lane);
}
// Of a node inside: what its two elements give.
Mat3 diagonal(const LineWork& work, int node) {
  const auto [left, i] = place(work, node - 1);
  const auto [right, j] = place(work, node);
  return full(left->k22, i) + full(right->k11, j);
}
Vec3 residual(const LineWork& work, int node) {
  const auto [left, i] = place(work, node - 1);
  const auto [right, j] = place(work, node);
  return vector(left->second, i) + vector(right->first, j);
}

// Of a symmetric matrix, by its cofactors: the chain of pivots is what the solution waits for.
Mat3 inverse(const Mat3& m) {
  const double a = m(0, 0), b = m(0, 1), c = m(0, 2), d = m(1, 1), e = m(1, 2), f = m(2, 2);
  const double xx = d * f - e * e, xy = c * e - b * f, xz = b * e - c * d;
  const double scale = 1 / (a * xx + b * xy + c * xz);
  const double yy = a * f - c * c, yz = b * c - a * e, zz = a * d - b * b;
  Mat3 out;
  out << scale * xx, scale * xy, scale * xz,  //
      scale * xy, scale * yy, scale * yz,     //
      scale * xz, scale * yz, scale * zz;
  return out;
}

}  // namespace

double eliminate(int nodes, LineWork& work, Vec3& hold_a, Vec3& hold_b) {
  const int last = nodes - 1;
  const auto [head, first_lane] = place(work, 0);
  const auto [tail, last_lane] = place(work, last - 1);
  std::vector<Vec3>& change = work.change;
  const Vec3 da = change.front(), db = change.back();
  double worst = 0;

  Mat3 U = coupling(work, 0), correction = Mat3::Zero();
  Vec3 carried = U * da;
  for (int i = 1; i < last; ++i) {
    const Vec3 R = residual(work, i);
    worst = std::max(worst, R.cwiseAbs().maxCoeff());
    Eliminated& e = work.eliminated[static_cast<size_t>(i)];
    e.pivot = inverse(diagonal(work, i) - correction);
    U = coupling(work, i);
    e.y = e.pivot * (-R - carried);
    e.G = e.pivot * U;
    correction = U * e.G;
    carried = U * e.y;
  }
  for (int i = last - 1; i > 0; --i) {
    const Eliminated& e = work.eliminated[static_cast<size_t>(i)];
    change[static_cast<size_t>(i)] = e.y - e.G * change[static_cast<size_t>(i) + 1];
  }
  const auto next = change[1], before = change[static_cast<size_t>(last) - 1];
  hold_a = vector(head->first, first_lane) + full(head->k11, first_lane) * da + full(head->k12, first_lane) * next;
  hold_b = vector(tail->second, last_lane) + full(tail->k22, last_lane) * db + full(tail->k12, last_lane) * before;
  return worst;
}

Mat6 schur_complement(int nodes, const LineWork& work, bool both) {
  const int last = nodes - 1;
  const auto [head, first_lane] = place(work, 0);
  const auto [tail, last_lane] = place(work, last - 1);
  Mat6 K = Mat6::Zero();
  K.topLeftCorner<3, 3>() = full(head->k11, first_lane);
  K.bottomRightCorner<3, 3>() = full(tail->k22, last_lane);
  if (last == 1) {
    K.topRightCorner<3, 3>() = full(head->k12, first_lane);
    K.bottomLeftCorner<3, 3>() = K.topRightCorner<3, 3>();
    return K;
  }
  K.bottomRightCorner<3, 3>() -= coupling(work, last - 1) * work.eliminated[static_cast<size_t>(last) - 1].G;
  if (!both) return K;
  // The row of A fills in as nodes are eliminated: Fᵢ₊₁ = −Fᵢ Gᵢ, and K_AA loses Fᵢ Sᵢ⁻¹ Fᵢᵀ.
  Mat3 F = coupling(work, 0);
  for (int i = 1; i < last; ++i) {
    const Eliminated& e = work.eliminated[static_cast<size_t>(i)];
    K.topLeftCorner<3, 3>() -= F * e.pivot * F.transpose();
    F = Mat3(-F * e.G);
  }
  K.topRightCorner<3, 3>() = F;
  K.bottomLeftCorner<3, 3>() = F.transpose();
  return K;
}

}  // namespace davit::cable
