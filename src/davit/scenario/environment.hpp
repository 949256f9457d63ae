// Wind and current of a scenario: made once, for whatever feels them.
#pragma once

#include "davit/scenario/specification.hpp"

namespace davit {

// What a file says of waves, wind or current, in one line and in its own units (knots); long lists are cut short.
std::string weather_as_given(const input::Node& of);
// What a number on the Beaufort scale stands for, in parentheses; empty where none is given.
std::string weather_in_numbers(const EnvironmentSpec& environment, const std::string& key);

// Before any element is built.
void share_environment(const EnvironmentSpec& environment, Assembly& assembly);
// After all: waves, wind or current that nothing felt are most likely a mistake.
// Signals by which somebody outside changes waves and wind in a run.
void share_weather_signals(const EnvironmentSpec&, Assembly&);

void check_environment_is_felt(const EnvironmentSpec& environment, bool vessels, Assembly& assembly);

}  // namespace davit
