// Reads a YAML file into a tree of nodes with exact places. It refuses what a scenario does not need (tags, merge keys,
// duplicate keys, several documents) and what would exhaust the machine. No input makes it crash, throw or hang.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "davit/input/node.hpp"
#include "davit/input/problems.hpp"

namespace davit::input {

inline constexpr std::size_t most_bytes = 16 * 1024 * 1024;
inline constexpr std::size_t most_nodes = 1'000'000;                // with aliases expanded
inline constexpr std::size_t most_expanded_bytes = 4 * most_bytes;  // of text, with aliases expanded
inline constexpr int deepest = 64;
inline constexpr std::size_t longest_key = 256;

// The text as a tree; `file` is what messages call it, and its first character is at `first_column` of line 1.
// Nothing when there is no tree to speak of. A tree with mistakes in it (a duplicate key) is still returned, so that
// the mistakes of its values are found too: ask problems.has_errors().
std::optional<Node> parse_document(std::string_view text, const std::string& file, Problems& problems,
                                   int first_column = 1);

// Reads a file. A file that is missing, no file, unreadable or too large is a mistake at `asked_by` if another file
// asked for it, else of the file as a whole.
std::optional<Node> load_document(const std::filesystem::path& file, Problems& problems,
                                  const std::optional<Where>& asked_by = std::nullopt);

}  // namespace davit::input
