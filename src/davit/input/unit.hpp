// Units as people write them ("kN m/rad^3") and the dimension they have, so that a length is never taken for a mass.
// It does not read numbers (quantity.hpp) and knows no offsets: there is no degree Celsius.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "davit/math/export.hpp"

namespace davit::input {

// What parsing gives: a value, or what is wrong and what to do about it.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string mistake;
  std::string remedy;
};

// Exponents of the base units. The radian counts as one, because N m/rad and N m, or 1/s and rad/s, are different
// things to an engineer.
struct Dimension {
  int kg = 0;
  int m = 0;
  int s = 0;
  int rad = 0;

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
  friend constexpr Dimension operator*(const Dimension& a, const Dimension& b) {
    return {a.kg + b.kg, a.m + b.m, a.s + b.s, a.rad + b.rad};
  }
  constexpr Dimension power(int n) const { return {kg * n, m * n, s * n, rad * n}; }
};

inline constexpr Dimension dimensionless{};
inline constexpr Dimension angle{0, 0, 0, 1};
inline constexpr Dimension frequency{0, 0, -1, 0};

struct Unit {
  double factor = 1;  // value in SI = number * factor
  Dimension dimension;
  std::string text = "1";
  // Revolutions and hertz may stand for one another (see factor_between), radians and degrees may not.
  int hertz = 0;        // exponent of Hz
  int revolutions = 0;  // exponent of rev; rpm has it too
  bool names_angle = false;
};

// Products by space, '*' or the middle dot; '/' divides by the one symbol that follows it; powers as ^2, ^-1,
// superscript two and three.
DAVIT_API Parsed<Unit> parse_unit(std::string_view text);

// The unit of a field, written by a programmer: throws std::logic_error when it is not one.
DAVIT_API Unit unit(std::string_view text);

// SI value of 1 `written` where `due` is expected, nothing when it does not fit. They fit when the dimensions are
// equal, and
// - when only the radian is missing and the written unit speaks of no angle: N m for N m/rad, 1/s for rad/s; but a
//   plain number (30 %) is no angle;
// - Hz where rad/s is due is 2 pi rad/s; rpm and rev/s where 1/s is due count revolutions.
DAVIT_API std::optional<double> factor_between(const Unit& written, const Unit& due);

DAVIT_API std::string described(const Unit& unit);      // "a mass", "an angle", "a quantity in N m/rad^3"
DAVIT_API std::string examples_of(const Unit& unit);    // "348 t or 1200 kg"
DAVIT_API std::string in_unit(double si, const Unit&);  // in_unit(348000, unit("t")) is "348 t"

}  // namespace davit::input
