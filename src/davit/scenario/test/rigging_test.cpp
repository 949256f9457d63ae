// The section `rigging`: what is found, and which mistakes are named.
#include "davit/scenario/test/support.hpp"

namespace davit {
namespace {

using namespace test;

std::string lift_on_four(const std::string& rigging, const std::string& third_end = "hook") {
  const std::string bodies =
      "  hook: {at: [0, 0, 12 m]}\n"
      "  boom: {at: [0, 0, 12 m]}\n"
      "  load: {joint: free, mass: 10 t, box: {size: [3 m, 3 m, 3 m]}, points: {a: [1, 1, 0], b: [-1, 1, 0], c: [-1, "
      "-1, 0], d: [1, -1, 0]}}\n"
      "  frame: {on: load, weightless: true, mass: 1 t, box: {size: [1 m, 1 m, 1 m]}}\n";
  return lift(bodies,
              "ropes:\n  s1: {from: hook, to: load.a, EA: 1000 MN}\n  s2: {from: hook, to: load.b, EA: 1000 MN}\n"
              "  s3: {from: " +
                  third_end +
                  ", to: load.c, EA: 1000 MN}\n  s4: {from: hook, to: load.d, EA: 1000 MN}\n"
                  "  tag: {from: hook, to: load.d, EA: 1 MN}\nrigging: " +
                  rigging + "\n");
}

std::string said_of(const std::string& rigging, const std::string& third_end = "hook") {
  input::Problems problems;
  parse_scenario(lift_on_four(rigging, third_end), "lift.yaml", problems);
  return problems.to_text();
}

TEST(Rigging, FindsSlingsAndTolerances) {
  const Scenario part = read_lift(
      lift_on_four("{slings: [\"s?\", s1], length_tolerance: 0.15 %, centre_of_gravity: {of: load, x: 0.5 m}}"));
  ASSERT_TRUE(part.rigging);
  EXPECT_EQ(part.rigging->slings, (std::vector<std::string>{"s1", "s2", "s3", "s4"}));
  EXPECT_DOUBLE_EQ(part.rigging->length_part, 0.0015);
  EXPECT_EQ(part.rigging->length, 0);
  ASSERT_TRUE(part.rigging->centre);
  EXPECT_EQ(part.rigging->centre->by, Vec3(0.5, 0, 0));
  const Scenario length = read_lift(lift_on_four("{slings: [s1], length_tolerance: 20 mm}"));
  EXPECT_DOUBLE_EQ(length.rigging->length, 0.02);
  EXPECT_FALSE(
      read_lift(lift_on_four("{slings: [s1], length_tolerance: 20 mm, skew: none}")).rigging->varies_lengths());
}

TEST(Rigging, MistakesAreNamed) {
  const auto names = [](const std::string& said, const std::string& words) {
    EXPECT_NE(said.find(words), std::string::npos) << words << "\nin\n" << said;
    EXPECT_NE(said.find("lift.yaml:"), std::string::npos) << said;
  };
  names(said_of("{slings: [s9], length_tolerance: 20 mm}"), "there is no rope 's9'");
  names(said_of("{slings: [s1], length_tolerance: 20 kN}"), "neither a length nor a part of one");
  names(said_of("{slings: [s1], length_tolerance: 20}"), "neither a length nor a part of one");
  names(said_of("{slings: [s1], length_tolerance: 20 m}"), "too large for 's1', which is 12.08 m long");
  names(said_of("{slings: [s1], length_tolerance: 15 %}"), "too large for 's1'");
  names(said_of("{slings: [s1], length_tolerance: 0 mm}"), "a tolerance of 0 mm is none");
  names(said_of("{slings: [s1]}"), "have no tolerance");
  names(said_of("{length_tolerance: 20 mm}"), "'slings' is missing");
  names(said_of("{skew: corners}"), "nothing is varied");
  names(said_of("{slings: [s1, s2, s3], diagonal_split: 1.33}"), "four straight slings from one point to one body");
  names(said_of("{slings: [\"s?\"], diagonal_split: 1.33}", "boom"), "four straight slings from one point to one body");
  names(said_of("{slings: [\"s?\"], diagonal_split: 0.5}"), "too small");
  names(said_of("{centre_of_gravity: {of: lod, x: 1 m}}"), "there is no body 'lod'");
  names(said_of("{centre_of_gravity: {of: load}}"), "has no size");
  names(said_of("{centre_of_gravity: {of: hook, x: 1 m}}"), "has no weight that could be elsewhere");
  names(said_of("{centre_of_gravity: {of: frame, x: 1 m}}"), "has no weight that could be elsewhere");
}

}  // namespace
}  // namespace davit
