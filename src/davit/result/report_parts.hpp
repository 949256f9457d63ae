// Words and small pictures that sections of reports share.
#pragma once

#include <optional>
#include <string>

#include "davit/result/summary.hpp"

namespace davit::result {

// Phases of the operation that go on at a time: "lift_off"; nothing where there is none, or no operation.
std::string phase_at(const RunSummary& summary, double time);

// A time in seconds, with the phase below it.
std::string when_html(const RunSummary& summary, const std::optional<double>& time);

// The bar ends at 125 %, with a mark at 100 %.
std::string use_bar(const std::optional<double>& use);

// Four digits: no load or motion of a lift is known better.
std::string four_digits(double value);

// A section with a title; nothing where the content is empty.
std::string section(const std::string& title, const std::string& content);

}  // namespace davit::result
