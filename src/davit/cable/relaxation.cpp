// Lines whose stiffness depends on the rate: a Maxwell branch beside every bar (properties.hpp).
#include <algorithm>

#include "davit/cable/line.hpp"

namespace davit::cable {

double Line::strain(const double* state, int element) const {
  const double rest = rest_length(state, element);
  return (position(state, element + 1) - position(state, element)).norm() / rest - 1;
}

void Line::begin_branches(const double* before, double h, LineWork& work) const {
  for (int i = 0; i < work.elements; ++i) {
    const size_t pack = static_cast<size_t>(i / lanes);
    const int lane = i % lanes;
    const ElementPack& p = packs_[pack];
    const double share = 1 / (1 + h / p.relaxation_time[lane]), slope = share * p.EA_branch[lane];
    work.branch_slope[pack][lane] = slope;
    work.branch_base[pack][lane] = share * before[layout_.branch() + i] - slope * strain(before, i);
  }
}

void Line::keep_branches(double* after, const LineWork& work) const {
  std::fill_n(after + layout_.branch(), layout_.nodes - 1, 0.0);
  for (int i = 0; i < work.elements; ++i) {
    const size_t pack = static_cast<size_t>(i / lanes);
    const int lane = i % lanes;
    after[layout_.branch() + i] = work.branch_base[pack][lane] + work.branch_slope[pack][lane] * strain(after, i);
  }
}

}  // namespace davit::cable
