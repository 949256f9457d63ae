#include "davit/run/sinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace davit {

std::string status_text(const RunOutcome& outcome) {
  switch (outcome.status) {
    case RunStatus::complete:
      return "complete";
    case RunStatus::interrupted:
      return "interrupted";
    default:
      return fmt::format("{}: at {:.6g} s{}: {}", outcome.status == RunStatus::stopped ? "stopped" : "broken",
                         outcome.t, outcome.element.empty() ? "" : ", " + outcome.element, outcome.why);
  }
}

namespace {

result::RecorderOptions recorder_options(std::uint64_t rows, const std::optional<RecordedScene>& scene) {
  result::RecorderOptions options{.expected_rows = rows};
  if (scene) options.vertices_per_frame = scene->vertices;
  return options;
}

}  // namespace

FileSink::FileSink(const std::filesystem::path& file, const result::RunHeader& header,
                   const std::vector<result::ChannelInfo>& channels, std::uint64_t expected_rows,
                   const std::optional<RecordedScene>& scene, const std::vector<result::Limit>& limits)
    : recorder_(file, header, channels, recorder_options(expected_rows, scene),
                scene ? std::optional(scene->scene) : std::nullopt) {
  if (scene) frame_times_ = FrameTimes(scene->interval, channels, limits);
}

void FileSink::see(double t, std::span<const double> values) {
  if (frame_times_.wanted()) frame_times_.watch(t, values);
}

void FileSink::event(double t, std::string_view element, std::string_view key, std::string_view text,
                     std::span<const double> values) {
  recorder_.append_event(t, element, key, text, values);
  const bool of_every_row = key == "sticks" || key == "slips";  // nodes of ropes
  if (!of_every_row) frame_times_.happened(t);
}

void FileSink::record(const Snapshot& now) {
  recorder_.append(now.state.t, now.values);
  if (rows_++ % rows_per_hash == 0) recorder_.append_hash(now.state.t, now.state.hash());
  record_frame(now);
}

void FileSink::record_frame(const Snapshot& now) {
  if (!wants_shapes_at(now.state.t) || (now.poses.empty() && now.polylines.empty())) return;
  fill_frame(now, frame_);
  recorder_.append_frame(frame_);
  frame_times_.recorded(now.state.t);
}

void FileSink::finish(const RunOutcome& outcome) {
  if (outcome.status == RunStatus::broken) recorder_.append_event(outcome.t, outcome.element, "broken", outcome.why);
  if (outcome.status == RunStatus::stopped) recorder_.append_event(outcome.t, outcome.element, "stopped", outcome.why);
  recorder_.finish(status_text(outcome));
}

Monitors::Monitors(const std::vector<result::Limit>& limited, const std::vector<result::ChannelInfo>& channels,
                   Windows windows)
    : statistics(channels.size()),
      limits(limited, channels),
      values_(channels.size()),
      windows_(std::move(windows)),
      open_(windows_.phases.size(), 1) {
  for (size_t i = 0; i < channels.size(); ++i)
    if (channels[i].unit == "rad") angles_.push_back({i, {}});
}

void Monitors::watch(const Snapshot& now) {
  std::copy(now.values.begin(), now.values.end(), values_.begin());
  for (auto& [channel, unwrapped] : angles_) values_[channel] = unwrapped(values_[channel]);
  statistics.add(now.state.t, values_);
  for (size_t i = 0; i < open_.size(); ++i)
    if (const auto phase = windows_.phases[i]) open_[i] = windows_.operation->is_under_way(now.state, *phase);
  limits.add(now.state.t, values_, open_);
}

}  // namespace davit
