#include "davit/page/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace davit::page {
namespace {

std::string superscript(int exponent) {
  static constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = exponent < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(exponent))) out += digits[static_cast<std::size_t>(c - '0')];
  return out;
}

struct Prefix {
  std::string_view unit;
  std::string_view shown;
  double scale;
  double from;  // the largest value from which it reads better
};

// In ascending order of `from` for a unit. t is a mass in Davit, as in a lifting plan.
constexpr std::array prefixes{
    Prefix{"N", "kN", 1e-3, 1e4},     Prefix{"N*m", "kN·m", 1e-3, 1e4}, Prefix{"N m", "kN·m", 1e-3, 1e4},
    Prefix{"N·m", "kN·m", 1e-3, 1e4}, Prefix{"Nm", "kN·m", 1e-3, 1e4},  Prefix{"N/m", "kN/m", 1e-3, 1e4},
    Prefix{"W", "kW", 1e-3, 1e4},     Prefix{"J", "kJ", 1e-3, 1e4},     Prefix{"Pa", "kPa", 1e-3, 1e4},
    Prefix{"Pa", "MPa", 1e-6, 1e6},   Prefix{"kg", "t", 1e-3, 1e4},
};

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  if (value == 0) return "0";
  std::string text = fmt::format("{:.5g}", std::abs(value));
  if (const auto e = text.find('e'); e != text.npos) {
    const int exponent = std::stoi(text.substr(e + 1));
    text = exponent == 5 ? fmt::format("{:.0f}", std::abs(value)) : text.substr(0, e) + "×10" + superscript(exponent);
  }
  return value < 0 ? "−" + text : text;
}

std::string number(const std::optional<double>& value) { return value ? number(*value) : "–"; }

std::string json_text(std::string_view text) {
  const std::string quoted = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (const char c : quoted) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string json_number(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "null";
}

void DisplayUnits::see(const std::string& unit, double value) {
  if (!std::isfinite(value)) return;
  double& largest = largest_[unit];
  largest = std::max(largest, std::abs(value));
}

DisplayUnit DisplayUnits::of(const std::string& unit) const {
  DisplayUnit chosen{unit, 1};
  const auto seen = largest_.find(unit);
  if (seen == largest_.end()) return chosen;
  for (const Prefix& prefix : prefixes) {
    if (prefix.unit == unit && seen->second >= prefix.from) chosen = {std::string(prefix.shown), prefix.scale};
  }
  return chosen;
}

}  // namespace davit::page
