// Numbers with units: "348 t", "-30 deg", "1.5e3 kN", and thresholds such as "0.3 * mbl" or "1.2 * load.weight".
// There is no arithmetic here: number * name is all the language a scenario has.
#pragma once

#include <string>
#include <string_view>

#include "davit/input/problems.hpp"
#include "davit/input/reference.hpp"
#include "davit/input/unit.hpp"
#include "davit/input/where.hpp"
#include "davit/math/export.hpp"

namespace davit::input {

// A number whose dimension is not known when it is read, such as a limit on a channel: it keeps what was written until
// require() says what is due.
struct Quantity {
  double number = 0;  // as written
  Unit unit;          // the plain 1 when none was written
  bool has_unit = false;
  std::string text;
  Where where;

  double value() const { return number * unit.factor; }  // in SI
  const Dimension& dimension() const { return unit.dimension; }
};

// A mistake without a remedy is one of which only the reader can say what is due instead.
// The double that the text is, whole; NaN, infinities and numbers out of range are mistakes.
DAVIT_API Parsed<double> parse_number(std::string_view text);
DAVIT_API Parsed<Quantity> parse_quantity(std::string_view text);

// The SI value when the quantity fits a field of unit `due` (rules: factor_between; a bare number is SI). Reports a
// mistake and returns nothing when not; warns of bare angles that look like degrees.
DAVIT_API std::optional<double> require(const Quantity& quantity, const Unit& due, Problems& problems);

// A quantity, or a multiple of something that has a name: of the owner of the channel (mbl) or of another
// (load.weight).
struct Threshold {
  Quantity quantity;  // when not relative
  double factor = 0;  // when relative
  Reference of;       // when relative

  bool is_relative() const { return !of.name.empty(); }
};

DAVIT_API Parsed<Threshold> parse_threshold(std::string_view text);

}  // namespace davit::input
