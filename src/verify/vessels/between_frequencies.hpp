// A value between the frequencies of a database: the cubic through the four nearest.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

namespace davit::verify {

template <class At>
auto between_frequencies(const std::vector<double>& frequencies, double w, const At& at) {
  const auto above = std::upper_bound(frequencies.begin(), frequencies.end(), w) - frequencies.begin();
  const auto first = static_cast<size_t>(
      std::clamp<std::ptrdiff_t>(above - 2, 0, static_cast<std::ptrdiff_t>(frequencies.size()) - 4));
  std::decay_t<decltype(at(first))> sum = 0 * at(first);
  for (size_t i = first; i < first + 4; ++i) {
    double weight = 1;
    for (size_t j = first; j < first + 4; ++j)
      if (j != i) weight *= (w - frequencies[j]) / (frequencies[i] - frequencies[j]);
    sum += weight * at(i);
  }
  return sum;
}

}  // namespace davit::verify
