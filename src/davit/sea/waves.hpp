// The waves of a run: what an Environment (model/environment.hpp) has of a sea.
#pragma once

#include <vector>

#include "davit/sea/realisation.hpp"

namespace davit::sea {

struct Waves {
  std::vector<Component> components;
  double peak_frequency = 0;  // rad/s
};

}  // namespace davit::sea
