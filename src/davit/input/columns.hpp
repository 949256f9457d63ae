// Lines of numbers in a file: a time and values, with commas, semicolons, tabs or blanks between them.
// Does not: name columns or give them units; whoever reads the file knows what they mean.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "davit/math/export.hpp"

namespace davit::input {

// Names file and line.
struct DAVIT_API ColumnsError : std::runtime_error {
  ColumnsError(const std::string& file, int line, const std::string& what, std::string remedy);
  std::string remedy;
};

inline std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The cells of a line without the blanks around them. Where a semicolon or a tab stands in it, a comma separates
// nothing: 1;1,5 is two cells, and the second is no number.
DAVIT_API std::vector<std::string> cells_of(std::string_view line);

// Throws a ColumnsError for what is no finite number, with the remedy of a point where decimals have a comma.
DAVIT_API double number_in(const std::vector<std::string>& cells, std::size_t column, const std::string& file,
                           int line);

// A line has no more cells than the first one: 1,1,5 below 0,0 is a decimal comma.
DAVIT_API void check_width(const std::vector<std::string>& cells, std::size_t width, const std::string& file, int line);

}  // namespace davit::input
