// Within which two times of an operation are the same.
#pragma once

#include <algorithm>
#include <cmath>

namespace davit::operation {

inline double time_slack(double t) { return 1e-9 * std::max(1.0, std::abs(t)); }

}  // namespace davit::operation
