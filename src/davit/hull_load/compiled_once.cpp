// Forces on a hull that are all in their headers, compiled once for all who use them.
#include "davit/hull_load/hull_damping.hpp"
#include "davit/hull_load/linear_hull.hpp"

namespace davit {

template class ForceOf<hull_load::LinearHull>;
template class ForceOf<hull_load::HullDamping>;

}  // namespace davit
