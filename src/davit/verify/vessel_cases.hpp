// The cases of the groups about vessels, by subject.
#pragma once

#include "davit/verify/verify.hpp"

namespace davit::verify {

void natural_periods(Checker&);
void sphere_decay(Checker&);
void sphere_decay_by_others(Checker&);
void memory_beside_mss(Checker&);

}  // namespace davit::verify
