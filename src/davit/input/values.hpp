// Reads single values of the tree by their shape. Each function reports every mistake it finds and says whether the
// value was read; the result is untouched when not. Untemplated, so that it is compiled once: codec.hpp maps C++ types
// to it.
#pragma once

#include <cstdint>
#include <string>

#include "davit/input/node.hpp"
#include "davit/input/problems.hpp"
#include "davit/input/quantity.hpp"
#include "davit/input/reference.hpp"
#include "davit/input/shape.hpp"
#include "davit/math/export.hpp"

namespace davit::input {

DAVIT_API bool read_number(const Node& node, const Shape& shape, Problems& problems, double& value);
// Between what the C++ type can hold, and within the bounds of the shape.
DAVIT_API bool read_integer(const Node& node, const Shape& shape, Problems& problems, std::int64_t lowest,
                            std::int64_t highest, std::int64_t& value);
DAVIT_API bool read_boolean(const Node& node, const Shape& shape, Problems& problems, bool& value);
DAVIT_API bool read_text(const Node& node, const Shape& shape, Problems& problems, std::string& value);
DAVIT_API bool read_choice(const Node& node, const Shape& shape, Problems& problems, std::size_t& index);
DAVIT_API bool read_quantity(const Node& node, const Shape& shape, Problems& problems, Quantity& value);
DAVIT_API bool read_threshold(const Node& node, const Shape& shape, Problems& problems, Threshold& value);
DAVIT_API bool read_reference(const Node& node, const Shape& shape, Problems& problems, Reference& value);

// Whether the node is a list of the right length, or a map whose keys are all names. A bad name is reported, and the
// map may be read all the same.
DAVIT_API bool is_list(const Node& node, const Shape& shape, Problems& problems);
DAVIT_API bool is_map_of_names(const Node& node, const Shape& shape, Problems& problems);

DAVIT_API Node write_number(double value, const Shape& shape);
DAVIT_API Node write_text(const std::string& value);
DAVIT_API Node write_quantity(const Quantity& value);
DAVIT_API Node write_threshold(const Threshold& value);

// "found a map; a mass is expected here"
DAVIT_API void wrong_kind(const Node& node, const Shape& shape, Problems& problems);

}  // namespace davit::input
