#include "davit/html/display_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace davit::html {
namespace {

struct Choice {
  std::string_view unit;
  std::string_view shown;
  double scale;
  double from;  // the largest value from which it reads better
};

constexpr double degree = 180 / std::numbers::pi;

// t is a mass in Davit, as in a lifting plan.
constexpr std::array choices{
    Choice{"rad", "deg", degree, 0},      Choice{"rad/s", "deg/s", degree, 0}, Choice{"rad/s^2", "deg/s^2", degree, 0},
    Choice{"kg m^2", "t m^2", 1e-3, 1e4}, Choice{"kg", "t", 1e-3, 1e4},
};

// Units that take thousands and millions before them, whatever comes after (N m, N/m, N s/m).
constexpr std::array<std::string_view, 4> with_prefix{"N", "W", "J", "Pa"};
DisplayUnit prefixed(const std::string& unit, double largest) {
  const std::string_view first = std::string_view(unit).substr(0, unit.find_first_of(" /"));
  if (std::find(with_prefix.begin(), with_prefix.end(), first) == with_prefix.end()) return {unit, 1};
  const double mega_from = first == "Pa" ? 1e6 : 1e7;  // strengths are in MPa
  if (std::abs(largest) >= mega_from) return {"M" + unit, 1e-6};
  if (std::abs(largest) >= 1e4) return {"k" + unit, 1e-3};
  return {unit, 1};
}

std::string with_raised_digits(std::string text) {
  for (const auto& [plain, raised] : {std::pair{"^2", "²"}, std::pair{"^3", "³"}})
    for (size_t at = text.find(plain); at != std::string::npos; at = text.find(plain)) text.replace(at, 2, raised);
  return text;
}

}  // namespace

DisplayUnit display_unit(const std::string& unit, double largest, UnitSystem system) {
  if (unit == "1") return {"", 1};
  DisplayUnit chosen{unit, 1};
  if (system == UnitSystem::si) return chosen;
  chosen = prefixed(unit, largest);
  for (const Choice& choice : choices)
    if (choice.unit == unit && std::abs(largest) >= choice.from) chosen = {std::string(choice.shown), choice.scale};
  chosen.name = with_raised_digits(chosen.name);
  return chosen;
}

std::string readable(double value) {
  const double size = std::abs(value);
  return size >= 9999.5 && size < 999999.5 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string with_unit(double value, const std::string& unit, UnitSystem system) {
  const DisplayUnit shown = display_unit(unit, value, system);
  return fmt::format("{}{}{}", readable(value * shown.scale), shown.name.empty() ? "" : " ", shown.name);
}

void DisplayUnits::see(const std::string& group, const std::string& unit, double value) {
  if (!std::isfinite(value)) return;
  double& largest = largest_[{group, unit}];
  largest = std::max(largest, std::abs(value));
}

DisplayUnit DisplayUnits::of(const std::string& group, const std::string& unit) const {
  const auto seen = largest_.find({group, unit});
  return display_unit(unit, seen == largest_.end() ? 0 : seen->second, system_);
}

}  // namespace davit::html
