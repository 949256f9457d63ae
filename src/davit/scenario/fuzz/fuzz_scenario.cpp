// libFuzzer target: any bytes through reader, checks and assembly. Whatever they are, there is a model or a list of
// mistakes, never a crash.
#include <cstdint>
#include <cstdlib>

#include "davit/scenario/scenario.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  davit::input::Problems problems;
  const auto scenario =
      davit::parse_scenario(std::string(reinterpret_cast<const char*>(data), size), "fuzz.yaml", problems);
  // Either it is good or it says why not.
  if (!scenario && !problems.has_errors()) std::abort();
  if (scenario && problems.has_errors()) std::abort();
  (void)problems.to_text();
  return 0;
}
