// What clients of a live run say, one JSON object at a time (docs/live.md).
//
// Solves: any bytes become a request or words about what is wrong with them.
// Does not: know which levers there are.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "davit/operation/lever_record.hpp"

namespace davit::live {

inline constexpr std::size_t longest_message = 64 * 1024;

struct BadMessage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// With which a controller takes the levers.
struct Hello {
  // Lock-step: the run waits for an answer to every tick. Real time: it does not, and says when one is late.
  enum class Mode { lock_step, real_time };
  Mode mode = Mode::lock_step;
  std::vector<std::string> channels{};
  std::optional<double> deadline{};  // s after a tick, by which an answer is wanted in real time; none: the next tick
};

struct Request {
  std::vector<operation::LeverCommand> commands{};
  std::optional<bool> pause{};
  std::optional<double> factor{};  // of real time; 0: as fast as it can
  std::int64_t ticks = 0;          // to go while paused
  bool reset = false, end = false;
  std::optional<Hello> hello{};
  std::optional<std::int64_t> tick{};  // that a controller answers
};

// Throws BadMessage.
Request parse_request(std::string_view text);

}  // namespace davit::live
