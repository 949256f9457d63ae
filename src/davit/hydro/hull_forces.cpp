// Forces on a hull that are all in their headers, compiled once for all who use them.
#include "davit/hydro/hull_damping.hpp"
#include "davit/hydro/linear_hull.hpp"

namespace davit {

template class ForceOf<hydro::LinearHull>;
template class ForceOf<hydro::HullDamping>;

}  // namespace davit
