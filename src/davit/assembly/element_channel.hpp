// The channel of an element of some kind, `hoist.tension` of a line: named after both, and plotted with the same
// channel of others of its kind.
#pragma once

#include "davit/assembly/assembly.hpp"

namespace davit {

inline void add_element_channel(Assembly& assembly, const std::string& kind, const std::string& name,
                                const std::string& what, const std::string& unit, const std::string& description,
                                bool main, decltype(Channel::value) value) {
  assembly.add_channel(
      {name + "." + what, unit, description, kind + " " + name, kind + " " + what, main, std::move(value)});
}

}  // namespace davit
