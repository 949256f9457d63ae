#include "davit/statics/mode_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace davit {

std::vector<result::Mode> mode_table(const VibrationResult& vibration) {
  constexpr double rings = 0.5;  // of critical damping
  std::vector<result::Mode> table;
  for (const VibrationMode& m : vibration.modes) {
    const bool grows = m.eigenvalue.real() > 1e-6 * std::max(1.0, vibration.fastest);
    // Free, neutral and overdamped motions have no frequency.
    const bool oscillates = m.eigenvalue.imag() > 1e-6 * vibration.fastest;
    if (!oscillates && !grows) continue;
    table.push_back({m.frequency, oscillates ? 1 / m.frequency : NAN,
                     std::abs(m.damping_ratio) < 1e-6 ? 0.0 : m.damping_ratio,
                     (grows ? "unstable: " : "") + m.description});
  }
  std::stable_partition(table.begin(), table.end(), [](const result::Mode& m) { return m.damping_ratio < rings; });
  return table;
}

std::string modes_left_out(const VibrationResult& vibration) {
  const auto count = [](std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  const std::size_t still = vibration.modes.size() - mode_table(vibration).size();
  std::string out;
  if (vibration.auxiliary > 0)
    out = count(static_cast<std::size_t>(vibration.auxiliary), "oscillation") +
          " of auxiliary states (memory of the water, filters, controllers)";
  if (still > 0) out += (out.empty() ? "" : " and ") + count(still, "motion") + " without a frequency";
  return out;
}

}  // namespace davit
