// The parts of inspect(), by subject, and what they share. Private to inspect*.cpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "davit/hydro/inspect.hpp"
#include "davit/hydro/kramers_kronig.hpp"
#include "davit/hydro/modes.hpp"
#include "davit/hydro/scales.hpp"

namespace davit::hydro {

using Findings = std::vector<Finding>;

void inspect_matrices(const Database& database, Findings& findings);    // symmetry, signs, restoring, mass
void inspect_memory(const Database& database, Findings& findings);      // causality, kernel, truncation, gaps, spikes
void inspect_excitation(const Database& database, Findings& findings);  // Haskind, limits, headings

// Figures that should be small, seen over modes and frequencies, against the bounds from which each severity begins.
class Measure {
 public:
  Measure(double note, double warning, double error) : note_(note), warning_(warning), error_(error) {}

  void see(double value, int mode, double frequency, int other = -1) {
    if (value > warning_ && frequency > 0) first_bad_ = std::min(first_bad_, frequency);
    Peak& peak = peaks_[mode];
    if (value > peak.value) peak = {value, frequency, other};
    largest_ = std::max(largest_, value);
  }
  double largest() const { return largest_; }
  Severity severity() const {
    return largest_ > error_     ? Severity::error
           : largest_ > warning_ ? Severity::warning
           : largest_ > note_    ? Severity::note
                                 : Severity::ok;
  }
  // "40 % in heave at 2.24 rad/s, 13 % in pitch at 2.78 rad/s; above 5 % from 2.1 rad/s on": the worst modes first.
  std::string text(const Database& database) const {
    if (largest_ < 1e-5) return percent(largest_) + " %";
    std::vector<std::pair<int, Peak>> order(peaks_.begin(), peaks_.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second.value > b.second.value; });
    std::string out;
    for (size_t i = 0; i < order.size() && i < 4; ++i) {
      const auto& [mode, peak] = order[i];
      if (i > 0 && peak.value < note_) break;
      out +=
          fmt::format("{}{} % in {}{} at {:.3g} rad/s", i ? ", " : "", percent(peak.value), mode_name(database, mode),
                      peak.other < 0 ? "" : " and " + mode_name(database, peak.other), peak.frequency);
    }
    if (largest_ > warning_) out += fmt::format("; above {} % from {:.3g} rad/s on", percent(warning_), first_bad_);
    return out;
  }
  static std::string percent(double value) {
    if (value < 1e-5) return "less than 0.001";
    return 100 * value >= 100 ? fmt::format("{:.0f}", 100 * value) : fmt::format("{:.2g}", 100 * value);
  }

 private:
  struct Peak {
    double value = 0, frequency = 0;
    int other = -1;
  };
  double note_, warning_, error_;
  double largest_ = 0, first_bad_ = std::numeric_limits<double>::infinity();
  std::map<int, Peak> peaks_;
};

// On water of finite depth added mass in heave, roll and pitch grows as the logarithm of frequency towards zero; what a
// program gives as its limit there is another problem's.
inline bool has_zero_limit(const Database& database, int mode) {
  return std::isinf(database.depth) || mode % 6 < 2 || mode % 6 == 5;
}

}  // namespace davit::hydro
