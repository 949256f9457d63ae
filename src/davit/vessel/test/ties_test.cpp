// What springs between hulls, buoys and the world are to a hull that moves in waves, against closed forms.
#include "davit/vessel/ties.hpp"

#include <gtest/gtest.h>

#include "davit/dynamics/tree.hpp"

namespace davit::vessel {
namespace {

using Complex = std::complex<double>;

// Springs and dampers along the axes of the world between points of two bodies, without force at the start.
class Tie final : public ForceOf<Tie> {
 public:
  Tie(const Frame& a, const Frame& b, const Vec3& rest, const Vec3& stiffness, double damping_time)
      : ForceOf("tie"), a_(a), b_(b), rest_(rest), stiffness_(stiffness), damping_time_(damping_time) {}
  std::string summary() const override { return name(); }
  std::vector<Coupling> couplings() const override { return {{.bodies = {a_.body, b_.body}}}; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const Vec3T<S> from = position(c.kin, a_), to = position(c.kin, b_);
    const Vec3T<S> way = to - from - as<S>(rest_), rate = velocity(c.kin, b_) - velocity(c.kin, a_);
    const Vec3T<S> pull = as<S>(stiffness_).cwiseProduct(way + S(damping_time_) * rate);
    const auto on = [&](int body, const Vec3T<S>& at, const Vec3T<S>& force) {
      if (body > 0) loads.add_force(body, at - c.kin.body[static_cast<size_t>(body)].p, force);
    };
    on(a_.body, from, pull);
    on(b_.body, to, -pull);
  }

 private:
  Frame a_, b_;
  Vec3 rest_, stiffness_;
  double damping_time_;
};

Body afloat(const std::string& name, const Vec3& at, double heading, double mass) {
  Body out;
  out.name = name;
  out.joint.kind = JointKind::free;
  out.at.p = at;
  out.at.R = Eigen::AngleAxisd(heading, Vec3::UnitZ()).toRotationMatrix();
  out.mass = mass;
  out.inertia = Sym3::diagonal(1e8, 1e8, 1e8);
  return out;
}
Frame point(int body, const Vec3& at) { return {body, Pose{Mat3::Identity(), at}}; }

class TiedHulls : public ::testing::Test {
 protected:
  static constexpr double k = 4e5, damping_time = 0.3, frequency = 0.7;
  ModelParts parts;

  void bodies(const std::vector<Body>& list) {
    const auto tree = std::make_shared<Tree>(list);
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
  }
  void tie(const Frame& a, const Frame& b, const Vec3& rest, const Vec3& stiffness) {
    parts.add(std::make_shared<Tie>(a, b, rest, stiffness, damping_time));
  }
  // Along a motion of the first hull, with another dynamic stiffness of all hulls by themselves.
  wave_load::Mat6c felt(const std::vector<Frame>& hulls, Complex free = 0) const {
    const Ties ties(parts, hulls, nullptr);
    EXPECT_TRUE(ties.tied(0));
    return ties.felt_by(0, frequency,
                        [&](size_t, double) { return wave_load::Mat6c(free * wave_load::Mat6c::Identity()); });
  }
  static Complex dynamic(double stiffness) { return stiffness * Complex(1, frequency * damping_time); }
};

TEST_F(TiedHulls, WithoutATieAreFree) {
  bodies({afloat("barge", Vec3::Zero(), 0, 1e6)});
  const Ties ties(parts, {Frame{1, {}}}, nullptr);
  EXPECT_FALSE(ties.tied(0));
}

// With r from the origin of the hull to where it is made fast, K = Jᵀ k J, J = [1 −[r]×].
TEST_F(TiedHulls, ASpringToTheWorldIsFeltAtItsPoint) {
  bodies({afloat("barge", Vec3(10, 20, 0), 0, 1e6)});
  const Vec3 r(40, -12, 3), stiffness(k, 0.5 * k, 0.1 * k);
  tie(Frame{0, Pose{Mat3::Identity(), Vec3(100, 0, 0)}}, point(1, r), Vec3(10, 20, 0) + r - Vec3(100, 0, 0), stiffness);
  Eigen::Matrix<double, 3, 6> J;
  J << Mat3::Identity(), (Mat3() << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0).finished();
  const Mat6 K = J.transpose() * stiffness.asDiagonal() * J;
  const wave_load::Mat6c expected = Complex(1, frequency * damping_time) * K.cast<Complex>();
  EXPECT_LT((felt({Frame{1, {}}}) - expected).norm(), 1e-9 * expected.norm());
}

TEST_F(TiedHulls, MotionsAreInAxesOfTheHeading) {
  bodies({afloat("barge", Vec3::Zero(), M_PI / 2, 1e6)});
  tie(Frame{}, point(1, Vec3::Zero()), Vec3::Zero(), Vec3(k, 0, 0));
  const wave_load::Mat6c found = felt({Frame{1, {}}});
  EXPECT_LT(std::abs(found(1, 1) - dynamic(k)), 1e-6 * k) << "along x of the world is sway";
  EXPECT_LT(std::abs(found(0, 0)), 1e-6 * k);
}

// Two springs in a row: that of the tie and the water that holds the other hull.
TEST_F(TiedHulls, AnotherHullGivesWay) {
  bodies({afloat("barge", Vec3::Zero(), 0, 1e6), afloat("ship", Vec3(0, 30, 0), 0, 2e6)});
  tie(point(1, Vec3::Zero()), point(2, Vec3::Zero()), Vec3(0, 30, 0), Vec3(k, k, k));
  const Complex water(-3e5, 8e4), tie_alone = dynamic(k);
  const wave_load::Mat6c found = felt({Frame{1, {}}, Frame{2, {}}}, water);
  for (int i = 0; i < 3; ++i) EXPECT_LT(std::abs(found(i, i) - tie_alone * water / (tie_alone + water)), 1e-9 * k) << i;
}

TEST_F(TiedHulls, ABodyBesideItHasItsMass) {
  constexpr double mass = 5e4;
  bodies({afloat("barge", Vec3::Zero(), 0, 1e6), afloat("pontoon", Vec3(50, 0, 0), 0, mass)});
  tie(point(1, Vec3::Zero()), point(2, Vec3::Zero()), Vec3(50, 0, 0), Vec3(k, k, k));
  const Complex beyond = -frequency * frequency * mass, near = dynamic(k);
  const wave_load::Mat6c found = felt({Frame{1, {}}});
  for (int i = 0; i < 3; ++i) EXPECT_LT(std::abs(found(i, i) - near * beyond / (near + beyond)), 1e-9 * k) << i;
}

TEST_F(TiedHulls, ABodyBesideItHasItsOwnLines) {
  constexpr double mass = 5e4, anchored = 0.2 * k;
  bodies({afloat("barge", Vec3::Zero(), 0, 1e6), afloat("buoy", Vec3(50, 0, 0), 0, mass)});
  tie(Frame{}, point(2, Vec3::Zero()), Vec3(50, 0, 0), Vec3::Constant(anchored));
  tie(point(1, Vec3::Zero()), point(2, Vec3::Zero()), Vec3(50, 0, 0), Vec3::Constant(k));
  const Complex beyond = dynamic(anchored) - frequency * frequency * mass, near = dynamic(k);
  const wave_load::Mat6c found = felt({Frame{1, {}}});
  for (int i = 0; i < 3; ++i) EXPECT_LT(std::abs(found(i, i) - near * beyond / (near + beyond)), 1e-9 * k) << i;
}

TEST_F(TiedHulls, WhatStandsOnAHullIsPartOfIt) {
  Body deck = afloat("load", Vec3(0, 0, 5), 0, 1e4);
  deck.on = "barge";
  deck.joint.kind = JointKind::fixed;
  bodies({afloat("barge", Vec3::Zero(), 0, 1e6), deck});
  tie(point(1, Vec3::Zero()), point(2, Vec3::Zero()), Vec3(0, 0, 5), Vec3(k, k, k));
  EXPECT_FALSE(Ties(parts, {Frame{1, {}}}, nullptr).tied(0)) << "sea fastening is no mooring";
}

}  // namespace
}  // namespace davit::vessel
