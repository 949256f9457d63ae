// The equations of a problem and their parts: Taylor series against plain numbers, exact derivatives against
// differences, servo constraints along a motion, scaling and Newton's method.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "davit/inverse_dynamics/modified_newton.hpp"
#include "davit/inverse_dynamics/motion_tangent.hpp"
#include "davit/inverse_dynamics/series_model.hpp"
#include "davit/inverse_dynamics/servo_equations.hpp"
#include "davit/math/linear_algebra.hpp"
#include "small_problems.hpp"

namespace davit::inverse_dynamics {
namespace {

using testing::Carts;
using testing::Crane;
using testing::Posed;

struct Numbers {
  std::mt19937 engine{17};
  double number(double size = 1) { return std::uniform_real_distribution<double>(-size, size)(engine); }
  VecX vector(Eigen::Index n, double size = 1) {
    VecX out(n);
    for (double& x : out) x = number(size);
    return out;
  }
};

// A trolley, an arm on it and a free body: rotations of all kinds, springs, dampers and weights.
struct Tumbling : Posed {
  Tumbling()
      : Posed(bodies(), {0, 1}, [](const Tree& posed, ModelParts& parts) {
          parts.forces.push_back(std::make_shared<Gravity>(
              Vec3(0, 0, -9.81),
              std::vector<Gravity::Weight>{testing::weight_of(posed, "arm"), testing::weight_of(posed, "free")}));
          parts.forces.push_back(
              std::make_shared<JointSpring>("spring", JointCoordinate{"", 1, 1}, JointSpring::Data{40, 3, 0.1}));
          parts.forces.push_back(
              std::make_shared<JointDamper>("damper", JointCoordinate{"", 0, 0}, JointDamper::Data{2, 0.5, 0, 1e-3}));
        }) {
    problem.outputs.push_back(
        {"turn", std::make_shared<OrientationServo>(tree->frame("free"), Mat3::Identity(), Vec3(2, -1, 2).normalized(),
                                                    testing::one_move(0.2, 0.9))});
    problem.outputs.push_back(
        {"place", std::make_shared<PlaceServo>(tree->frame("arm", {Mat3::Identity(), Vec3(0.3, 0, -1)}),
                                               std::vector<PlaceServo::Along>{{Vec3::UnitX(), testing::one_move()},
                                                                              {Vec3(0, 0.6, 0.8), Motion(1)}})});
    problem.outputs.push_back({"offset", std::make_shared<OffsetServo>(tree->frame("arm"), tree->frame("free"),
                                                                       Vec3::UnitZ(), testing::one_move(1, 2))});
    follow("sum", {{CoordinateIndex{0, 0}, 1.5}, {CoordinateIndex{1, 1}, -0.5}}, testing::one_move(0, -1));
  }
  static std::vector<Body> bodies() {
    Body arm;
    arm.name = "arm";
    arm.on = "trolley";
    arm.joint.kind = JointKind::revolute;
    arm.joint.axis = Vec3(0.2, 1, 0.1);
    arm.mass = 2;
    arm.centre = Vec3(0.1, 0, -0.5);
    arm.inertia = Sym3::diagonal(0.3, 0.4, 0.2);
    Body free;
    free.name = "free";
    free.on = "arm";
    free.joint.kind = JointKind::free;
    free.joint.position = {0.3, -0.2, 0.4, 1, 0.5, -1};
    free.mass = 3;
    free.centre = Vec3(0, 0.2, 0);
    free.inertia = Sym3::diagonal(0.5, 0.7, 0.9);
    return {testing::on_slide("trolley", "world", 4), arm, free};
  }
};

// Motion and rows as series in time, added up a little later, are what plain numbers say there.
TEST(Series, AreTheResidualsInTime) {
  const Tumbling tumbling;
  EXPECT_TRUE(without_series(tumbling.problem).empty());
  Numbers random;
  SeriesModel<Series> series(tumbling.problem);
  auto motion = series.make_motion();
  for (auto& d : motion.d)
    for (size_t k = 1; k < 6; ++k) d.c[k] = random.number(0.4);
  for (auto& w : motion.w)
    for (size_t k = 0; k < 5; ++k) w.c[k] = random.number(3);
  const double t0 = 0.6, scale = 0.7;
  series.place(t0, scale, tumbling.problem.start.q, motion.d);
  series.evaluate(motion.lambda, motion.w);
  const auto sum = [](const std::vector<Series>& x, double tau) {
    VecX out(static_cast<Eigen::Index>(x.size()));
    for (size_t i = 0; i < x.size(); ++i) {
      double value = 0;
      for (size_t k = series_length; k-- > 0;) value = value * tau + x[i].c[k];
      out[static_cast<Eigen::Index>(i)] = value;
    }
    return out;
  };
  ServoEquations equations(tumbling.problem);
  double last = 0;
  for (const double tau : {0.0, 0.02, 0.04}) {
    Instant at{t0 + scale * tau, sum(series.q, tau), sum(series.u, tau), sum(series.a, tau),
               VecX(0),          sum(motion.w, tau)};
    equations.evaluate(at);
    const double off = (equations.R - sum(series.F, tau)).norm() + (equations.output.value - sum(series.s, tau)).norm();
    EXPECT_LT(off, 1e-11 + 4e3 * std::pow(tau, 6)) << tau;
    // And the speeds are those of that motion.
    std::vector<Series> increment_rates = motion.d;
    for (Series& d : increment_rates) d = d.rate() * Series(1 / scale);
    VecX rate(equations.speeds());
    tumbling.tree->increment_rate(sum(motion.d, tau).data(), at.u.data(), rate.data());
    EXPECT_LT((rate - sum(increment_rates, tau)).norm(), 1e-11 + 1e3 * std::pow(tau, 6)) << tau;
    last = off;
  }
  EXPECT_GT(last, 0) << "nothing was truncated, and this shows nothing";
}

// A user's force, which nobody has told of series.
class Wind final : public ForceOf<Wind> {
 public:
  Wind() : ForceOf("wind") {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>&, S*) const {}
};

TEST(Series, NamesWhatHasNoKernel) {
  Posed posed({testing::on_slide("cart", "world", 1)}, {0},
              [](const Tree&, ModelParts& parts) { parts.forces.push_back(std::make_shared<Wind>()); });
  posed.follow("cart", {{CoordinateIndex{0, 0}, 1}}, testing::one_move());
  const auto without = without_series(posed.problem);
  ASSERT_EQ(without.size(), 1u);
  EXPECT_NE(without[0].find("wind"), std::string::npos);
}

// Exact derivatives by increments, speeds, accelerations and inputs.
TEST(ServoEquations, DerivativesAreThoseOfTheEquations) {
  const Tumbling tumbling;
  Numbers random;
  ServoEquations equations(tumbling.problem);
  const int n = equations.speeds();
  const Instant at{0.7, tumbling.problem.start.q, random.vector(n), random.vector(n), VecX(0), random.vector(2)};
  equations.linearise(at);
  const double h = 1e-6;
  const auto change = [&](auto&& move) {
    Instant ahead = at, behind = at;
    move(ahead, h);
    move(behind, -h);
    equations.evaluate(ahead);
    const VecX R = equations.R, value = equations.output.value, rate = equations.output.rate,
               second = equations.output.second;
    equations.evaluate(behind);
    return std::array<VecX, 4>{(R - equations.R) / (2 * h), (value - equations.output.value) / (2 * h),
                               (rate - equations.output.rate) / (2 * h), (second - equations.output.second) / (2 * h)};
  };
  const auto expect_near = [](const VecX& a, const VecX& b, double size) {
    EXPECT_LT((a - b).norm(), 1e-6 * (1 + size));
  };
  for (int i = 0; i < n; ++i) {
    const VecX unit = VecX::Unit(n, i);
    const auto by_place = change([&](Instant& x, double s) {
      VecX q(x.q.size());
      tumbling.tree->retract(at.q.data(), VecX(s * unit).data(), q.data());
      x.q = q;
    });
    const auto by_speed = change([&](Instant& x, double s) { x.u += s * unit; });
    const auto by_acceleration = change([&](Instant& x, double s) { x.a += s * unit; });
    expect_near(by_place[0], equations.K.col(i), equations.K.norm());
    expect_near(by_speed[0], equations.D.col(i), equations.D.norm());
    expect_near(by_acceleration[0], equations.M.col(i), equations.M.norm());
    const RowTangent& rows = equations.output_tangent;
    expect_near(by_place[1], rows.gradient.col(i), rows.gradient.norm());
    expect_near(by_place[2], rows.rate_q.col(i), rows.rate_q.norm());
    expect_near(by_place[3], rows.second_q.col(i), rows.second_q.norm());
    expect_near(by_speed[2], rows.gradient.col(i), rows.gradient.norm());
    expect_near(by_speed[3], rows.second_u.col(i), rows.second_u.norm());
    expect_near(by_acceleration[3], rows.gradient.col(i), rows.gradient.norm());
  }
  for (int j = 0; j < 2; ++j)
    expect_near(change([&](Instant& x, double s) { x.w += s * VecX::Unit(2, j); })[0], -equations.B.col(j), 1);
}

// Along a motion the rates of rows are the derivatives of their values.
TEST(ServoConstraints, RatesAreDerivativesInTime) {
  const Tumbling tumbling;
  Numbers random;
  ServoEquations equations(tumbling.problem);
  const int n = equations.speeds();
  Instant at{0.7, tumbling.problem.start.q, random.vector(n), VecX::Zero(n), VecX(0), VecX::Zero(2)};
  equations.evaluate(at);
  const RowRates here = equations.output;
  const double h = 1e-4;
  const auto later = [&](double s) {
    Instant moved = at;
    moved.t += s;
    VecX q(at.q.size());
    tumbling.tree->retract(at.q.data(), VecX(s * at.u).data(), q.data());
    moved.q = q;
    equations.evaluate(moved);
    return equations.output;
  };
  const RowRates ahead = later(h), behind = later(-h);
  EXPECT_LT(((ahead.value - behind.value) / (2 * h) - here.rate).norm(), 1e-6);
  EXPECT_LT(((ahead.rate - behind.rate) / (2 * h) - here.second).norm(), 1e-6);
}

TEST(ServoEquations, HeldIsTheRestThatInputsGive) {
  const Crane crane;
  ServoEquations equations(crane.problem);
  const Instant held = held_at(equations, crane.problem.start);
  EXPECT_NEAR(held.w[0], 0, 1e-10);
  EXPECT_NEAR(held.w[1], -Crane::load * testing::gravity, 1e-10);
  equations.evaluate(held);
  EXPECT_LT(equations.R.norm(), 1e-10);
}

// Two carts on a spring: one motion of both together, and ω² = k (1/m₁ + 1/m₂).
TEST(MotionTangent, HasThePolesOfTheModel) {
  const Carts carts({3, 2}, {50});
  ServoEquations equations(carts.problem);
  const MotionTangent tangent = linearise_motion(equations, held_at(equations, carts.problem.start));
  ASSERT_EQ(tangent.A.rows(), 4);
  EXPECT_LT((tangent.T.transpose() * tangent.T - MatX::Identity(4, 4)).norm(), 1e-13);
  const VecXc poles = complex_eigenvalues(tangent.A);
  const double omega = std::sqrt(50 * (1.0 / 3 + 1.0 / 2));
  int ringing = 0;
  for (const auto& pole : poles) {
    EXPECT_NEAR(pole.real(), 0, 1e-6);
    ringing += std::abs(std::abs(pole.imag()) - omega) < 1e-9;
  }
  EXPECT_EQ(ringing, 2);
  EXPECT_EQ(reachable_part(tangent.A, tangent.B).cols(), 4);
}

TEST(Scaling, BringsRowsAndColumnsNearOne) {
  Numbers random;
  MatX A(5, 5);
  for (double& x : A.reshaped()) x = 0.5 + 0.5 * std::abs(random.number());
  for (int i = 0; i < 5; ++i) A.row(i) *= std::pow(10.0, 2 * i - 4), A.col(i) *= std::pow(10.0, 3 - i);
  const MatX before = A;
  VecX rows, columns;
  equilibrate(A, rows, columns);
  EXPECT_EQ(A, MatX(rows.asDiagonal() * before * columns.asDiagonal()));
  for (int i = 0; i < 5; ++i) {
    EXPECT_GT(A.row(i).cwiseAbs().maxCoeff(), 0.1);
    EXPECT_LT(A.row(i).cwiseAbs().maxCoeff(), 10);
    int exponent = 0;
    EXPECT_EQ(std::frexp(rows[i], &exponent), 0.5);
    EXPECT_EQ(std::frexp(columns[i], &exponent), 0.5);
  }
}

TEST(Scaling, FindsTheWidestGap) {
  const auto rank = [](std::initializer_list<double> values) {
    return rank_by_gap(Eigen::Map<const VecX>(values.begin(), static_cast<Eigen::Index>(values.size())));
  };
  EXPECT_EQ(rank({3, 2, 1}).rank, 3);
  EXPECT_TRUE(rank({3, 2, 1}).clear());
  EXPECT_EQ(rank({1, 1e-3, 1e-9}).rank, 3);          // small, and far above round-off
  EXPECT_EQ(rank({1, 1e-3, 1e-15, 1e-16}).rank, 2);  // round-off
  EXPECT_EQ(rank({1, 1e-5, 1e-14, 3e-15}).rank, 2);
  EXPECT_EQ(rank({0, 0}).rank, 0);
  EXPECT_FALSE(rank({1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14}).clear());
  const Rank found = rank({4, 1e-2, 1e-12});
  EXPECT_GT(4 * found.threshold, 1e-12);
  EXPECT_LT(4 * found.threshold, 1e-2);
}

// A trolley of mass M with a load m on an arm of length l: a length, an angle, and forces of the weights.
TEST(Units, AreOfTheModel) {
  const testing::Crane crane;
  const Units units = units_of(crane.problem, 0.2);
  EXPECT_NEAR(units.length, 6, 1e-9);
  EXPECT_NEAR(units.coordinates[0], 6, 1e-9);
  EXPECT_NEAR(units.coordinates[1], 1, 1e-9);
  EXPECT_NEAR(units.coordinates[2], 6, 1e-9);
  EXPECT_NEAR(units.energy, testing::Crane::load * testing::gravity * 6, 1e-6);
  EXPECT_NEAR(units.inputs[0], testing::Crane::load * testing::gravity, 1e-6);
  EXPECT_NEAR(units.outputs[0], 6, 1e-9);
}

// x² = c and x y = 1, which has no real solution for negative c.
class Roots final : public SquareEquations {
 public:
  double c = 2;
  void residual(const VecX& x, VecX& r) override { r = Eigen::Vector2d(x[0] * x[0] - c, x[0] * x[1] - 1); }
  void matrix(const VecX& x, MatX& J) override {
    J.resize(2, 2);
    J << 2 * x[0], 0, x[1], x[0];
  }
  void units(VecX& rows, VecX& columns) const override { rows = columns = VecX::Ones(2); }
  double size(const VecX& change, const VecX& x) const override { return change.norm() / (1 + x.norm()); }
};

TEST(ModifiedNewton, KeepsItsFactorsWhileTheyServe) {
  Roots roots;
  ModifiedNewton newton;
  VecX x = Eigen::Vector2d(1.5, 0.5);
  ASSERT_TRUE(newton.solve(roots, x));
  EXPECT_NEAR(x[0], std::sqrt(2.0), 1e-13);
  EXPECT_NEAR(x[1], 1 / std::sqrt(2.0), 1e-13);
  const long matrices = newton.matrices();
  roots.c = 2.001;
  ASSERT_TRUE(newton.solve(roots, x));
  EXPECT_EQ(newton.matrices(), matrices);
  EXPECT_NEAR(x[0], std::sqrt(2.001), 1e-12);
  roots.c = 40;
  ASSERT_TRUE(newton.solve(roots, x));
  EXPECT_GT(newton.matrices(), matrices);
  EXPECT_NEAR(x[0], std::sqrt(40.0), 1e-12);
  roots.c = -1;
  EXPECT_FALSE(newton.solve(roots, x));
}

}  // namespace
}  // namespace davit::inverse_dynamics
