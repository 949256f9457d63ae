// Interpolation between the frequencies of a database: the cubic through the four around, or fewer at the ends.
#pragma once

#include <algorithm>
#include <vector>

namespace davit::hydro {

struct FrequencyWeights {
  size_t first = 0;             // frequency that the first weight is of
  std::vector<double> weights;  // four, or as many as there are

  FrequencyWeights(const std::vector<double>& frequencies, double w) {
    const size_t count = frequencies.size(), points = std::min<size_t>(4, count);
    const auto above =
        static_cast<size_t>(std::upper_bound(frequencies.begin(), frequencies.end(), w) - frequencies.begin());
    first = std::min(above >= 2 ? above - 2 : 0, count - points);
    for (size_t i = 0; i < points; ++i) {
      double weight = 1;
      for (size_t j = 0; j < points; ++j)
        if (j != i) weight *= (w - frequencies[first + j]) / (frequencies[first + i] - frequencies[first + j]);
      weights.push_back(weight);
    }
  }
};

}  // namespace davit::hydro
