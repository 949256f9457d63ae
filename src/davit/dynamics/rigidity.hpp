// What keeps a director body rigid.
#pragma once

#include "davit/model/row.hpp"

namespace davit {

// The internal constraints of a director body, in the order of (2.44).
class Rigidity final : public GeometryOf<Rigidity> {
 public:
  Rigidity(int body, int first_u) : body_(body), u_(first_u + 3) {}
  int size() const override { return 6; }
  std::string summary() const override { return "directors are orthonormal"; }
  std::string unit() const override { return "1"; }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    const auto& R = kin.body[static_cast<size_t>(body_)].R;
    for (int row = 0; row < 6; ++row) {
      const auto [i, j] = pair[row];
      g[row] = i == j ? S(0.5) * (R.col(i).squaredNorm() - S(1)) : S(R.col(i).dot(R.col(j)));
    }
  }
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const {
    const auto& R = kin.body[static_cast<size_t>(body_)].R;
    for (int row = 0; row < 6; ++row) {
      const auto [i, j] = pair[row];
      out.add_direction(row, body_, Vec3::Unit(i), R.col(j));
      if (i != j) out.add_direction(row, body_, Vec3::Unit(j), R.col(i));
    }
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    const auto rate = [&](int i) {
      const S* u = kin.u + u_ + 3 * i;
      return Vec3T<S>(u[0], u[1], u[2]);
    };
    for (int row = 0; row < 6; ++row) {
      const auto [i, j] = pair[row];
      bias[row] = S(i == j ? 1 : 2) * rate(i).dot(rate(j));
    }
  }

 private:
  static constexpr std::pair<int, int> pair[6] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  int body_;
  int u_;  // the first of the directors' rates
};

}  // namespace davit
