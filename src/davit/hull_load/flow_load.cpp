#include "davit/hull_load/flow_load.hpp"

#include <stdexcept>

#include "davit/math/constants.hpp"

namespace davit::hull_load {

FlowCoefficients::FlowCoefficients(const std::vector<Knot>& table) {
  constexpr double close = 1e-6;
  for (size_t i = 1; i < table.size(); ++i)
    if (!(table[i].angle > table[i - 1].angle)) throw std::invalid_argument("the angles do not ascend");
  if (table.size() < 2 || std::abs(table.back().angle - pi) > close ||
      std::min(std::abs(table.front().angle), std::abs(table.front().angle + pi)) > close)
    throw std::invalid_argument("the angles do not go from 0 or -180 deg to 180 deg");
  // The mirror image of a flow from starboard comes from port: sway and yaw change sign.
  if (table.front().angle > -close)
    for (size_t i = table.size() - 1; i > 0; --i)
      table_.push_back({-table[i].angle, table[i].value.cwiseProduct(Vec3(1, -1, -1))});
  table_.insert(table_.end(), table.begin(), table.end());
}

}  // namespace davit::hull_load

namespace davit {
template class ForceOf<hull_load::FlowLoad>;
}  // namespace davit
