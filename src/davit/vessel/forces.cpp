// Forces that are all in their headers, compiled once for all who use them.
#include "davit/vessel/position_keeping.hpp"
#include "davit/vessel/wind_area.hpp"

namespace davit {

template class ForceOf<vessel::PositionKeeping>;
template class ForceOf<vessel::WindArea>;

}  // namespace davit
