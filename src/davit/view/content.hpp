// A result as a viewer in a browser asks for it: what is in it as JSON, and pieces of it as plain arrays of numbers,
// little-endian. The same pieces are served one by one (server.hpp) and put into a page (page.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "davit/result/reader.hpp"

namespace davit::view {

struct Thinning {
  std::uint64_t stride = 0;        // rows to a pair of values; 0: whatever is asked for
  std::uint64_t frame_stride = 0;  // frames of the result to one of the page; 0: all are there
  std::uint64_t frames = 0;        // of the page, with a stride
  std::uint64_t frames_per_piece = 0;
  bool compared = false;  // there is a second result beside it
  bool curves = true;     // false: neither rows nor channels are told of
};

// An event of every row where a rope touches something: the frames have that.
bool is_about_nodes(std::string_view key);

// What it is, its channels, events and scene; `thinning` tells of a page that has not everything.
std::string meta_json(const result::Result& result, const Thinning& thinning = {});

// Of a run that is still to come: nothing in it yet. `live`: JSON of what can be done with it.
std::string live_meta_json(const result::RunHeader& header, const std::vector<result::ChannelInfo>& channels,
                           const result::Scene* scene, const std::string& live);

// Numbers of points and of corners as two doubles; points as float32, corners as uint32.
std::string meshes(const result::Scene* scene);
// Six doubles: first, frames, then how many of each follow; times as doubles, then poses, counts, vertices (uint32)
// and flags (bytes), as PackedFrames has them.
std::string frames(const result::PackedFrames& packed);

// Rows from `first` up to `last` in stretches of `stride`: the time in the middle of each as a double; the least values
// of all as float32, then the greatest. What is not there is left out.
std::string times(const result::Result& result, std::uint64_t first, std::uint64_t last, std::uint64_t stride);
std::string channel(const result::Result& result, std::size_t index, std::uint64_t first, std::uint64_t last,
                    std::uint64_t stride);

}  // namespace davit::view
