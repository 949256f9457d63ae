// libFuzzer target: any bytes as a file of signals, and the motions through its points. Whatever they are, there is a
// motion or a message, never a crash.
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "davit/operation/signal_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using davit::Motion;
  for (const char* column : {"", "a"}) {
    std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
    try {
      const auto points = davit::operation::parse_columns(text, "fuzz.csv", column);
      for (const auto how :
           {Motion::Interpolation::hold, Motion::Interpolation::linear, Motion::Interpolation::smooth}) {
        const Motion motion = Motion::through(points.times, points.values, how);
        if (motion.value(points.times.back()) != points.values.back()) std::abort();
      }
    } catch (const std::runtime_error& error) {
      if (std::string_view(error.what()).empty()) std::abort();
    }
  }
  return 0;
}
