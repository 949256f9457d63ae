#include "davit/cable/height_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace davit::cable {

namespace {

// What beds of this earth do not reach, so that no slope and no place of a map overflows.
constexpr double finest = 1e-3, coarsest = 1e6, farthest = 1e9, highest = 1e5;  // m

}  // namespace

HeightMap::HeightMap(Vec2 origin, double spacing, int columns, int rows, std::vector<double> heights)
    : origin_(std::move(origin)), spacing_(spacing), columns_(columns), rows_(rows), heights_(std::move(heights)) {
  if (columns_ < 2 || rows_ < 2)
    throw std::invalid_argument(
        fmt::format("a map of heights has two columns and two rows at least, not {} and {}", columns_, rows_));
  if (!(spacing_ >= finest && spacing_ <= coarsest))
    throw std::invalid_argument(fmt::format("the spacing of a map of heights is between {:g} and {:g} m, not {:g} m",
                                            finest, coarsest, spacing_));
  if (!(origin_.cwiseAbs().maxCoeff() <= farthest))
    throw std::invalid_argument(
        fmt::format("a map of heights begins at ({:g}, {:g}) m: that is too far away", origin_.x(), origin_.y()));
  if (heights_.size() != static_cast<size_t>(columns_) * static_cast<size_t>(rows_))
    throw std::invalid_argument(
        fmt::format("a map of {} x {} points has {} heights", columns_, rows_, heights_.size()));
  for (const double z : heights_)
    if (!(std::abs(z) <= highest)) throw std::invalid_argument(fmt::format("{:g} m is no height of a bed", z));
}

double HeightMap::value(int i, int j) const {
  i = std::clamp(i, 0, columns_ - 1);
  j = std::clamp(j, 0, rows_ - 1);
  return heights_[static_cast<size_t>(j) * static_cast<size_t>(columns_) + static_cast<size_t>(i)];
}

bool HeightMap::covers(double x, double y) const {
  const Vec2 end = high();
  return x >= origin_.x() && y >= origin_.y() && x <= end.x() && y <= end.y();
}

namespace {

// Weights of the four points around, and their derivatives, at a share f of the way from the second to the third.
struct CubicWeights {
  double value[4], slope[4];
  explicit CubicWeights(double f) {
    value[0] = ((-0.5 * f + 1) * f - 0.5) * f;
    value[1] = (1.5 * f - 2.5) * f * f + 1;
    value[2] = ((-1.5 * f + 2) * f + 0.5) * f;
    value[3] = (0.5 * f - 0.5) * f * f;
    slope[0] = (-1.5 * f + 2) * f - 0.5;
    slope[1] = (4.5 * f - 5) * f;
    slope[2] = (-4.5 * f + 4) * f + 0.5;
    slope[3] = (1.5 * f - 1) * f;
  }
};

}  // namespace

// Beyond the border as on it; a place that is not a number, of a run that breaks, is one of the border.
HeightMap::Point HeightMap::at(double x, double y) const {
  const double u = (x - origin_.x()) / spacing_, v = (y - origin_.y()) / spacing_;
  const double in_u = std::max(0.0, std::min(u, static_cast<double>(columns_ - 1))),
               in_v = std::max(0.0, std::min(v, static_cast<double>(rows_ - 1)));
  const int i = std::min(static_cast<int>(in_u), columns_ - 2), j = std::min(static_cast<int>(in_v), rows_ - 2);
  const CubicWeights wx(in_u - i), wy(in_v - j);
  Point out{0, Vec2::Zero()};
  for (int b = 0; b < 4; ++b) {
    double height = 0, slope = 0;
    for (int a = 0; a < 4; ++a) {
      const double z = value(i + a - 1, j + b - 1);
      height += wx.value[a] * z;
      slope += wx.slope[a] * z;
    }
    out.height += wy.value[b] * height;
    out.slope.x() += wy.value[b] * slope / spacing_;
    out.slope.y() += wy.slope[b] * height / spacing_;
  }
  if (u != in_u) out.slope.x() = 0;
  if (v != in_v) out.slope.y() = 0;
  return out;
}

}  // namespace davit::cable
