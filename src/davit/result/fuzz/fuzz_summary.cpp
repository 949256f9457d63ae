// libFuzzer target: summary.json as `davit report` reads it, and the pages that are made of it.
#include <cstdlib>
#include <string_view>

#include "davit/result/comparison.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/summary_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit::result;
  try {
    const RunSummary summary = parse_summary({reinterpret_cast<const char*>(data), size}, "summary.json");
    comparison_html({{"a", summary, nullptr}, {"b", summary, nullptr}});
  } catch (const ResultError& error) {
    if (std::string_view(error.what()).find("summary.json") == std::string_view::npos) std::abort();
  }
  return 0;
}
