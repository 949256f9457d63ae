// What identifies a run: written once at the head of a result file, before the first step.
//
// Solves: a file found a year later says what was run, with what, and how to run it again.
// Does not: hold anything that is known only after the run (see RunSummary).
#pragma once

#include <cstdint>
#include <string>

#include "davit/result/rounding.hpp"

namespace davit::result {

struct RunHeader {
  std::string title{};
  std::string davit_version{};
  std::string scenario_file{};
  std::string scenario{};    // the effective YAML: base, variations and --set applied
  std::string provenance{};  // which file or option each part of the scenario came from
  std::uint64_t seed = 0;
  std::string method{};
  double step = 0;                        // [s]
  std::string created{};                  // ISO 8601, given by the caller so that tests can fix it
  int mantissa_bits = all_mantissa_bits;  // of the numbers of channels

  bool operator==(const RunHeader&) const = default;
};

}  // namespace davit::result
