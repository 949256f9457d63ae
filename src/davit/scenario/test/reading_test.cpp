// Every key of a scenario is read as it says, in SI, and gives the model that was meant.
#include <fmt/format.h>
#include <rapidcheck.h>

#include <map>
#include <random>

#include "davit/force/gravity.hpp"
#include "davit/math/constants.hpp"
#include "davit/math/rotation.hpp"
#include "davit/scenario/test/support.hpp"
#include "davit/test/source_tree.hpp"

namespace davit::test {
namespace {

using Vec2 = Eigen::Vector2d;

void expect_near(const Mat3& a, const Mat3& b, double tolerance = 1e-12) {
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), tolerance) << a << "\nand\n" << b;
}

TEST(Reading, solids_have_their_inertia) {
  const Scenario s =
      read_lift(lift("  box: {joint: free, mass: 2 t, box: {size: [1 m, 2 m, 300 cm]}}\n"
                     "  rod: {joint: free, mass: 6 kg, cylinder: {radius: 10 cm, length: 2 m, axis: y}}\n"
                     "  drum: {joint: free, mass: 6 kg, cylinder: {radius: 0.1 m, length: 2 m}}\n"
                     "  ball: {joint: free, mass: 5 kg, sphere: {radius: 2 m}, centre: [1 m, 0, -50 cm]}\n"
                     "  lump: {joint: free, mass: 1 kg, inertia: [2, 3, 4 kg m^2], products: [0.1, 0.2, 0.3]}\n"));
  expect_near(body_of(s, "box").inertia.matrix(),
              Vec3(2000. / 12 * (4 + 9), 2000. / 12 * (1 + 9), 2000. / 12 * (1 + 4)).asDiagonal());
  const double across = 6 * (3 * 0.01 + 4) / 12, along = 6 * 0.01 / 2;
  expect_near(body_of(s, "rod").inertia.matrix(), Vec3(across, along, across).asDiagonal());
  expect_near(body_of(s, "drum").inertia.matrix(), Vec3(across, across, along).asDiagonal());
  expect_near(body_of(s, "ball").inertia.matrix(), Mat3(8 * Mat3::Identity()));
  EXPECT_EQ(body_of(s, "ball").centre, Vec3(1, 0, -0.5));
  Mat3 lump;
  lump << 2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4;
  expect_near(body_of(s, "lump").inertia.matrix(), lump);
  EXPECT_EQ(body_of(s, "box").mass, 2000);
}

TEST(Reading, turns_follow_one_another_about_the_axes_as_turned) {
  const Scenario s = read_lift(
      lift("  a: {at: [1 m, 2 m, 3 km], turn: [{z: 90 deg}, {x: 30 deg}, {y: -0.2 rad}], joint: free, mass: 1 kg,\n"
           "      inertia: [1, 1, 1]}\n"));
  const Pose& at = body_of(s, "a").at;
  expect_near(at.R, axis_rotation(2, pi / 2) * axis_rotation(0, pi / 6) * axis_rotation(1, -0.2));
  EXPECT_EQ(at.p, Vec3(1, 2, 3000));
  // Quarter turns are exact: what a user writes as z must not be nearly z.
  const Scenario quarter =
      read_lift(lift("  a: {turn: [{z: 90 deg}, {x: 90 deg}], joint: {revolute: z}, mass: 1 kg,\n"
                     "      inertia: [1, 1, 1]}\n"));
  EXPECT_EQ((body_of(quarter, "a").at.R * Vec3::UnitZ()).eval(), Vec3(1, 0, 0));
}

TEST(Reading, every_joint) {
  const auto joint = [](const std::string& text) {
    const Scenario s = read_lift(
        lift("  base: {joint: free, mass: 1 kg, inertia: [1, 1, 1]}\n  a: {on: base, mass: 1 kg, inertia: [1, 1, 1]" +
             text + "}\n"));
    return body_of(s, "a").joint;
  };
  EXPECT_EQ(joint("").kind, JointKind::fixed);
  EXPECT_EQ(joint(", joint: fixed").kind, JointKind::fixed);
  EXPECT_EQ(joint(", joint: spherical").kind, JointKind::spherical);
  EXPECT_EQ(joint(", joint: roll_pitch_yaw").kind, JointKind::roll_pitch_yaw);
  EXPECT_EQ(joint(", joint: free").kind, JointKind::free);
  const std::pair<const char*, JointKind> with_axis[] = {{"revolute", JointKind::revolute},
                                                         {"prismatic", JointKind::prismatic},
                                                         {"cylindrical", JointKind::cylindrical},
                                                         {"planar", JointKind::planar}};
  for (const auto& [name, kind] : with_axis) {
    const Joint j = joint(fmt::format(", joint: {{{}: -y}}", name));
    EXPECT_EQ(j.kind, kind);
    EXPECT_EQ(j.axis, Vec3(0, -1, 0));
  }
  const Joint slanted = joint(", joint: {revolute: [0, 0.6, 0.8]}");
  EXPECT_EQ(slanted.axis, Vec3(0, 0.6, 0.8));
  const Joint universal = joint(", joint: {universal: [x, -z]}");
  EXPECT_EQ(universal.kind, JointKind::universal);
  EXPECT_EQ(universal.axis, Vec3::UnitX());
  EXPECT_EQ(universal.second_axis, Vec3(0, 0, -1));
}

// The same motion by rates of coordinates and by finite differences of where it goes.
TEST(Reading, start_rates_are_rates_of_the_named_coordinates) {
  for (const char* kind : {"joint: free", "coordinates: directors"}) {
    const Scenario s = read_lift(lift("  b: {" + std::string(kind) +
                                      ", mass: 1 kg, inertia: [1, 1.5, 2], start: {roll: 0.4, pitch: -0.3, yaw: 1.2, "
                                      "roll_rate: 0.2, pitch_rate: -0.7, yaw_rate: 0.5, x_rate: 1, y_rate: -2, z_rate: "
                                      "0.5}}\n"));
    System system(*s.model);
    system.evaluate(s.initial_state());
    const Kin& kin = system.workspace().kin;
    const Frame frame = s.body_frames[0];
    EXPECT_LT((velocity(kin, frame) - Vec3(1, -2, 0.5)).norm(), 1e-14) << kind;
    constexpr double h = 1e-6;
    const auto rotation_at = [](double t) {
      return rotation_of_rpy(Vec3(0.4 + 0.2 * t, -0.3 - 0.7 * t, 1.2 + 0.5 * t));
    };
    const Mat3 spin = (rotation_at(h) - rotation_at(-h)) / (2 * h) * rotation_at(0).transpose();
    const Vec3 w = kin.body[static_cast<size_t>(frame.body)].w;
    EXPECT_LT((w - Vec3(spin(2, 1), spin(0, 2), spin(1, 0))).norm(), 1e-9) << kind;
  }
  const Scenario s =
      read_lift(lift("  b: {joint: free, mass: 1 kg, inertia: [1, 1, 1], start: {yaw: 90 deg, surge_speed: 3 "
                     "m/s, yaw_speed: 2}}\n"));
  System system(*s.model);
  system.evaluate(s.initial_state());
  EXPECT_LT((velocity(system.workspace().kin, s.body_frames[0]) - Vec3(0, 3, 0)).norm(), 1e-14);
  EXPECT_NEAR(body_of(s, "b").joint.rate[2], 2, 1e-15);
}

TEST(Reading, start_values_with_units) {
  const Scenario s =
      read_lift(lift("  hull: {joint: free, mass: 1 kg, inertia: [1, 1, 1],\n"
                     "         start: {roll: 30 deg, z: -2 cm, yaw_rate: 6 rpm, x_rate: 2 knot}}\n"
                     "  slide: {on: hull, joint: {cylindrical: z}, mass: 1 kg, inertia: [1, 1, 1],\n"
                     "          start: {angle_rate: 0.1 rad/s, travel: 20 cm, angle: 1}}\n"));
  const Joint& hull = body_of(s, "hull").joint;
  EXPECT_NEAR(hull.position[0], pi / 6, 1e-15);
  EXPECT_NEAR(hull.position[5], -0.02, 1e-15);
  // Speeds are in the axes of the body, which is turned by 30°.
  EXPECT_NEAR(hull.rate[1], 6 * 2 * pi / 60 * std::sin(pi / 6), 1e-15);
  EXPECT_NEAR(hull.rate[2], 6 * 2 * pi / 60 * std::cos(pi / 6), 1e-15);
  EXPECT_NEAR(hull.rate[3], 2 * 1852. / 3600, 1e-15);
  EXPECT_EQ(hull.position[1], 0);
  const Joint& slide = body_of(s, "slide").joint;
  EXPECT_EQ(slide.position, (std::vector<double>{0.2, 1}));
  EXPECT_EQ(slide.rate, (std::vector<double>{0, 0.1}));
  const State state = s.initial_state();
  EXPECT_EQ(state.q.tail(2), Vec2(0.2, 1));
  EXPECT_EQ(state.u[7], 0.1);
}

TEST(Reading, points_carry_lines) {
  const Scenario s = read_lift(
      lift("  boom: {joint: {revolute: z}, at: [0, 0, 5 m], mass: 1 kg, inertia: [1, 1, 1], start: {angle: 90 deg},\n"
           "         points: {tip: [2 m, 0, 0], heel: [0, 0, -1 m]}}\n",
           "forces:\n  stay: {line: {from: world, to: boom.tip, length: 1 m, stiffness: 1 kN/m}}\n"));
  System system(*s.model);
  system.evaluate(s.initial_state());
  for (const Channel& c : s.model->channels())
    if (c.name == "stay.length") {
      EXPECT_NEAR(c.value(s.initial_state(), system.workspace()), std::hypot(2, 5), 1e-14);
      return;
    }
  FAIL() << "no channel stay.length";
}

TEST(Reading, gravity_and_weightless_bodies) {
  const char* const bodies =
      "  a: {joint: {prismatic: z}, mass: 3 kg}\n  b: {joint: {prismatic: z}, mass: 3 kg, weightless: true}\n";
  EXPECT_EQ(accelerations(read_lift(lift(bodies))), Vec2(-9.80665, 0));
  EXPECT_EQ(accelerations(read_lift(lift(bodies, "environment: {gravity: 2 m/s^2}"))), Vec2(-2, 0));
  EXPECT_EQ(accelerations(read_lift(lift(bodies, "environment: {gravity: 0}"))), Vec2(0, 0));
}

TEST(Reading, denavit_hartenberg_is_the_same_crane) {
  // Three links by parameters, and the same by at, turn and joint with the mass given in the joint's frame.
  struct Link {
    double a, alpha, d, offset;
    bool reversed;
    double q, rate;
    Vec3 centre;
  };
  const Link links[] = {{0.3, pi / 2, 1.1, 0.4, false, 0.2, 0.5, {0.1, 0.2, 0.3}},
                        {2.0, -0.3, 0.0, -1.0, true, 0.7, -0.8, {-0.9, 0.1, 0.0}},
                        {1.5, 0.6, -0.2, 0.1, false, -0.4, 1.1, {-0.5, 0.0, 0.2}}};
  const Vec3 moments(1.0, 1.4, 1.9);
  std::string by_parameters, by_hand;
  Pose before;  // of the joint in the frame of the link before, when that is its joint's
  for (int i = 0; i < 3; ++i) {
    const Link& l = links[i];
    const std::string head = fmt::format("  l{}: {{on: {}, mass: 2 kg, start: {{angle: {}, angle_rate: {}}}, ", i,
                                         i == 0 ? "world" : fmt::format("l{}", i - 1), l.q, l.rate);
    by_parameters += head + fmt::format(
                                "denavit_hartenberg: {{a: {} m, alpha: {}, d: {}, offset: {}, reversed: {}}}, "
                                "centre: [{}, {}, {}], inertia: [{}, {}, {}]}}\n",
                                l.a, l.alpha, l.d, l.offset, l.reversed, l.centre.x(), l.centre.y(), l.centre.z(),
                                moments.x(), moments.y(), moments.z());
    const Mat3 Rx = axis_rotation(0, l.alpha);
    const Vec3 c = Vec3(l.a, 0, l.d) + Rx * l.centre;
    const Mat3 I = Rx * moments.asDiagonal() * Rx.transpose();
    const Vec3 p = before.p;
    by_hand += head + fmt::format(
                          "at: [{}, {}, {}], turn: [{{x: {}}}, {{z: {}}}], joint: {{revolute: {}}}, centre: "
                          "[{}, {}, {}], inertia: [{}, {}, {}], products: [{}, {}, {}]}}\n",
                          p.x(), p.y(), p.z(), i == 0 ? 0.0 : links[i - 1].alpha, l.offset, l.reversed ? "-z" : "z",
                          c.x(), c.y(), c.z(), I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    before.p = Vec3(l.a, 0, l.d);
  }
  const VecX a = accelerations(read_lift(lift(by_parameters))), b = accelerations(read_lift(lift(by_hand)));
  ASSERT_EQ(a.size(), 3);
  EXPECT_GT(a.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-12) << a.transpose() << " and " << b.transpose();
}

TEST(Reading, controllers_and_moves) {
  const Scenario s = read_lift(
      lift("  vessel: {joint: roll_pitch_yaw, mass: 1 kg, inertia: [1, 1, 1]}\n"
           "  king: {on: vessel, joint: {revolute: z}, mass: 1 kg, inertia: [1, 1, 1], start: {angle: 0.5}}\n"
           "  trolley: {on: king, joint: {prismatic: x}, mass: 1 kg}\n",
           "control:\n"
           "  crane: {pid: {joints: [king, vessel.roll, vessel.pitch], kp: 3 kN m/rad, ki: 2, kd: 4 N m s/rad,\n"
           "          limit: 5 kN m, integral_limit: 1 kN m, derivative_of: speed}}\n"
           "  drive: {pid: {joints: [trolley], kp: 3 kN/m, sample_time: 20 ms, limit: 7 kN}}\n"
           "operation:\n"
           "  - {at: 0.2 s, over: 500 ms, move: {king: 90 deg, trolley: 20 cm}, smoothness: 1}\n"
           "  - {at: 1 s, over: 2 s, move: {vessel.pitch: 1 deg}, ramp: 0.5 s}\n"));
  ASSERT_EQ(s.model->controllers().size(), 2u);
  EXPECT_EQ(s.model->controllers()[1].element->sample_time(), 0.02);
  ASSERT_EQ(s.model->inputs().size(), 4u);
  EXPECT_EQ(s.model->inputs()[0].upper, 5000);
  EXPECT_EQ(s.model->inputs()[0].lower, -5000);
  EXPECT_EQ(s.model->inputs()[3].upper, 7000);
  System system(*s.model);
  State state = s.initial_state();
  state.t = 0.45;
  const auto value = [&](const std::string& name) {
    for (const Channel& c : s.model->channels())
      if (c.name == name) return c.value(state, system.workspace());
    ADD_FAILURE() << "no channel " << name;
    return 0.0;
  };
  system.evaluate(state);
  // Half way of a cubic.
  EXPECT_NEAR(value("crane.king.target"), (0.5 + pi / 2) / 2, 1e-12);
  EXPECT_NEAR(value("drive.trolley.target"), 0.1, 1e-12);
  EXPECT_NEAR(value("crane.king.error"), 0.5 - (0.5 + pi / 2) / 2, 1e-12);
  EXPECT_NEAR(value("crane.king.torque"), -3000 * value("crane.king.error"), 1e-9);
  // A joint of several coordinates has a channel for each.
  EXPECT_EQ(value("crane.vessel.roll.torque"), 0);
  state.t = 3;
  system.evaluate(state);
  EXPECT_NEAR(value("crane.vessel.pitch.target"), pi / 180, 1e-12);
  std::set<std::string> names;
  for (const Channel& c : s.model->channels()) EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
}

TEST(Reading, limits_and_their_multiples) {
  const Scenario s = read_lift(lift("  a: {joint: {revolute: x}, mass: 2 t, inertia: [1, 1, 1]}\n",
                                    "environment: {gravity: 10 m/s^2}\n"
                                    "limits:\n"
                                    "  - {channel: a.angle, below: 5 deg, above: -0.1 rad, why: heel}\n"
                                    "  - {channel: a.reaction.Fz, below: 4 * weight}\n"));
  using Side = result::Limit::Side;
  ASSERT_EQ(s.limits.size(), 3u);
  EXPECT_EQ(s.limits[0].side, Side::above);
  EXPECT_EQ(s.limits[0].bound, -0.1);
  EXPECT_EQ(s.limits[1].side, Side::below);
  EXPECT_NEAR(s.limits[1].bound, 5 * pi / 180, 1e-15);
  EXPECT_EQ(s.limits[1].written.name, "deg");
  EXPECT_EQ(s.limits[1].text, "heel");
  EXPECT_EQ(s.limit_units[1], "rad");
  EXPECT_EQ(s.limits[2].side, Side::below);
  EXPECT_EQ(s.limits[2].bound, 4 * 20000.0);
  EXPECT_EQ(s.limits[2].asked, "4 * weight");
  EXPECT_EQ(s.limit_units[2], "N");
}

TEST(Reading, limits_on_patterns_and_in_windows) {
  const Scenario s =
      read_lift(lift("  a: {joint: {revolute: x}, mass: 2 t, inertia: [1, 1, 1]}\n"
                     "  b: {on: a, joint: {revolute: x}, mass: 1 t, inertia: [1, 1, 1]}\n",
                     "environment: {gravity: 10 m/s^2}\n"
                     "limits:\n"
                     "  - {channel: '?.reaction.Fz', below: 4 * weight, until: 5 s}\n"
                     "  - {channel: a.reaction.Fx, below: 2 * b.weight, after: start-up}\n",
                     "{duration: 10 s, step: 10 ms, start_up: 3 s}"));
  ASSERT_EQ(s.limits.size(), 3u);
  EXPECT_EQ(s.limits[0].channel, "a.reaction.Fz");
  EXPECT_EQ(s.limits[0].bound, 80e3);
  EXPECT_EQ(s.limits[0].until, 5);
  EXPECT_EQ(s.limits[1].channel, "b.reaction.Fz");
  EXPECT_EQ(s.limits[1].bound, 40e3) << "each of its own body";
  EXPECT_EQ(s.limits[2].bound, 20e3) << "of the body that is named";
  EXPECT_EQ(s.limits[2].from, 3);
}

TEST(Reading, the_run) {
  const char* const body = "  a: {joint: {revolute: x}, mass: 1 kg, inertia: [1, 1, 1]}\n";
  const auto run = [&](const std::string& text) { return read_lift(lift(body, "", text)); };
  const Scenario fixed = run("{duration: 2 min, step: 5 ms, output: 0.1 s, seed: 7, from_equilibrium: true}");
  EXPECT_EQ(fixed.options.end, 120);
  EXPECT_EQ(fixed.options.step, 0.005);
  EXPECT_EQ(fixed.options.output, 0.1);
  EXPECT_EQ(fixed.specification.run.seed, 7);
  EXPECT_TRUE(fixed.from_equilibrium);
  EXPECT_EQ(fixed.make_stepper()->name(), "rk4");
  EXPECT_NE(fixed.method_reason.find("auto"), std::string::npos);
  const Scenario adaptive = run("{duration: 20 s}");
  EXPECT_TRUE(adaptive.make_stepper()->adaptive());
  EXPECT_EQ(adaptive.options.output, 0.02);
  EXPECT_TRUE(run("{duration: 20 s, step: 1 s, method: dopri5, tolerance: 1e-5}").make_stepper()->adaptive());
  EXPECT_FALSE(run("{duration: 20 s, step: 1 s, method: rk4}").make_stepper()->adaptive());
  EXPECT_EQ(run("{duration: 20 s, step: 0.5 s}").options.output, 0.5);
  // Channels: those asked for, and those that are limited.
  const Scenario some = read_lift(lift(body, "limits: [{channel: a.reaction.Fz, below: 3 kN}]\n",
                                       "{duration: 1 s, step: 1 ms, channels: [a.ang*], plot: [a.angle_rate]}"));
  std::vector<std::string> names, plotted;
  for (const Channel& c : some.channels) {
    names.push_back(c.name);
    if (c.main) plotted.push_back(c.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a.angle", "a.angle_rate", "a.angle_acceleration", "a.reaction.Fz"}));
  EXPECT_EQ(plotted, (std::vector<std::string>{"a.angle_rate"}));
}

// ---- a tree of random bodies, written as text and read, is the tree built directly

struct Written {
  std::vector<Body> bodies;
  std::string text;
};

std::string written(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

// What the speed of a free body along or about one of its own axes is called, by the coordinate.
std::string speed_name(const std::string& coordinate) {
  static const std::map<std::string, std::string> along = {{"x", "surge"}, {"y", "sway"}, {"z", "heave"}};
  const auto found = along.find(coordinate);
  return (found == along.end() ? coordinate : found->second) + "_speed";
}

Written random_lift(unsigned seed, int count) {
  std::mt19937 engine(seed);
  const auto number = [&](double low = -1, double high = 1) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const auto integer = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); };
  const auto vector = [&](double size = 1) {
    return Vec3(number(-size, size), number(-size, size), number(-size, size));
  };
  Written out;
  std::vector<std::string> lines;
  for (int i = 0; i < count; ++i) {
    Body b;
    b.name = fmt::format("b{}", i);
    std::string line = fmt::format("  {}: {{", b.name);
    if (const int parent = integer(-1, i - 1); parent >= 0) {
      b.on = fmt::format("b{}", parent);
      line += fmt::format("on: {}, ", b.on);
    }
    b.mass = number(0.5, 3);
    b.centre = vector();
    const Mat3 R = exp_rotation(vector(2));
    const Mat3 I = R * Vec3(number(1, 2), number(1.1, 2), number(1.2, 2)).asDiagonal() * R.transpose();
    b.inertia = Sym3{};
    b.inertia.xx = I(0, 0), b.inertia.yy = I(1, 1), b.inertia.zz = I(2, 2);
    b.inertia.xy = I(0, 1), b.inertia.xz = I(0, 2), b.inertia.yz = I(1, 2);
    b.weightless = integer(0, 4) == 0;
    line += fmt::format("mass: {} kg, centre: {}, inertia: [{}, {}, {}], products: [{}, {}, {}], weightless: {}, ",
                        b.mass, written(b.centre), I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2), b.weightless);
    if (integer(0, 4) == 0) {
      const double a = number(), alpha = number(-2, 2), d = number(), offset = number(-2, 2);
      const bool reversed = integer(0, 1) == 1;
      set_denavit_hartenberg(b, a, alpha, d, offset, reversed);
      line += fmt::format("denavit_hartenberg: {{a: {}, alpha: {} rad, d: {} m, offset: {}, reversed: {}}}, ", a, alpha,
                          d, offset, reversed);
    } else {
      b.at.p = vector(1.5);
      const double yaw = number(-3, 3), roll = number(-3, 3);
      b.at.R = axis_rotation(2, yaw) * axis_rotation(0, roll);
      line += fmt::format("at: {}, turn: [{{z: {}}}, {{x: {}}}], ", written(b.at.p), yaw, roll);
      b.joint.kind = static_cast<JointKind>(integer(i == 0 ? 1 : 0, 8));  // something must move
      // A free body on another one is put on the world.
      if (b.joint.kind == JointKind::free && b.on != "world") b.joint.kind = JointKind::spherical;
      b.joint.axis = vector() + Vec3(0, 0, 0.3);
      b.joint.second_axis = vector() + Vec3(0.3, 0, 0);
      const std::string kind = b.joint.type().name;
      switch (b.joint.kind) {
        case JointKind::revolute:
        case JointKind::prismatic:
        case JointKind::cylindrical:
        case JointKind::planar:
          line += fmt::format("joint: {{{}: {}}}, ", kind, written(b.joint.axis));
          break;
        case JointKind::universal:
          line += fmt::format("joint: {{universal: [{}, {}]}}, ", written(b.joint.axis), written(b.joint.second_axis));
          break;
        default:
          line += "joint: " + kind + ", ";
      }
    }
    std::string start;
    for (const Coordinate& c : b.joint.type().coordinates) {
      b.joint.position.push_back(number(-1.2, 1.2));
      b.joint.rate.push_back(number());
      const bool free = b.joint.kind == JointKind::free || b.joint.kind == JointKind::spherical;
      start += fmt::format("{}{}: {}, {}: {}", start.empty() ? "" : ", ", c.name, b.joint.position.back(),
                           free ? speed_name(c.name) : c.name + "_rate", b.joint.rate.back());
    }
    if (!start.empty()) line += "start: {" + start + "}";
    lines.push_back(line + "}\n");
    out.bodies.push_back(b);
  }
  for (const std::string& line : lines) out.text += line;
  return out;
}

TEST(Reading, random_bodies_written_and_read_are_the_same_tree) {
  EXPECT_TRUE(rc::check([] {
    const auto lift_text = random_lift(*rc::gen::arbitrary<unsigned>(), *rc::gen::inRange(1, 9));
    const Scenario s = read_lift(lift(lift_text.text, "environment: {gravity: 9.81 m/s^2}"));
    const auto tree = std::make_shared<Tree>(lift_text.bodies);
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    std::vector<Gravity::Weight> weights;
    for (const TreeBody& b : tree->bodies_of_tree())
      if (!b.body.weightless) weights.push_back({b.last_segment, b.body.mass, b.frame * b.body.centre});
    if (!weights.empty()) parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -9.81), weights)};
    const Model model(std::move(parts));
    System system(model);
    RC_ASSERT(system.evaluate(model.initial_state()));
    const VecX& direct = system.workspace().a;
    const VecX read = accelerations(s);
    RC_ASSERT(read.size() == direct.size());
    RC_ASSERT((read - direct).cwiseAbs().maxCoeff() <= 1e-11 * (1 + direct.cwiseAbs().maxCoeff()));
    // And what the result will hold is the same scenario.
    const Scenario again = read_lift(s.effective_text);
    RC_ASSERT(accelerations(again) == read);
    RC_ASSERT(again.effective_text == s.effective_text);
  }));
}

// ---- whole files

std::vector<std::filesystem::path> scenario_files() {
  std::vector<std::filesystem::path> files{in_source("src/davit/scenario/fuzz/seeds/everything.yaml")};
  // Those in a folder mss need data of others, which are not everywhere.
  const bool has_mss = std::filesystem::exists(in_source("../shared/data/mss-supply/supply.mat"));
  for (const auto& entry : std::filesystem::directory_iterator(in_source("parts/examples")))
    files.push_back(entry.path());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(in_source("scenarios")))
    if (entry.path().extension() == ".yaml" && (has_mss || entry.path().parent_path().filename() != "mss"))
      files.push_back(entry.path());
  return files;
}

TEST(Reading, the_effective_text_is_the_same_scenario) {
  for (const auto& file : scenario_files()) {
    input::Problems problems;
    const auto s = load_scenario(file, {}, problems);
    ASSERT_TRUE(s) << problems.to_text();
    // As if it stood where the file does: mesh files are found from there.
    const auto reread = parse_scenario(s->effective_text, file.string(), problems);
    ASSERT_TRUE(reread) << problems.to_text();
    const Scenario& again = *reread;
    EXPECT_EQ(again.effective_text, s->effective_text);
    EXPECT_EQ(accelerations(again), accelerations(*s)) << file;
    EXPECT_EQ(again.initial_state().hash(), s->initial_state().hash());
    EXPECT_EQ(again.options.end, s->options.end);
    EXPECT_EQ(again.options.step, s->options.step);
    EXPECT_EQ(again.options.output, s->options.output);
    EXPECT_EQ(again.limits, s->limits);
    EXPECT_EQ(again.channels.size(), s->channels.size());
    // Not only the first instant: the controllers and moves too.
    const auto after_a_second = [](const Scenario& scenario) {
      System system(*scenario.model);
      State state = scenario.initial_state();
      struct Silent final : Observer {
        void record(const State&, System&) override {}
      } silent;
      const auto stepper = scenario.make_stepper();
      simulate(system, *stepper, state, {0.2, scenario.options.step, 0.1}, silent);
      return state.hash();
    };
    EXPECT_EQ(after_a_second(again), after_a_second(*s)) << file;
  }
}

TEST(Reading, settings_and_bases) {
  const TempFolder folder;
  folder.write("base.yaml", lift("  a: {joint: {revolute: x}, mass: 1 kg, inertia: [1, 1, 1]}\n",
                                 "limits: [{channel: a.angle, below: 1 rad}]\n"));
  const auto file = folder.write("heavy.yaml",
                                 "base: base.yaml\ntitle: heavy\nbodies: {a: {mass: 3 t}, b: {on: a, mass: 1 kg}}\n"
                                 "limits: null\n");
  input::Problems problems;
  const auto s = load_scenario(file, {"run.step=5 ms", "bodies.a.centre=[0, 1 m, 0]"}, problems);
  ASSERT_TRUE(s) << problems.to_text();
  EXPECT_EQ(s->specification.title, "heavy");
  EXPECT_EQ(body_of(*s, "a").mass, 3000);
  EXPECT_EQ(body_of(*s, "a").joint.kind, JointKind::revolute);
  EXPECT_EQ(body_of(*s, "a").centre, Vec3(0, 1, 0));
  EXPECT_EQ(s->tree->bodies_of_tree().size(), 2u);
  EXPECT_EQ(s->options.step, 0.005);
  EXPECT_TRUE(s->limits.empty());
  EXPECT_NE(s->provenance.find("title: " + file.string() + ":2"), std::string::npos) << s->provenance;
  // What is stored needs no base.
  EXPECT_EQ(s->effective_text.find("base:"), std::string::npos);
  EXPECT_EQ(accelerations(read_lift(s->effective_text)), accelerations(*s));
}

TEST(Reading, five_thousand_bodies) {
  std::string bodies = "  b0: {joint: {revolute: x}, mass: 1 kg, centre: [0, 0, -1 m], inertia: [1, 1, 1]}\n";
  for (int i = 1; i < 5000; ++i)
    bodies +=
        fmt::format("  b{}: {{on: b{}, at: [0, 0, -1 m], joint: {{revolute: x}}, mass: 1 kg, inertia: [1, 1, 1]}}\n", i,
                    i % 100 == 0 ? 0 : i - 1);
  const Scenario s = read_lift(lift(bodies));
  EXPECT_EQ(s.tree->bodies_of_tree().size(), 5000u);
  EXPECT_EQ(s.model->nu(), 5000);
}

TEST(Reading, a_chain_in_any_order) {
  // Children before parents, one long chain: no quadratic search, no deep recursion.
  std::string bodies;
  for (int i = 2999; i >= 1; --i) bodies += fmt::format("  b{}: {{on: b{}, mass: 1 kg}}\n", i, i - 1);
  bodies += "  b0: {joint: {revolute: x}, mass: 1 kg, inertia: [1, 1, 1]}\n";
  EXPECT_EQ(read_lift(lift(bodies)).model->nu(), 1);
}

// By the clock two phases that do not overlap are in order, also where levers may hold one up.
TEST(Reading, PhasesInOrderByTheClockMoveTheSameWithLevers) {
  const auto with = [](const std::string& operation) {
    input::Problems problems;
    const auto scenario =
        parse_scenario(test::lift("  king: {joint: {revolute: z}, mass: 1 t, inertia: [1 t m^2, 1 t m^2, 1 t m^2]}",
                                  "control: {c: {pid: {joints: [king], kp: 1 MN m/rad, kd: 1 MN m s/rad}}}\n"
                                  "levers: {of: {king: {speed: 1 deg/s, acceleration: 1 deg/s^2}}}\noperation:\n" +
                                      operation),
                       "lift.yaml", problems);
    return scenario ? std::string() : problems.to_text();
  };
  EXPECT_EQ(with("  - {at: 0 s, over: 0.4 s, move: {king: 1 deg}}\n  - {at: 0.4 s, over: 0.4 s, move: {king: 0 deg}}"),
            "");
  const char* const unordered = "neither waits for the other";
  EXPECT_NE(with("  - {at: 0 s, over: 0.5 s, move: {king: 1 deg}}\n  - {at: 0.4 s, over: 0.4 s, move: {king: 0 deg}}")
                .find(unordered),
            std::string::npos);
  EXPECT_NE(
      with("  - {at: 0 s, speed: 1 deg/s, move: {king: 1 deg}}\n  - {at: 0.4 s, over: 0.4 s, move: {king: 0 deg}}")
          .find(unordered),
      std::string::npos)
      << "how long the first takes is not known";
}

TEST(Reading, AMassThatCouldNotBeReadIsNotCalledMissing) {
  input::Problems problems;
  EXPECT_FALSE(parse_scenario(test::lift("  load: {joint: free, mass: 3 m, box: {size: [1 m, 1 m, 1 m]}}"), "lift.yaml",
                              problems));
  EXPECT_EQ(problems.count(), 1u) << problems.to_text();
}

TEST(Reading, AMassThatIsLostBesideTheOthersIsRefused) {
  const auto with = [](const std::string& drum) {
    input::Problems problems;
    parse_scenario(
        test::lift("  load: {joint: {prismatic: z}, mass: 2 t}\n  drum: {joint: {revolute: y}, " + drum + "}"),
        "lift.yaml", problems);
    EXPECT_LE(problems.count(), 1u) << problems.to_text();
    return problems.to_text();
  };
  EXPECT_NE(with("mass: 1e-12 kg, cylinder: {radius: 0.3 m, length: 1 m, axis: y}").find("lost in the round-off"),
            std::string::npos);
  EXPECT_EQ(with("mass: 1e-12 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]"), "");
}

TEST(Reading, TooManyElementsAreRefusedTogether) {
  std::string to = "load";
  for (int i = 0; i < 10'000; ++i) to += ", load";
  input::Problems problems;
  EXPECT_FALSE(parse_scenario(test::lift("  load: {joint: free, mass: 1 t, box: {size: [1 m, 1 m, 1 m]}}",
                                         "slings: {s: {from: world, to: [" + to + "], tension: 1 N, EA: 1 MN}}"),
                              "lift.yaml", problems));
  EXPECT_NE(problems.to_text().find("the model has 10002 bodies, surfaces"), std::string::npos) << problems.to_text();
}

}  // namespace
}  // namespace davit::test
