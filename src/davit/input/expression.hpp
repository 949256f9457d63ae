// Arithmetic on parameters: =boom_length / 2 + 1.5 m. Numbers with units, names, + - * / ^,
// parentheses and a few functions; units are carried along and checked. No conditions, loops or text: it is no
// language.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "davit/input/unit.hpp"

namespace davit::input {

// A number in SI units with its dimension.
struct Value {
  double si = 0;
  Dimension dimension;
};

// What a name stands for; nothing when there is no such name, or when it has no value (which was reported).
using ValueOf = std::function<Parsed<Value>(std::string_view name)>;

// What stands behind the '=' that a text begins with; nothing of other texts.
std::optional<std::string_view> expression_in(std::string_view text);

// A unit follows its number: 9.81 m/s^2; a '/' with blanks about it divides by what follows. Names may have dots
// inside, as boom.length.
Parsed<Value> evaluate(std::string_view expression, const ValueOf& value_of);

// "54 m", "1.5 kg m^2 s^-2 rad^-1", "3": what reads back as the same number of the same dimension.
std::string to_text(const Value& value);

// The SI unit of a dimension: "m", "kg m^2", "1".
std::string text_of(const Dimension& dimension);

// "a length", "a plain number", …
std::string described(const Dimension& dimension);

}  // namespace davit::input
