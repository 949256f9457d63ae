// Shapes as a user writes them:
//
//   barge:    length x beam x depth [, draft T]
//   cylinder: diameter x depth [, draft T]
//   sphere:   diameter [, draft T]
//   ship:     length x beam x depth, draft T, cb C [, cm C] [, cw C] [, lcb X]
//
// "barge: 110 x 46 x 7.5 m", "ship: 82.8 x 19.2 x 8 m, draft 6 m, cb 0.65", "cylinder: 20 m x 10 m", "sphere: 10 m".
// A length without a unit has that of the next one that has one, and is in metres where none follows. cb, cm and cw are
// the block, midship and waterplane coefficients, lcb the distance of the centre of buoyancy forward of midships.
// Properties come in any order. The sign × may stand for x.
#pragma once

#include <string>
#include <string_view>

#include "davit/hull/named_hulls.hpp"
#include "davit/input/unit.hpp"

namespace davit::hull {

input::Parsed<Shape> parse_shape(std::string_view text);

// The same shape in words that parse_shape understands.
std::string described(const Shape& shape);

}  // namespace davit::hull
