// Writes channels as comma-separated values, for spreadsheets and scripts.
//
// Solves: every number reads back as the same double, in as few digits as that takes; channels are chosen by patterns.
// Does not: resample or convert units: what is recorded is what is written.
#pragma once

#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "davit/result/reader.hpp"

namespace davit::result {

// '*' stands for any characters, '?' for one (a byte).
bool matches(std::string_view pattern, std::string_view name);

// The channels that match any of the patterns, in the order of the file; all when there are none. A pattern that
// matches nothing throws ResultError.
std::vector<std::size_t> select_channels(const Result& result, std::span<const std::string> patterns);

// Header "time [s],king.angle [rad],...", then one line per row. Names that a spreadsheet would take for formulas are
// quoted (file/csv_cell.hpp).
void export_csv(const Result& result, std::ostream& out, std::span<const std::string> patterns = {});
void export_csv(const Result& result, const std::filesystem::path& path, std::span<const std::string> patterns = {});

}  // namespace davit::result
