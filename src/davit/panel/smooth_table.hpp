// Several smooth functions of two variables, tabulated together on one uniform grid and interpolated by the polynomial
// of degree five through the six nearest nodes in each direction: one set of weights serves them all, and the error
// falls with the sixth power of the step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace davit::panel {

// One direction of the grid: values from `first` on, `count` of them, `step` apart.
struct Axis {
  double first = 0, step = 1;
  int count = 6;

  double at(int i) const { return first + step * i; }
  // Enough nodes to cover [first, last] with steps of about `step`.
  static Axis covering(double first, double last, double step) {
    const int intervals = std::max(6, static_cast<int>(std::ceil((last - first) / step)));
    return {first, (last - first) / intervals, intervals + 1};
  }
};

// The six nodes around x and their weights (Lagrange).
struct Stencil {
  int first = 0;
  std::array<double, 6> weight;

  Stencil(const Axis& axis, double x) {
    const double s = (x - axis.first) / axis.step;
    const int middle = std::clamp(static_cast<int>(s), 2, axis.count - 4);
    first = middle - 2;
    const double t = s - middle, a = t * t - 1, b = t * t - 4, c = t - 3;
    weight = {-t * a * (t - 2) * c / 120, t * (t - 1) * b * c / 24,  -a * b * c / 12,
              t * (t + 1) * b * c / 12,   -t * a * (t + 2) * c / 24, t * a * b / 120};
  }
};

template <int functions>
class SmoothTable {
 public:
  using Values = std::array<double, functions>;

  SmoothTable() = default;
  // `fill(x, y)` gives the values at a node.
  template <class Fill>
  SmoothTable(const Axis& x, const Axis& y, const Fill& fill) : x_(x), y_(y) {
    nodes_.reserve(static_cast<size_t>(x.count) * static_cast<size_t>(y.count));
    for (int i = 0; i < x.count; ++i)
      for (int j = 0; j < y.count; ++j) nodes_.push_back(fill(x.at(i), y.at(j)));
  }

  Values operator()(double x, double y) const {
    const Stencil in_x(x_, x), in_y(y_, y);
    Values sum{};
    for (int i = 0; i < 6; ++i) {
      const Values* node = &nodes_[static_cast<size_t>(in_x.first + i) * static_cast<size_t>(y_.count) +
                                   static_cast<size_t>(in_y.first)];
      Values along{};
      for (size_t j = 0; j < 6; ++j)
        for (size_t f = 0; f < functions; ++f) along[f] += in_y.weight[j] * node[j][f];
      for (size_t f = 0; f < functions; ++f) sum[f] += in_x.weight[static_cast<size_t>(i)] * along[f];
    }
    return sum;
  }

 private:
  Axis x_, y_;
  std::vector<Values> nodes_;
};

}  // namespace davit::panel
