// Where a scenario is looked at more closely: the state that its run begins with, or has come to at a time. Linear
// models are taken there.
#pragma once

#include "davit/simulation/preparation.hpp"

namespace davit {

struct OperatingPoint {
  State state;        // meets the constraints; drives and winches are in their laws for motion
  std::string about;  // which state it is, in words
  std::vector<std::string> warnings;
};

// Without a time the start of the run. What mooring lines remember of their motion is left behind: they are at rest
// between their ends. Throws std::invalid_argument for a time that the run does not reach, and std::runtime_error when
// there is no such state: it should begin in equilibrium and finds none, or breaks before.
OperatingPoint operating_point(const Scenario&, System&, std::optional<double> at = {});

}  // namespace davit
