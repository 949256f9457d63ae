// A channel is a named number of the running model with unit, description and source: what is recorded, plotted,
// limited.
#pragma once

#include <functional>
#include <limits>
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
  // What to say after a run in which it was below a bound.
  struct Alarm {
    double below = -std::numeric_limits<double>::infinity();
    std::string words;
  };
  Alarm alarm = {};
};

}  // namespace davit
