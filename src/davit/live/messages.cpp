#include "davit/live/messages.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "davit/model/weather.hpp"
#include "davit/run/run.hpp"
#include "davit/run/sinks.hpp"
#include "davit/view/content.hpp"

namespace davit::live {

namespace {

using nlohmann::json;
using operation::Lever;

constexpr double frame_kind = 1, row_kind = 2;

std::string text_of(const json& message) { return message.dump(-1, ' ', false, json::error_handler_t::replace); }

json or_null(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

const char* word(operation::Status status) {
  switch (status) {
    case operation::Status::waiting:
      return "waiting";
    case operation::Status::running:
      return "running";
    case operation::Status::stopping:
      return "stopping";
    case operation::Status::done:
      return "done";
    case operation::Status::failed:
      return "failed";
  }
  return "";
}

std::string kind_of(const Lever& lever, const Scenario& scenario) {
  if (lever.kind == Lever::Kind::switched) return "switch";
  if (lever.name == WeatherSignals::wind_direction_name) return "angle";
  if (lever.kind == Lever::Kind::set) return lever.unit == "1" ? "factor" : "set";
  const auto winches = scenario.specification.elements.of<rope::WinchSpec>();
  const bool winch = std::any_of(winches.begin(), winches.end(), [&](const auto& w) { return w.first == lever.name; });
  return winch ? "winch" : "joint";
}

json levers_json(const Scenario& scenario, int run, const LiveState& state) {
  json levers = json::array(), phases = json::array();
  for (size_t i = 0; i < scenario.levers->levers.size(); ++i) {
    const Lever& lever = scenario.levers->levers[i];
    levers.push_back({{"name", lever.name},
                      {"unit", lever.unit},
                      {"kind", kind_of(lever, scenario)},
                      {"speed", or_null(lever.limits.speed)},
                      {"acceleration", or_null(lever.limits.acceleration)},
                      {"value", state.levers[i].first},
                      {"least", or_null(lever.least)},
                      {"most", or_null(lever.most)}});
  }
  for (const operation::Phase& phase : scenario.operation.phases()) phases.push_back({{"name", phase.name}});
  return {{"tick", scenario.levers->tick}, {"run", run}, {"levers", levers}, {"phases", phases}};
}

void append(std::string& to, double value) { to.append(reinterpret_cast<const char*>(&value), sizeof value); }

}  // namespace

std::string state_text(const LiveState& state) {
  json levers = json::array(), phases = json::array(), controller = nullptr;
  for (size_t i = 0; i < state.levers.size(); ++i)
    levers.push_back({state.levers[i].first, state.levers[i].second, state.asked[i]});
  for (const operation::Status status : state.phases) phases.push_back(word(status));
  if (state.controller)
    controller = {{"mode", state.controller->mode == Hello::Mode::lock_step ? "lock-step" : "real-time"},
                  {"missed", state.controller->missed},
                  {"round_trip", state.controller->round_trip}};
  return text_of({{"state",
                   {{"t", state.t},
                    {"paused", state.paused},
                    {"automatic", state.automatic},
                    {"factor", state.factor},
                    {"achieved", state.achieved},
                    {"late", state.behind},
                    {"levers", levers},
                    {"phases", phases},
                    {"controller", controller}}}});
}

std::string levers_text(const Scenario& scenario, int run, const LiveState& state) {
  return text_of(levers_json(scenario, run, state));
}

std::string began_text(int run, const std::string& folder, double t) {
  return text_of({{"began", {{"run", run}, {"folder", folder}, {"t", t}, {"start", 0}}}});
}

std::string ended_text(int run, const std::string& folder, const RunOutcome& outcome) {
  return text_of({{"ended",
                   {{"run", run},
                    {"status", status_text(outcome)},
                    {"text", outcome.why},
                    {"folder", folder},
                    {"replay", folder + "/replay.yaml"}}}});
}

std::string event_text(double t, std::string_view element, std::string_view key, std::string_view text) {
  return text_of({{"event", {{"time", t}, {"element", element}, {"key", key}, {"text", text}}}});
}

std::string error_text(std::string_view words) { return text_of({{"error", words}}); }

std::string late_text(std::string_view words) { return text_of({{"late", words}}); }

std::string tick_text(std::int64_t tick, double t, const std::vector<double>& values) {
  json all = json::array();
  for (const double x : values) all.push_back(or_null(x));
  return text_of({{"tick", tick}, {"t", t}, {"values", all}});
}

std::string welcome_text(const Scenario& scenario, int run, const LiveState& state,
                         const std::vector<Channel>& channels) {
  json welcome = levers_json(scenario, run, state), units = json::array();
  for (const Channel& c : channels) units.push_back({{"name", c.name}, {"unit", c.unit}});
  welcome["davit"] = version();
  welcome["channels"] = units;
  return text_of({{"welcome", welcome}});
}

std::string frame_bytes(const result::FrameShape& shape, const result::Frame& frame) {
  result::PackedFrames packed;
  result::FramePacker(shape).pack(frame, packed);
  std::string out;
  append(out, frame_kind);
  return out + view::frames(packed);
}

std::string row_bytes(double t, std::span<const double> values) {
  std::string out;
  for (const double x : {row_kind, 1.0, static_cast<double>(values.size()), t}) append(out, x);
  for (const double x : values) {
    const auto value = static_cast<float>(x);
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return out;
}

}  // namespace davit::live
