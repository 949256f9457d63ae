// The cases of the groups about vessels, by subject; by_others: those that need data of others.
#pragma once

#include "verify/verify.hpp"

namespace davit::verify {

void natural_periods(Checker&);
void sphere_decay(Checker&);
void sphere_decay_by_others(Checker&);
void linear_ship(Checker&);
void linear_ship_by_others(Checker&);
void ship_crane_linear(Checker&);
void ship_crane_linear_by_others(Checker&);
void memory_beside_mss(Checker&);

}  // namespace davit::verify
