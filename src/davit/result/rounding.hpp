// Numbers that are recorded with fewer bits than a double has: the rest are zero, and a file packs without them.
//
// Solves: the last bits of a computed series are noise that no filter packs. With 28 of 52 bits of the mantissa each
// number is kept to 1.9e-9 of itself, far below what steps and Newton's method leave open, and three of its eight bytes
// vanish. Rounding what was rounded changes nothing.
#pragma once

#include <bit>
#include <cstdint>

namespace davit::result {

inline constexpr int all_mantissa_bits = 52, rounded_mantissa_bits = 28;

class Rounding {
 public:
  explicit Rounding(int mantissa_bits)
      : mask_(~std::uint64_t{0} << (all_mantissa_bits - mantissa_bits)), below_half_(~mask_ >> 1u) {}

  // To the nearest, ties to even. What is not finite, or would not be, stays.
  double operator()(double value) const {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t last = ~mask_ + 1;
    const std::uint64_t rounded = (bits + below_half_ + ((bits & last) != 0 ? 1 : 0)) & mask_;
    const bool finite = (bits & exponent) != exponent && (rounded & exponent) != exponent;
    return std::bit_cast<double>(finite && last != 1 ? rounded : bits);
  }

 private:
  static constexpr std::uint64_t exponent = std::uint64_t{0x7ff} << 52u;
  std::uint64_t mask_, below_half_;
};

}  // namespace davit::result
