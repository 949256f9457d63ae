// A scenario from its text, for tests that are about what is done with it.
#pragma once

#include <stdexcept>
#include <string>

#include "davit/scenario/scenario.hpp"

namespace davit::test {

inline Scenario read_scenario(const std::string& text) {
  input::Problems problems;
  auto scenario = parse_scenario(text, "lift.yaml", problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  return *std::move(scenario);
}

}  // namespace davit::test
