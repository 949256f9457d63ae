// Control of a crane's tip by computed torque: on a base that moves, with a load that swings.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/math/constants.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/solve/equilibrium.hpp"

namespace davit {
namespace {

// A crane on a float that rolls, pitches and yaws on springs, knocked at the start.
std::string crane(const std::string& control, const std::string& rest) {
  return "davit: 1\ntitle: test\n"
         "bodies:\n"
         "  float: {joint: roll_pitch_yaw, mass: 40 t, box: {size: [12 m, 6 m, 3 m]}, start: {roll: 3 deg, "
         "roll_rate: 0.1 rad/s, yaw_rate: -0.15 rad/s}}\n"
         "  king: {on: float, at: [1 m, 0, 2 m], joint: {revolute: z}, mass: 3 t, centre: [0, 0, 1 m], cylinder: "
         "{radius: 0.5 m, length: 2 m}}\n"
         "  inner: {on: king, at: [0, 0, 2 m], joint: {revolute: -x}, mass: 2 t, centre: [0, -2 m, 0], cylinder: "
         "{radius: 0.3 m, length: 4 m, axis: y}, start: {angle: 60 deg}}\n"
         "  outer: {on: inner, at: [0, -4 m, 0], joint: {revolute: -x}, mass: 1 t, centre: [0, -2 m, 0], cylinder: "
         "{radius: 0.3 m, length: 4 m, axis: y}, start: {angle: -70 deg}, points: {tip: [0, -4 m, 0]}}\n"
         "  load: {on: outer, at: [0, -4 m, 0], joint: {universal: [x, y]}, mass: 2 t, centre: [0, 0, -5 m], start: "
         "{angle1: 20 deg, angle2: 10 deg}}\n"
         "forces:\n"
         "  roll: {joint_spring: {joint: float.roll, stiffness: 1e6 N m/rad}}\n"
         "  pitch: {joint_spring: {joint: float.pitch, stiffness: 2e6 N m/rad}}\n"
         "  yaw: {joint_spring: {joint: float.yaw, stiffness: 2e6 N m/rad}}\n"
         "control: {tip: {tip: {point: outer.tip, joints: [king, inner, outer], " +
         control + "}}}\n" + rest;
}

struct Lab {
  input::Problems problems;
  std::optional<Scenario> scenario;
  std::optional<System> system;
  std::unique_ptr<Stepper> stepper;
  State state;

  Lab(const std::string& control, const std::string& rest) {
    scenario = parse_scenario(crane(control, rest), "test.yaml", problems);
    if (!scenario) return;
    system.emplace(*scenario->model);
    stepper = scenario->make_stepper();
    state = scenario->initial_state();
    system->commit(state);
  }
  bool step(double h) {
    if (!stepper->step(*system, state, h).ok) return false;
    system->commit(state);
    return true;
  }
  double operator[](const std::string& name) {
    system->evaluate(state);
    for (const Channel& c : scenario->model->channels())
      if (c.name == name) return c.value(state, system->workspace());
    ADD_FAILURE() << "no channel " << name;
    return NAN;
  }
  Vec3 error() { return {(*this)["tip.error_x"], (*this)["tip.error_y"], (*this)["tip.error_z"]}; }
};

// Where the error begins with e₀ and ė₀: e = exp(−ζωt)(e₀ cos ω_d t + (ė₀ + ζω e₀)/ω_d sin ω_d t).
TEST(TipControl, ErrorDecaysAsWanted) {
  constexpr double period = 2, damping = 0.6, h = 0.0025;
  Lab lab("period: 2 s, damping: 0.6, from: [1.2 m, -5.5 m, 6 m]", "run: {duration: 10 s, step: 2.5 ms}\n");
  ASSERT_TRUE(lab.scenario) << lab.problems.to_text();
  EXPECT_EQ(lab.scenario->method, "rk4");
  const Vec3 e0 = lab.error();
  EXPECT_GT(e0.norm(), 0.5);
  // ė₀ = Rᵀ(v − ω × ε), all of it from the motion of the float.
  const Kin& kin = lab.system->workspace().kin;
  const auto float_frame = lab.scenario->body_frames[0];
  const auto& base = kin.body[static_cast<size_t>(float_frame.body)];
  const Mat3 R = rotation(kin, float_frame);
  Frame tip = lab.scenario->body_frames[3];
  tip.offset.p = tip.offset * Vec3(0, -4, 0);
  const Vec3 rate0 = R.transpose() * (velocity(kin, tip) - base.w.cross(Vec3(R * e0)));
  const double w = 2 * pi / period, wd = w * std::sqrt(1 - damping * damping);
  for (int n = 1; n <= 1200; ++n) {
    ASSERT_TRUE(lab.step(h));
    if (n % 100) continue;
    const double t = lab.state.t;
    const Vec3 exact =
        std::exp(-damping * w * t) * (e0 * std::cos(wd * t) + (rate0 + damping * w * e0) / wd * std::sin(wd * t));
    EXPECT_LT((lab.error() - exact).norm(), 1e-8) << t;
  }
}

TEST(TipControl, TipFollowsItsMovesThroughSwingAndRoll) {
  Lab lab("period: 2 s",
          "operation: [{at: 0.5 s, over: 2 s, move: {tip.z: 0.5 m, tip.x: -0.3 m}}]\n"
          "run: {duration: 10 s, step: 5 ms}\n");
  ASSERT_TRUE(lab.scenario) << lab.problems.to_text();
  const Vec3 start(lab["outer.tip.x"], lab["outer.tip.y"], lab["outer.tip.z"]);
  while (lab.state.t < 6) ASSERT_TRUE(lab.step(0.005));
  // The float was moving at the start, so the tip was too: what is left of that after 6 s, e^{-3·6}, is 1e-8.
  EXPECT_NEAR(lab["outer.tip.x"], start.x() - 0.3, 1e-6);
  EXPECT_NEAR(lab["outer.tip.y"], start.y(), 1e-6);
  EXPECT_NEAR(lab["outer.tip.z"], start.z() + 0.5, 1e-6);
  EXPECT_GT(std::abs(lab["load.swing_x"]), 0.05);
}

// The power of the drives is what the energy of the whole gains.
TEST(TipControl, DrivesDoTheWorkThatEnergyGains) {
  Lab lab("period: 2 s",
          "operation: [{at: 0 s, over: 2 s, move: {tip.z: 0.5 m}}]\nrun: {duration: 10 s, step: 2 ms}\n");
  ASSERT_TRUE(lab.scenario) << lab.problems.to_text();
  lab.system->evaluate(lab.state);
  const double before = lab.system->energy(lab.state).total();
  double work = 0, last = lab.system->energy(lab.state).power;
  for (int n = 0; n < 1000; ++n) {
    ASSERT_TRUE(lab.step(0.002));
    lab.system->evaluate(lab.state);
    const double power = lab.system->energy(lab.state).power;
    work += 0.001 * (last + power);
    last = power;
  }
  lab.system->evaluate(lab.state);
  const double gained = lab.system->energy(lab.state).total() - before;
  EXPECT_GT(gained, 1e4);
  EXPECT_NEAR(work, gained, 2e-5 * gained);
}

TEST(TipControl, LimitedDrivesMissTheTip) {
  Lab free("period: 2 s", "run: {duration: 10 s, step: 5 ms}\n");
  Lab limited("period: 2 s, limit: 60 kN m", "run: {duration: 10 s, step: 5 ms}\n");
  ASSERT_TRUE(free.scenario && limited.scenario) << limited.problems.to_text();
  EXPECT_GT(std::abs(free["tip.inner.torque"]), 60e3);
  EXPECT_DOUBLE_EQ(std::abs(limited["tip.inner.torque"]), 60e3);
  for (int n = 0; n < 100; ++n) ASSERT_TRUE(free.step(0.005) && limited.step(0.005));
  EXPECT_GT(limited.error().norm(), 10 * free.error().norm());
}

TEST(TipControl, SampledDrivesHoldTheirTorques) {
  Lab lab("period: 2 s, sample_time: 50 ms", "run: {duration: 10 s, step: 5 ms}\n");
  ASSERT_TRUE(lab.scenario) << lab.problems.to_text();
  double held = lab["tip.inner.torque"];
  for (int n = 1; n <= 60; ++n) {
    ASSERT_TRUE(lab.step(0.005));
    const double now = lab["tip.inner.torque"];
    if (n % 10 == 0)
      EXPECT_NE(now, held) << n;
    else
      EXPECT_EQ(now, held) << n;
    held = now;
  }
  Lab odd("period: 2 s, sample_time: 12 ms", "run: {duration: 10 s, step: 5 ms}\n");
  EXPECT_FALSE(odd.scenario);
  EXPECT_NE(odd.problems.to_text().find("not a whole number of steps"), std::string::npos) << odd.problems.to_text();
}

// Arms of four metres each.
TEST(TipControl, ATargetOutOfReachIsAMistakeWithTheReach) {
  const Lab far("period: 2 s",
                "operation: [{at: 0.5 s, over: 2 s, move: {tip.z: 6 m}}]\nrun: {duration: 6 s, step: 2 ms}\n");
  EXPECT_FALSE(far.scenario);
  EXPECT_NE(far.problems.to_text().find("at 2.5 s the tip shall be at ("), std::string::npos) << far.problems.to_text();
  EXPECT_NE(far.problems.to_text().find("and the crane reaches 10 m"), std::string::npos) << far.problems.to_text();
  const Lab from("period: 2 s, from: [0, -20 m, 5 m]", "run: {duration: 6 s, step: 2 ms}\n");
  EXPECT_FALSE(from.scenario);
  EXPECT_NE(from.problems.to_text().find("at 0 s the tip shall be at (0, -20, 5) m"), std::string::npos);
}

// Errors of the tip and of the float against rk4 with a small step, at two steps.
TEST(TipControl, ImplicitMethodsHaveTheirOrder) {
  const auto end = [](const std::string& method, int steps) {
    Lab lab("period: 2 s, from: [1.2 m, -5.5 m, 6 m]", "run: {duration: 10 s, step: 5 ms, method: " + method + "}\n");
    EXPECT_TRUE(lab.scenario) << lab.problems.to_text();
    for (int n = 0; n < steps; ++n) EXPECT_TRUE(lab.step(1.0 / steps));
    return lab.state.q;
  };
  const VecX exact = end("rk4", 800);
  for (const auto& [method, order] : std::vector<std::pair<std::string, double>>{
           {"conserving", 2}, {"midpoint", 2}, {"generalised_alpha", 2}, {"implicit_euler", 1}}) {
    const double coarse = (end(method, 50) - exact).norm(), fine = (end(method, 100) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.2) << method << ": " << coarse << ", " << fine;
  }
}

// Forces that are cut or held act in an implicit step as in an explicit one. Cut ones are those that would have done
// for the whole step, so they come with an error of the first order.
TEST(TipControl, LimitedAndSampledDrivesAreTheSameInImplicitSteps) {
  for (const std::string control : {"period: 2 s, limit: 60 kN m", "period: 2 s, sample_time: 50 ms"}) {
    const auto end = [&](const std::string& method, int steps) {
      Lab lab(control, "run: {duration: 10 s, step: 1 ms, method: " + method + "}\n");
      EXPECT_TRUE(lab.scenario) << lab.problems.to_text();
      for (int n = 0; n < steps; ++n) EXPECT_TRUE(lab.step(0.5 / steps));
      return lab.state.q;
    };
    const VecX exact = end("rk4", 2000);
    const double coarse = (end("conserving", 250) - exact).norm(), fine = (end("conserving", 500) - exact).norm();
    EXPECT_LT(fine, 0.55 * coarse) << control;
    EXPECT_LT(fine, 1e-4) << control;
  }
}

// A load on a rope that swings under a tip which must not.
TEST(TipControl, HoldsTheTipWithARope) {
  const std::string text =
      "davit: 1\ntitle: test\n"
      "bodies:\n"
      "  king: {at: [0, 0, 2 m], joint: {revolute: z}, mass: 3 t, centre: [0, 0, 1 m], cylinder: {radius: 0.5 m, "
      "length: "
      "2 m}}\n"
      "  inner: {on: king, at: [0, 0, 2 m], joint: {revolute: -x}, mass: 2 t, centre: [0, -2 m, 0], cylinder: {radius: "
      "0.3 m, length: 4 m, axis: y}, start: {angle: 60 deg}}\n"
      "  outer: {on: inner, at: [0, -4 m, 0], joint: {revolute: -x}, mass: 1 t, centre: [0, -2 m, 0], cylinder: "
      "{radius: "
      "0.3 m, length: 4 m, axis: y}, start: {angle: -70 deg}, points: {tip: [0, -4 m, 0]}}\n"
      "  load: {at: [1 m, -5.9392 m, 3 m], joint: free, mass: 2 t, box: {size: [1 m, 1 m, 1 m]}, points: {eye: [0, 0, "
      "0.5 "
      "m]}}\n"
      "ropes:\n"
      "  hoist: {from: outer.tip, to: load.eye, tension: 19 kN, EA: 5 MN, damping: 50 ms}\n"
      "control: {tip: {tip: {point: outer.tip, joints: [king, inner, outer], period: 2 s}}}\n"
      "run: {duration: 10 s, step: 5 ms}\n";
  input::Problems problems;
  const auto scenario = parse_scenario(text, "test.yaml", problems);
  ASSERT_TRUE(scenario) << problems.to_text();
  EXPECT_EQ(scenario->method, "conserving");
  System system(*scenario->model);
  State state = scenario->initial_state();
  system.commit(state);
  const auto stepper = scenario->make_stepper();
  const auto channel = [&](const std::string& name) {
    system.evaluate(state);
    for (const Channel& c : scenario->model->channels())
      if (c.name == name) return c.value(state, system.workspace());
    ADD_FAILURE() << "no channel " << name;
    return 0.0;
  };
  const double start = channel("load.position_x");
  double moved = 0, most = 0;
  for (int n = 0; n < 800; ++n) {
    ASSERT_TRUE(stepper->step(system, state, 0.005).ok);
    system.commit(state);
    moved = std::max(moved, std::abs(channel("load.position_x") - start));
    for (const char* axis : {"tip.error_x", "tip.error_y", "tip.error_z"})
      most = std::max(most, std::abs(channel(axis)));
  }
  EXPECT_GT(moved, 1);  // it swings by as much as it was aside
  EXPECT_LT(most, 1e-3);
}

TEST(TipControl, JointsStandStillInStatics) {
  Lab lab("period: 2 s", "run: {duration: 10 s, step: 5 ms, from_equilibrium: true}\n");
  ASSERT_TRUE(lab.scenario) << lab.problems.to_text();
  const Equilibrium rest = find_equilibrium(*lab.system, lab.state);
  ASSERT_TRUE(rest.converged) << rest.why;
  EXPECT_TRUE(rest.stable);
  for (const int q : {3, 4, 5}) EXPECT_DOUBLE_EQ(rest.state.q[q], lab.state.q[q]);
  // The load hangs plumb, and nothing moves when the run begins there.
  lab.state = rest.state;
  lab.system->commit(lab.state);
  EXPECT_NEAR(lab["load.swing_x"], 0, 1e-8);
  EXPECT_NEAR(lab["load.swing_y"], 0, 1e-8);
  lab.system->evaluate(lab.state);
  EXPECT_LT(lab.system->workspace().a.cwiseAbs().maxCoeff(), 1e-8);
}

TEST(TipControl, SaysWhatIsWrong) {
  const auto words = [](const std::string& control, const std::string& rest) {
    return Lab(control, rest + "run: {duration: 10 s, step: 5 ms}\n").problems.to_text();
  };
  input::Problems problems;
  std::string two = crane("period: 2 s", "run: {duration: 10 s, step: 5 ms}\n");
  two.replace(two.find("[king, inner, outer]"), 20, "[king, inner]");
  EXPECT_FALSE(parse_scenario(two, "test.yaml", problems));
  EXPECT_NE(problems.to_text().find("name three joints"), std::string::npos) << problems.to_text();
  EXPECT_NE(words("period: 0 s", "").find("period"), std::string::npos);
  EXPECT_NE(words("period: 2 s, base: shore", "").find("shore"), std::string::npos);
  EXPECT_NE(words("period: 2 s", "operation: [{at: 0 s, over: 1 s, move: {tip.z: 3 deg}}]\n").find("tip.z"),
            std::string::npos);
  // Stretched out, no drive moves the tip along the boom.
  std::string straight = crane("period: 2 s", "run: {duration: 10 s, step: 5 ms}\n");
  straight.replace(straight.find("-70 deg"), 7, "0 deg");
  input::Problems singular;
  EXPECT_TRUE(parse_scenario(straight, "test.yaml", singular));
  EXPECT_NE(singular.to_text().find("full reach"), std::string::npos) << singular.to_text();
  input::Problems implicit;
  EXPECT_FALSE(parse_scenario(crane("period: 2 s", "run: {duration: 10 s, step: 5 ms, method: minimal_extension}\n"),
                              "test.yaml", implicit));
  EXPECT_NE(implicit.to_text().find("cannot solve for the drives"), std::string::npos) << implicit.to_text();
}

}  // namespace
}  // namespace davit
