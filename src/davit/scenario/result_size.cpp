#include "davit/scenario/result_size.hpp"

#include <fmt/format.h>

#include <cmath>

namespace davit {

namespace {

constexpr double largest_result = 16e9;  // bytes

std::string human_bytes(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int i = 0;
  while (bytes >= 1000 && i < 5) bytes /= 1000, ++i;
  return fmt::format("{:.3g} {}", bytes, units[i]);
}

}  // namespace

void check_size(const Scenario& scenario, input::Problems& problems) {
  const SimulationOptions& options = scenario.options;
  const size_t channels = scenario.channels.size() + channels_of_every_run().size();
  const double rows = options.end / options.output + 1, row_bytes = 8 * static_cast<double>(channels + 1);
  if (rows * row_bytes <= largest_result) return;
  // Rounded up to two digits, so that the advice is good.
  const double least = options.end * row_bytes / largest_result;
  const double digit = std::pow(10.0, std::floor(std::log10(least)) - 1);
  problems.error(
      scenario.specification.run.where,
      fmt::format("the result would have {:.3g} rows of {} channels: {}, more than the {} that Davit writes", rows,
                  channels, human_bytes(rows * row_bytes), human_bytes(largest_result)),
      fmt::format("shorten the duration, record less often (run.output: {:.2g} s) or fewer channels (run.channels: "
                  "[king.*, …])",
                  std::ceil(least / digit + 1e-9) * digit));
}

}  // namespace davit
