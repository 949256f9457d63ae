// Sea and wind by their number on the Beaufort scale.
#pragma once

#include <optional>

namespace davit::sea {

// Mean wind 10 m above the sea: 0.836 B^(3/2) m/s, by which the numbers of the scale are defined (IMO, Paris, 1946).
double beaufort_wind(int number);
inline constexpr int highest_beaufort = 12;

// Significant height and peak period of waves, of the numbers that the thesis on block erection gives (Table 4-4).
struct BeaufortSea {
  int number;
  double hs, tp;
};
std::optional<BeaufortSea> beaufort_sea(int number);

}  // namespace davit::sea
