#include "davit/hydro/outliers.hpp"

#include <algorithm>
#include <cmath>

#include "davit/math/linear_algebra.hpp"

namespace davit::hydro {

std::vector<double> departures(const std::vector<double>& frequencies, const std::vector<double>& values) {
  const size_t n = values.size();
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  std::vector<double> out(n, std::nan(""));
  constexpr size_t least = 4;                    // on each side
  constexpr double window = 0.15, widest = 0.5;  // of the frequency, on each side
  if (n < 2 * least + 1 || largest == 0) return out;
  for (size_t i = least; i + least < n; ++i) {
    const double w = frequencies[i];
    size_t first = i - least, last = i + least;
    while (first > 0 && w - frequencies[first - 1] < window * w) --first;
    while (last + 1 < n && frequencies[last + 1] - w < window * w) ++last;
    const auto count = static_cast<Eigen::Index>(last - first + 1);
    const double span = std::max(w - frequencies[first], frequencies[last] - w);
    if (span > widest * w) continue;
    Eigen::MatrixXd powers(count, 4);
    VecX y(count), weight = VecX::Ones(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const double x = (frequencies[first + static_cast<size_t>(k)] - w) / span;
      powers.row(k) << 1, x, x * x, x * x * x;
      y[k] = values[first + static_cast<size_t>(k)] / largest;
    }
    // Reweighted least squares: what is far from the curve has less to say about it.
    Eigen::Vector4d c;
    for (int round = 0; round < 8; ++round) {
      const VecX root = weight.cwiseSqrt();
      c = least_squares(root.asDiagonal() * powers, VecX(root.cwiseProduct(y)));
      const VecX residual = (y - powers * c).cwiseAbs();
      VecX sorted = residual;
      std::nth_element(sorted.begin(), sorted.begin() + count / 2, sorted.end());
      const double typical = std::max(3 * sorted[count / 2], 1e-9);
      for (Eigen::Index k = 0; k < count; ++k) weight[k] = 1 / (1 + std::pow(residual[k] / typical, 2));
    }
    out[i] = std::abs(values[i] / largest - c[0]);
  }
  return out;
}

}  // namespace davit::hydro
