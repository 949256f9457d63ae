#include "davit/sea/beaufort.hpp"

#include <cmath>

namespace davit::sea {

double beaufort_wind(int number) { return 0.836 * std::pow(number, 1.5); }

std::optional<BeaufortSea> beaufort_sea(int number) {
  constexpr BeaufortSea table[] = {{5, 1.65, 5.10}, {7, 3.60, 6.70}};
  for (const BeaufortSea& row : table)
    if (row.number == number) return row;
  return std::nullopt;
}

}  // namespace davit::sea
