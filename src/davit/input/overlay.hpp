// Makes one scenario out of several sources: a base file, a file that says only what differs, settings of the command
// line. Every node keeps the place where it was written, so a message points at the file that made the mistake.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "davit/input/node.hpp"
#include "davit/input/problems.hpp"

namespace davit::input {

// Maps merge key by key, all else is replaced, and null removes the key. A null that finds nothing to remove stays: the
// reader then reports it, because it is a typing mistake more often than not.
Node overlay(Node base, Node variation);

// The variation that makes `changed` of `base`, both maps: overlay(base, difference(base, changed)) is `changed`.
Node difference(const Node& base, const Node& changed);

// What stands for the file in the place of a setting.
inline constexpr const char* command_line = "--set";

// "run.step=5 ms", "limits[2].below=0.3 * mbl": sets one value, making the maps on the way to it. The value is YAML,
// and null removes what is there. The root must be a map.
void apply_setting(Node& root, std::string_view setting, Problems& problems);

// The names under the top-level key `cases`.
std::vector<std::string> case_names(const Node& root);

// Lays a case over the scenario: a map as of a variation, in which a key such as run.step is the path of a setting.
// Without a name, or afterwards, the tree has no cases any more.
void apply_case(Node& root, const std::string& name, Problems& problems);

// Reads a file and lays it over the file that its top-level key `base` names (relative to it), and so on.
std::optional<Node> load_with_base(const std::filesystem::path& file, Problems& problems);

}  // namespace davit::input
