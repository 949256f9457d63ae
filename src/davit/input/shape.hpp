// What the value of a field may be, without its C++ type: the one description from which reading, messages, JSON Schema
// and docs are made.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "davit/input/unit.hpp"

namespace davit::input {

class RecordInfo;

struct Bound {
  double value = 0;
  bool included = true;
};

struct Shape {
  enum class Kind {
    any,  // a part of the tree that something else reads
    number,
    integer,
    boolean,
    text,
    choice,
    quantity,  // of a dimension that is known later
    threshold,
    reference,
    list,
    names,    // a map whose keys are names that the user chooses
    targets,  // a map whose keys are references to joints and the like
    record
  };

  Kind kind = Kind::any;
  Unit unit;                          // of a number
  std::optional<Bound> lower, upper;  // of a number or integer, in SI
  std::vector<std::string> choices;   // of a choice
  std::vector<Shape> element;         // of a list, names or targets: one
  std::size_t length = 0;             // of a list; 0 for any
  // Of a record; a function, because a record may contain itself.
  std::function<const RecordInfo&()> record;
  std::string example;  // for the user, when the usual one does not fit

  // The innermost shape: of the numbers in a list of numbers.
  const Shape& leaf() const { return element.empty() ? *this : element.front().leaf(); }
  Shape& leaf() { return element.empty() ? *this : element.front().leaf(); }
};

std::string due(const Shape& shape);     // "a mass", "a list of 3, each a length"
std::string remedy(const Shape& shape);  // "give a mass, e.g. 348 t or 1200 kg"
// "at least 0 N m/rad and below 5 N m/rad"; empty when there are no bounds.
std::string bounds(const Shape& shape);

}  // namespace davit::input
