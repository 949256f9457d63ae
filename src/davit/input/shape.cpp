#include "davit/input/shape.hpp"

#include <fmt/format.h>

#include "davit/input/record_info.hpp"
#include "davit/input/wording.hpp"

namespace davit::input {

namespace {

std::string usual_example(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::number:
      return examples_of(shape.unit);
    case Shape::Kind::integer:
      return "3";
    case Shape::Kind::quantity:
      return "12 kN";
    case Shape::Kind::threshold:
      return "12 kN or 0.3 * mbl";
    case Shape::Kind::list: {
      if (shape.leaf().kind != Shape::Kind::number || shape.length == 0 || !shape.element.front().element.empty())
        return "";
      const bool plain = shape.leaf().unit.dimension == dimensionless;
      std::string text = "[0";
      for (std::size_t i = 1; i < shape.length; ++i) text += i + 1 < shape.length ? ", 0" : ", 2";
      return text + (plain ? "]" : fmt::format(" {}]", shape.leaf().unit.text));
    }
    default:
      return "";
  }
}

}  // namespace

std::string due(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::any:
      return "a value";
    case Shape::Kind::number:
      return described(shape.unit);
    case Shape::Kind::integer:
      return "a whole number";
    case Shape::Kind::boolean:
      return "true or false";
    case Shape::Kind::text:
      return "text";
    case Shape::Kind::choice:
      return fmt::format("one of {}", listed(shape.choices));
    case Shape::Kind::quantity:
      return "a quantity";
    case Shape::Kind::threshold:
      return "a quantity or number * name";
    case Shape::Kind::reference:
      return "a name";
    case Shape::Kind::list:
      return shape.length > 0 ? fmt::format("a list of {}, each {}", shape.length, due(shape.element.front()))
                              : fmt::format("a list, each {}", due(shape.element.front()));
    case Shape::Kind::names:
      return fmt::format("a map from names, each to {}", due(shape.element.front()));
    case Shape::Kind::targets:
      return fmt::format("a map from names of joints and the like, each to {}", due(shape.element.front()));
    case Shape::Kind::record:
      return fmt::format("a map ({})", shape.record().name());
  }
  return "";
}

std::string remedy(const Shape& shape) {
  if (shape.kind == Shape::Kind::boolean) return "write true or false";
  if (shape.kind == Shape::Kind::choice) return fmt::format("choose one of: {}", listed(shape.choices));
  if (shape.kind == Shape::Kind::record && shape.example.empty())
    return fmt::format("the keys are: {}", listed(shape.record().keys()));
  const std::string example = shape.example.empty() ? usual_example(shape) : shape.example;
  if (example.empty()) return fmt::format("give {}", due(shape));
  return fmt::format("give {}, e.g. {}", due(shape), example);
}

std::string bounds(const Shape& shape) {
  std::string text;
  if (shape.lower)
    text = fmt::format("{} {}", shape.lower->included ? "at least" : "above", in_unit(shape.lower->value, shape.unit));
  if (shape.upper) {
    if (shape.lower) text += " and ";
    text += fmt::format("{} {}", shape.upper->included ? "at most" : "below", in_unit(shape.upper->value, shape.unit));
  }
  return text;
}

}  // namespace davit::input
