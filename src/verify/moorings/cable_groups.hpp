// Parts of the group `cable`.
#pragma once

#include "verify/verify.hpp"

namespace davit::verify {

void cable_bending(Checker&);
void cable_motion(Checker&);

}  // namespace davit::verify
