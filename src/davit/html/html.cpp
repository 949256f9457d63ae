#include "davit/html/html.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace davit::html {
namespace {

std::string superscript(int exponent) {
  static constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = exponent < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(exponent))) out += digits[static_cast<std::size_t>(c - '0')];
  return out;
}

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

}  // namespace davit::html
