#include "davit/page/display_unit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace davit::page {
namespace {

struct Choice {
  std::string_view unit;
  std::string_view shown;
  double scale;
  double from;  // the largest value from which it reads better
};

constexpr double degree = 180 / std::numbers::pi;

// In ascending order of `from` for a unit. t is a mass in Davit, as in a lifting plan.
constexpr std::array choices{
    Choice{"rad", "deg", degree, 0},  Choice{"rad/s", "deg/s", degree, 0}, Choice{"rad/s^2", "deg/s²", degree, 0},
    Choice{"m/s^2", "m/s²", 1, 0},    Choice{"kg m^2", "kg m²", 1, 0},     Choice{"kg m^2", "t m²", 1e-3, 1e4},
    Choice{"N", "kN", 1e-3, 1e4},     Choice{"N", "MN", 1e-6, 1e7},        Choice{"N m", "kN m", 1e-3, 1e4},
    Choice{"N m", "MN m", 1e-6, 1e7}, Choice{"N/m", "kN/m", 1e-3, 1e4},    Choice{"N/m", "MN/m", 1e-6, 1e7},
    Choice{"W", "kW", 1e-3, 1e4},     Choice{"W", "MW", 1e-6, 1e7},        Choice{"J", "kJ", 1e-3, 1e4},
    Choice{"J", "MJ", 1e-6, 1e7},     Choice{"Pa", "kPa", 1e-3, 1e4},      Choice{"Pa", "MPa", 1e-6, 1e6},
    Choice{"kg", "t", 1e-3, 1e4},
};

}  // namespace

DisplayUnit display_unit(const std::string& unit, double largest, UnitSystem system) {
  DisplayUnit chosen{unit == "1" ? "" : unit, 1};
  if (system == UnitSystem::si) return chosen;
  for (const Choice& choice : choices)
    if (choice.unit == unit && std::abs(largest) >= choice.from) chosen = {std::string(choice.shown), choice.scale};
  return chosen;
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

}  // namespace davit::page
