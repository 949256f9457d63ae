// davit linearise as a user has it.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "davit/app/test/program.hpp"
#include "davit/test/source_tree.hpp"

namespace davit::app::test {
namespace {

class Linearise : public Program {
 protected:
  const std::string crane = in_source("scenarios/overhead_crane.yaml");

  void expect_refused(const std::vector<std::string>& words, const std::string& why) {
    const Outcome o = davit(words);
    EXPECT_EQ(o.code, 2) << o.out << o.err;
    EXPECT_TRUE(has(o.err, "error: ")) << o.err;
    EXPECT_TRUE(has(o.err, why)) << o.err;
    EXPECT_TRUE(has(o.err, "remedy: ")) << o.err;
  }
};

TEST_F(Linearise, says_and_writes_what_it_found) {
  const Outcome o = davit({"linearise", crane, "--open-loop", "--input", "*.travel", "--output", "trolley.travel",
                           "load.hook.z", "--json", "m.json", "--csv", "m", "--mat", "m.mat"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const char* words : {"static equilibrium", "6 states, 2 inputs, 2 outputs; open loop", "-196.1 kN",
                            "period 3.715 s", "blocks a period of 6.95 s", "in the place of the controller", "exact"})
    EXPECT_TRUE(has(o.out, words)) << words << "\n" << o.out;
  const auto json = nlohmann::json::parse(text_of(folder / "m.json"));
  EXPECT_EQ(json["loop"], "open");
  EXPECT_TRUE(json["at_rest"]);
  EXPECT_EQ(json["A"].size(), 6u);
  EXPECT_EQ(json["inputs"][1]["name"], "hoist.load.travel");
  EXPECT_NEAR(json["inputs"][1]["value"].get<double>(), -196133, 1e-3);
  EXPECT_EQ(json["zeros"].size(), 2u);
  EXPECT_EQ(json["poles"].size(), 6u);
  EXPECT_EQ(json["modes"][0]["reached"]["hidden_motions"], 0);
  const std::string B = text_of(folder / "m_B.csv");
  EXPECT_TRUE(has(B, "trolley.travel_rate [m/s],0.00012")) << B;
  for (const char* name : {"m_A.csv", "m_C.csv", "m_D.csv", "m_poles.csv", "m.mat"})
    EXPECT_TRUE(fs::exists(folder / name)) << name;
}

TEST_F(Linearise, outputs_by_differences_and_hidden_modes_are_told) {
  const Outcome o =
      davit({"linearise", crane, "--input", "trolley.travel", "--output", "travel.trolley.force", "--at", "5"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const char* words : {"has come to at 5 s", "central differences, error", "set trolley.travel_rate",
                            "the value is a state", "not at rest", "1 input, 1 output; closed loop"})
    EXPECT_TRUE(has(o.out, words)) << words << "\n" << o.out;
}

TEST_F(Linearise, what_cannot_be_answered_is_said) {
  expect_refused({"linearise", crane, "--at", "31"}, "31 s is not a time of the run, which ends at 30 s");
  expect_refused({"linearise", crane, "--at=-1"}, "-1 s is not a time of the run");
  expect_refused({"linearise", crane, "--input", "jib*"}, "no input matches 'jib*'");
  expect_refused({"linearise", crane, "--output", "jib*"}, "no output matches 'jib*'");
  expect_refused({"linearise", crane, "--open-loop", "--input", "trolley.travel"}, "nothing answers");
  expect_refused({"linearise", in_source("scenarios/equalizer.yaml")}, "has no inputs");
  expect_refused({"linearise", in_source("scenarios/lift_off_quay.yaml")}, "part and meet again");
  write("hull.yaml",
        "davit: 1\ntitle: t\nvessels: {barge: {hull: 'barge: 61.3 x 24 x 6 m', draft: 3 m}}\n"
        "bodies: {boom: {on: barge, joint: {revolute: y}, mass: 5 t, centre: [5 m, 0, 0]}}\n"
        "control: {luff: {pid: {joints: [boom], kp: 1 MN m/rad}}}\nrun: {duration: 1 s, step: 10 ms}\n");
  expect_refused({"linearise", "hull.yaml", "--no-solve"}, "was not solved before");
  EXPECT_EQ(davit({"linearise", "nothing.yaml"}).code, 2);
  EXPECT_EQ(davit({"linearise", crane, "--at", "soon"}).code, 2);
  const Outcome o = davit({"linearise", crane, "--json", "/no/such/folder/x.json"});
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(o.err, "/no/such/folder/x.json")) << o.err;
}

// Numbers that are good one by one and of which no eigenvalues can be found.
TEST_F(Linearise, what_cannot_be_computed_with_is_named) {
  const auto expect_named = [&](const std::string& mass, const std::string& gain) {
    write("arm.yaml", "davit: 1\ntitle: t\nbodies: {arm: {joint: {prismatic: x}, mass: " + mass +
                          "}}\ncontrol: {hold: {pid: {joints: [arm], kp: " + gain +
                          ", kd: 1 kN s/m}}}\nrun: {duration: 1 s, step: 10 ms}\n");
    const Outcome o = davit({"linearise", "arm.yaml"});
    EXPECT_TRUE(o.code == 2 || o.code == 3) << "exit code " << o.code << ", signal " << o.signal << o.out << o.err;
    EXPECT_TRUE(has(o.err, "the rate of 'arm.travel_rate' changes by 1e+")) << o.err;
    EXPECT_TRUE(has(o.err, "a gain or stiffness that is too large there, or a mass")) << o.err;
  };
  expect_named("1 t", "1e200 N/m");
  expect_named("1e-200 t", "1 N/m");
}

TEST_F(Linearise, a_full_disk_is_an_error) {
  for (const char* option : {"--mat", "--json"}) {
    const Outcome o = davit({"linearise", crane, option, "/dev/full"});
    EXPECT_EQ(o.code, 3) << option;
    EXPECT_TRUE(has(o.err, "No space left on device")) << o.err;
  }
}

}  // namespace
}  // namespace davit::app::test
