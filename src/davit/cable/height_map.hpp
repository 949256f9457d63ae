// The height of a bed on a regular grid, smooth between its points: cubic in both directions, through all points, with
// continuous slopes (Catmull and Rom). Beyond the grid it goes on level from its border.
#pragma once

#include <vector>

#include "davit/math/types.hpp"

namespace davit::cable {

class HeightMap {
 public:
  // `heights` row by row, x first: heights[j * columns + i] at (x₀ + i Δ, y₀ + j Δ). std::invalid_argument with what
  // is wrong.
  HeightMap(Vec2 origin, double spacing, int columns, int rows, std::vector<double> heights);

  struct Point {
    double height;
    Vec2 slope;  // ∂z/∂x, ∂z/∂y
  };
  Point at(double x, double y) const;
  bool covers(double x, double y) const;
  Vec2 low() const { return origin_; }
  Vec2 high() const { return origin_ + spacing_ * Vec2(columns_ - 1, rows_ - 1); }

 private:
  double value(int i, int j) const;  // of the nearest point where there is none

  Vec2 origin_;
  double spacing_;
  int columns_, rows_;
  std::vector<double> heights_;
};

}  // namespace davit::cable
