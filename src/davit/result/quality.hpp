// Whether the numbers of a run are good enough to judge limits by: what was measured of its errors, beside what they
// may be.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace davit::result {

struct QualityCheck {
  std::string name{};
  double value = 0;
  double most = 0;  // that is good enough
  std::string unit{};
  std::string remedy{};  // where it is not

  bool passed() const { return value <= most; }
  // So far beyond that nothing should be read off the run.
  bool hopeless() const { return !(value <= 10 * most); }

  bool operator==(const QualityCheck&) const = default;
};

// The worst value of a channel, in the run and in a repetition of the stretch that leads to it at half the step.
struct Peak {
  std::string channel{}, unit{};
  double t = 0, value = 0, at_half_step = 0;
  double scale = 0;               // what a change is measured by: the value or the bound, whichever is larger
  std::optional<double> bound{};  // of a limit
  bool verdict_changes = false;   // of that limit

  double moved() const { return scale > 0 ? std::abs(at_half_step - value) / scale : 0; }

  bool operator==(const Peak&) const = default;
};

// What came of looking at the peaks of a run again.
struct Confirmation {
  std::vector<Peak> peaks{};
  std::vector<std::string> broken{};   // peaks whose repetition broke off, and why
  std::vector<std::string> remarks{};  // what was not looked at, and why
};

// Green: numbers can be relied on; amber: look at them again; red: do not use them.
enum class Trust { green, amber, red };

struct Quality {
  std::vector<QualityCheck> checks{};
  std::vector<Peak> peaks{};           // that were looked at again
  std::vector<std::string> remarks{};  // on what was not looked at

  bool good() const {
    return std::all_of(checks.begin(), checks.end(), [](const QualityCheck& check) { return check.passed(); });
  }
  Trust trust() const {
    const bool hopeless =
        std::any_of(checks.begin(), checks.end(), [](const QualityCheck& check) { return check.hopeless(); });
    return hopeless ? Trust::red : good() ? Trust::green : Trust::amber;
  }

  bool operator==(const Quality&) const = default;
};

}  // namespace davit::result
