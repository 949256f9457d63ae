// A channel is a named number of the running model with unit, description and source: what is recorded, plotted,
// limited.
#pragma once

#include <functional>
#include <string>

#include "davit/model/state.hpp"

namespace davit {

struct Workspace;

struct Channel {
  std::string name;
  std::string unit;
  std::string description;
  std::string source;
  std::string group;  // curves of one group share a plot
  bool main = false;  // shown in the report without being asked for
  std::function<double(const State&, const Workspace&)> value;
};

}  // namespace davit
