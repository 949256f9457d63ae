// Writes a run to an HDF5 file while it runs.
//
// Solves: a run that is killed, or fills the disk, keeps every row up to the last flush; others may read the file while
// it grows (HDF5's single-writer-multiple-reader); append() allocates nothing. The layout is described in layout.hpp.
// Does not: work from two threads at once (threads hand their rows to one writer), compute anything, or sync to the
// disk's platters: a kill of the process is survived, a loss of power perhaps.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "davit/result/channel_info.hpp"
#include "davit/result/run_header.hpp"
#include "davit/result/scene.hpp"

namespace davit::result {

struct RecorderOptions {
  std::size_t chunk_rows = 0;       // rows per chunk and in the buffer; 0 chooses from expected_rows
  std::uint64_t expected_rows = 0;  // 0 when unknown
  // Deflate level, 0 to 9. The file is compressed when the run finishes, not while it grows: a growing compressed chunk
  // moves each time it is flushed and leaves a hole.
  int compression = 0;
  std::uint64_t vertices_per_frame = 16;  // about, of the lines of a scene
  double flush_seconds = 2;  // wall time after which rows become visible to readers even if a chunk is not full
};

// About eight chunks for a short run, so that it makes a small file; at most 4096 rows and 32 MB of buffer.
std::size_t choose_chunk_rows(std::uint64_t expected_rows, std::size_t channels);

class Recorder {
 public:
  using Options = RecorderOptions;

  // Makes the file under another name and moves it to `path` when every dataset is in it, so that `path` is either
  // absent, an older result or a file that can be opened. Throws ResultError when that fails or another run is writing
  // there, std::invalid_argument when a channel's name is empty or there twice.
  Recorder(std::filesystem::path path, RunHeader header, std::vector<ChannelInfo> channels, Options options = {},
           const std::optional<Scene>& scene = {});
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;
  ~Recorder();  // without finish(): status "interrupted"

  // One row; `values` in the order of the channels. Throws ResultError when the file cannot be written (disk full).
  // It does so once: later rows are dropped in silence, because the caller stops the run.
  void append(double time, std::span<const double> values);
  void append_hash(double time, std::uint64_t hash);
  void append_event(double time, std::string_view element, std::string_view key, std::string_view text = {},
                    std::span<const double> values = {});

  // One moment of the scene, which there must be. Frames reach the file a block at a time (frame_file.hpp).
  void append_frame(const Frame& frame);

  void flush();                                       // makes all rows so far visible to readers
  void finish(std::string_view status = "complete");  // "complete", "interrupted" or "broken: why"; closes the file

  std::uint64_t rows() const;            // appended
  std::uint64_t rows_committed() const;  // in the file for good, whatever happens to this process
  bool failed() const;                   // a write failed
  const std::filesystem::path& path() const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace davit::result
