// Energy and momentum of the coupled lift, and the energy of a loop of tree joints over three hours.
#pragma once

#include "verify/verify.hpp"

namespace davit::verify {

void coupled_books(Checker&);
void loop_energy(Checker&);

}  // namespace davit::verify
