// The sinks there are: a result file, statistics and limits, memory.
#pragma once

#include "davit/operation/operation.hpp"
#include "davit/result/limit.hpp"
#include "davit/result/reader.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/statistics.hpp"
#include "davit/run/frame_times.hpp"
#include "davit/scene/scenario_scene.hpp"
#include "davit/simulation/sink.hpp"

namespace davit {

// "complete", "interrupted", or "stopped: " and "broken: " with time, place and cause.
std::string status_text(const RunOutcome&);

// result.h5, with a hash of the state every so often, and frames of the scene at a rate of their own. Where a saved run
// goes on, it begins with what the earlier file has up to there.
class FileSink final : public Sink {
 public:
  FileSink(const std::filesystem::path& file, const result::RunHeader& header,
           const std::vector<result::ChannelInfo>& channels, std::uint64_t expected_rows,
           const std::optional<RecordedScene>& scene = {}, const std::vector<result::Limit>& limits = {},
           std::optional<std::filesystem::path> earlier = std::nullopt);
  bool wants_shapes() const override { return frame_times_.wanted(); }
  bool wants_shapes_at(double t) const override { return frame_times_.due(t); }
  bool wants_every_step() const override { return wants_shapes(); }
  void record(const Snapshot& now) override;
  void watch(const Snapshot& now) override { record_frame(now); }
  void see(double t, std::span<const double> values) override;
  void event(double t, std::string_view element, std::string_view key, std::string_view text,
             std::span<const double> values) override;
  void finish(const RunOutcome& outcome) override;
  void save(ArchiveWriter& a) const override { a(rows_, events_, frames_, frame_times_); }
  void restore(ArchiveReader& a) override;
  // All of it to the file.
  void flush() { recorder_.flush(); }

 private:
  void record_frame(const Snapshot& now);
  void take_over(const result::Result& earlier);

  static constexpr std::uint64_t rows_per_hash = 100;
  result::Recorder recorder_;
  std::optional<std::filesystem::path> earlier_;
  std::uint64_t rows_ = 0, events_ = 0, frames_ = 0;
  FrameTimes frame_times_;
  result::Frame frame_;
};

// What a summary says of every channel and limit: of every step, whatever is recorded.
class Monitors final : public Sink {
 public:
  // The phases in which alone limits hold.
  struct Windows {
    const operation::Operation* operation = nullptr;
    std::vector<std::optional<int>> phases{};  // by limit
  };
  Monitors(const std::vector<result::Limit>& limited, const std::vector<result::ChannelInfo>& channels)
      : Monitors(limited, channels, Windows{}) {}
  Monitors(const std::vector<result::Limit>& limited, const std::vector<result::ChannelInfo>& channels,
           Windows windows);
  bool wants_every_step() const override { return true; }
  void record(const Snapshot&) override {}
  void watch(const Snapshot&) override;
  void save(ArchiveWriter& a) const override { a(*this); }
  void restore(ArchiveReader& a) override { a(*this); }

  template <class A>
  void archive(A& a) {
    a(statistics, limits);
    for (auto& [channel, unwrapped] : angles_) a(unwrapped);
  }

  result::StatisticsMonitor statistics;
  result::LimitMonitor limits;

 private:
  std::vector<std::pair<size_t, result::Unwrapper>> angles_;  // by channel
  std::vector<double> values_;                                // with angles that go on
  Windows windows_;
  std::vector<char> open_;  // by limit
};

// Everything, for programs that look at a run when it is over.
class MemorySink final : public Sink {
 public:
  explicit MemorySink(bool shapes = false) : shapes_(shapes) {}
  bool wants_shapes() const override { return shapes_; }
  void record(const Snapshot& now) override {
    times.push_back(now.state.t);
    rows.emplace_back(now.values.begin(), now.values.end());
    poses.emplace_back(now.poses.begin(), now.poses.end());
    polylines.emplace_back(now.polylines.begin(), now.polylines.end());
  }
  void event(double t, std::string_view element, std::string_view key, std::string_view text,
             std::span<const double> values) override {
    events.push_back({t, std::string(element), std::string(key), std::string(text), {values.begin(), values.end()}});
  }

  // One of each at every output time.
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
  std::vector<std::vector<Pose>> poses;
  std::vector<std::vector<Polyline>> polylines;
  std::vector<result::Event> events;

 private:
  bool shapes_;
};

}  // namespace davit
