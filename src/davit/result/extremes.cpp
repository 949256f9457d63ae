#include "davit/result/extremes.hpp"

#include <cmath>

namespace davit::result {

void LargestVector::see(double t, const Triple& vector) {
  const double length = std::hypot(vector[0], vector[1], vector[2]);
  if (!(length > size)) return;
  size = length;
  time = t;
  parts = vector;
}

bool PointMotion::moved() const {
  constexpr double still = 1e-6;  // m, m/s
  for (std::size_t i = 0; i < 3; ++i)
    if (high[i] - low[i] > still) return true;
  return speed.size > still;
}

double LugForce::from_z() const { return std::atan2(std::hypot(pull.parts[0], pull.parts[1]), pull.parts[2]); }

double LugForce::plane() const { return std::atan2(pull.parts[1], pull.parts[0]); }

}  // namespace davit::result
