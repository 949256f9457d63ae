// What a reader should know of an equilibrium before relying on it: that it is not stable, and that it is far from
// where the file has the bodies, as when a load whose centre of gravity is above its lugs has turned over.
#pragma once

#include "davit/scenario/scenario.hpp"
#include "davit/solve/equilibrium.hpp"

namespace davit {

// In sentences without a full stop; none of an equilibrium that was not found. `given`: where the search began.
std::vector<std::string> cautions_on(const Equilibrium&, const State& given, const Scenario&, System&);

}  // namespace davit
