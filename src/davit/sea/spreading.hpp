// How the energy of waves is spread over directions about the main one, χ₀:
//
//   cosⁿ:  D = C cosⁿ(χ − χ₀),        |χ − χ₀| ≤ π/2,  (66) of Tysse & Egeland with n = 2
//   cos2s: D = C cos²ˢ((χ − χ₀)/2),   |χ − χ₀| ≤ π
//
// with ∫ D dχ = 1. Frequencies all have the same spreading.
#pragma once

#include <vector>

namespace davit::sea {

// Equal parts of the axis, or parts that hold the same energy.
enum class Bands { equal_width, equal_energy };

class Spreading {
 public:
  enum class Kind { cos_n, cos_2s };
  // `exponent` is n or s.
  Spreading(Kind kind, double exponent);

  // At an angle from the main direction.
  double density(double angle) const;
  // Energy between −∞ and an angle, and the angle that has a given part below it.
  double below(double angle) const;
  double angle(double part) const;
  // D is zero beyond this angle.
  double limit() const { return limit_; }

 private:
  double power_, stretch_, limit_, scale_;  // D = scale cos^power(angle · stretch)
};

// One of `count` bands of directions: its part of the energy, and directions in it by u of [0, 1): in the middle for ½,
// drawn at random in the band, (67), for a random number.
struct DirectionBand {
  double part;
  double from, to;  // angles of equal_width, parts of the energy below of equal_energy
  Bands kind;
  double angle(const Spreading& spreading, double u) const {
    const double at = from + u * (to - from);
    return kind == Bands::equal_width ? at : spreading.angle(at);
  }
};
std::vector<DirectionBand> direction_bands(const Spreading&, int count, Bands kind);

}  // namespace davit::sea
