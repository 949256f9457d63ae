// Interpolation between the frequencies of a database: a polynomial through those around.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

namespace davit::wave_load {

struct FrequencyWeights {
  size_t first = 0;             // frequency that the first weight is of
  std::vector<double> weights;  // `points`, or as many as there are

  // The phase at the ends of a hull changes by a radian from one frequency to the next in the shortest waves of a usual
  // database: a cubic is off by 4 % there, the fifth order by 1.9 % in the last interval and 0.6 % before it.
  static constexpr size_t of_wave_forces = 6;

  // Through more than four points only where their steps are even: elsewhere it would swing.
  FrequencyWeights(const std::vector<double>& frequencies, double w, size_t points = 4) {
    points = std::min(points, frequencies.size());
    const size_t half = points / 2;
    const auto above =
        static_cast<size_t>(std::upper_bound(frequencies.begin(), frequencies.end(), w) - frequencies.begin());
    first = std::min(above >= half ? above - half : 0, frequencies.size() - points);
    if (points > 4 && !even(frequencies, points)) {
      *this = FrequencyWeights(frequencies, w, 4);
      return;
    }
    for (size_t i = 0; i < points; ++i) {
      double weight = 1;
      for (size_t j = 0; j < points; ++j)
        if (j != i) weight *= (w - frequencies[first + j]) / (frequencies[first + i] - frequencies[first + j]);
      weights.push_back(weight);
    }
  }

 private:
  bool even(const std::vector<double>& frequencies, size_t points) const {
    double narrowest = std::numeric_limits<double>::infinity(), widest = 0;
    for (size_t i = first + 1; i < first + points; ++i) {
      narrowest = std::min(narrowest, frequencies[i] - frequencies[i - 1]);
      widest = std::max(widest, frequencies[i] - frequencies[i - 1]);
    }
    return widest <= 3 * narrowest;
  }
};

}  // namespace davit::wave_load
