#include "davit/sea/energy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "davit/math/integrate.hpp"

namespace davit::sea {

Energy::Energy(Spectrum spectrum) : spectrum_(std::move(spectrum)) {
  constexpr int cells = 32;  // of each smooth piece
  constexpr double left_out = 1e-9;
  std::vector<double> joints = spectrum_.joints();
  total_ = spectrum_.moment(0);
  if (spectrum_.has_tail())
    while (spectrum_.energy(joints.back(), std::numeric_limits<double>::infinity()) > left_out * total_)
      joints.push_back(2 * joints.back());
  edges_ = {joints.front()};
  below_ = {0};
  for (std::size_t i = 0; i + 1 < joints.size(); ++i)
    for (int j = 1; j <= cells; ++j) {
      const double to = j == cells ? joints[i + 1] : joints[i] + (joints[i + 1] - joints[i]) * j / cells;
      below_.push_back(below_.back() + integrate_piece(spectrum_, edges_.back(), to).value);
      edges_.push_back(to);
    }
}

double Energy::below(double frequency) const {
  if (frequency <= edges_.front()) return 0;
  if (frequency >= edges_.back()) return total_;
  const auto cell =
      static_cast<std::size_t>(std::upper_bound(edges_.begin(), edges_.end(), frequency) - edges_.begin()) - 1;
  return below_[cell] + integrate_piece(spectrum_, edges_[cell], frequency).value;
}

double Energy::frequency(double energy) const {
  if (energy >= below_.back()) return edges_.back();
  const auto cell =
      static_cast<std::size_t>(std::upper_bound(below_.begin(), below_.end(), std::max(energy, 0.0)) - below_.begin()) -
      1;
  // Newton's method, kept inside by halving.
  double low = edges_[cell], high = edges_[cell + 1], w = 0.5 * (low + high);
  for (int round = 0; round < 100 && high - low > 1e-15 * high; ++round) {
    const double excess = below_[cell] + integrate_piece(spectrum_, edges_[cell], w).value - energy;
    (excess > 0 ? high : low) = w;
    const double next = w - excess / spectrum_(w);
    const double before = w;
    w = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(w - before) <= 1e-15 * w) break;
  }
  return w;
}

}  // namespace davit::sea
