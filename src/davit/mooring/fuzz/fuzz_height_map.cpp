// libFuzzer target: any bytes as a map of a bed's heights, and heights and slopes of it, on the map and beside it.
// Whatever they are, they are finite or there is a message, never a crash.
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "davit/mooring/height_map_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit;
  std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const cable::HeightMap map = mooring::parse_height_map(text, "fuzz.asc", {1, 2});
    const Vec2 low = map.low(), high = map.high(), size_of_map = high - low;
    for (const double part : {-1e6, -1.0, 0.0, 0.3, 0.5, 1.0, 2.0, 1e6}) {
      const cable::HeightMap::Point p = map.at(low.x() + part * size_of_map.x(), low.y() + part * size_of_map.y());
      if (!std::isfinite(p.height) || !p.slope.allFinite()) std::abort();
    }
  } catch (const std::exception& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  }
  return 0;
}
