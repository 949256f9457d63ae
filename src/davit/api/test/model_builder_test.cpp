// A model in code is the model of the file that says the same, bit for bit, and its mistakes are told in the same
// words.
#include "davit/api/model_builder.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <set>
#include <sstream>

#include "davit/api/extension.hpp"
#include "davit/model/model.hpp"
#include "davit/test/source_tree.hpp"

namespace davit {
namespace {

// Of the state at every output time.
std::vector<std::uint64_t> hashes(const Lift& lift) {
  std::vector<std::uint64_t> all;
  const LiftOutcome outcome = lift.run([&](const Instant& now) {
    all.push_back(now.state().hash());
    return true;
  });
  EXPECT_TRUE(outcome.complete) << outcome.why;
  return all;
}

std::vector<std::string> channel_names(const Lift& lift) {
  std::vector<std::string> names;
  for (const auto& c : lift.channels()) names.push_back(c.name);
  return names;
}

// What InputError says; empty when nothing is wrong.
template <class Make>
std::string mistakes(Make&& make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Lines of messages without file, line and column, which only files have, in any order.
std::multiset<std::string> without_places(const std::string& text) {
  std::multiset<std::string> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto error = line.find("error: ");
    all.insert(error == std::string::npos ? line : line.substr(error));
  }
  return all;
}

RunSpec run_of(double duration, double step = 0.01) {
  RunSpec run;
  run.duration = duration;
  run.step = step;
  return run;
}

constexpr const char* crane_text = R"(
davit: 1
title: A crane
bodies:
  king: {joint: {revolute: z}, mass: 40 t, centre: [0, 0, 5 m], box: {size: [3 m, 3 m, 10 m]}}
  boom:
    on: king
    at: [1 m, 0, 10 m]
    joint: {revolute: -y}
    start: {angle: 40 deg}
    mass: 12 t
    centre: [12 m, 0, 0]
    box: {size: [24 m, 1.2 m, 1.5 m]}
    points: {winch: [1 m, 0, 0.8 m], tip: [24 m, 0, 0]}
  load:
    at: [19.785 m, 0, 10 m]
    joint: free
    mass: 8 t
    box: {size: [2 m, 2 m, 2 m]}
    points: {lug: [0, 0, 1 m]}
constraints:
  luffing: {motion: {joint: boom}}
forces:
  bearing: {joint_damper: {joint: king, damping: 50 kN m s/rad}}
ropes:
  hoist:
    from: boom.winch
    path: [{sheave: boom.tip, radius: 0.4 m, axis: y, pin_radius: 50 mm, bearing_friction: 0.05}]
    to: load.lug
    EA: 60 MN
    damping: 0.05 s
    tension: 78.4 kN
    mbl: 600 kN
winches:
  main: {rope: hoist, mode: length, limits: {speed: 1 m/s, acceleration: 1 m/s^2}}
control:
  slew: {pid: {joints: [king], kp: 2 MN m/rad, kd: 4 MN m s/rad}}
operation:
  - {at: 0.5 s, over: 3 s, move: {king: 5 deg, boom: 42 deg, main: -0.5 m}}
limits:
  - {channel: hoist.tension, below: 0.3 * mbl}
run: {duration: 4 s, step: 10 ms}
)";

ModelBuilder crane() {
  ModelBuilder builder("A crane");
  BodySpec king;
  king.joint = joint::revolute(Vec3::UnitZ());
  king.mass = 40e3;
  king.centre = {0, 0, 5};
  king.box = BoxSpec{{3, 3, 10}};
  const auto column = builder.add("king", king);
  BodySpec jib;
  jib.on = column;
  jib.at = {1, 0, 10};
  jib.joint = joint::revolute(-Vec3::UnitY());
  jib.start = {{"angle", quantity(40, "deg")}};
  jib.mass = 12e3;
  jib.centre = {12, 0, 0};
  jib.box = BoxSpec{{24, 1.2, 1.5}};
  const auto boom = builder.add("boom", jib);
  const auto winch = builder.add_point(boom, "winch", {1, 0, 0.8});
  const auto tip = builder.add_point(boom, "tip", {24, 0, 0});
  BodySpec block;
  block.at = {19.785, 0, 10};
  block.joint = joint::free();
  block.mass = 8e3;
  block.box = BoxSpec{{2, 2, 2}};
  const auto lug = builder.add_point(builder.add("load", block), "lug", {0, 0, 1});

  constraint::MotionSpec luffing;
  luffing.joint = boom;
  builder.add("luffing", luffing);
  force::JointDamperSpec bearing;
  bearing.joint = column;
  bearing.damping = quantity(50, "kN m s/rad");
  builder.add("bearing", bearing);

  rope::PassSpec sheave;
  sheave.sheave = tip;
  sheave.radius = 0.4;
  sheave.axis = AxisSpec{Vec3::UnitY()};
  sheave.pin_radius = 0.05;
  sheave.bearing_friction = 0.05;
  rope::RopeSpec rope;
  rope.from = winch;
  rope.path = {sheave};
  rope.to = lug;
  rope.EA = 60e6;
  rope.damping = 0.05;
  rope.tension = 78.4e3;
  rope.mbl = 600e3;
  rope::WinchSpec drum;
  drum.rope = builder.add("hoist", rope);
  drum.limits.speed = drum.limits.acceleration = 1;
  const auto main = builder.add("main", drum);

  control::PidSpec slew;
  slew.joints = {column};
  slew.kp = quantity(2, "MN m/rad");
  slew.kd = quantity(4, "MN m s/rad");
  builder.add("slew", slew);
  PhaseSpec phase;
  phase.at = 0.5;
  phase.over = 3;
  phase.add(
      operation::MoveVerb{{{{column, quantity(5, "deg")}, {boom, quantity(42, "deg")}, {main, quantity(-0.5, "m")}}}});
  builder.add(phase);
  LimitSpec limit;
  limit.channel = {"hoist.tension", {}};
  limit.below = input::Threshold{{}, 0.3, {"mbl", {}}};
  builder.add(limit);
  builder.set(run_of(4));
  return builder;
}

TEST(ModelBuilder, ACraneInCodeIsThatOfItsFile) {
  const Lift code = crane().build(), file = Lift::parse(crane_text);
  EXPECT_EQ(code.warnings(), "");
  EXPECT_EQ(code.method(), file.method());
  EXPECT_EQ(channel_names(code), channel_names(file));
  const auto moved = hashes(code);
  EXPECT_EQ(moved, hashes(file));
  ASSERT_GT(moved.size(), 100u);
  EXPECT_NE(moved.front(), moved.back());
}

TEST(ModelBuilder, WritesTheScenarioThatSaysTheSame) {
  EXPECT_EQ(hashes(Lift::parse(crane().to_yaml())), hashes(Lift::parse(crane_text)));
}

TEST(ModelBuilder, AVesselInCodeIsThatOfItsFile) {
  const std::string database = in_source("vessels/barge_110x46_18851t.h5");
  const Lift file = Lift::parse(R"(
davit: 1
title: A barge
environment:
  waves: {spectrum: jonswap, hs: 1.5 m, tp: 6 s, heading: 90 deg, frequencies: 20, seed: 3}
vessels:
  barge: {hydrodynamics: )" + database +
                                R"(, roll_damping: 0.03, position_keeping: {period: 80 s}}
bodies:
  mast: {on: barge, at: [20 m, 0, 3.9 m], mass: 60 t, centre: [0, 0, 12 m], cylinder: {radius: 1 m, length: 24 m}}
run: {duration: 4 s, step: 20 ms}
)");
  ModelBuilder builder("A barge");
  EnvironmentSpec environment;
  sea::WavesSpec& waves = environment.waves.emplace();
  waves.hs = 1.5;
  waves.tp = 6;
  waves.heading = std::numbers::pi / 2;
  waves.frequencies = 20;
  waves.seed = 3;
  builder.set(environment);
  vessel::VesselSpec hull;
  hull.hydrodynamics = input::FilePath{database, {}};
  hull.roll_damping = 0.03;
  hull.position_keeping.emplace().period = 80;
  BodySpec mast;
  mast.on = builder.add("barge", hull);
  mast.at = {20, 0, 3.9};
  mast.mass = 60e3;
  mast.centre = {0, 0, 12};
  mast.cylinder = CylinderSpec{1, 24, {}};
  builder.add("mast", mast);
  builder.set(run_of(4, 0.02));
  EXPECT_EQ(hashes(builder.build()), hashes(file));
}

// Every joint of the builder is that of its key, with its axes.
TEST(ModelBuilder, JointsAreThoseOfTheirKeys) {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  const std::vector<std::pair<JointSpec, std::string>> joints{
      {joint::revolute(y), "{revolute: y}"},           {joint::prismatic(x), "{prismatic: x}"},
      {joint::cylindrical(z), "{cylindrical: z}"},     {joint::planar(-z), "{planar: -z}"},
      {joint::universal(x, y), "{universal: [x, y]}"}, {joint::spherical(), "spherical"},
      {joint::roll_pitch_yaw(), "roll_pitch_yaw"},     {joint::free(), "free"}};
  for (const auto& [spec, text] : joints) {
    ModelBuilder builder("A joint");
    BodySpec body;
    body.joint = spec;
    body.mass = 1;
    body.centre = {1, 2, 3};
    body.inertia = Vec3(1, 2, 2.5);
    builder.add("body", body);
    builder.set(run_of(0.1));
    const Lift file =
        Lift::parse("{davit: 1, title: A joint, run: {duration: 0.1 s, step: 10 ms}, bodies: {body: {joint: " + text +
                    ", mass: 1 kg, centre: [1, 2, 3], inertia: [1, 2, 2.5]}}}");
    const Lift code = builder.build();
    EXPECT_EQ(channel_names(code), channel_names(file)) << text;
    EXPECT_EQ(hashes(code), hashes(file)) << text;
  }
}

// All mistakes at once, each with its key, in the words that a file gets.
TEST(ModelBuilder, TellsMistakesInTheWordsOfAFile) {
  ModelBuilder builder("A slip");
  BodySpec king;
  king.joint = joint::revolute(Vec3::UnitZ());
  king.mass = -1;
  king.inertia = Vec3(1, 1, 1);
  builder.add("king", king);
  BodySpec boom;
  boom.on = {"kign", {}};
  builder.add("boom", boom);
  builder.set(run_of(1));
  const std::string code = mistakes([&] { builder.build(); });
  const std::string file = mistakes([] {
    Lift::parse(
        "{davit: 1, title: A slip, run: {duration: 1 s, step: 10 ms}, bodies: {king: {joint: {revolute: z}, mass: -1 "
        "kg, inertia: "
        "[1, 1, 1]}, boom: {on: kign}}}");
  });
  EXPECT_NE(code.find("ModelBuilder: error: bodies.boom.on: there is no body 'kign'"), std::string::npos) << code;
  EXPECT_NE(code.find("ModelBuilder: error: bodies.king.mass: "), std::string::npos) << code;
  EXPECT_EQ(without_places(code), without_places(file));
}

TEST(ModelBuilder, ElementsAndPointsNeedWhatTheyAreOf) {
  struct UnknownSpec {
    double value = 0;
    static const input::Record<UnknownSpec>& record() {
      static const auto r =
          input::Record<UnknownSpec>("unknown", "not registered").field("value", &UnknownSpec::value, "1", "a number");
      return r;
    }
  };
  ModelBuilder builder("Nothing");
  EXPECT_THROW(builder.add("odd", UnknownSpec{}), std::logic_error);
  EXPECT_THROW(builder.add_point({"boom", {}}, "tip", Vec3::Zero()), std::logic_error);
  const auto boom = builder.add("boom", BodySpec{});
  builder.add_point(boom, "tip", Vec3::Zero());
  EXPECT_THROW(builder.add_point(boom, "tip", Vec3::Zero()), std::logic_error);
  EXPECT_THROW(quantity(1, "furlong"), std::logic_error);
}

class Push final : public ForceOf<Push> {
 public:
  Push(std::string name, int u, double torque) : ForceOf(std::move(name)), u_(u), torque_(torque) {}
  std::string summary() const override { return "a constant torque"; }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<size_t>(u_)] += S(torque_);
  }

 private:
  int u_;
  double torque_;
};

// A wheel of 10 kg m² under 5 N m turns by t²/4.
TEST(ModelBuilder, BuildsElementsThatOnlyTheProgramHas) {
  ModelBuilder builder("A wheel");
  BodySpec wheel;
  wheel.joint = joint::revolute(Vec3::UnitZ());
  wheel.mass = 1;
  wheel.inertia = Vec3(10, 10, 10);
  const auto joint = builder.add("wheel", wheel);
  builder.add("push", [joint](const std::string& name, Assembly& assembly) {
    if (const auto at = assembly.coordinate(joint)) assembly.add(std::make_shared<Push>(name, at->u, 5));
  });
  builder.set(run_of(2));
  const Lift lift = builder.build();
  EXPECT_EQ(lift.model().nu(), 1);
  const size_t angle = lift.channel("wheel.angle");
  double last = 0;
  lift.run([&](const Instant& now) {
    last = now.value(angle);
    return true;
  });
  EXPECT_NEAR(last, 1, 1e-9);
  // Its name counts like any other.
  builder.add("wheel", [](const std::string&, Assembly&) {});
  const std::string said = mistakes([&] { builder.build(); });
  EXPECT_NE(said.find("forces.wheel: the force 'wheel' has the name of something else"), std::string::npos) << said;
}

}  // namespace
}  // namespace davit
