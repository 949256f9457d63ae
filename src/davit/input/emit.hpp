// Writes a tree as YAML that parses to the same tree: the effective scenario in a result, defaults in the docs.
// A scalar that was plain is written plain when YAML allows it, else in quotes. Comments are not kept.
#pragma once

#include <string>

#include "davit/input/node.hpp"

namespace davit::input {

std::string to_yaml(const Node& node);  // in block style, with a newline at the end
std::string to_flow(const Node& node);  // in one line, as in {at: [0, 0, 4 m]}

}  // namespace davit::input
