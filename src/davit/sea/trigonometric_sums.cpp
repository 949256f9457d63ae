#include "davit/sea/trigonometric_sums.hpp"

#include <bit>
#include <cmath>

#include "davit/math/constants.hpp"

namespace davit::sea {

namespace {

size_t wrapped(long index, size_t count) {
  const long n = static_cast<long>(count);
  return static_cast<size_t>(((index % n) + n) % n);
}

}  // namespace

TrigonometricSums::TrigonometricSums(std::vector<double> angles, int highest) : angles_(std::move(angles)) {
  const double bandwidth = 2.0 * highest + 1;
  count_ = std::bit_ceil(static_cast<size_t>(std::max(2 * bandwidth, 4.0 * reach)));
  step_ = 2 * pi / static_cast<double>(count_);
  const double oversampling = static_cast<double>(count_) / bandwidth;
  width_ = pi * reach / (bandwidth * bandwidth * oversampling * (oversampling - 0.5));
  for (int k = 0; k <= highest; ++k)
    sharpen_.push_back(std::sqrt(pi / width_) * std::exp(k * static_cast<double>(k) * width_) /
                       static_cast<double>(count_));
}

double TrigonometricSums::spread(double angle, long grid_point) const {
  const double away = angle - step_ * static_cast<double>(grid_point);
  return std::exp(-away * away / (4 * width_));
}

std::vector<double> TrigonometricSums::values(const std::vector<std::complex<double>>& harmonics) {
  // Half of each harmonic and the conjugate of the other half: the grid is real.
  std::vector<std::complex<double>> lines(count_, 0), grid;
  for (size_t k = 0; k < sharpen_.size(); ++k) {
    const std::complex<double> half = 0.5 * sharpen_[k] * harmonics[k];
    lines[k] += half;
    lines[wrapped(-static_cast<long>(k), count_)] += std::conj(half);
  }
  fft_.inv(grid, lines);
  std::vector<double> out;
  for (const double angle : angles_) {
    const long middle = std::lround(angle / step_);
    double sum = 0;
    for (long m = middle - reach; m <= middle + reach; ++m) sum += grid[wrapped(m, count_)].real() * spread(angle, m);
    out.push_back(sum * static_cast<double>(count_));  // the inverse divides by it
  }
  return out;
}

std::vector<std::complex<double>> TrigonometricSums::transposed(const std::vector<double>& values) {
  std::vector<std::complex<double>> grid(count_, 0), lines;
  for (size_t j = 0; j < angles_.size(); ++j) {
    const long middle = std::lround(angles_[j] / step_);
    for (long m = middle - reach; m <= middle + reach; ++m)
      grid[wrapped(m, count_)] += values[j] * spread(angles_[j], m);
  }
  fft_.fwd(lines, grid);
  std::vector<std::complex<double>> out;
  for (size_t k = 0; k < sharpen_.size(); ++k) out.push_back(sharpen_[k] * lines[k]);
  return out;
}

}  // namespace davit::sea
