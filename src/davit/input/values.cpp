#include "davit/input/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "davit/input/wording.hpp"

namespace davit::input {

namespace {

bool is_due_scalar(const Node& node, const Shape& shape, Problems& problems) {
  if (node.is_scalar()) return true;
  wrong_kind(node, shape, problems);
  return false;
}

bool is_within(double value, const Node& node, const Shape& shape, Problems& problems) {
  const std::optional<Bound>& lower = shape.lower;
  const std::optional<Bound>& upper = shape.upper;
  const bool too_low = lower && (lower->included ? value < lower->value : value <= lower->value);
  const bool too_high = upper && (upper->included ? value > upper->value : value >= upper->value);
  if (!too_low && !too_high) return true;
  problems.error(node.where(), fmt::format("{} is too {}", shown(node.text), too_low ? "small" : "large"),
                 fmt::format("it must be {}", bounds(shape)));
  return false;
}

template <class T>
bool accept(Parsed<T> parsed, const Node& node, const Shape& shape, Problems& problems, T& value) {
  if (!parsed.value) {
    const bool general = parsed.remedy.empty();
    problems.error(node.where(),
                   general ? fmt::format("{}; {} is expected here", parsed.mistake, due(shape)) : parsed.mistake,
                   general ? remedy(shape) : parsed.remedy);
    return false;
  }
  value = *std::move(parsed.value);
  return true;
}

}  // namespace

void wrong_kind(const Node& node, const Shape& shape, Problems& problems) {
  problems.error(node.where(), fmt::format("found {}; {} is expected here", found(node), due(shape)), remedy(shape));
}

bool read_number(const Node& node, const Shape& shape, Problems& problems, double& value) {
  Quantity quantity;
  if (!is_due_scalar(node, shape, problems)) return false;
  if (!accept(parse_quantity(node.text), node, shape, problems, quantity)) return false;
  quantity.where = node.where();
  const std::optional<double> si = require(quantity, shape.unit, problems);
  if (!si || !is_within(*si, node, shape, problems)) return false;
  value = *si;
  return true;
}

bool read_integer(const Node& node, const Shape& shape, Problems& problems, std::int64_t lowest, std::int64_t highest,
                  std::int64_t& value) {
  if (!is_due_scalar(node, shape, problems)) return false;
  std::string_view text = node.text;
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool overflow = code == std::errc::result_out_of_range;
  if (node.quoted || code == std::errc::invalid_argument || end != text.data() + text.size()) {
    wrong_kind(node, shape, problems);
    return false;
  }
  if (overflow || number < lowest || number > highest) {
    problems.error(node.where(), fmt::format("{} is out of range", shown(node.text)), remedy(shape));
    return false;
  }
  if (!is_within(static_cast<double>(number), node, shape, problems)) return false;
  value = number;
  return true;
}

bool read_boolean(const Node& node, const Shape& shape, Problems& problems, bool& value) {
  if (!is_due_scalar(node, shape, problems)) return false;
  if (node.quoted || (node.text != "true" && node.text != "false")) {
    wrong_kind(node, shape, problems);
    return false;
  }
  value = node.text == "true";
  return true;
}

bool read_text(const Node& node, const Shape& shape, Problems& problems, std::string& value) {
  if (!is_due_scalar(node, shape, problems)) return false;
  value = node.text;
  return true;
}

bool read_choice(const Node& node, const Shape& shape, Problems& problems, std::size_t& index) {
  if (!is_due_scalar(node, shape, problems)) return false;
  const auto at = std::find(shape.choices.begin(), shape.choices.end(), node.text);
  if (at == shape.choices.end()) {
    problems.error(node.where(), fmt::format("{} is not a choice here", shown(node.text)),
                   suggestion(node.text, "choices", shape.choices));
    return false;
  }
  index = static_cast<std::size_t>(at - shape.choices.begin());
  return true;
}

bool read_quantity(const Node& node, const Shape& shape, Problems& problems, Quantity& value) {
  if (!is_due_scalar(node, shape, problems)) return false;
  if (!accept(parse_quantity(node.text), node, shape, problems, value)) return false;
  value.where = node.where();
  return true;
}

bool read_threshold(const Node& node, const Shape& shape, Problems& problems, Threshold& value) {
  if (!is_due_scalar(node, shape, problems)) return false;
  if (!accept(parse_threshold(node.text), node, shape, problems, value)) return false;
  value.quantity.where = node.where();
  value.of.where = node.where();
  return true;
}

bool read_reference(const Node& node, const Shape& shape, Problems& problems, Reference& value) {
  if (!is_due_scalar(node, shape, problems)) return false;
  if (node.text.empty()) {
    wrong_kind(node, shape, problems);
    return false;
  }
  value = {node.text, node.where()};
  return true;
}

bool is_list(const Node& node, const Shape& shape, Problems& problems) {
  if (!node.is_sequence()) {
    wrong_kind(node, shape, problems);
    return false;
  }
  if (shape.length > 0 && node.items.size() != shape.length) {
    problems.error(node.where(), fmt::format("found a list of {}; {} is expected here", node.items.size(), due(shape)),
                   remedy(shape));
    return false;
  }
  return true;
}

bool is_map_of_names(const Node& node, const Shape& shape, Problems& problems) {
  if (!node.is_map()) {
    wrong_kind(node, shape, problems);
    return false;
  }
  for (const Node::Entry& entry : node.entries)
    if (!is_name(entry.key))
      problems.error(entry.where(), fmt::format("{} is not a name", shown(entry.key)),
                     "begin with a letter or '_', go on with letters, digits, '_' and '-'");
  return true;
}

Node write_number(double value, const Shape& shape) { return scalar_node(in_unit(value, shape.unit)); }

Node write_text(const std::string& value) {
  // In quotes when it could be taken for something else, as a title "12" or "null" could.
  const bool worded = !value.empty() && parse_number(value).value == std::nullopt && value != "true" &&
                      value != "false" && value != "null";
  return scalar_node(value, !worded);
}

Node write_quantity(const Quantity& value) {
  return scalar_node(value.has_unit ? fmt::format("{} {}", value.number, value.unit.text)
                                    : fmt::format("{}", value.number));
}

Node write_threshold(const Threshold& value) {
  if (value.is_relative()) return scalar_node(fmt::format("{} * {}", value.factor, value.of.name));
  return write_quantity(value.quantity);
}

}  // namespace davit::input
