// Text and numbers as they stand in a report, for every module that makes one.
//
// Solves: whatever a user called a body or a channel is shown, never interpreted; numbers have five significant digits.
// Does not: choose units (display_unit.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace davit::html {

std::string escape(std::string_view text);

// "12.346", "−0.5", "1.2346×10⁹"; a dash for what is not a number.
std::string number(double value);
std::string number(const std::optional<double>& value);

// A text for a <script type="application/json">: valid JSON that cannot end the element.
std::string json_text(std::string_view text);
std::string json_number(double value, int digits);

}  // namespace davit::html
