// Whether the numbers of a run are good enough to judge limits by: what was measured of its errors, beside what they
// may be.
#pragma once

#include <algorithm>
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
};

struct Quality {
  std::vector<QualityCheck> checks{};

  bool good() const {
    return std::all_of(checks.begin(), checks.end(), [](const QualityCheck& check) { return check.passed(); });
  }
};

}  // namespace davit::result
