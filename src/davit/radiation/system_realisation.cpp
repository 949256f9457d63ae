#include "davit/radiation/system_realisation.hpp"

#include <algorithm>
#include <numeric>

#include "davit/math/linear_algebra.hpp"

namespace davit::radiation {

namespace {
constexpr double decayed = 1e-3;  // of a motion that is left after one sample
}

Realisation::Realisation(const std::vector<MatX>& samples, double step) : width_(samples.front().rows()), step_(step) {
  length_ = step * static_cast<double>(samples.size() - 1);
  const auto blocks = static_cast<Eigen::Index>((samples.size() + 1) / 2);
  MatX hankel(blocks * width_, blocks * width_);
  for (Eigen::Index i = 0; i < blocks; ++i)
    for (Eigen::Index j = 0; j < blocks; ++j)
      hankel.block(i * width_, j * width_, width_, width_) = samples[static_cast<size_t>(i + j)];
  const SymmetricEigen eigen = symmetric_eigen(hankel);
  std::vector<Eigen::Index> order(static_cast<size_t>(hankel.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(eigen.values[a]) > std::abs(eigen.values[b]);
  });
  const Eigen::Index kept = hankel.rows() - width_;  // the shifted space must be determined
  space_.resize(hankel.rows(), kept);
  for (Eigen::Index k = 0; k < kept; ++k) space_.col(k) = eigen.vectors.col(order[static_cast<size_t>(k)]);
}

Poles Realisation::poles(int order) const {
  const Eigen::Index rows = space_.rows() - width_;
  const MatX shift = least_squares(space_.topLeftCorner(rows, order), MatX(space_.bottomLeftCorner(rows, order)));
  Poles out;
  for (const std::complex<double>& z : complex_eigenvalues(shift)) {
    if (z.imag() < 0 || std::abs(z) < decayed || (z.imag() == 0 && z.real() < 0)) continue;
    std::complex<double> s = std::log(z) / step_;
    s.real(std::min(-std::abs(s.real()), -1 / length_));
    out.push_back(s);
  }
  return out;
}

}  // namespace davit::radiation
