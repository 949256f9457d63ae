#include "davit/rope/stiffness.hpp"

namespace davit {

template class ForceOf<rope::Bending>;
template class ForceOf<rope::Torsion>;

}  // namespace davit
