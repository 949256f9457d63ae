#include "davit/input/columns.hpp"

#include <fmt/format.h>

#include <cmath>

#include "davit/input/quantity.hpp"
#include "davit/input/wording.hpp"

namespace davit::input {

ColumnsError::ColumnsError(const std::string& file, int line, const std::string& what, std::string remedy_)
    : std::runtime_error(fmt::format("{}:{}: {}", file, line, what)), remedy(std::move(remedy_)) {}

std::vector<std::string> cells_of(std::string_view line) {
  while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const bool by_semicolon = line.find_first_of(";\t") != std::string_view::npos;
  const bool by_comma = !by_semicolon && line.find(',') != std::string_view::npos;
  const std::string_view separators = by_semicolon ? ";\t" : by_comma ? "," : " ";
  std::vector<std::string> cells;
  if (!by_semicolon && !by_comma) line = without_blanks(line);
  for (;;) {
    const std::size_t end = line.find_first_of(separators);
    cells.emplace_back(without_blanks(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
    if (!by_semicolon && !by_comma) line = without_blanks(line);
  }
}

double number_in(const std::vector<std::string>& cells, std::size_t column, const std::string& file, int line) {
  const char* const remedy = "give lines of a time and values, with times that rise";
  if (column >= cells.size())
    throw ColumnsError(file, line, fmt::format("not a time and a number in column {}", column + 1), remedy);
  const Parsed<double> parsed = parse_number(cells[column]);
  if (parsed.value && std::isfinite(*parsed.value)) return *parsed.value;
  throw ColumnsError(file, line,
                     fmt::format("not a time and a number in column {}: {}", column + 1, shown(cells[column])),
                     parsed.remedy.empty() ? remedy : parsed.remedy);
}

void check_width(const std::vector<std::string>& cells, std::size_t width, const std::string& file, int line) {
  if (cells.size() <= width) return;
  throw ColumnsError(file, line,
                     fmt::format("the line has {} columns, and those before it have {}", cells.size(), width),
                     "write decimals with a point, as in 1.5, and leave out what stands behind the last column");
}

}  // namespace davit::input
