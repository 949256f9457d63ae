// The fixed-size vectors and matrices of the code base, for any scalar, and the few products that kernels write often.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

#include "davit/math/dual.hpp"

namespace davit {

template <class S>
using Vec3T = Eigen::Matrix<S, 3, 1>;
template <class S>
using Mat3T = Eigen::Matrix<S, 3, 3>;
template <class S>
using Vec6T = Eigen::Matrix<S, 6, 1>;
template <class S>
using Mat6T = Eigen::Matrix<S, 6, 6>;

using Vec2 = Eigen::Matrix<double, 2, 1>;
using Vec3 = Vec3T<double>;
using Mat3 = Mat3T<double>;
using Vec6 = Vec6T<double>;
using Mat6 = Mat6T<double>;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;
using VecXc = Eigen::VectorXcd;
using MatXc = Eigen::MatrixXcd;

// A constant of the model (double) in the scalar of a kernel; free of cost for double.
template <class S, int R, int C>
decltype(auto) as(const Eigen::Matrix<double, R, C>& constant) {
  if constexpr (std::is_same_v<S, double>) {
    return (constant);
  } else {
    return Eigen::Matrix<S, R, C>(constant.template cast<S>());
  }
}

template <class S>
Mat3T<S> skew(const Vec3T<S>& a) {
  Mat3T<S> m;
  m << S(0), -a.z(), a.y(), a.z(), S(0), -a.x(), -a.y(), a.x(), S(0);
  return m;
}

}  // namespace davit
