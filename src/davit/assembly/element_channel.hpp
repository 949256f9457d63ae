// The channel of an element of some kind, `hoist.tension` of a line: named after both, and plotted with the same
// channel of others of its kind.
#pragma once

#include "davit/assembly/assembly.hpp"

namespace davit {

inline ScalarInfo element_scalar(const std::string& kind, const std::string& name, const std::string& what,
                                 const std::string& unit, const std::string& description, bool main) {
  return {name + "." + what, unit, description, kind + " " + name, kind + " " + what, main};
}

inline void add_element_channel(Assembly& assembly, const std::string& kind, const std::string& name,
                                const std::string& what, const std::string& unit, const std::string& description,
                                bool main, std::function<double(const State&, const Workspace&)> value) {
  assembly.observables().add_scalar(element_scalar(kind, name, what, unit, description, main), std::move(value));
}

}  // namespace davit
