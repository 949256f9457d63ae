#include "davit/mooring/line_elements.hpp"

#include <algorithm>
#include <cmath>

namespace davit::mooring {

namespace {

struct Measured {
  double accuracy;
  Fineness fineness;
};
constexpr Measured measured[] = {{0.05, {1.3, 75}}, {0.02, {1.0 / 3, 250}}, {0.01, {1 / 4.2, 500}}};

}  // namespace

Fineness fineness_for(double accuracy) {
  const double wanted = std::clamp(accuracy, finest_accuracy, coarsest_accuracy);
  const int i = wanted >= measured[1].accuracy ? 0 : 1;
  const Measured &coarse = measured[i], &fine = measured[i + 1];
  const double part = std::log(coarse.accuracy / wanted) / std::log(coarse.accuracy / fine.accuracy);
  const auto between = [&](double from, double to) { return from * std::pow(to / from, part); };
  return {between(coarse.fineness.bar_length, fine.fineness.bar_length),
          between(coarse.fineness.steps, fine.fineness.steps)};
}

double bending_length(const std::vector<cable::Section>& sections, double tension) {
  double stiffest = 0;
  for (const cable::Section& s : sections) stiffest = std::max(stiffest, s.EI);
  return stiffest > 0 ? std::sqrt(stiffest / std::max(tension, 1e-6)) : 0;
}

bool bending_counts(double length, double bar_length) {
  constexpr double felt = 0.2;
  return length > felt * bar_length;
}

}  // namespace davit::mooring
