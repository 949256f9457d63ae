// What tests of vessels in scenarios share: a barge, small files around it, runs of them.
#pragma once

#include <gtest/gtest.h>

#include "davit/scenario/scenario.hpp"
#include "davit/test/source_tree.hpp"

namespace davit::test {

inline const std::string barge = in_source("vessels/barge_110x46_18851t.h5");
inline const std::string supply_ship = in_source("vessels/supply_ship.h5");

struct Read {
  input::Problems problems;
  std::optional<Scenario> scenario;
  Read(const std::string& environment, const std::string& vessel, const std::string& bodies, const std::string& run) {
    const std::string text = "davit: 1\ntitle: test\nenvironment: {" + environment + "}\nvessels: {ship: {" + vessel +
                             "}}\n" + bodies + "\nrun: {duration: 1000 s, " + run + "}\n";
    scenario = parse_scenario(text, "test.yaml", problems);
  }
  bool says(const std::string& words) const { return problems.to_text().find(words) != std::string::npos; }
};

// Steps of one size, or as the method chooses, to the time asked for.
inline State run(const Scenario& scenario, double until, double step) {
  System system(*scenario.model);
  const auto stepper = scenario.make_stepper();
  State state = scenario.initial_state();
  system.commit(state);
  while (state.t < until - 1e-9) {
    const StepOutcome outcome = stepper->step(system, state, std::min(step, until - state.t));
    if (!outcome.ok) {
      ADD_FAILURE() << outcome.why.why;
      break;
    }
    system.commit(state);
  }
  return state;
}

inline double channel(const Scenario& scenario, const State& state, const std::string& name) {
  System system(*scenario.model);
  system.evaluate(state);
  for (const Channel& c : scenario.model->channels())
    if (c.name == name) return c.value(state, system.workspace());
  ADD_FAILURE() << "no channel " << name;
  return 0;
}

}  // namespace davit::test
