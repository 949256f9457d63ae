#include "davit/input/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "davit/input/wording.hpp"

namespace davit::input {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

template <class T>
Parsed<T> failed(std::string mistake, std::string remedy) {
  return {std::nullopt, std::move(mistake), std::move(remedy)};
}

struct Leading {
  double number = 0;
  std::string_view rest;
};

// The number that the text begins with. from_chars, because it does not ask the locale.
Parsed<Leading> leading_number(std::string_view whole) {
  std::string_view text = trimmed(whole);
  std::string unsigned_text(text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0));
  std::transform(unsigned_text.begin(), unsigned_text.end(), unsigned_text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const char* word : {"nan", ".nan", "inf", ".inf", "infinity"})
    if (unsigned_text == word) return failed<Leading>(fmt::format("{} is not finite", shown(whole)), "");

  if (text.starts_with('+')) text.remove_prefix(1);
  const std::size_t digits = text.starts_with('-') ? 1 : 0;
  // Only digits or a point may follow the sign: from_chars would read "infant" as infinity and "ant".
  const bool begins = digits < text.size() && text.find_first_of("0123456789.", digits) == digits &&
                      unsigned_text.front() != '-' && unsigned_text.front() != '+';
  Leading result;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), result.number);
  if (!begins || code == std::errc::invalid_argument)
    return failed<Leading>(fmt::format("{} is not a number", shown(whole)), "");
  if (code == std::errc::result_out_of_range)
    return failed<Leading>(fmt::format("{} is too large or too small to compute with", shown(whole)),
                           "give a number between 1e-300 and 1e300");
  result.rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (result.rest.starts_with(','))
    return failed<Leading>(fmt::format("{} is not a number", shown(whole)), "write decimals with a point, as in 1.5");
  return {result, "", ""};
}

}  // namespace

Parsed<double> parse_number(std::string_view text) {
  const Parsed<Leading> leading = leading_number(text);
  if (!leading.value) return failed<double>(leading.mistake, leading.remedy);
  if (!trimmed(leading.value->rest).empty())
    return failed<double>(fmt::format("{} is not a number", shown(text)), "give a number without a unit");
  return {leading.value->number, "", ""};
}

Parsed<Quantity> parse_quantity(std::string_view text) {
  const Parsed<Leading> leading = leading_number(text);
  if (!leading.value) return failed<Quantity>(leading.mistake, leading.remedy);
  Quantity quantity;
  quantity.number = leading.value->number;
  quantity.text = std::string(trimmed(text));
  const std::string_view unit_text = trimmed(leading.value->rest);
  if (!unit_text.empty()) {
    Parsed<Unit> parsed = parse_unit(unit_text);
    if (!parsed.value) {
      // The message names the unit; what the user looks for is the whole value.
      return failed<Quantity>(fmt::format("in {}: {}", shown(text), parsed.mistake), parsed.remedy);
    }
    quantity.unit = *std::move(parsed.value);
    quantity.has_unit = true;
  }
  if (!std::isfinite(quantity.value()))
    return failed<Quantity>(fmt::format("{} is too large to compute with", shown(text)),
                            "give a number between 1e-300 and 1e300");
  return {quantity, "", ""};
}

std::optional<double> require(const Quantity& quantity, const Unit& due, Problems& problems) {
  if (!quantity.has_unit) {
    if (due.dimension == angle && std::abs(quantity.number) > 4 * std::numbers::pi)
      problems.warning(
          quantity.where, fmt::format("{} is read as radians", shown(quantity.text)),
          fmt::format("write '{} deg' if degrees are meant, '{} rad' if not", quantity.number, quantity.number));
    return quantity.number;
  }
  const std::optional<double> factor = factor_between(quantity.unit, due);
  if (!factor) {
    problems.error(
        quantity.where,
        fmt::format("{} is {}; {} is expected here", shown(quantity.text), described(quantity.unit), described(due)),
        fmt::format("give {}, e.g. {}", described(due), examples_of(due)));
    return std::nullopt;
  }
  const double value = quantity.number * *factor;
  if (!std::isfinite(value)) {
    problems.error(quantity.where, fmt::format("{} is too large to compute with", shown(quantity.text)),
                   fmt::format("give {}, e.g. {}", described(due), examples_of(due)));
    return std::nullopt;
  }
  return value;
}

Parsed<Threshold> parse_threshold(std::string_view text) {
  const char* const remedy = "give a quantity, e.g. 12 kN, or number * name, e.g. 0.3 * mbl";
  Threshold threshold;
  const Parsed<Leading> leading = leading_number(text);
  if (!leading.value) return failed<Threshold>(leading.mistake, remedy);
  std::string_view rest = trimmed(leading.value->rest);
  if (rest.starts_with('*')) {
    rest = trimmed(rest.substr(1));
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    if (!is_name(rest.substr(0, dot)) || (dot < rest.size() && !is_name(rest.substr(dot + 1))))
      return failed<Threshold>(fmt::format("{} is neither a quantity nor number * name", shown(text)), remedy);
    threshold.factor = leading.value->number;
    threshold.of.name = std::string(rest);
    return {threshold, "", ""};
  }
  Parsed<Quantity> quantity = parse_quantity(text);
  if (!quantity.value) return failed<Threshold>(quantity.mistake, quantity.remedy);
  threshold.quantity = *std::move(quantity.value);
  return {threshold, "", ""};
}

}  // namespace davit::input
