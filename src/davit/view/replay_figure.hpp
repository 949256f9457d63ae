// The lift in motion as a figure of a report: the viewer, small, in a frame of its own that can do nothing but show.
#pragma once

#include <string>

#include "davit/result/reader.hpp"

namespace davit::view {

// HTML; nothing where the result has no scene. Frames are left out until it fits into about `most_bytes` beyond the
// viewer itself; a scene whose shapes alone are larger has no replay, and the figure says so. Hidden on paper.
std::string replay_figure(const result::Result& result, std::uint64_t most_bytes = 3'000'000);

}  // namespace davit::view
