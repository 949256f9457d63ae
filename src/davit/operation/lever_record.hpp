// What was done with levers, as lines of text: tick, command, name, value. The same lines give the same run, bit for
// bit, because numbers are written so that they are read back as they were.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace davit::operation {

enum class LeverVerb { speed, move, phase, automatic, stop };
const char* name_of(LeverVerb);

// Of a lever or a phase by its name; in the unit of the lever.
struct LeverCommand {
  LeverVerb verb = LeverVerb::stop;
  std::string name{};
  double value = 0;
  friend bool operator==(const LeverCommand&, const LeverCommand&) = default;
};

struct RecordedCommand {
  std::int64_t tick = 0;
  LeverCommand command{};
  friend bool operator==(const RecordedCommand&, const RecordedCommand&) = default;
};

inline constexpr const char* lever_record_head = "tick,command,name,value";
std::string line_of(const RecordedCommand&);
// In the order of ticks. Throws std::runtime_error in words that name file and line.
std::vector<RecordedCommand> parse_lever_record(std::istream& text, const std::string& file);

}  // namespace davit::operation
