// Constraints as a file has them: what they hold, what their channels say, and contradictions that are named.
#include "davit/scenario/test/support.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/solve/vibration.hpp"

namespace davit::test {
namespace {

// A scenario brought onto its constraints and evaluated.
struct Lift {
  Scenario scenario;
  System system;
  State state;
  explicit Lift(const std::string& text, double t = 0)
      : scenario(read_lift(text)), system(*scenario.model), state(scenario.initial_state()) {
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

// Held together as they are at the start, also where the points that are named are apart.
TEST(Fixed, HoldsBodiesAsTheyAreAtTheStart) {
  const Lift l(
      lift("  load: {joint: free, at: [3 m, 0, 1 m], mass: 2, inertia: [1, 1, 1], start: {yaw: 20 deg},"
           " points: {eye: [0, 0, 0.5 m]}}\n",
           "constraints: {lashing: {fixed: {from: world, to: load.eye}}}"));
  EXPECT_EQ(l.scenario.degrees_of_freedom, 0);
  EXPECT_NEAR(l.channel("load.position_x"), 3, 1e-12);
  EXPECT_NEAR(l.channel("load.position_z"), 1, 1e-12);
  EXPECT_NEAR(l.channel("lashing.reaction.Fz"), 2 * 9.80665, 1e-10);
  EXPECT_NEAR(l.channel("lashing.reaction.My"), 0, 1e-10);  // about the eye, above the centre
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

// The boom of scenarios/luffing_cylinder.yaml without its load, on a spring in the cylinder: one degree of freedom.
constexpr const char* luffing =
    "  boom: {joint: {revolute: -y}, mass: 3 t, centre: [6 m, 0, 0], cylinder: {radius: 0.4 m, length: 12 m, axis: x},"
    " start: {angle: 30 deg}, points: {pin: [3 m, 0, -0.4 m]}}\n"
    "  cylinder: {at: [2 m, 0, -1.5 m], joint: {revolute: -y}, mass: 300 kg, centre: [0.6 m, 0, 0],"
    " cylinder: {radius: 0.15 m, length: 1.5 m, axis: x}, start: {angle: 1.278648 rad}}\n"
    "  piston: {on: cylinder, joint: {prismatic: x}, mass: 150 kg, centre: [-0.5 m, 0, 0],"
    " cylinder: {radius: 0.1 m, length: 1.5 m, axis: x}, start: {travel: 2.771004 m}}\n";

TEST(StaticsOfFiles, ALuffingBoomIsItsReducedModel) {
  Lift l(lift(luffing,
              "constraints: {rod_end: {ball: {from: boom.pin, to: piston}}}\n"
              "forces: {oil: {joint_spring: {joint: piston, stiffness: 2 MN/m, rest: 2.8 m}}}"));
  const Equilibrium rest = find_equilibrium(l.system, l.state);
  ASSERT_TRUE(rest.converged) << rest.why;
  EXPECT_TRUE(rest.stable);
  EXPECT_TRUE(rest.free_motions.empty());
  // Potential and kinetic energy along the one motion that is left, by the travel s: V'(s) = 0 and ω² = V''/m.
  const auto at = [&](double ds) {
    State s = rest.state;
    const Eigen::Index boom = 0, cylinder = 1, piston = 2;
    // Newton on the two other angles with the travel given.
    s.q[piston] += ds;
    const double travel = s.q[piston];
    const auto gap = [&](double a, double b) {
      State x = s;
      x.q[boom] = a, x.q[cylinder] = b, x.q[piston] = travel;
      l.system.rows_at(x);
      return Vec3(l.system.workspace().rows.g);
    };
    double a = s.q[boom], b = s.q[cylinder];
    for (int i = 0; i < 20; ++i) {
      const double h = 1e-6;
      const Vec3 g = gap(a, b), ga = (gap(a + h, b) - gap(a - h, b)) / (2 * h),
                 gb = (gap(a, b + h) - gap(a, b - h)) / (2 * h);
      Eigen::Matrix2d J;
      J << ga.x(), gb.x(), ga.z(), gb.z();
      const Eigen::Vector2d d = J.inverse() * Eigen::Vector2d(g.x(), g.z());
      a -= d[0], b -= d[1];
    }
    s.q[boom] = a, s.q[cylinder] = b;
    s.u.setZero();
    s.u[piston] = 1;
    EXPECT_TRUE(l.system.satisfy_constraints(s));
    s.u /= s.u[piston];
    EXPECT_TRUE(l.system.evaluate(s));
    return l.system.energy(s);
  };
  const double h = 1e-3;
  const Energy low = at(-h), middle = at(0), high = at(h);
  EXPECT_NEAR((high.potential - low.potential) / (2 * h), 0, 1e-1);  // of forces of 1e5 N
  const double stiffness = (high.potential - 2 * middle.potential + low.potential) / (h * h);
  const auto modes = vibration_modes(l.system, rest.state).modes;
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_NEAR(std::pow(2 * M_PI * modes[0].frequency, 2), stiffness / (2 * middle.kinetic),
              1e-5 * stiffness / (2 * middle.kinetic));
}

TEST(BearingFriction, GoesWithConstraints) {
  const std::string pinned = "constraints: {rod_end: {ball: {from: boom.pin, to: piston}}}\n";
  const Lift smooth(lift(luffing, pinned));
  const Lift rubbing(
      lift(luffing, pinned + "forces: {f: {bearing_friction: {joint: boom, coefficient: 0.2, radius: 0.2 m}}}"));
  // At rest there is a load and no friction yet.
  const Wrench& foot = smooth.system.workspace().transmitted[1];
  EXPECT_NEAR(rubbing.channel("f.load"), foot.f.norm(), 1e-9 * foot.f.norm());
  EXPECT_EQ(rubbing.channel("f.torque"), 0);
}

TEST(StaticsOfFiles, RodsCarryTheWeight) {
  // Six rods hold a plate; what they exert on it balances its weight, about any point.
  std::string rods, points;
  const double foot[6][3] = {{3, 0, 4}, {-3, 1, 4}, {0, 3, 4}, {1, -3, 4}, {4, 2, 0.5}, {-2, 4, 0.2}};
  const double lug[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, 1, 0.2}, {-1, 1, -0.1}};
  std::string feet;
  for (int i = 0; i < 6; ++i) {
    const auto number = [](double x) { return std::to_string(x); };
    points += (i ? ", p" : "p") + std::to_string(i) + ": [" + number(lug[i][0]) + ", " + number(lug[i][1]) + ", " +
              number(lug[i][2]) + "]";
    feet += "  foot" + std::to_string(i) + ": {at: [" + number(foot[i][0]) + ", " + number(foot[i][1]) + ", " +
            number(foot[i][2]) + "]}\n";
    rods += (i ? ", r" : "r") + std::to_string(i) + ": {rod: {from: foot" + std::to_string(i) + ", to: plate.p" +
            std::to_string(i) + "}}";
  }
  Lift l(lift(
      feet + "  plate: {joint: free, mass: 800 kg, centre: [0.2 m, 0.1 m, 0], inertia: [100, 120, 200], points: {" +
          points + "}}\n",
      "constraints: {" + rods + "}"));
  const Equilibrium rest = find_equilibrium(l.system, l.state);
  ASSERT_TRUE(rest.converged) << rest.why;
  l.state = rest.state;
  ASSERT_TRUE(l.system.evaluate(l.state));
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  for (int i = 0; i < 6; ++i) {
    const std::string name = "r" + std::to_string(i) + ".reaction.", point = "plate.p" + std::to_string(i) + ".";
    const Vec3 f(l.channel(name + "Fx"), l.channel(name + "Fy"), l.channel(name + "Fz"));
    const Vec3 at(l.channel(point + "x"), l.channel(point + "y"), l.channel(point + "z"));
    EXPECT_NEAR(l.channel(name + "Mx"), 0, 1e-9);
    force += f;
    moment += at.cross(f);
  }
  const double weight = 800 * 9.80665;
  EXPECT_LT((force - Vec3(0, 0, weight)).norm(), 1e-9 * weight);
  EXPECT_LT((moment - Vec3(0.2, 0.1, 0).cross(Vec3(0, 0, weight))).norm(), 1e-8 * weight);
}

}  // namespace
}  // namespace davit::test
