// Ropes, winches and slings in files: what they become, and what is said of mistakes.
#include <numbers>

#include "davit/scenario/test/support.hpp"
#include "davit/solve/run_loop.hpp"

namespace davit::test {
namespace {

const std::string hanging = R"(
  boom: {at: [0, 0, 10 m], mass: 1 t, points: {tip: [0, 0, 0], side: [4 m, 0, 0]}}
  load: {at: [0, 0, 4 m], joint: {prismatic: z}, mass: 1 t}
)";

std::string mistakes(const std::string& more, const std::string& run = "{duration: 1 s, step: 10 ms}") {
  input::Problems problems;
  const auto scenario = parse_scenario(lift(hanging, more, run), "lift.yaml", problems);
  return scenario && problems.error_count() == 0 ? "" : problems.to_text();
}

double rope_channel(const Scenario& s, const State& state, const std::string& name) {
  System system(*s.model);
  State copy = state;
  EXPECT_TRUE(system.evaluate(copy));
  for (const Channel& c : s.model->channels())
    if (c.name == name) return c.value(copy, system.workspace());
  ADD_FAILURE() << "no channel " << name;
  return 0;
}

State run(const Scenario& s, double until) {
  System system(*s.model);
  State state = s.initial_state();
  system.commit(state);
  const auto stepper = s.make_stepper();
  while (state.t < until - 1e-9) {
    EXPECT_TRUE(stepper->step(system, state, s.options.step).ok);
    system.commit(state);
  }
  return state;
}

TEST(Ropes, ALoadHangsOnARope) {
  const Scenario s = read_lift(lift(hanging,
                                    "ropes: {hoist: {from: boom.tip, to: load, tension: 9806.65 N, EA: 1 MN, "
                                    "mbl: 50 kN}}\nlimits: [{channel: hoist.tension, below: 0.3 * mbl}]"));
  EXPECT_EQ(s.method, "conserving");
  EXPECT_NEAR(accelerations(s)[0], 0, 1e-9);
  const State start = s.initial_state();
  EXPECT_NEAR(rope_channel(s, start, "hoist.tension"), 9806.65, 1e-6);
  EXPECT_NEAR(rope_channel(s, start, "hoist.length"), 6, 1e-12);
  EXPECT_NEAR(rope_channel(s, start, "hoist.unstretched"), 6 / (1 + 9806.65e-6), 1e-9);
  EXPECT_NEAR(rope_channel(s, start, "hoist.from.Fz"), -9806.65, 1e-6);
  EXPECT_NEAR(rope_channel(s, start, "hoist.to.force"), 9806.65, 1e-6);
  ASSERT_EQ(s.limits.size(), 1u);
  EXPECT_NEAR(s.limits[0].bound, 15000, 1e-9);
}

// The upper end carries the rope too; over a sheave the longer side pulls.
TEST(Ropes, HaveWeight) {
  const Scenario s = read_lift(
      lift(hanging, "ropes: {hoist: {from: boom.tip, to: load, tension: 12 kN, EA: 1000 MN, mass: 30 kg/m}}"));
  const State start = s.initial_state();
  const double half = 0.5 * 30 * 9.80665 * rope_channel(s, start, "hoist.unstretched");
  EXPECT_NEAR(rope_channel(s, start, "hoist.from.force"), 12000 + half, 1e-6);
  EXPECT_NEAR(rope_channel(s, start, "hoist.to.force"), 12000 - half, 1e-6);
  EXPECT_NEAR(accelerations(s)[0], (12000 - half) / 1000 - 9.80665, 1e-9);

  const Scenario over =
      read_lift(lift(R"(
  crown: {at: [0, 0, 20 m], mass: 1 t}
  first: {at: [-1 m, 0, 2 m], joint: {prismatic: z}, mass: 100 kg}
  second: {at: [1 m, 0, 12 m], joint: {prismatic: z}, mass: 150 kg}
)",
                     "ropes: {hoist: {from: first, to: second, tension: 1.2 kN, EA: 1000 MN, damping: 20 "
                     "ms, mass: 5 kg/m, path: [{sheave: crown, radius: 1 m, axis: y}]}}",
                     "{duration: 1 s, step: 1 ms}"));
  // 100 kg and 18 m of rope against 150 kg and 8 m: in balance.
  EXPECT_NEAR(rope_channel(over, run(over, 0.5), "first.travel"), 0, 1e-5);
}

TEST(Ropes, ATableInPlaceOfTheStiffness) {
  const Scenario s = read_lift(
      lift(hanging,
           "ropes: {hoist: {from: boom.tip, to: load, length: 5.85365853658536 m, table: [[0.01, 4 kN], [0.03, "
           "20 kN]]}}"));
  // e = 0.025: three quarters of the way along the second piece.
  EXPECT_NEAR(rope_channel(s, s.initial_state(), "hoist.tension"), 16000, 1e-6);
}

TEST(Ropes, ASheaveAndAnEye) {
  const Scenario s = read_lift(lift(hanging, R"(
ropes:
  hoist:
    from: boom.side
    path: [{sheave: boom.tip, radius: 0.5 m, axis: -y, inertia: 2 kg m^2}]
    to: load
    tension: 1 kN
    EA: 1 MN
)"));
  // From the side to the sheave level with it and down: the turn follows from both tangents.
  const State start = s.initial_state();
  const double turn = std::numbers::pi / 2 + std::asin(0.5 / 4) + std::asin(0.5 / 6);
  EXPECT_NEAR(rope_channel(s, start, "hoist.pass1.turn"), turn, 1e-12);
  EXPECT_NEAR(rope_channel(s, start, "hoist.length"), std::sqrt(16 - 0.25) + std::sqrt(36 - 0.25) + 0.5 * turn, 1e-12);
  EXPECT_EQ(s.degrees_of_freedom, 2);
}

// Over a beam of two metres, which is shifted on its body: it turns at two edges, and rests on the far side of
// friction.
TEST(Ropes, TouchSurfaces) {
  const std::string bodies = R"(
  left: {at: [-5 m, 0, 1 m], mass: 1 t}
  right: {at: [3 m, 0, 1 m], joint: {prismatic: x}, mass: 1 t}
  beam: {at: [-2 m, 0, 0], mass: 1 t}
)";
  const std::string surface = "surfaces: {beam_surface: {on: beam, box: [2 m, 2 m, 2 m], at: [1 m, 0, 1 m]}}\n";
  const auto rope = [](const std::string& more) {
    return "ropes: {hoist: {from: left, to: right, tension: 10 kN, EA: 1 MN, touches: [beam_surface], " + more + "}}\n";
  };
  const Scenario s = read_lift(lift(bodies, surface + rope("path: [{around: [-1 m, 0, 4 m]}]")));
  const State start = s.initial_state();
  EXPECT_NEAR(rope_channel(s, start, "hoist.length"), std::sqrt(9.0 + 1) + 2 + std::sqrt(9.0 + 1), 1e-9);
  EXPECT_EQ(rope_channel(s, start, "hoist.nodes"), 2);
  EXPECT_NEAR(rope_channel(s, start, "hoist.contact_force"), 2e4 * std::sin(std::atan(1 / 3.0) / 2), 1e-3);
  EXPECT_NEAR(rope_channel(s, start, "hoist.largest_turn"), std::atan(1 / 3.0), 1e-9);
  input::Problems problems;
  EXPECT_FALSE(parse_scenario(lift(bodies, surface + rope("friction: 0.2")), "lift.yaml", problems));
  EXPECT_NE(problems.to_text().find("inside the surface 'beam_surface'"), std::string::npos) << problems.to_text();
  input::Problems unknown;
  EXPECT_FALSE(parse_scenario(lift(bodies, rope("friction: 0.2")), "lift.yaml", unknown));
  EXPECT_NE(unknown.to_text().find("beam_surface"), std::string::npos) << unknown.to_text();
}

TEST(Ropes, MistakesInPlainWords) {
  const auto said = [](const std::string& more, const std::string& words) {
    const std::string text = mistakes(more);
    EXPECT_NE(text.find(words), std::string::npos) << "in:\n" << text;
  };
  said("ropes: {hoist: {from: boom.tip, to: load, length: 5 m, EA: 1 MN}}", "it is too short");
  said("ropes: {hoist: {from: boom.tip, to: load, tension: 98 kN, EA: 10 N}}", "draws the rope out from");
  said("ropes: {hoist: {from: boom.tip, to: load}}", "the stiffness is missing");
  said("ropes: {hoist: {from: boom.top, to: load, EA: 1 MN}}", "boom.top");
  said("ropes: {hoist: {from: boom.tip, to: load, EA: 1 MN, length: 6 m, tension: 1 kN}}", "both given");
  said("ropes: {hoist: {from: boom.tip, to: load, EA: 1 MN, path: [{sheave: boom.side, radius: 0.5 m}]}}",
       "'axis' is missing");
  said("ropes: {hoist: {from: boom.tip, to: load, EA: 1 MN, path: [{sheave: boom.side, radius: 5 m, axis: y}]}}",
       "a sheave is too near");
  said("ropes: {hoist: {from: boom.tip, to: load, EA: 1 MN, path: [{eye: boom.side, post: boom.side}]}}",
       "one thing at a time");
  said("ropes: {hoist: {from: boom.tip, to: load, table: [[0.02, 1 kN], [0.01, 2 kN]]}}", "must grow");
  said("ropes: {hoist: {from: boom.tip, to: boom.side, EA: 1 MN}}", "on one body");
  said("winches: {main: {rope: hoist}}", "hoist");
  const std::string rope = "ropes: {hoist: {from: boom.tip, to: load, tension: 1 kN, EA: 1 MN}}\n";
  said(rope + "winches: {main: {rope: hoist, mode: speed}}", "'drum' is missing");
  said(rope +
           "winches: {main: {rope: hoist, limits: {speed: 1 m/s}}}\noperation: [{at: 0 s, over: 1 s, move: {main: 2 "
           "m}}]",
       "the operation asks for a speed of 3.75 m/s");
  EXPECT_EQ(mistakes(rope), "");
  for (const char* method : {"dele", "spook"})
    EXPECT_NE(
        mistakes(rope, std::string("{duration: 1 s, step: 10 ms, method: ") + method + "}").find("use conserving"),
        std::string::npos);
}

const std::string on_a_rope =
    "ropes: {hoist: {from: boom.tip, to: load, tension: 9806.65 N, EA: 1 MN, damping: 50 ms}}\n";
const std::string drum = "drum: {radius: 0.5 m, inertia: 100 kg m^2, gear: 10, motor_inertia: 1 kg m^2}";

// What a drum feels of a rope with tension T = EA e: T (1 + e) less the energy T e/2 that goes with the rope.
constexpr double felt = 9806.65 * (1 + 0.5 * 9806.65e-6);

TEST(Winches, GiveOutTheLengthThatIsAskedFor) {
  for (const std::string& with : {std::string(), ", " + drum}) {
    const Scenario s = read_lift(lift(hanging,
                                      on_a_rope + "winches: {main: {rope: hoist, response: 50 ms" + with +
                                          "}}\noperation: [{at: 1 s, over: 4 s, move: {main: 2 m}}]",
                                      "{duration: 12 s, step: 10 ms}"));
    const State end = run(s, 12);
    EXPECT_NEAR(rope_channel(s, end, "main.paid_out"), 2, 1e-4);
    EXPECT_NEAR(rope_channel(s, end, "load.travel"), -2 - 2 * 9806.65e-6, 1e-3);
    EXPECT_NEAR(rope_channel(s, end, "hoist.tension"), 9806.65, 1);
  }
}

TEST(Winches, RunAtTheSpeedThatIsAskedFor) {
  const Scenario s = read_lift(lift(hanging,
                                    on_a_rope + "winches: {main: {rope: hoist, mode: speed, response: 0.1 s, " + drum +
                                        "}}\noperation: [{at: 1 s, over: 2 s, move: {main: 0.5 m/s}}]",
                                    "{duration: 8 s, step: 10 ms}"));
  const State end = run(s, 8);
  EXPECT_NEAR(rope_channel(s, end, "main.speed"), 0.5, 1e-4);
  EXPECT_NEAR(rope_channel(s, end, "hoist.tension"), 9806.65, 1);
  EXPECT_NEAR(rope_channel(s, end, "main.torque"), -0.5 * felt, 1);
}

TEST(Winches, AForceOfTheWeightHolds) {
  const Scenario s =
      read_lift(lift(hanging, on_a_rope + "winches: {main: {rope: hoist, mode: force, target: 9.7 kN, " + drum + "}}",
                     "{duration: 2 s, step: 10 ms}"));
  // The load and the drum fall together: (m g - F)/(m + J/r²), J = 100 + 10² · 1.
  const double expected = (felt - 9700) / (1000 + 200 / 0.25);
  const State a = run(s, 1), b = run(s, 2);
  EXPECT_NEAR(-(rope_channel(s, b, "load.travel_rate") - rope_channel(s, a, "load.travel_rate")), expected,
              2e-3 * expected);
}

TEST(Winches, ConstantTensionGivesWayBeyondItsBand) {
  const std::string winch =
      "winches: {main: {rope: hoist, mode: constant_tension, target: 9 kN, gain: 1e-4 m/s/N, "
      "response: 0.2 s, limits: {speed: 0.3 m/s, acceleration: 1 m/s^2}, dead_band: ";
  const auto speed = [&](const char* band) {
    const Scenario s =
        read_lift(lift(hanging, on_a_rope + winch + band + ", " + drum + "}}", "{duration: 10 s, step: 10 ms}"));
    return rope_channel(s, run(s, 10), "main.speed");
  };
  EXPECT_NEAR(speed("1 kN"), 0, 1e-6);
  EXPECT_NEAR(speed("0.5 kN"), 1e-4 * (9806.65 - 9500), 1e-4);
  EXPECT_NEAR(speed("0 kN"), 1e-4 * (9806.65 - 9000), 1e-4);
}

TEST(Winches, ABrakeHoldsUpToItsTorque) {
  const auto fallen = [&](const char* torque) {
    const Scenario s = read_lift(lift(hanging,
                                      on_a_rope + "winches: {main: {rope: hoist, mode: force, " + drum +
                                          ", brake: {torque: " + torque + ", closed: [[0 s, 100 s]]}}}",
                                      "{duration: 2 s, step: 5 ms}"));
    return rope_channel(s, run(s, 2), "main.paid_out");
  };
  EXPECT_NEAR(fallen("6 kN m"), 0, 2e-3);
  // (m g r - T_b)/(m r² + J) · r · t²/2
  EXPECT_NEAR(fallen("4 kN m"), (felt * 0.5 - 4000) / (250 + 200) * 0.5 * 2, 0.02);
}

TEST(Winches, APassiveCompensatorIsASpring) {
  const Scenario s = read_lift(lift(hanging,
                                    on_a_rope + "winches: {soft: {rope: hoist, mode: passive, piston: {preload: 9 kN, "
                                                "stiffness: 2 kN/m, damping: 2 kN s/m, mass: 100 kg}}}",
                                    "{duration: 20 s, step: 10 ms}"));
  EXPECT_NEAR(rope_channel(s, run(s, 20), "soft.paid_out"), (9806.65 - 9000) / 2000, 1e-6);
}

TEST(Winches, FollowAPointThatRises) {
  const Scenario s = read_lift(lift(R"(
  boom: {at: [0, 0, 10 m], joint: {prismatic: z}, mass: 1 t}
  load: {at: [0, 0, 4 m], joint: {prismatic: z}, mass: 1 t}
)",
                                    R"(
constraints: {heave: {motion: {joint: boom}}}
ropes: {hoist: {from: boom, to: load, tension: 9806.65 N, EA: 10 MN, damping: 50 ms}}
winches: {main: {rope: hoist, mode: speed, follows: boom, response: 20 ms, drum: {radius: 0.5 m, inertia: 100 kg m^2}}}
operation: [{at: 1 s, over: 4 s, move: {boom: 1 m}}]
)",
                                    "{duration: 8 s, step: 5 ms}"));
  const State end = run(s, 8);
  EXPECT_NEAR(rope_channel(s, end, "main.paid_out"), 1, 0.01);
  EXPECT_NEAR(rope_channel(s, end, "load.travel"), 0, 0.02);
}

// A sheave on the body that its joint turns would turn with it, and rope would never run over it.
TEST(Ropes, ASheaveIsNotOnTheBodyThatItsJointTurns) {
  const auto said = [](const char* on) {
    input::Problems problems;
    const auto scenario = parse_scenario(
        lift(R"(
  crown: {at: [0, 0, 10 m], mass: 1 t}
  wheel: {on: crown, joint: {revolute: y}, mass: 50 kg, inertia: [4 kg m^2, 4 kg m^2, 4 kg m^2]}
  first: {at: [-0.4 m, 0, 4 m], joint: {prismatic: z}, mass: 1 t}
  second: {at: [0.4 m, 0, 4 m], joint: {prismatic: z}, mass: 1 t}
)",
             std::string("ropes: {hoist: {from: first, to: second, tension: 9806.65 N, EA: 10 MN, path: [{sheave: ") +
                 on + ", radius: 0.4 m, axis: y, joint: wheel}]}}",
             "{duration: 1 s, step: 10 ms}"),
        "lift.yaml", problems);
    EXPECT_EQ(scenario.has_value() && problems.error_count() == 0, std::string(on) == "crown");
    return problems.to_text();
  };
  const std::string own = said("wheel");
  EXPECT_NE(own.find("lift.yaml:"), std::string::npos) << own;
  EXPECT_NE(own.find("the sheave is on the body that its joint 'wheel.angle' turns"), std::string::npos) << own;
  EXPECT_NE(own.find("put it on the body that holds the joint"), std::string::npos) << own;
  EXPECT_EQ(said("crown").find("holds the joint"), std::string::npos);
}

TEST(Slings, ShareTheLoad) {
  const Scenario s =
      read_lift(lift(R"(
  hook: {at: [0, 0, 10 m], mass: 1 t}
  block: {at: [0, 0, 4 m], joint: {prismatic: z}, mass: 3 t, points: {a: [3 m, 0, 0], b: [-2 m, 1 m, 0], c: [0, -2 m, 0]}}
)",
                     "slings: {lift: {from: hook, to: [block.a, block.b, block.c], tension: 1 kN, EA: 1 MN}}"));
  const State start = s.initial_state();
  const double sum = std::sqrt(36 + 9.0) + std::sqrt(36 + 5.0) + std::sqrt(36 + 4.0);
  EXPECT_NEAR(rope_channel(s, start, "lift.length"), sum, 1e-12);
  // One tension in all three.
  const double up = 1000 * 6 * (1 / std::sqrt(45.0) + 1 / std::sqrt(41.0) + 1 / std::sqrt(40.0));
  EXPECT_NEAR(accelerations(s)[0], up / 3000 - 9.80665, 1e-9);
}

}  // namespace
}  // namespace davit::test
