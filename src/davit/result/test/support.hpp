// What the tests of this module share: a folder that vanishes, and series whose every value is known.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "davit/result/channel_info.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/run_header.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::result::test {

using davit::test::TempFolder;

inline RunHeader sample_header() {
  return {.title = "Lift of 150 t, Hs = 4 m, \xC3\xA9t\xC3\xA9",
          .davit_version = "0.1.0",
          .scenario_file = "lift.yaml",
          .scenario = "davit: 1\ntitle: Lift\n",
          .provenance = "title: lift.yaml:2",
          .seed = 0xFFFFFFFFFFFFFFFFu,
          .method = "generalised-alpha",
          .step = 0.01,
          .created = "2026-01-02T03:04:05Z"};
}

inline std::vector<ChannelInfo> sample_channels(std::size_t count) {
  std::vector<ChannelInfo> channels;
  for (std::size_t c = 0; c < count; ++c) {
    // Names that sort otherwise than they are listed, so that a lost order shows.
    channels.push_back({.name = fmt::format("body{}.x", count - c),
                        .unit = c % 2 ? "N" : "m",
                        .description = fmt::format("channel {}", c),
                        .source = fmt::format("made up ({})", c),
                        .main = c % 3 == 0,
                        .group = fmt::format("g{}", c % 4)});
  }
  return channels;
}

inline double time_of(std::uint64_t row) { return 0.01 * static_cast<double>(row); }
// Differs in every row and channel, and uses all bits of the mantissa. Not inlined, so that the compiler fuses the
// product and the sum alike wherever it is called.
[[gnu::noinline]] inline double value_of(std::uint64_t row, std::size_t channel) {
  return std::sin(1.0 + static_cast<double>(row)) * std::exp(static_cast<double>(channel % 20)) +
         static_cast<double>(channel);
}

inline void fill_row(std::uint64_t row, std::vector<double>& values) {
  for (std::size_t c = 0; c < values.size(); ++c) values[c] = value_of(row, c);
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace davit::result::test
