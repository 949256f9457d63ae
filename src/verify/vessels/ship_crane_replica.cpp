#include "verify/vessels/ship_crane_replica.hpp"

#include <array>
#include <numbers>

#include "davit/math/linear_algebra.hpp"

namespace davit::verify {

namespace {

constexpr int links = 5, speeds = 6 + links;
constexpr double half_pi = std::numbers::pi / 2;
using Complex = std::complex<double>;
template <class S>
using Mat4 = Eigen::Matrix<S, 4, 4>;
template <class S>
using Projection = Eigen::Matrix<S, 6, speeds>;
using VecU = Eigen::Matrix<double, speeds, 1>;

// Table 1 with d₁ = 4 m and a₂ = a₃ = 2.5 m: θ = offset + sign q.
struct Link {
  double a, alpha, d, offset, sign;
  double mass;
  Vec3 centre, inertia;  // about the centre, along the link's axes
};
Vec3 cylinder(double mass, double length, int axis) {
  constexpr double radius = 0.5;
  Vec3 out = Vec3::Constant(mass * (3 * radius * radius + length * length) / 12);
  out[axis] = mass * radius * radius / 2;
  return out;
}
const std::array<Link, links>& crane() {
  static const std::array<Link, links> list = {{
      {0, -half_pi, -4, half_pi, -1, 120e3, {0, -2, 0}, cylinder(120e3, 4, 1)},
      {2.5, 0, 0, 0, 1, 100e3, {-1.25, 0, 0}, cylinder(100e3, 2.5, 0)},
      {2.5, 0, 0, 0, 1, 76e3, {-1.25, 0, 0}, cylinder(76e3, 2.5, 0)},
      {0, half_pi, 0, half_pi, 1, 0, {0, 0, 0}, {0, 0, 0}},
      {0, -half_pi, 0, half_pi, 1, 150e3, {0, 0, 10}, {4e5, 4e5, 4e5}},
  }};
  return list;
}

template <class S>
Eigen::Matrix<S, 3, 3> hat(const Eigen::Matrix<S, 3, 1>& a) {
  Eigen::Matrix<S, 3, 3> m;
  m << S(0), -a[2], a[1], a[2], S(0), -a[0], -a[1], a[0], S(0);
  return m;
}

// (87)
template <class S>
Mat4<S> link_transformation(const Link& link, const S& q) {
  const S theta = S(link.offset) + S(link.sign) * q, c = std::cos(theta), s = std::sin(theta);
  const double ca = std::cos(link.alpha), sa = std::sin(link.alpha);
  Mat4<S> T;
  T << c, -s * ca, s * sa, S(link.a) * c,  //
      s, c * ca, -c * sa, S(link.a) * s,   //
      S(0), S(sa), S(ca), S(link.d),       //
      S(0), S(0), S(0), S(1);
  return T;
}

// Frames {1} … {5} in {0}, and (95).
template <class S>
struct Kinematics {
  std::array<Mat4<S>, links + 1> T;
  std::array<Projection<S>, links> P;

  explicit Kinematics(const Eigen::Matrix<S, links, 1>& q) {
    using Vec = Eigen::Matrix<S, 3, 1>;
    using Mat = Eigen::Matrix<S, 3, 3>;
    using Square = Eigen::Matrix<S, 6, 6>;
    T[0].setIdentity();
    Square H = Square::Zero();  // (93)
    H.topRightCorner(3, 3).setIdentity();
    H.bottomLeftCorner(3, 3).setIdentity();
    for (size_t i = 1; i <= links; ++i) {
      T[i] = T[i - 1] * link_transformation(crane()[i - 1], q[static_cast<int>(i) - 1]);
      const Mat to_i = T[i].topLeftCorner(3, 3).transpose();
      const auto from_i = [&](size_t j) -> Vec {  // p_ij in {i}
        return to_i * (T[j].topRightCorner(3, 1) - T[i].topRightCorner(3, 1));
      };
      Square adjoint = Square::Zero();  // (40) of the transformation from {0} to {i}
      adjoint.topLeftCorner(3, 3) = to_i;
      adjoint.bottomRightCorner(3, 3) = to_i;
      adjoint.bottomLeftCorner(3, 3) = hat<S>(from_i(0)) * to_i;
      Projection<S> twists = Projection<S>::Zero();
      twists.leftCols(6) = adjoint * H;
      for (size_t j = 1; j <= i; ++j) {
        // Not cross(): of complex numbers that is the conjugate.
        const Vec z = to_i * T[j - 1].block(0, 2, 3, 1), moment = hat<S>(from_i(j - 1)) * z;
        twists.col(5 + static_cast<int>(j)) << S(crane()[j - 1].sign) * z, S(crane()[j - 1].sign) * moment;  // (48)
      }
      P[i - 1] = H * twists;
    }
  }
};

// (10), with the parallel axes theorem.
Mat6 mass_matrix(const Link& link) {
  const Mat3 r = hat<double>(link.centre), I = Mat3(link.inertia.asDiagonal()) - link.mass * r * r;
  Mat6 M;
  M << link.mass * Mat3::Identity(), link.mass * r.transpose(), link.mass * r, I;
  return M;
}

}  // namespace

VecX ShipCraneReplica::rates(double t, const VecX& y) const {
  const Vec6 eta = y.head<6>();
  const Vec5 q = y.segment<links>(6);
  const VecU u = y.segment<speeds>(6 + links);
  const Vec6 nu = u.head<6>();
  const Vec5 q_rate = u.tail<links>();
  const VecX x = y.tail(y.size() - 6 - links - speeds);
  const Mat6 J = rates_of_position(eta);

  // P and, by the derivative along an imaginary step, which has no round-off, its rate.
  constexpr double small = 1e-30;
  const Kinematics<Complex> at(q.cast<Complex>() + Complex(0, small) * q_rate.cast<Complex>());
  Eigen::Matrix<double, speeds, speeds> M = Eigen::Matrix<double, speeds, speeds>::Zero();
  VecU tau = VecU::Zero();
  M.topLeftCorner<6, 6>() = ship.mass + ship.added_mass;
  tau.head<6>() = ship.force(t, eta, nu, x);
  tau.segment<3>(6) = -kp * (q.head<3>() - wanted) - kd * q_rate.head<3>();
  const Mat3 to_hull = J.topLeftCorner<3, 3>().transpose();
  for (size_t i = 0; i < links; ++i) {
    const Link& link = crane()[i];
    const Projection<double> P = at.P[i].real(), P_rate = at.P[i].imag() / small;
    const Mat6 Mi = mass_matrix(link);
    const Vec6 motion = P * u;
    const Mat3 w = hat<double>(motion.tail<3>()), v = hat<double>(motion.head<3>());
    Mat6 W;  // (11)
    W << w, Mat3::Zero(), v, w;
    const Vec3 weight =
        at.T[i + 1].topLeftCorner<3, 3>().real().transpose() * (to_hull * Vec3(0, 0, link.mass * gravity));
    Vec6 load;  // (97)
    load << weight, link.centre.cross(weight);
    M += P.transpose() * Mi * P;
    tau += P.transpose() * (load - Mi * (P_rate * u) - W * (Mi * motion));
  }
  VecX rate(y.size());
  rate << J * nu, q_rate, solve_ldlt(M, VecX(tau)), ship.A * x + ship.B * nu;
  return rate;
}

}  // namespace davit::verify
