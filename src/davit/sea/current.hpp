// Current at a height z (negative under water). Above the still water it is that of the surface; below the last depth
// of a table it is that of the last.
#pragma once

#include <vector>

#include "davit/math/types.hpp"

namespace davit::sea {

class Current {
 public:
  static Current uniform(double speed, double heading);
  // U(z) = U ((h + z)/h)^exponent over a depth h, 1/7 for the boundary layer of a tide (DNV-RP-C205, 4.1.4).
  static Current power_law(double speed, double heading, double depth, double exponent = 1.0 / 7);
  // Straight lines between velocities at ascending depths (positive).
  struct Point {
    double depth, speed, heading;
  };
  static Current table(const std::vector<Point>&);

  Vec3 velocity(double z) const;

 private:
  struct Knot {
    double z;
    Vec3 velocity;
  };
  std::vector<Knot> knots_;  // from the surface down
  double depth_ = 0, exponent_ = 0;
};

}  // namespace davit::sea
