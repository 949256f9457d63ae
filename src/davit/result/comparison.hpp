// Several runs in one report: what differs between them.
//
// Solves: verdicts, limits, extremes and ropes of up to eight runs side by side, with differences to the first, and
// their curves in shared plots, in one page that prints on A4. Curves differ by colours that the colour-blind can tell
// apart and by their dashes.
// Does not: judge whether runs are comparable: it shows sea, seed, method and step of each.
#pragma once

#include <string>
#include <vector>

#include "davit/result/reader.hpp"
#include "davit/result/summary.hpp"

namespace davit::result {

struct ComparedRun {
  std::string name{};  // short and unlike the others
  RunSummary summary{};
  const Result* result = nullptr;
};
inline constexpr std::size_t most_compared = 8;

// What the result says of the channels of a summary that was read: descriptions, groups, which are plotted.
void describe_channels(RunSummary& summary, const Result& result);

std::string comparison_html(const std::vector<ComparedRun>& runs);

}  // namespace davit::result
