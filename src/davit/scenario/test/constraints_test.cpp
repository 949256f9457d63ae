// Constraints as a file has them: what they hold, what their channels say, and contradictions that are named.
#include "davit/scenario/test/support.hpp"

namespace davit::test {
namespace {

// A scenario brought onto its constraints and evaluated.
struct Lift {
  Scenario scenario;
  System system;
  State state;
  explicit Lift(const std::string& text, double t = 0)
      : scenario(read_lift(text)), system(*scenario.model), state(scenario.model->initial_state()) {
    state.t = t;
    EXPECT_TRUE(system.satisfy_constraints(state));
    EXPECT_TRUE(system.evaluate(state));
  }
  double channel(const std::string& name) const {
    for (const Channel& c : scenario.channels)
      if (c.name == name) return c.value(state, system.workspace());
    ADD_FAILURE() << "no channel " << name;
    return 0;
  }
};

constexpr const char* wheels =
    "  motor: {joint: {revolute: z}, inertia: [1, 1, 2], mass: 1}\n"
    "  drum: {joint: {revolute: z}, at: [3 m, 0, 0], inertia: [4, 4, 5], mass: 1}\n";

TEST(Gear, IsTheModelOfOneCoordinate) {
  // α₁ = T/(I₁ + r² I₂); the second wheel needs I₂ r α₁, and the first carries -r times that.
  const Lift l(lift(wheels,
                    "constraints: {g: {gear: {joints: [motor, drum], ratio: -0.25}}}\n"
                    "forces: {t: {wrench: {on: motor, moment: [0, 0, 7 N m]}}}"));
  const double alpha = 7 / (2 + 0.0625 * 5);
  EXPECT_NEAR(l.system.workspace().a[0], alpha, 1e-14);
  EXPECT_NEAR(l.system.workspace().a[1], -0.25 * alpha, 1e-14);
  EXPECT_NEAR(l.channel("g.drum.torque"), -0.25 * 5 * alpha, 1e-13);
  EXPECT_NEAR(l.channel("g.motor.torque"), -0.0625 * 5 * alpha, 1e-13);
  EXPECT_EQ(l.scenario.degrees_of_freedom, 1);
}

TEST(Gear, ARackHasALengthPerAngle) {
  const Lift l(
      lift("  motor: {joint: {revolute: z}, inertia: [1, 1, 2], mass: 1, start: {angle: 30 deg}}\n"
           "  rack: {joint: {prismatic: x}, mass: 5 kg, start: {travel: 2 m}}\n",
           "constraints: {g: {gear: {joints: [motor, rack], ratio: 100 mm/rad}}}\n"
           "forces: {f: {wrench: {on: rack, force: [3 N, 0, 0]}}}"));
  EXPECT_NEAR(l.system.workspace().a[1], 3 / (5 + 2 / 0.01), 1e-15);
  EXPECT_NEAR(l.channel("g.motor.torque"), 2 * l.system.workspace().a[0], 1e-14);
}

TEST(Motion, DrivesAJointExactly) {
  const Lift l(lift(wheels,
                    "constraints: {g: {gear: {joints: [motor, drum], ratio: 2}}, drive: {motion: {joint: motor}}}\n"
                    "operation:\n  - {at: 0 s, over: 1 s, move: {motor: 0.5 rad}}"),
               0.2);
  Motion motion(0);
  motion.move(0, 1, 0.5);
  EXPECT_NEAR(l.state.q[0], motion.value(0.2), 1e-15);
  EXPECT_NEAR(l.state.q[1], 2 * motion.value(0.2), 1e-15);
  EXPECT_NEAR(l.state.u[1], 2 * motion.derivative(1, 0.2), 1e-14);
  EXPECT_NEAR(l.channel("drive.force"), (2 + 4 * 5) * motion.derivative(2, 0.2), 1e-12);
  EXPECT_EQ(l.scenario.degrees_of_freedom, 0);
}

TEST(Speed, IsHeldWhereverTheJointIs) {
  const Lift l(lift(wheels,
                    "constraints: {s: {speed: {joint: drum, speed: 3 rpm}}}\n"
                    "forces: {d: {joint_damper: {joint: drum, damping: 4 N m s/rad}}}"));
  EXPECT_NEAR(l.state.u[1], 0.1 * M_PI, 1e-15);
  EXPECT_NEAR(l.channel("s.force"), 0.4 * M_PI, 1e-14);  // against the damper
  EXPECT_EQ(l.state.q[1], 0);
}

TEST(Universal, HoldsThePointsAndTheCross) {
  const Lift l(
      lift("  shaft: {joint: {revolute: x}, mass: 1, inertia: [1, 1, 1]}\n"
           "  yoke: {joint: free, mass: 2, inertia: [1, 1, 1], start: {yaw: 20 deg}}\n",
           "constraints: {cross: {universal: {from: shaft, to: yoke, axis: z, second_axis: y}}}"));
  EXPECT_EQ(l.scenario.degrees_of_freedom, 3);
  EXPECT_NEAR(l.channel("cross.reaction.Fz"), 2 * 9.80665, 1e-10);
}

// A door that hangs on two hinges' worth of one hinge: rigid, yielding, and with only the rotations yielding.
std::string door(const std::string& keys) {
  return lift("  door: {joint: free, mass: 10, centre: [0.5 m, 0, 0], inertia: [1, 1, 1]}\n",
              "constraints: {pin: {hinge: {from: world, to: door" + keys + "}}}");
}

TEST(Compliance, ReactionsAreThoseOfTheLaws) {
  const Lift rigid(door(""));
  EXPECT_EQ(rigid.scenario.degrees_of_freedom, 1);
  EXPECT_NEAR(rigid.channel("pin.reaction.Fz"), 98.0665, 1e-10);
  EXPECT_NEAR(rigid.channel("pin.reaction.My"), -0.5 * 98.0665, 1e-10);
  // Displaced by hand to where the springs carry the weight.
  Lift soft(door(", compliance: 1e-6 m/N, angular_compliance: 1e-7 rad/N/m, damping: 100 N s/m"));
  EXPECT_EQ(soft.scenario.degrees_of_freedom, 6);
  EXPECT_EQ(soft.channel("pin.reaction.Fz"), 0);
  soft.state.q[6] = -98.0665e-6;
  ASSERT_TRUE(soft.system.evaluate(soft.state));
  EXPECT_NEAR(soft.channel("pin.reaction.Fz"), 98.0665, 1e-8);
  EXPECT_NEAR(soft.channel("pin.reaction.Fx"), 0, 1e-8);
  // Zero holds exactly, beside rotations that yield.
  const Lift mixed(door(", compliance: 0, angular_compliance: 1e-7"));
  EXPECT_EQ(mixed.scenario.degrees_of_freedom, 3);
}

TEST(Conflicts, RedundantMotionsThatAgreeAreNone) {
  const Scenario s = read_lift(lift(
      wheels,
      "constraints: {g: {gear: {joints: [motor, drum], ratio: 2}}, a: {motion: {joint: motor}}, b: {motion: {joint: "
      "drum}}}\noperation:\n  - {at: 0.1 s, over: 0.5 s, move: {motor: 0.5 rad, drum: 1 rad}}"));
  EXPECT_EQ(s.degrees_of_freedom, 0);
}

}  // namespace
}  // namespace davit::test
