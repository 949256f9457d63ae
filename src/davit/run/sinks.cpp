#include "davit/run/sinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "davit/result/frame_packing.hpp"

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
  result::RecorderOptions options{.expected_rows = rows, .compression = 1};
  if (scene) options.vertices_per_frame = scene->vertices;
  return options;
}

}  // namespace

FileSink::FileSink(const std::filesystem::path& file, const result::RunHeader& header,
                   const std::vector<result::ChannelInfo>& channels, std::uint64_t expected_rows,
                   const std::optional<RecordedScene>& scene, const std::vector<result::Limit>& limits,
                   std::optional<std::filesystem::path> earlier)
    : recorder_(file, header, channels, recorder_options(expected_rows, scene),
                scene ? std::optional(scene->scene) : std::nullopt),
      earlier_(std::move(earlier)) {
  if (scene) frame_times_ = FrameTimes(scene->interval, channels, limits);
}

void FileSink::see(double t, std::span<const double> values) {
  if (frame_times_.wanted()) frame_times_.watch(t, values);
}

void FileSink::event(double t, std::string_view element, std::string_view key, std::string_view text,
                     std::span<const double> values) {
  recorder_.append_event(t, element, key, text, values);
  ++events_;
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
  ++frames_;
  frame_times_.recorded(now.state.t);
}

void FileSink::restore(ArchiveReader& a) {
  a(rows_, events_, frames_, frame_times_);
  if (earlier_) take_over(result::Result::open(*earlier_, result::Origin::this_process));
}

namespace {

void append_rows(const result::Result& from, std::uint64_t rows, result::Recorder& to) {
  constexpr std::size_t most_numbers = 1u << 21u;
  const std::size_t channels = from.channels().size(),
                    at_once = std::clamp<std::size_t>(most_numbers / std::max<std::size_t>(channels, 1), 1, 4096);
  std::vector<double> times(at_once), row(channels);
  std::vector<std::vector<double>> columns(channels, std::vector<double>(at_once));
  for (std::uint64_t first = 0; first < rows; first += at_once) {
    const std::size_t count = std::min<std::uint64_t>(at_once, rows - first);
    from.read_times(first, std::span(times).first(count));
    for (std::size_t c = 0; c < channels; ++c) from.read_channel(c, first, std::span(columns[c]).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < channels; ++c) row[c] = columns[c][i];
      to.append(times[i], row);
    }
  }
}

}  // namespace

void FileSink::take_over(const result::Result& earlier) {
  const std::vector<result::Event> events = earlier.events();
  const std::vector<result::StateHash> hashes = earlier.hashes();
  const std::uint64_t hashed = (rows_ + rows_per_hash - 1) / rows_per_hash;
  if (earlier.rows() < rows_ || events.size() < events_ || hashes.size() < hashed)
    throw BadArchive("the result has less than the run had when it was saved");
  // They reach a file a block at a time: a run that was killed has not all of them.
  frames_ = std::min(frames_, earlier.frames());
  append_rows(earlier, rows_, recorder_);
  for (std::uint64_t i = 0; i < hashed; ++i) recorder_.append_hash(hashes[i].time, hashes[i].hash);
  for (std::uint64_t i = 0; i < events_; ++i)
    recorder_.append_event(events[i].time, events[i].element, events[i].key, events[i].text, events[i].values);
  for (std::uint64_t first = 0; first < frames_; first += result::frames_per_block) {
    const std::uint64_t count = std::min<std::uint64_t>(result::frames_per_block, frames_ - first);
    for (const result::Frame& frame : unpack(earlier.scene()->frames, earlier.read_frames(first, count)))
      recorder_.append_frame(frame);
  }
  recorder_.flush();
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
