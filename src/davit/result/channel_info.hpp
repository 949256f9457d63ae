// What one recorded number is called and means.
//
// Solves: everything downstream (file, CSV, statistics, report) describes a channel with the same few words.
// Does not: hold values, or know how they are computed.
#pragma once

#include <string>

namespace davit::result {

// The empty braces let callers name only the fields they set.
struct ChannelInfo {
  std::string name{};         // "king.angle", "west/boom.angle" of a part: unique
  std::string unit{};         // "rad", "N", "" for a pure number
  std::string description{};  // "angle of the king about its joint axis"
  std::string source{};       // where the number comes from: "joint king, reaction, Cibicik & Egeland (50)"
  bool main = false;          // drawn in the report
  std::string group{};        // channels of one unit and one group share a plot

  bool operator==(const ChannelInfo&) const = default;
};

}  // namespace davit::result
