#include "davit/input/record.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "crane.hpp"
#include "davit/input/emit.hpp"
#include "helpers.hpp"

namespace davit::input::test {
namespace {

template <class T>
T read_well(std::string_view text) {
  Problems problems;
  T value = read<T>(parsed(text), problems);
  EXPECT_EQ(problems.to_text(), "") << text;
  return value;
}

template <class T>
std::string read_badly(std::string_view text) {
  Problems problems;
  read<T>(parsed(text), problems);
  return problems.to_text();
}

TEST(Record, ReadsEveryKindOfField) {
  const auto crane = read_well<Crane>(R"(
title: Big one
bodies:
  king: {mass: 120 t, joint: {revolute: z}}
  boom: {mass: 30 t, joint: {slide: {travel: 3 m}}, up: x, fixed: true, parts: [{mass: 1, joint: free}]}
springs:
  - {joint: king, stiffness: 5 kN m/rad, rest: 30 deg, at: [0, 100 mm, 4]}
  - {joint: boom, stiffness: 2}
limits:
  - {channel: hoist.tension, below: 0.3 * mbl}
  - {channel: king.angle, above: -30 deg}
sheaves: 4
seed: 9000000000
efficiency: 97 %
speeds: [1, 2 knot]
extra: {anything: [goes]}
)");
  EXPECT_EQ(crane.title, "Big one");
  ASSERT_EQ(crane.bodies.size(), 2u);
  EXPECT_EQ(crane.bodies[0].first, "king");
  EXPECT_DOUBLE_EQ(crane.bodies[0].second.mass, 120e3);
  EXPECT_EQ(crane.bodies[0].second.joint.revolute, Axis::z);
  EXPECT_FALSE(crane.bodies[0].second.joint.free);
  EXPECT_EQ(crane.bodies[0].second.up, Axis::z);
  EXPECT_FALSE(crane.bodies[0].second.fixed);
  const Body& boom = crane.bodies[1].second;
  EXPECT_DOUBLE_EQ(boom.joint.slide.value().travel, 3);
  EXPECT_EQ(boom.up, Axis::x);
  EXPECT_TRUE(boom.fixed);
  EXPECT_TRUE(boom.parts.at(0).joint.free);
  ASSERT_EQ(crane.springs.size(), 2u);
  EXPECT_EQ(crane.springs[0].joint.name, "king");
  EXPECT_EQ(place(crane.springs[0].joint.where), "springs[0].joint@7:13");
  EXPECT_EQ(place(crane.springs[1].where), "springs[1]@8:5");
  EXPECT_DOUBLE_EQ(crane.springs[0].stiffness, 5000);
  EXPECT_DOUBLE_EQ(crane.springs[0].rest.value(), std::numbers::pi / 6);
  EXPECT_EQ(crane.springs[0].at, Eigen::Vector3d(0, 0.1, 4));
  EXPECT_FALSE(crane.springs[1].rest);
  EXPECT_EQ(crane.springs[1].at, Eigen::Vector3d(0, 0, 2));
  EXPECT_TRUE(crane.limits.at(0).below->is_relative());
  EXPECT_EQ(place(crane.limits[0].below->of.where), "limits[0].below@10:37");
  EXPECT_DOUBLE_EQ(crane.limits.at(1).above->value(), -std::numbers::pi / 6);
  EXPECT_EQ(crane.sheaves, 4);
  EXPECT_EQ(crane.seed, 9000000000);
  EXPECT_DOUBLE_EQ(crane.efficiency, 0.97);
  EXPECT_DOUBLE_EQ(crane.speeds.at(1), 2 * 1852.0 / 3600);
  EXPECT_EQ(crane.extra.value(), parsed("{anything: [goes]}"));
}

struct Thrusters {
  std::optional<double> keeping;
  static const Record<Thrusters>& record() {
    static const auto record = Record<Thrusters>("thrusters", "Thrusters")
                                   .field("position_keeping", &Thrusters::keeping, "s", "its period")
                                   .also("station_keeping");
    return record;
  }
};

TEST(Record, TakesAnotherKeyThatMeansTheSame) {
  EXPECT_EQ(read_well<Thrusters>("station_keeping: 60 s").keeping, 60);
  EXPECT_EQ(read_well<Thrusters>("position_keeping: 60 s").keeping, 60);
  EXPECT_NE(read_badly<Thrusters>("position_keeping: 60 s\nstation_keeping: 70 s")
                .find("'position_keeping' and 'station_keeping' mean the same"),
            std::string::npos);
  EXPECT_THROW(Record<Thrusters>("thrusters", "Thrusters")
                   .field("position_keeping", &Thrusters::keeping, "s", "its period")
                   .also("position_keeping"),
               std::logic_error);
}

TEST(Record, CollectsAllMistakes) {
  EXPECT_EQ(read_badly<Crane>("title: [a]\n"
                              "bodies:\n"
                              "  king: {mas: 3 t, joint: free}\n"
                              "  2nd: {mass: 12 km, joint: {free: {}, revolute: z}}\n"
                              "  sub: 5\n"
                              "sheaves: 2.5\n"
                              "efficiency: 30 deg\n"),
            "lift.yaml:1:8: error: title: found a list; text is expected here\n"
            "    remedy: give text\n"
            "lift.yaml:3:9: error: bodies.king: 'mass' is missing: how heavy it is\n"
            "    remedy: give a mass, e.g. 348 t or 1200 kg\n"
            "lift.yaml:3:10: error: bodies.king.mas: body has no key 'mas'\n"
            "    remedy: did you mean 'mass'? keys are: mass, joint, up, fixed, parts\n"
            "lift.yaml:4:3: error: bodies.2nd: '2nd' is not a name\n"
            "    remedy: begin with a letter or '_', go on with letters, digits, '_' and '-'\n"
            "lift.yaml:4:15: error: bodies.2nd.mass: '12 km' is a length; a mass is expected here\n"
            "    remedy: give a mass, e.g. 348 t or 1200 kg\n"
            "lift.yaml:4:29: error: bodies.2nd.joint: the joint is given as free, revolute at once\n"
            "    remedy: give exactly one of: free, revolute, slide\n"
            "lift.yaml:5:8: error: bodies.sub: found '5'; a map (body) is expected here\n"
            "    remedy: the keys are: mass, joint, up, fixed, parts\n"
            "lift.yaml:6:10: error: sheaves: found '2.5'; a whole number is expected here\n"
            "    remedy: give a whole number, e.g. 3\n"
            "lift.yaml:7:13: error: efficiency: '30 deg' is an angle; a plain number is expected here\n"
            "    remedy: give a plain number, e.g. 0.3 or 30 %\n");
}

TEST(Record, SaysWhatWasFoundAndWhatIsDue) {
  const auto spring = [](const std::string& rest) {
    return read_badly<Spring>(fmt::format("{{joint: k, stiffness: 1, {}}}", rest));
  };
  EXPECT_EQ(spring("rest: {a: 1}"),
            "lift.yaml:1:32: error: rest: found a map; an angle is expected here\n"
            "    remedy: give an angle, e.g. 30 deg or 0.5 rad\n");
  EXPECT_EQ(spring("rest: steep"),
            "lift.yaml:1:32: error: rest: 'steep' is not a number; an angle is expected here\n"
            "    remedy: give an angle, e.g. 30 deg or 0.5 rad\n");
  EXPECT_EQ(spring("rest: 5 degs"),
            "lift.yaml:1:32: error: rest: in '5 degs': 'degs' has an unknown unit 'degs'\n"
            "    remedy: did you mean 'deg s'? separate units by a space\n");
  EXPECT_EQ(spring("rest: 45"),
            "lift.yaml:1:32: warning: rest: '45' is read as radians\n"
            "    remedy: write '45 deg' if degrees are meant, '45 rad' if not\n");
  EXPECT_EQ(spring("rest: "),
            "lift.yaml:1:26: error: rest: 'rest' has no value; an angle is expected here\n"
            "    remedy: give an angle, e.g. 30 deg or 0.5 rad, or leave the key out\n");
  EXPECT_EQ(spring("at: [1, 2]"),
            "lift.yaml:1:30: error: at: found a list of 2; a list of 3, each a length is expected here\n"
            "    remedy: give a list of 3, each a length, e.g. [0, 0, 2 m]\n");
  EXPECT_EQ(spring("at: 3 m"),
            "lift.yaml:1:30: error: at: found '3 m'; a list of 3, each a length is expected here\n"
            "    remedy: give a list of 3, each a length, e.g. [0, 0, 2 m]\n");
  EXPECT_EQ(spring("at: [1, 2 kg, 3]"),
            "lift.yaml:1:34: error: at[1]: '2 kg' is a mass; a length is expected here\n"
            "    remedy: give a length, e.g. 12 m or 350 mm\n");
}

TEST(Record, AMissingKeyNamesItsExample) {
  EXPECT_EQ(read_badly<Spring>("{stiffness: 2}"),
            "lift.yaml:1:1: error: 'joint' is missing: the joint it acts in\n    remedy: give a name, e.g. king\n");
}

TEST(Record, KeepsBounds) {
  const auto stiffness = [](const std::string& value) {
    return read_badly<Spring>(fmt::format("{{joint: k, stiffness: {}}}", value));
  };
  EXPECT_EQ(stiffness("0"), "");
  EXPECT_EQ(stiffness("-1 kN m"),
            "lift.yaml:1:23: error: stiffness: '-1 kN m' is too small\n    remedy: it must be at least 0 N m/rad\n");
  EXPECT_NE(read_badly<Body>("{mass: 0, joint: free}").find("it must be above 0 kg"), std::string::npos);
  const auto crane = [](const std::string& rest) {
    return read_badly<Crane>(fmt::format("{{title: a, bodies: {{}}, {}}}", rest));
  };
  EXPECT_EQ(crane("sheaves: 12"), "");
  EXPECT_NE(crane("sheaves: 13").find("'13' is too large\n    remedy: it must be at least 1 and at most 12\n"),
            std::string::npos);
  EXPECT_EQ(crane("efficiency: 1.49"), "");
  EXPECT_NE(crane("efficiency: 1.5").find("above 0 and below 1.5"), std::string::npos);
  EXPECT_NE(crane("speeds: [1, -1]").find("speeds[1]: '-1' is too small"), std::string::npos);
}

TEST(Record, ReadsIntegersStrictly) {
  const auto seed = [](const std::string& value) {
    return read_badly<Crane>(fmt::format("{{title: a, bodies: {{}}, seed: {}}}", value));
  };
  for (const char* good : {"0", "-5", "+5", "9223372036854775807"}) EXPECT_EQ(seed(good), "") << good;
  for (const char* bad : {"1.0", "1e3", "'5'", "5 m", "x", "+-5", "0x5", "9223372036854775808", "[1]", "''"})
    EXPECT_NE(seed(bad), "") << bad;
  EXPECT_NE(read_badly<Crane>("{title: a, bodies: {}, sheaves: 3000000000}").find("'3000000000' is out of range"),
            std::string::npos);
}

TEST(Record, ReadsTruthStrictly) {
  for (const char* bad : {"yes", "True", "1", "'true'", "[]"}) {
    const std::string text = read_badly<Body>(fmt::format("{{mass: 1, joint: free, fixed: {}}}", bad));
    EXPECT_NE(text.find("true or false is expected here\n    remedy: write true or false\n"), std::string::npos)
        << text;
  }
}

TEST(Record, ReadsChoices) {
  EXPECT_EQ(read_badly<Body>("{mass: 1, joint: free, up: w}"),
            "lift.yaml:1:28: error: up: 'w' is not a choice here\n    remedy: choices are: x, y, z\n");
  EXPECT_NE(read_badly<Body>("{mass: 1, joint: free, up: [x]}").find("found a list; one of x, y, z is expected here"),
            std::string::npos);
}

TEST(Record, ReadsOneOf) {
  EXPECT_TRUE(read_well<Joint>("free").free);
  EXPECT_TRUE(read_well<Joint>("{free: {}}").free);
  EXPECT_EQ(read_well<Joint>("{revolute: y}").revolute, Axis::y);
  EXPECT_EQ(read_badly<Joint>("fre"),
            "lift.yaml:1:1: error: there is no joint 'fre'\n"
            "    remedy: did you mean 'free'? alternatives are: free, revolute, slide\n");
  EXPECT_EQ(read_badly<Joint>("revolute"),
            "lift.yaml:1:1: error: 'revolute' needs one of x, y, z\n"
            "    remedy: write {revolute: ...}; choose one of: x, y, z\n");
  EXPECT_EQ(read_badly<Joint>("slide"),
            "lift.yaml:1:1: error: 'slide' needs a map (slide)\n"
            "    remedy: write {slide: ...}; the keys are: along, travel\n");
  EXPECT_EQ(read_badly<Joint>("{}"),
            "lift.yaml:1:1: error: the joint is empty\n    remedy: give exactly one of: free, revolute, slide\n");
  EXPECT_EQ(read_badly<Joint>("{free: {x: 1}}"),
            "lift.yaml:1:9: error: free.x: nothing has no key 'x'\n    remedy: there are no keys\n");
  // An unknown alternative is one mistake, not two.
  EXPECT_EQ(read_badly<Joint>("{hinge: z}"),
            "lift.yaml:1:2: error: hinge: joint has no key 'hinge'\n    remedy: did you mean 'revolute'? keys are: "
            "free, revolute, slide\n");
  EXPECT_NE(read_badly<Joint>("[free]").find("found a list; a map (joint) is expected here"), std::string::npos);
  EXPECT_NE(read_badly<Joint>("{slide: {travel: 0}}").find("slide.travel: '0' is too small"), std::string::npos);
}

TEST(Record, ChecksOnlyWhatWasReadWell) {
  EXPECT_EQ(read_badly<Limit>("{channel: a}"),
            "lift.yaml:1:1: error: a limit limits nothing\n    remedy: give below or above\n");
  EXPECT_EQ(read_badly<Limit>("{channel: a, belo: 3}").find("limits nothing"), std::string::npos);
}

TEST(Record, ReadsThresholds) {
  const auto below = [](const std::string& value) {
    return read_badly<Limit>(fmt::format("{{channel: a, below: {}}}", value));
  };
  EXPECT_EQ(below("12 kN"), "");
  EXPECT_EQ(below("0.3 * mbl * 2"),
            "lift.yaml:1:21: error: below: '0.3 * mbl * 2' is neither a quantity nor number * name\n"
            "    remedy: give a quantity, e.g. 12 kN, or number * name, e.g. 0.3 * mbl\n");
  EXPECT_NE(below("{a: 1}").find("found a map; a quantity or number * name is expected here"), std::string::npos);
}

TEST(Record, AReferenceIsNotEmpty) {
  EXPECT_NE(read_badly<Limit>("{channel: '', below: 3}").find("channel: found ''; a name is expected here"),
            std::string::npos);
}

TEST(Record, AQuantityIsCheckedLater) {
  Problems problems;
  const auto limit = read<Limit>(parsed("{channel: a, above: 12 km}"), problems);
  EXPECT_FALSE(require(limit.above.value(), unit("N"), problems));
  EXPECT_EQ(problems.to_text(),
            "lift.yaml:1:21: error: above: '12 km' is a length; a force is expected here\n"
            "    remedy: give a force, e.g. 61560 kN or 900 tf\n");
}

TEST(Record, ReadsAnyTreeWithoutThrowing) {
  for (const char* text : {"a", "[1]", "{}", "{bodies: 3, title: {}}",
                           "{bodies: {a: [], b: {joint: [1]}}, limits: {a: 1}}", "{1: 2, bodies: {'': 1}, extra: ~}"})
    EXPECT_NE(read_badly<Crane>(text), "") << text;
}

TEST(Record, ADescriptionThatIsWrongThrows) {
  using R = Record<Spring>;
  EXPECT_THROW(R("a", "").field("x", &Spring::stiffness, "furlong", ""), std::logic_error);
  EXPECT_THROW(R("a", "").field("x", &Spring::stiffness, "kN", ""), std::logic_error);  // not coherent
  EXPECT_THROW(R("a", "").field("x", &Spring::joint, "").field("x", &Spring::at, "m", ""), std::logic_error);
  EXPECT_THROW(R("a", "").field("x", &Spring::joint, "").at_least(0), std::logic_error);
  EXPECT_THROW(R("a", "").at_least(0), std::logic_error);
  EXPECT_THROW(R("a", "").by_default(), std::logic_error);
  EXPECT_THROW(R("a", "").field("x", &Spring::rest, "rad", "").by_default(), std::logic_error);
  EXPECT_THROW(R("a", "").field("x", &Spring::joint, "").exactly_one(), std::logic_error);
}

// Whatever a record writes, it reads back; by way of text, as a result file would.
RC_GTEST_PROP(RecordProperty, WhatIsWrittenReadsBack, ()) {
  const auto number = rc::gen::map(rc::gen::arbitrary<double>(), [](double x) { return std::fmod(x, 1e9); });
  Spring spring;
  spring.joint.name = *rc::gen::elementOf(std::vector<std::string>{"king", "null", "12", "true", "a.b"});
  spring.stiffness = std::abs(*number);
  if (*rc::gen::arbitrary<bool>()) spring.rest = *number;
  spring.at = Eigen::Vector3d(*number, *number, *number);
  Problems problems;
  const auto node = parse_document(to_yaml(Spring::record().write(spring)), "f", problems);
  RC_ASSERT(node.has_value());
  const auto back = read<Spring>(*node, problems);
  RC_ASSERT(problems.to_text() == "");
  RC_ASSERT(back.joint.name == spring.joint.name);
  RC_ASSERT(back.stiffness == spring.stiffness);
  RC_ASSERT(back.rest == spring.rest);
  RC_ASSERT(back.at == spring.at);
}

TEST(Record, WritesAllKinds) {
  const std::string text =
      "title: \"12\"\n"
      "bodies:\n"
      "  king:\n"
      "    mass: 5 kg\n"
      "    joint:\n"
      "      revolute: z\n"
      "    up: z\n"
      "    fixed: true\n"
      "    parts: []\n"
      "springs: []\n"
      "limits:\n"
      "  -\n"
      "    channel: a\n"
      "    below: 0.3 * mbl\n"
      "    above: 12 kN\n"
      "sheaves: 3\n"
      "seed: -4\n"
      "efficiency: 0.5\n"
      "speeds: [1.5 m/s]\n"
      "extra: [x]\n";
  EXPECT_EQ(to_yaml(Crane::record().write(read_well<Crane>(text))), text);
}

}  // namespace
}  // namespace davit::input::test
