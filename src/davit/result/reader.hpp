// Reads a result file: of a finished run, of one that was killed, or of one that is still going.
//
// Solves: the caller need not know which of the three it is; rows() counts only rows that are whole in every channel.
// Does not: change the file (see rewrite.hpp), or keep it in memory: a channel is read when asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "davit/math/export.hpp"
#include "davit/result/channel_info.hpp"
#include "davit/result/frame_packing.hpp"
#include "davit/result/run_header.hpp"

namespace davit::result {

struct Event {
  double time = 0;
  std::string element{};
  std::string key{};
  std::string text{};
  std::vector<double> values{};

  bool operator==(const Event&) const = default;
};

struct StateHash {
  double time = 0;
  std::uint64_t hash = 0;

  bool operator==(const StateHash&) const = default;
};

// Who wrote a file. One of unknown origin is read in a child process first, because a damaged or malicious one may
// crash HDF5.
enum class Origin { anyone, this_process };
// When that child reads the packed frames: all of them when the file is opened, or those of each call before this
// process reads them. The first is quicker for those who read everything, the second for those who look here and there.
enum class Trial { whole, as_read };

class DAVIT_API Result {
 public:
  // Throws ResultError, which names the file and what to do.
  static Result open(const std::filesystem::path& path, Origin origin = Origin::anyone, Trial trial = Trial::whole);
  Result(Result&&) noexcept;
  Result& operator=(Result&&) noexcept;
  ~Result();

  // Looks again at a file that is being written.
  void refresh();

  const std::filesystem::path& path() const;
  const RunHeader& header() const;
  const std::vector<ChannelInfo>& channels() const;
  std::uint64_t rows() const;
  // "running" in a file that is being written or whose writer was killed; being_written() tells which.
  const std::string& status() const;
  bool closed() const;  // the writer closed the file: any HDF5 reader opens it
  bool being_written() const;

  std::optional<std::size_t> find(std::string_view channel) const;
  std::vector<double> times() const;
  std::vector<double> channel(std::string_view name) const;  // an unknown name throws, with similar ones
  std::vector<Event> events() const;
  std::vector<StateHash> hashes() const;

  // What there is to see; nothing in results that were made without it, or before there was any.
  const Scene* scene() const;
  std::uint64_t frames() const;
  std::vector<double> frame_times() const;
  // `first` is a multiple of frames_per_block.
  PackedFrames read_frames(std::uint64_t first, std::uint64_t count) const;

  // Part of a series, for those who go through a long run block by block.
  void read_times(std::uint64_t first, std::span<double> out) const;
  void read_channel(std::size_t index, std::uint64_t first, std::span<double> out) const;
  // Of `width` channels from `index` on, row by row.
  void read_channels(std::size_t index, std::size_t width, std::uint64_t first, std::span<double> out) const;

 private:
  struct File;
  explicit Result(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace davit::result
