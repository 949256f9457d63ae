// A text as a cell of comma-separated values.
#pragma once

#include <string>
#include <string_view>

namespace davit::io {

// Between quotes where it has a comma, a quote or a line break. A text that a spreadsheet would take for a formula (it
// begins with =, +, -, @ or a tab) gets an apostrophe before it, also between quotes: names come from files of others,
// and a formula can send what is in the sheet elsewhere.
std::string csv_cell(std::string_view text);

}  // namespace davit::io
