// What a live run tells its clients: texts of JSON, and bytes of pictures and rows (docs/live.md).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "davit/live/message.hpp"
#include "davit/result/frame_packing.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit::live {

// A run at a tick, as a page shows it.
struct LiveState {
  double t = 0;
  bool paused = false, automatic = false;
  double factor = 1, achieved = 0;                  // of real time
  double behind = 0;                                // s
  std::vector<std::pair<double, double>> levers{};  // value and speed
  std::vector<double> asked{};                      // speed, by lever
  std::vector<operation::Status> phases{};
  struct Controller {
    Hello::Mode mode = Hello::Mode::lock_step;
    long missed = 0;
    double round_trip = 0;  // s
  };
  std::optional<Controller> controller{};
};

std::string state_text(const LiveState&);
// Tick, levers and phases of a run.
std::string levers_text(const Scenario&, int run, const LiveState&);
std::string began_text(int run, const std::string& folder, double t);
std::string ended_text(int run, const std::string& folder, const RunOutcome&);
std::string event_text(double t, std::string_view element, std::string_view key, std::string_view text);
std::string error_text(std::string_view words);
// To a controller.
std::string late_text(std::string_view words);
std::string tick_text(std::int64_t tick, double t, const std::vector<double>& values);
std::string welcome_text(const Scenario&, int run, const LiveState&, const std::vector<Channel>&);

std::string frame_bytes(const result::FrameShape&, const result::Frame&);
std::string row_bytes(double t, std::span<const double> values);

}  // namespace davit::live
