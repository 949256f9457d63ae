// summary.json read back, as somebody else may have written it.
//
// Solves: a report can be made again, and runs compared, from their files alone. Size, depth, types and numbers are
// checked; whatever is wrong is a ResultError that names the file, the key and the remedy.
// Does not: compute anything again. Keys that a summary of an older version lacks are empty.
#pragma once

#include <filesystem>
#include <string_view>

#include "davit/result/summary.hpp"

namespace davit::result {

RunSummary read_summary(const std::filesystem::path& path);
// The same from text; `name` is that of its file, for errors.
RunSummary parse_summary(std::string_view text, const std::string& name);

}  // namespace davit::result
