// Where a body may begin inside a contact that gives.
#include <fmt/format.h>

#include "davit/scenario/test/support.hpp"

namespace davit::test {
namespace {

// A box of 100 kg whose lower corners are so deep in a deck of 4 MN/m, at the weight's own depth of 0.25 mm or
// elsewhere.
std::string box_in_deck(double depth, const std::string& run) {
  return fmt::format(
      "davit: 1\n"
      "title: a box in a deck\n"
      "bodies:\n"
      "  box: {{at: [0, 0, {} m], joint: free, mass: 100 kg, box: {{size: [1 m, 1 m, 1 m]}}, points: {{a: [0.5 m, 0.5 "
      "m, -0.5 m], "
      "b: [-0.5 m, 0.5 m, -0.5 m], c: [0.5 m, -0.5 m, -0.5 m], d: [-0.5 m, -0.5 m, -0.5 m]}}}}\n"
      "forces:\n"
      "  deck: {{contact: {{surface: world, points: [box.a, box.b, box.c, box.d], stiffness: 1 MN/m}}}}\n"
      "run: {}\n",
      0.5 - depth, run);
}

TEST(StartInContact, ThrownOutIsAnErrorWithItsPlace) {
  input::Problems problems;
  EXPECT_FALSE(parse_scenario(box_in_deck(3.5, "{duration: 1 s, step: 1 ms}"), "lift.yaml", problems));
  ASSERT_EQ(problems.all().size(), 1u) << problems.to_text();
  EXPECT_EQ(problems.all()[0].where.line, 6);
  EXPECT_NE(problems.all()[0].message.find("'deck' are 3.5 m inside the surface"), std::string::npos);
}

TEST(StartInContact, PressedInByAFewTimesTheWeightIsAllowed) {
  for (const double depth : {2.5e-4, 2.5e-3}) {
    input::Problems problems;
    EXPECT_TRUE(parse_scenario(box_in_deck(depth, "{duration: 1 s, step: 1 ms}"), "lift.yaml", problems))
        << problems.to_text();
  }
}

TEST(StartInContact, ARunFromEquilibriumBeginsElsewhere) {
  input::Problems problems;
  EXPECT_TRUE(
      parse_scenario(box_in_deck(0.5, "{duration: 1 s, step: 1 ms, from_equilibrium: true}"), "lift.yaml", problems))
      << problems.to_text();
}

}  // namespace
}  // namespace davit::test
