// Group laws and dualities of rotations, poses, twists, wrenches, lines and inertia, on random values.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/LU>

#include "davit/math/inertia.hpp"
#include "davit/math/pose.hpp"

namespace davit {
namespace {

double number(double size) { return size * (*rc::gen::inRange(-1000000, 1000001)) * 1e-6; }
Vec3 vector(double size = 1) { return {number(size), number(size), number(size)}; }
Mat3 rotation() { return exp_rotation(vector(2)); }
Pose pose() { return {rotation(), vector(5)}; }
Twist twist() { return {vector(2), vector(2)}; }
Wrench wrench() { return {vector(2), vector(2)}; }

void near(const auto& a, const auto& b, double tolerance = 1e-12) {
  RC_ASSERT((a - b).norm() <= tolerance * (1 + b.norm()));
}

RC_GTEST_PROP(Rotation, ExponentialIsARotation, ()) {
  const Mat3 R = rotation();
  near(Mat3(R * R.transpose()), Mat3(Mat3::Identity()));
  RC_ASSERT(std::abs(R.determinant() - 1) < 1e-12);
}
RC_GTEST_PROP(Rotation, LogarithmInvertsExponential, ()) {
  const double size = *rc::gen::element(1e-9, 1e-4, 1e-2, 0.4, 1.8);
  const Vec3 w = vector(size);
  near(log_rotation(exp_rotation(w)), w, 1e-14 + 1e-12 * w.norm());
  near(log_quaternion(exp_quaternion(w)), w, 1e-14 + 1e-12 * w.norm());
}
RC_GTEST_PROP(Rotation, LogarithmHoldsNearHalfATurn, ()) {
  const Vec3 axis = (vector() + Vec3(2, 0, 0)).normalized();
  const double angle = M_PI - std::abs(number(1e-7));
  near(exp_rotation(log_rotation(exp_rotation(Vec3(angle * axis)))), exp_rotation(Vec3(angle * axis)));
}
RC_GTEST_PROP(Rotation, QuaternionsMultiplyAsMatrices, ()) {
  const Quaternion a = exp_quaternion(vector(3)), b = exp_quaternion(vector(3));
  near((a * b).matrix(), Mat3(a.matrix() * b.matrix()));
  near(quaternion_of(a.matrix()).matrix(), a.matrix());
  near((a * a.conjugate()).matrix(), Mat3(Mat3::Identity()));
}
RC_GTEST_PROP(Rotation, DerivativeOfTheExponential, ()) {
  // ω = J(θ) θ̇ for R = exp(θ): the body angular velocity read off Rᵀ Ṙ by dual numbers.
  const double size = *rc::gen::element(1e-8, 1e-3, 0.3, 1.5);
  const Vec3 theta = vector(size), rate = vector();
  Vec3T<Dual8> moving;
  for (int i = 0; i < 3; ++i) moving[i] = Dual8(theta[i]), moving[i].d[0] = rate[i];
  const Mat3T<Dual8> R = exp_rotation(moving);
  Mat3 value, derivative;
  for (int i = 0; i < 9; ++i) value(i) = R(i).value, derivative(i) = R(i).d[0];
  const Mat3 W = value.transpose() * derivative;
  const Vec3 omega(W(2, 1), W(0, 2), W(1, 0));
  near(omega, Vec3(exp_derivative(theta) * rate), 1e-11);
  near(exp_derivative_solve(theta, omega), rate, 1e-11);
}
RC_GTEST_PROP(Rotation, RollPitchYawRoundTrip, ()) {
  const Vec3 rpy(number(3), number(1.5), number(3));
  near(rotation_of_rpy(rpy_of_rotation(rotation_of_rpy(rpy))), rotation_of_rpy(rpy));
  near(rpy_of_rotation(rotation_of_rpy(rpy)), rpy, 1e-10);
}
TEST(Rotation, RollPitchYawAtTheSingularity) {
  const Mat3 R = rotation_of_rpy(Vec3(0.3, M_PI / 2, -0.4));
  EXPECT_LT((rotation_of_rpy(rpy_of_rotation(R)) - R).norm(), 1e-7);
}
RC_GTEST_PROP(Rotation, FromZTakesZThere, ()) {
  const double tilt = *rc::gen::element(1.0, 1e-4, 1e-9);
  const Vec3 direction = Vec3(tilt * number(1), tilt * number(1), *rc::gen::element(-3.0, 0.5, 3.0));
  const Mat3 R = rotation_from_z(direction);
  near(Vec3(R.col(2)), Vec3(direction.normalized()));
  near(Mat3(R * R.transpose()), Mat3(Mat3::Identity()));
}
TEST(Rotation, FromZIsExactForTheAxesOfThePaper) {
  EXPECT_EQ(rotation_from_z(Vec3::UnitZ()), Mat3(Mat3::Identity()));
  EXPECT_EQ(rotation_from_z(-Vec3::UnitZ()).col(2), Vec3(0, 0, -1));
}

RC_GTEST_PROP(Pose, GroupLaws, ()) {
  const Pose a = pose(), b = pose(), c = pose();
  near(((a * b) * c).p, (a * (b * c)).p);
  near(((a * b) * c).R, (a * (b * c)).R);
  near((a * a.inverse()).p, Vec3(Vec3::Zero()));
  near((a * a.inverse()).R, Mat3(Mat3::Identity()));
  const Vec3 x = vector();
  near((a * b) * x, a * (b * x));
}
RC_GTEST_PROP(Pose, LogarithmInvertsExponential, ()) {
  const Twist t{vector(1.7), vector(3)};
  near(log_pose(exp_pose(t)).vector(), t.vector(), 1e-11);
}
RC_GTEST_PROP(Pose, ExponentialOfAScaledTwistIsAOneParameterGroup, ()) {
  const Twist t = twist();
  const Pose once = exp_pose(0.37 * t), twice = exp_pose(0.74 * t);
  near((once * once).p, twice.p);
  near((once * once).R, twice.R);
}
RC_GTEST_PROP(Pose, AdjointIsAHomomorphism, ()) {
  const Pose a = pose(), b = pose();
  const Twist t = twist();
  near(((a * b) * t).vector(), (a * (b * t)).vector(), 1e-11);
  const Wrench w = wrench();
  near(((a * b) * w).vector(), (a * (b * w)).vector(), 1e-11);
}
RC_GTEST_PROP(Pose, AdjointConjugatesTheExponential, ()) {
  // a exp(t) a⁻¹ = exp(Ad_a t), Cibicik & Egeland (8)
  const Pose a = pose();
  const Twist t{vector(1), vector(1)};
  near((a * exp_pose(t) * a.inverse()).p, exp_pose(a * t).p, 1e-10);
  near((a * exp_pose(t) * a.inverse()).R, exp_pose(a * t).R, 1e-10);
}
RC_GTEST_PROP(Pose, PowerIsTheSameInEveryFrame, ()) {
  const Pose a = pose();
  const Twist t = twist();
  const Wrench w = wrench();
  RC_ASSERT(std::abs(power(a * w, a * t) - power(w, t)) < 1e-10);
  const Vec3 r = vector();
  RC_ASSERT(std::abs(power(w.about(r), t.about(r)) - power(w, t)) < 1e-11);
}

RC_GTEST_PROP(Screw, BracketIsTheDerivativeOfTheAdjoint, ()) {
  const Twist a = twist(), b = twist(), c = twist();
  // Jacobi's identity and antisymmetry
  near((cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b))).vector(), Vec6(Vec6::Zero()), 1e-11);
  near(cross(a, b).vector(), Vec6(-cross(b, a).vector()));
  // duality: (a × b)·w + b·(a ×* w) = 0
  const Wrench w = wrench();
  RC_ASSERT(std::abs(power(w, cross(a, b)) + power(cross(a, w), b)) < 1e-11);
  const double h = 1e-6;
  near(Vec6(((exp_pose(h * a) * b).vector() - (exp_pose(-h * a) * b).vector()) / (2 * h)), cross(a, b).vector(), 1e-8);
}
RC_GTEST_PROP(Screw, LinesMeetWhenTheirMutualMomentVanishes, ()) {
  const Vec3 meeting = vector(), d1 = vector() + Vec3(2, 0, 0), d2 = vector() + Vec3(0, 2, 0);
  const Line a = Line::through(meeting + 3 * d1, d1), b = Line::through(meeting - 2 * d2, d2);
  RC_ASSERT(std::abs(mutual_moment(a, b)) < 1e-12 * 40);
  // Shift one along the common normal: |mutual moment| = distance × sine of the angle.
  const Vec3 normal = a.direction.cross(b.direction);
  const Line shifted = Line::through(meeting + 0.7 * normal.normalized(), d2);
  RC_ASSERT(std::abs(std::abs(mutual_moment(a, shifted)) - 0.7 * normal.norm()) < 1e-11);
  near(Vec3(a.about(meeting).moment), Vec3(Vec3::Zero()), 1e-11);
  // A force along a line does no work on a rotation about a line that it meets.
  RC_ASSERT(std::abs(power(a.wrench(), b.twist())) < 1e-11);
  near(a.twist(0.3).about(a.nearest_point()).v, Vec3(0.3 * a.direction), 1e-11);
}

SpatialInertia body() {
  const Vec3 moments = vector().cwiseAbs() + Vec3(1, 1.2, 1.4);
  return SpatialInertia::rigid(1 + std::abs(number(3)), vector(),
                               congruence(rotation(), Sym3::diagonal(moments.x(), moments.y(), moments.z())));
}
RC_GTEST_PROP(Inertia, KineticEnergyIsTheSameAboutEveryPoint, ()) {
  const SpatialInertia I = body();
  const Twist t = twist();
  const Vec3 r = vector(3);
  const double energy = power(I * t, t);
  RC_ASSERT(std::abs(power(I.about(r) * t.about(r), t.about(r)) - energy) < 1e-10 * energy);
  const Mat3 R = rotation();
  const Twist turned = rotated(R, t);
  RC_ASSERT(std::abs(power(I.rotated(R) * turned, turned) - energy) < 1e-11 * energy);
  near((I.about(r) * t.about(r)).vector(), (I * t).about(r).vector(), 1e-11);
  near(I.about(r).about(Vec3(-r)).matrix(), I.matrix(), 1e-11);
}
RC_GTEST_PROP(Inertia, ShiftsOfFullMatricesMatchTheScrewTransformation, ()) {
  // A full 6x6 (added mass): I' = Uᵀ I U with t = U t'.
  Mat6 A;
  for (int i = 0; i < 36; ++i) A(i) = number(1);
  const SpatialInertia I = SpatialInertia::of(Mat6(A * A.transpose()));
  const Vec3 r = vector();
  Mat6 U = Mat6::Identity();
  U.bottomLeftCorner<3, 3>() = skew(r);
  near(I.about(r).matrix(), Mat6(U.transpose() * I.matrix() * U), 1e-11);
}
TEST(Inertia, NamesWhatNoBodyCanHave) {
  EXPECT_EQ(unphysical_inertia(1, Sym3::diagonal(1, 1, 1)), "");
  EXPECT_EQ(unphysical_inertia(30, Sym3::diagonal(0, 10, 10)), "");  // a thin rod
  EXPECT_EQ(unphysical_inertia(0, Sym3()), "");
  EXPECT_NE(unphysical_inertia(-1, Sym3()), "");
  EXPECT_NE(unphysical_inertia(1, Sym3::diagonal(1, 1, 3)), "");
  EXPECT_NE(unphysical_inertia(1, Sym3::diagonal(-1, 1, 1)), "");
}
RC_GTEST_PROP(Symmetric, InverseAndCongruence, ()) {
  const Sym3 A = body().J;
  near(Mat3(inverse(A).matrix() * A.matrix()), Mat3(Mat3::Identity()), 1e-11);
  const Mat3 R = rotation();
  near(congruence(R, A).matrix(), Mat3(R * A.matrix() * R.transpose()));
}

RC_GTEST_PROP(DualNumbers, EveryFunctionMatchesACentralDifference, ()) {
  const double x0 = 0.1 + 0.8 * std::abs(number(1)), y0 = 0.5 + std::abs(number(1));
  const auto f = [](auto x, auto y) {
    using std::sin, std::cos, std::tan, std::exp, std::log, std::sqrt, std::tanh, std::atan2, std::asin, std::acos,
        std::abs;
    return sin(x) * cos(y) + tan(x) / y - exp(x * y) + log(y) * sqrt(x) + tanh(x - y) + atan2(y, x) +
           asin(x) * acos(x) + abs(x - y);
  };
  const Dual8 d = f(Dual8::variable(x0, 0), Dual8::variable(y0, 1));
  const double h = 1e-6;
  RC_ASSERT(std::abs(d.value - f(x0, y0)) < 1e-13);
  RC_PRE(std::abs(x0 - y0) > 1e-3);
  RC_ASSERT(std::abs(d.d[0] - (f(x0 + h, y0) - f(x0 - h, y0)) / (2 * h)) <
            1e-7 * (1 + std::abs(d.d[0])) / (1 - x0 * x0));
  RC_ASSERT(std::abs(d.d[1] - (f(x0, y0 + h) - f(x0, y0 - h)) / (2 * h)) < 1e-7 * (1 + std::abs(d.d[1])));
}

}  // namespace
}  // namespace davit
