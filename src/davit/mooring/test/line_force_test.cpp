// A mooring line as a force on the bodies that hold its ends.
#include <gtest/gtest.h>

#include "davit/cable/bar_line.hpp"
#include "davit/cable/catenary.hpp"
#include "davit/cable/quasi_static_line.hpp"
#include "davit/cable/spring_line.hpp"
#include "davit/mooring/test/held_line.hpp"

namespace davit::mooring {
namespace {

using test::anchor_at;
using test::HeldLine;
using test::kinematics;
using test::on_body;
using test::Placed;

// 100 kg/m in air and water that it does not displace, so that its weight is plain.
cable::Section heavy_rope(double length, int elements) {
  cable::Section s;
  s.length = length;
  s.elements = elements;
  s.EA = 5e8;
  s.mass = 100;
  s.diameter = 0.1;
  return s;
}
double weight_of(double length) { return length * 100 * cable::Surroundings{}.water.gravity; }

std::unique_ptr<const cable::LineModel> bars(double length, const cable::Winch& winch = {}) {
  return std::make_unique<cable::BarLine>(
      cable::Line({heavy_rope(length, 60)}, {}, {}, {}, {.tolerance = 1e-9}, winch));
}
std::unique_ptr<const cable::LineModel> bars_at_rest(double length, const cable::Winch& winch = {}) {
  return std::make_unique<cable::QuasiStaticLine>(
      cable::Line({heavy_rope(length, 60)}, {}, {}, {}, {.tolerance = 1e-9}, winch));
}
// 100 kN at 20 m, 50 kN/m.
std::unique_ptr<const cable::LineModel> spring() {
  return std::make_unique<cable::SpringLine>(cable::SpringLine::linear(5e4, 20, 1e5), 0);
}

const Placed apart{Vec3(0, 0, -80), Vec3(90, 20, -20)};

TEST(LineForce, AtRestIsThatOfTheCatenary) {
  const HeldLine line(bars(120), anchor_at(apart.a), on_body(2));
  const Vec3 pull = line.loads(apart)[2].f;
  const double span = (apart.b - apart.a).head<2>().norm();
  const auto exact = cable::hanging_catenary({120, weight_of(1), 5e8}, span, 60);
  ASSERT_TRUE(exact);
  EXPECT_NEAR(pull.head<2>().norm() / exact->H, 1, 2e-3);
  EXPECT_NEAR(-pull.z() / exact->V_upper, 1, 2e-3);
  EXPECT_NEAR(pull.x() / pull.y(), (apart.b - apart.a).x() / (apart.b - apart.a).y(), 1e-6) << "in its vertical plane";
}

TEST(LineForce, AtRestHangsWithAllItsWeightOnBothEnds) {
  const HeldLine line(bars(120), on_body(1), on_body(2));
  const std::vector<Wrench> w = line.loads(apart);
  EXPECT_LT((w[1].f + w[2].f - Vec3(0, 0, -weight_of(120))).norm(), 1e-6 * weight_of(120));
}

TEST(LineForce, ActsWhereItIsMadeFast) {
  const Vec3 bow(3, -4, 2);
  HeldLine line(bars(120), anchor_at(apart.a), on_body(2, bow));
  const Placed bodies{apart.a, apart.b - bow};
  const Wrench w = line.loads(bodies)[2];
  EXPECT_LT((w.n - bow.cross(w.f)).norm(), 1e-9 * w.f.norm());
  const HeldLine at_origin(bars(120), anchor_at(apart.a), on_body(2));
  EXPECT_LT((w.f - at_origin.loads(apart)[2].f).norm(), 1e-9 * w.f.norm());
}

// Forces by dual numbers at a time against central differences of them.
void expect_derivatives_of_differences(const HeldLine& line, const Placed& bodies, double t, double tolerance = 1e-6) {
  KinT<Dual8> kin = kinematics<Dual8>(bodies, t);
  for (int i = 0; i < 6; ++i) {
    Dual8& x = i < 3 ? kin.body[1].p[i] : kin.body[2].p[i - 3];
    x = Dual8::variable(x.value, i);
  }
  const auto work = line.force.make_work(Dual8{});
  LoadsT<Dual8> loads;
  loads.resize(3, 0, false);
  line.force.apply({kin, nullptr, nullptr, line.discrete, 0, work.get()}, loads, nullptr);
  constexpr double small = 1e-5;
  double largest = 0;
  for (const int body : {1, 2})
    for (int j = 0; j < 3; ++j)
      for (const double d : loads.wrench[static_cast<size_t>(body)].f[j].d) largest = std::max(largest, std::abs(d));
  for (int i = 0; i < 6; ++i) {
    Placed more = bodies, less = bodies;
    (i < 3 ? more.a : more.b)[i % 3] += small;
    (i < 3 ? less.a : less.b)[i % 3] -= small;
    const std::vector<Wrench> up = line.loads(more, t), down = line.loads(less, t);
    for (const size_t body : {1u, 2u})
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(loads.wrench[body].f[j].d[static_cast<size_t>(i)], (up[body].f[j] - down[body].f[j]) / (2 * small),
                    tolerance * largest)
            << "force " << j << " on body " << body << " by " << i;
  }
}

TEST(LineForce, AtRestHasTheDerivativesOfDifferences) {
  expect_derivatives_of_differences(HeldLine(bars(120), on_body(1), on_body(2)), apart, 0);
}

// The derivative of a step leaves out how drag and the damping of the material turn with the bars.
TEST(LineForce, InAStepHasTheDerivativesOfDifferences) {
  cable::Section plain = heavy_rope(120, 60);
  plain.damping_time = plain.diameter = 0;
  for (const bool damped : {false, true}) {
    auto model = bars(120);
    if (!damped) model = std::make_unique<cable::BarLine>(cable::Line({plain}, {}, {}, {}, {.tolerance = 1e-9}));
    HeldLine line(std::move(model), on_body(1), on_body(2));
    Placed bodies = apart;
    for (int i = 0; i < 5; ++i) {
      line.commit(bodies, 0.02 * i);
      bodies.b += Vec3(0.01, 0.004, -0.006);
    }
    expect_derivatives_of_differences(line, bodies, 0.1, damped ? 3e-4 : 1e-6);
  }
}

TEST(LineForce, OverAStepIsTheMeanOfThoseAtItsEnds) {
  HeldLine line(bars(120), on_body(1), on_body(2));
  line.commit(apart, 0);
  Placed before = apart;
  for (int i = 1; i <= 5; ++i) {
    Placed after = before;
    after.b += Vec3(0.02, -0.01, 0.03);
    const double t = 0.02 * (i - 1), h = 0.02;
    const std::vector<Wrench> start = line.loads(before, t), end = line.loads(after, t + h),
                              step = line.step_loads(before, after, t, h);
    for (const size_t body : {1u, 2u})
      EXPECT_LT((step[body].f - 0.5 * (start[body].f + end[body].f)).norm(), 1e-9 * end[body].f.norm()) << i;
    line.commit(after, t + h);
    before = after;
  }
}

// The second half of a step that was halved: nothing was committed in between.
TEST(LineForce, InALaterPartOfAStepBeginsWithWhatItHasComeTo) {
  HeldLine line(bars(120), on_body(1), on_body(2));
  line.commit(apart, 0);
  line.commit(apart, 0.02);
  Placed middle = apart, after = apart;
  middle.b += Vec3(0.02, -0.01, 0.03);
  after.b += Vec3(0.05, -0.02, 0.05);
  const std::vector<Wrench> half = line.loads(middle, 0.03), end = line.loads(after, 0.04),
                            step = line.step_loads(middle, after, 0.03, 0.01);
  for (const size_t body : {1u, 2u})
    EXPECT_LT((step[body].f - 0.5 * (half[body].f + end[body].f)).norm(), 1e-9 * end[body].f.norm());
}

TEST(LineForce, OfASpringPullsInProportionToItsWay) {
  HeldLine line(spring(), on_body(1), on_body(2));
  const auto pull = [&](double distance) {
    const std::vector<Wrench> w = line.loads({Vec3::Zero(), distance * Vec3(0.6, 0, 0.8)});
    EXPECT_LT((w[1].f + w[2].f).norm(), 1e-9) << distance;
    return -w[2].f.dot(Vec3(0.6, 0, 0.8));
  };
  EXPECT_NEAR(pull(20), 1e5, 1e-6);
  EXPECT_NEAR(pull(21), 1.5e5, 1e-6);
  EXPECT_NEAR(pull(17), 0, 1e-6);
}

// Trial states, half steps and derivatives look at a line without touching it.
TEST(LineForce, IsNotChangedByBeingLookedAt) {
  HeldLine line(bars(120), anchor_at(apart.a), on_body(2)), other(bars(120), anchor_at(apart.a), on_body(2));
  Placed next = apart, far = apart;
  next.b.x() += 0.05;
  far.b += Vec3(0.5, -0.3, 0.2);
  for (HeldLine* each : {&line, &other}) {
    each->commit(apart, 0);
    each->commit(apart, 0.02);
  }
  const DiscreteState before = line.discrete;
  line.loads(far, 0.04);
  line.loads(next, 0.03);
  line.loads(apart, 0.02);
  line.force.view(line.context(kinematics<double>(far, 0.05)));
  EXPECT_EQ(line.discrete, before);
  EXPECT_EQ(line.loads(next, 0.04)[2].f, other.loads(next, 0.04)[2].f) << "to the last bit";
}

TEST(LineForce, BreaksAtItsTime) {
  HeldLine line(bars(120), anchor_at(apart.a), on_body(2), LineBreak{.at = 0.05});
  EXPECT_EQ(line.force.breakpoints(), std::vector<double>{0.05});
  EXPECT_FALSE(line.commit(apart, 0));
  EXPECT_FALSE(line.commit(apart, 0.02));
  EXPECT_GT(line.loads(apart, 0.02)[2].f.norm(), 1e4);
  EXPECT_TRUE(line.commit(apart, 0.05)) << "the equations change";
  EXPECT_TRUE(line.force.broken(line.context(kinematics<double>(apart, 0.05))));
  EXPECT_EQ(line.loads(apart, 0.05)[2].f, Vec3::Zero());
  EXPECT_EQ(line.step_loads(apart, apart, 0.05, 0.01)[2].f, Vec3::Zero());
  EXPECT_FALSE(line.commit(apart, 0.06)) << "once";
  // It is weakest at the fairlead, which is higher: all of it is left at the anchor.
  const cable::LineView& view = line.force.view(line.context(kinematics<double>(apart, 0.06)));
  EXPECT_EQ(view.positions.size(), 61u);
  EXPECT_GT(view.tension_a, 1e4);
  EXPECT_EQ(line.force.broke_at(line.context(kinematics<double>(apart, 0.06))), 120);
}

// 60 bars of 2 m between two bodies that part at 80 m.
TEST(LineForce, ThatBrokeInsideIsTwoLines) {
  HeldLine line(bars(120), on_body(1), on_body(2), LineBreak{.at = 0.05, .along = 80.4});
  line.commit(apart, 0);
  line.commit(apart, 0.05);
  const auto context = [&](double t) { return line.context(kinematics<double>(apart, t)); };
  EXPECT_TRUE(line.force.broken(context(0.05)));
  EXPECT_EQ(line.force.broke_at(context(0.05)), 80);
  double t = 0.05;
  for (int i = 0; i < 8000; ++i) line.commit(apart, t += 0.25);
  const std::vector<Wrench> w = line.loads(apart, t);
  EXPECT_NEAR(-w[1].f.z() / weight_of(80), 1, 1e-6);
  EXPECT_NEAR(-w[2].f.z() / weight_of(40), 1, 1e-6);
  EXPECT_LT(w[1].f.head<2>().norm() + w[2].f.head<2>().norm(), 1e-3 * weight_of(120));
  Polyline drawn;
  line.force.draw(context(t), drawn);
  ASSERT_EQ(drawn.vertices.size(), 62u);
  for (size_t i = 0; i < drawn.vertices.size(); ++i) EXPECT_EQ(drawn.vertices[i].gap_after, i == 40) << i;
  EXPECT_NEAR((drawn.vertices[40].at - (apart.a - Vec3(0, 0, 80))).norm(), 0, 0.2);
  EXPECT_NEAR((drawn.vertices[41].at - (apart.b - Vec3(0, 0, 40))).norm(), 0, 0.2);
}

TEST(LineForce, ThatBrokeInsideHasTheDerivativesOfDifferences) {
  HeldLine line(bars(120), on_body(1), on_body(2), LineBreak{.at = 0.05, .along = 80});
  for (int i = 0; i <= 4000; ++i) line.commit(apart, 0.1 * i);
  expect_derivatives_of_differences(line, apart, 400.1);
}

// All that is needed is in the state: another line with the same goes on to the last bit.
TEST(LineForce, ThatBrokeGoesOnFromItsState) {
  const auto made = [] {
    return HeldLine(bars(120), anchor_at(apart.a), on_body(2), LineBreak{.at = 0.05, .along = 80});
  };
  HeldLine line = made(), other = made();
  for (int i = 0; i <= 10; ++i) line.commit(apart, 0.02 * i);
  other.discrete = line.discrete;
  for (int i = 11; i <= 20; ++i)
    for (HeldLine* each : {&line, &other}) each->commit(apart, 0.02 * i);
  EXPECT_EQ(line.discrete, other.discrete);
  EXPECT_EQ(line.loads(apart, 0.42)[2].f, other.loads(apart, 0.42)[2].f);
  EXPECT_GT(line.loads(apart, 0.42)[2].f.norm(), 1e4);
}

TEST(LineForce, BreaksAboveItsTension) {
  HeldLine line(spring(), on_body(1), on_body(2), LineBreak{.above = 1.6e5});
  const auto at = [](double distance) { return Placed{Vec3::Zero(), Vec3(distance, 0, 0)}; };
  const auto comes = [&](double distance, double t) {
    return line.force.instant_has_come(line.context(kinematics<double>(at(distance), t)));
  };
  EXPECT_TRUE(line.force.has_instants());
  line.commit(at(20), 0);
  line.commit(at(20), 0.01);
  EXPECT_FALSE(comes(21.19, 0.02));
  EXPECT_TRUE(comes(21.21, 0.02));
  EXPECT_FALSE(line.commit(at(21.19), 0.02));
  EXPECT_TRUE(line.commit(at(21.21), 0.03));
  EXPECT_EQ(line.loads(at(21.21), 0.03)[2].f, Vec3::Zero());
  EXPECT_FALSE(comes(30, 0.04));
}

TEST(LineForce, IsNotBrokenByTheSearchForAnEquilibrium) {
  HeldLine line(spring(), on_body(1), on_body(2), LineBreak{.above = 1.6e5});
  EXPECT_FALSE(line.commit({Vec3::Zero(), Vec3(25, 0, 0)}, 0));
  EXPECT_FALSE(line.commit({Vec3::Zero(), Vec3(20, 0, 0)}, 0));
  EXPECT_NEAR(line.loads({Vec3::Zero(), Vec3(20, 0, 0)})[2].f.norm(), 1e5, 1e-6);
}

TEST(LineForce, LetsGoWhenItIsToldTo) {
  SignalMotions signals;
  Motion connected(1);
  connected.jump(0.05, 0);
  signals.add(connected);
  HeldLine line(spring(), on_body(1), on_body(2), LineBreak{}, std::nullopt, Signal(0));
  const Placed bodies{Vec3::Zero(), Vec3(20, 0, 0)};
  for (const double t : {0.0, 0.02, 0.04}) EXPECT_FALSE(line.commit(kinematics<double>(bodies, t, &signals)));
  EXPECT_NEAR(line.loads(kinematics<double>(bodies, 0.04, &signals))[2].f.norm(), 1e5, 1e-6);
  EXPECT_TRUE(line.commit(kinematics<double>(bodies, 0.05, &signals)));
  EXPECT_EQ(line.loads(kinematics<double>(bodies, 0.05, &signals))[2].f, Vec3::Zero());
}

// Slack below a tenth of the tension at rest, and then above that at rest.
TEST(LineForce, CountsHowOftenItSnaps) {
  HeldLine line(spring(), on_body(1), on_body(2));
  double t = 0;
  const auto go_to = [&](double tension) {
    const Placed bodies{Vec3::Zero(), Vec3(20 + (tension - 1e5) / 5e4, 0, 0)};
    line.commit(bodies, t += 0.01);
    return line.force.snaps(line.context(kinematics<double>(bodies, t)));
  };
  line.commit({Vec3::Zero(), Vec3(20, 0, 0)}, 0);
  EXPECT_EQ(go_to(1e5), 0);
  EXPECT_EQ(go_to(1.1e4), 0);
  EXPECT_EQ(go_to(2e5), 0) << "it was not slack";
  EXPECT_EQ(go_to(0.9e4), 0);
  EXPECT_EQ(go_to(0.9e5), 0) << "not taut yet";
  EXPECT_EQ(go_to(1.1e5), 1);
  EXPECT_EQ(go_to(1.5e5), 1) << "once";
  EXPECT_EQ(go_to(0), 1);
  EXPECT_EQ(go_to(1.2e5), 2);
}

TEST(LineForce, OnAWinchIsAsLongAsThatPaysOut) {
  const cable::Winch winch{-10, 20};
  SignalMotions signals;
  signals.add(Motion(0).move(1, 8, 6));  // 6 m between 1 and 9 s
  HeldLine line(bars_at_rest(120, winch), anchor_at(apart.a), on_body(2), LineBreak{}, Signal(0));
  EXPECT_TRUE(line.force.winched());
  for (int i = 0; i <= 100; ++i) line.commit(kinematics<double>(apart, 0.1 * i, &signals));
  const double span = (apart.b - apart.a).head<2>().norm();
  const auto exact = cable::hanging_catenary({126, weight_of(1), 5e8}, span, 60);
  ASSERT_TRUE(exact);
  const Vec3 pull = line.loads(kinematics<double>(apart, 10, &signals))[2].f;
  EXPECT_NEAR(pull.head<2>().norm() / exact->H, 1, 2e-3);
  EXPECT_NEAR(-pull.z() / exact->V_upper, 1, 2e-3);
}

TEST(LineForce, CarriesTheLargerOfItsEnds) {
  const HeldLine line(bars(120), on_body(1), on_body(2));
  const std::vector<Wrench> w = line.loads(apart);
  EXPECT_EQ(line.force.carried(line.context(kinematics<double>(apart, 0))), w[2].f.norm()) << "the upper one";
}

// A body that was put elsewhere between steps: the line is at rest there.
TEST(LineForce, ComesToRestWhereItsEndsWerePut) {
  HeldLine line(bars(120), anchor_at(apart.a), on_body(2));
  line.commit(apart, 0);
  Placed moved = apart;
  moved.b += Vec3(0.2, 0.1, 0);
  line.commit(moved, 0.05);
  line.force.come_to_rest(line.discrete, 0);
  const HeldLine rest(bars(120), anchor_at(apart.a), on_body(2));
  const Vec3 expected = rest.loads(moved)[2].f;
  EXPECT_LT((line.loads(moved, 0.05)[2].f - expected).norm(), 1e-5 * expected.norm());
}

}  // namespace
}  // namespace davit::mooring
