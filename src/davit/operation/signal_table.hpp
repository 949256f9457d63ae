// Points that a signal follows, from a scenario or from a file of columns.
#pragma once

#include <istream>
#include <string>

#include "davit/operation/specification.hpp"

namespace davit::operation {

struct SignalPoints {
  std::vector<double> times, values;
};

// Lines of numbers with commas, semicolons, tabs or blanks between them; the first line may name the columns. Throws
// std::runtime_error in words that name file and line.
SignalPoints parse_columns(std::istream& text, const std::string& name, const std::string& column);

// Values in the unit of the signal. Nothing after a mistake, which is reported.
std::optional<Motion> read_signal_table(const SignalTableSpec&, const std::string& unit, input::Problems&);

}  // namespace davit::operation
