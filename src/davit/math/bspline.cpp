#include "davit/math/bspline.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {
// The j-th of the knots: those at the ends are there degree + 1 times, the others degree - smoothness times.
double knot(int j, const BSpline& s) {
  const int after = j - s.degree, times = s.degree - s.smoothness;
  return after <= 0 ? 0.0 : double(std::min((after + times - 1) / times, s.spans)) / s.spans;
}
}  // namespace

// The k-th derivative is a spline of degree p - k on the same knots, with coefficients
//   c_i' = p (c_i - c_{i-1})/(t_{i+p} - t_i);
// de Boor's recursion evaluates each.
std::vector<double> BSpline::derivatives(int span, double x) const {
  const auto p = static_cast<size_t>(degree);
  const auto t = [&](size_t j) { return knot(static_cast<int>(j) + first(span), *this); };
  std::vector<double> now(p + 1), out;  // those of knots t(0) … t(2p + 1), of which [t(p), t(p + 1)] is the span
  for (size_t i = 0; i <= p; ++i) now[i] = c[first(span) + static_cast<int>(i)];
  for (size_t k = 0; k <= p; ++k) {
    std::vector<double> d(now.begin() + static_cast<long>(k), now.end());  // of degree q
    const size_t q = p - k;
    for (size_t r = 1; r <= q; ++r)
      for (size_t i = q; i >= r; --i) {
        const double from = t(i + k), to = t(i + k + q + 1 - r);
        const double s = (x - from) / (to - from);
        d[i] = (1 - s) * d[i - 1] + s * d[i];
      }
    out.push_back(d[q]);
    for (size_t i = p; i > k; --i) now[i] = double(q) * (now[i] - now[i - 1]) / (t(i + q) - t(i));
  }
  return out;
}

double BSpline::value(double x) const {
  const int span = std::clamp(static_cast<int>(std::floor(x * spans)), 0, spans - 1);
  return derivatives(span, x).front();
}

BSpline fitted(const BSpline& like, int fixed, const std::vector<double>& places, const std::vector<double>& values) {
  BSpline out = like, one = like;
  const Eigen::Index all = like.c.size(), free = all - 2 * fixed;
  if (free <= 0) return out;
  const auto rows = static_cast<Eigen::Index>(places.size());
  MatX basis(rows, all);
  for (Eigen::Index j = 0; j < all; ++j) {
    one.c = VecX::Unit(all, j);
    for (Eigen::Index i = 0; i < rows; ++i) basis(i, j) = one.value(places[static_cast<size_t>(i)]);
  }
  const VecX wanted = Eigen::Map<const VecX>(values.data(), rows) - basis.leftCols(fixed) * like.c.head(fixed) -
                      basis.rightCols(fixed) * like.c.tail(fixed);
  out.c.segment(fixed, free) = least_squares(MatX(basis.middleCols(fixed, free)), wanted);
  return out;
}

}  // namespace davit
