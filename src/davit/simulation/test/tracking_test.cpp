// A plan as the controller of a run: what a file may get wrong, and a run that is saved and goes on.
#include <gtest/gtest.h>

#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "davit/test/read_scenario.hpp"

namespace davit {
namespace {

struct Tracked {
  std::string track = "law: lqr, sensor: {delay: 40 ms, place_noise: 2e-3, speed_noise: 2e-3}";
  std::string winch = "mode: force, drum: {radius: 0.3 m, inertia: 60 kg m^2}";
  std::string constraints = {};
  std::string plan =
      "plan: {inputs: [trolley, winch], outputs: {load: {point: load, along: xz, by: [3 m, 0, 1 m]}}, over: 6 s}\n";

  std::string text() const {
    return "davit: 1\ntitle: a plan in a run\nbodies:\n"
           "  trolley: {at: [0, 0, 12 m], joint: {prismatic: x}, mass: 4 t}\n"
           "  sway: {on: trolley, joint: {revolute: y}, mass: 0 kg}\n"
           "  load: {on: sway, at: [0, 0, -8 m], joint: {prismatic: z}, mass: 20 t}\n"
           "ropes: {hoist: {from: trolley, to: load, EA: 100 MN, tension: 196.133 kN, damping: 10 ms}}\n"
           "winches: {winch: {rope: hoist, " +
           winch + "}}\n" + constraints + plan + "control: {crane: {track: {" + track +
           "}}}\nrun: {duration: 8 s, step: 10 ms, method: conserving, offset: {sway.angle: 3 deg}}\n";
  }
  std::string complaints() const {
    input::Problems problems;
    EXPECT_FALSE(parse_scenario(text(), "tracked.yaml", problems));
    return problems.to_text();
  }
};

TEST(Tracking, SavedAtAnyInstantItGoesOnWithTheSameBits) {
  for (const std::string track :
       {"law: lqr, sensor: {delay: 40 ms, place_noise: 2e-3, speed_noise: 2e-3}", "law: servo",
        "law: linearising, integral: true", "law: set_point, inertia: 0.5",
        "law: lqr, observer: {measure: [trolley.travel, winch.angle, load.position_x, load.position_z], sensors: "
        "{load.position_x: {noise: 5 mm, delay: 20 ms}}}"}) {
    const Scenario scenario = test::read_scenario(Tracked{.track = track}.text());
    Simulation whole(scenario, find_start(scenario));
    for (const double at : {0.013, 1.7}) {
      Simulation before(scenario, find_start(scenario)), after(scenario, find_start(scenario));
      before.advance(at);
      after.restore(before.save());
      after.run();
      if (!whole.is_over()) whole.run();
      EXPECT_EQ(after.state().hash(), whole.state().hash()) << track << " from " << at;
    }
    EXPECT_LT(std::abs(whole.get("crane.error.load.1")), 0.2) << track;
  }
}

// The pull of the drum bounds what the law asks for, and says so.
TEST(Tracking, DrivesStayWithinTheirLimits) {
  const Scenario scenario = test::read_scenario(Tracked{.track = "law: lqr, limits: {trolley: 5 kN}"}.text());
  Simulation run(scenario, find_start(scenario));
  double most = 0;
  while (!run.is_over()) {
    run.step();
    most = std::max(most, std::abs(run.get("crane.trolley.force")));
  }
  EXPECT_DOUBLE_EQ(most, 5000);
}

TEST(Tracking, ThePlanBeginsWhenItShall) {
  const Scenario scenario = test::read_scenario(Tracked{.track = "law: none, from: 2 s"}.text());
  Simulation run(scenario, find_start(scenario));
  run.advance(1.9);
  EXPECT_NEAR(run.get("winch.angle"), 0, 0.2);
  run.advance(5);
  EXPECT_GT(std::abs(run.get("winch.angle")), 1);
}

TEST(Tracking, MistakesAreSaidWithTheirPlace) {
  const auto says = [](const Tracked& of, const std::string& words) {
    const std::string text = of.complaints();
    EXPECT_NE(text.find(words), std::string::npos) << text;
    EXPECT_NE(text.find("tracked.yaml:"), std::string::npos) << text;
  };
  says({.plan = ""}, "there is no plan to track");
  says({.constraints = "constraints: {rails: {motion: {joint: trolley}}}\n"},
       "'trolley' is driven by the constraint 'rails' and by the plan");
  says({.winch = "mode: tension, target: 196 kN, gain: 1e-6 m/s/N, drum: {radius: 0.3 m, inertia: 60 kg m^2}"},
       "takes a tension");
  says({.winch = "mode: length"}, "takes no commands from a controller");
  says({.track = "law: lqr, limits: {crab: 5 kN}"}, "'crab' is no input of the plan");
  says({.track = "law: lqr, observer: {measure: [winch.angle]}"}, "does not show how the crane moves");
  says({.track = "law: lqr, observer: {measure: [hoist.length]}"}, "hoist.length");
  says({.track = "law: lqr, sensor: {delay: 20 ms}, observer: {measure: [winch.angle]}"}, "here it is estimated");
  says({.track = "plan: nowhere.yaml"}, "there is no file 'nowhere.yaml'");
  says({.plan = "plan: {inputs: [trolley, winch], outputs: {load: {point: load, along: z, by: [0, 0, 1 m]}}, over: 6 "
                "s}\n"},
       "outputs");
}

}  // namespace
}  // namespace davit
