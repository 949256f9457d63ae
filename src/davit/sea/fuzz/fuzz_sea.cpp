// libFuzzer target: any bytes as a wave record, and the waves of it. Whatever they are, there are waves or a message,
// never a crash.
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "davit/sea/elevation_record.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit::sea;
  std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const ElevationRecord record = parse_record(text, "fuzz.csv");
    for (const Component& c : waves_of(record, 1, {1, 2}, {}).components)
      if (!std::isfinite(c.frequency)) std::abort();
  } catch (const std::runtime_error& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  }
  return 0;
}
