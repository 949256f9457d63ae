// What the tests of this module share: small texts around the part under test, and what came of them.
#pragma once

#include <gtest/gtest.h>

#include "davit/scenario/scenario.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::test {

// A scenario of these bodies, and of further sections.
inline std::string lift(const std::string& bodies, const std::string& more = {},
                        const std::string& run = "{duration: 1 s, step: 10 ms}") {
  return "davit: 1\ntitle: test\nbodies:\n" + bodies + (bodies.ends_with('\n') ? "" : "\n") + more +
         (more.empty() || more.ends_with('\n') ? "" : "\n") + "run: " + run + "\n";
}

inline Scenario read_lift(const std::string& text) {
  input::Problems problems;
  auto scenario = parse_scenario(text, "lift.yaml", problems);
  if (!scenario) throw std::runtime_error(problems.to_text() + "in\n" + text);
  return *std::move(scenario);
}

inline VecX accelerations(const Scenario& s) {
  System system(*s.model);
  State state = s.initial_state();
  system.commit(state);
  EXPECT_TRUE(system.evaluate(state));
  return system.workspace().a;
}

inline const Body& body_of(const Scenario& s, const std::string& name) { return s.tree->body(name).body; }

}  // namespace davit::test
