// Pages with the viewer in them.
#pragma once

#include <filesystem>
#include <string>

#include "davit/result/reader.hpp"

namespace davit::view {

// Of the server: the data is fetched.
std::string served_page(const std::string& title);

struct PageLimits {
  std::uint64_t pairs = 4000;     // of least and greatest values, for every channel
  std::uint64_t frames = 20'000;  // about half an hour at ten a second
};
struct WrittenPage {
  std::uint64_t bytes = 0;
  std::uint64_t stride = 1, frame_stride = 1;  // more than one: thinned
};
// One file with everything in it, which can be mailed and opened anywhere; with another result to compare with, or
// none. Throws ResultError.
WrittenPage write_page(const result::Result& result, const std::filesystem::path& path, const PageLimits& limits = {},
                       const result::Result* other = nullptr);

// A page with the scene, the clock and nothing else, with at most so many frames.
std::string small_page(const result::Result& result, std::uint64_t most_frames);

}  // namespace davit::view
