// Random numbers that are the same on every machine: the engine is fixed by the C++ standard, and its upper 53 bits
// are the fraction. The distributions of the standard library are not used, because each library has its own.
#pragma once

#include <cstdint>
#include <random>

namespace davit::sea {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // In [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace davit::sea
