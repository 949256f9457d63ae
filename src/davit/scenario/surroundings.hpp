// Sea, wind and current of a scenario: what a run is surrounded by, and what the model is built for.
#pragma once

#include "davit/scenario/specification.hpp"
#include "davit/sea/waves.hpp"

namespace davit {

// What a file says of waves, wind or current, in one line and in its own units (knots); long lists are cut short.
std::string weather_as_given(const input::Node& of);
// What a number on the Beaufort scale stands for, in parentheses; empty where none is given.
std::string weather_in_numbers(const EnvironmentSpec& environment, const std::string& key);

// What an Environment is made of: waves, wind, seed, the step of the run. Waves with mistakes of their own are not
// made.
Surroundings surroundings_of(const Specification&, input::Problems&);
// Time (s) in which the waves have come up on all vessels, and on all else.
double wave_ramp_of(const Specification&, const sea::Waves&);

// Before any element is built: what there is of these, so that elements know whether it comes; water, current and bed,
// which the model is built for.
void share_environment(const EnvironmentSpec& environment, const Surroundings& around, Assembly& assembly);
// Signals by which somebody outside changes waves and wind in a run.
void share_weather_signals(const EnvironmentSpec&, Assembly&);

// After all elements: waves, wind or current that nothing felt are most likely a mistake.
void check_environment_is_felt(const EnvironmentSpec& environment, bool vessels, Assembly& assembly);

}  // namespace davit
