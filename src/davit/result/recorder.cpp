// Rows, events and frames buffered by chunks and flushed so that a kill leaves whole rows.
#include "davit/result/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <stdexcept>
#include <string>
#include <unordered_set>

#include "davit/io/write_file.hpp"
#include "davit/result/event_rows.hpp"
#include "davit/result/frame_file.hpp"
#include "davit/result/layout.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/rewrite.hpp"
#include "davit/result/writer_lock.hpp"

namespace davit::result {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t hash_buffer_rows = 64;
constexpr std::size_t event_buffer_rows = 128;
constexpr std::size_t most_bytes_kept = 4u << 20;

void check_channels(std::span<const ChannelInfo> channels) {
  std::unordered_set<std::string_view> seen;
  std::size_t longest = 0;
  for (const ChannelInfo& channel : channels) {
    if (channel.name.empty()) throw std::invalid_argument("a channel has no name");
    if (!seen.insert(channel.name).second)
      throw std::invalid_argument(fmt::format("channel '{}' is there twice", channel.name));
    for (const std::string* text : {&channel.name, &channel.description, &channel.source, &channel.group})
      longest = std::max(longest, text->size());
  }
  // Each takes as much as the longest (hdf5/array.hpp).
  constexpr std::size_t most_text_bytes = std::size_t{1} << 29u;
  if (longest * channels.size() > most_text_bytes)
    throw std::invalid_argument(fmt::format("a channel has a name or description of {} bytes, too long for {} channels",
                                            longest, channels.size()));
}

}  // namespace

std::size_t choose_chunk_rows(std::uint64_t expected_rows, std::size_t channels) {
  constexpr std::uint64_t unknown = 256;
  constexpr std::size_t buffer_bytes = 32u << 20;
  const std::uint64_t wanted = expected_rows ? std::bit_ceil(expected_rows / 8 + 1) : unknown;
  const std::size_t affordable = std::bit_floor(buffer_bytes / sizeof(double) / (channels + 1));
  return std::clamp<std::size_t>(wanted, 32, std::clamp<std::size_t>(affordable, 32, 4096));
}

// The buffer holds the chunks that are being filled: block by block of channels and in each row by row, as in the file,
// so that a flush hands HDF5 contiguous numbers.
struct Recorder::File {
  std::filesystem::path path;
  Options options;
  hdf5::WriteGuard guard;  // before the file, which it must outlive
  hdf5::Handle file;
  layout::Datasets datasets;
  hdf5::Handle hash_type;
  hdf5::Handle event_type;
  WriterLock lock;

  Rounding rounding{all_mantissa_bits};
  std::size_t chunk_rows = 0;
  std::vector<double> times;
  std::vector<double> values;
  std::size_t filled = 0;   // rows in the buffer
  std::size_t written = 0;  // of these, already in the file
  std::uint64_t chunk_start = 0;

  std::vector<layout::HashRow> hashes;
  std::vector<layout::EventRow> events;
  std::uint64_t hashes_written = 0;
  std::uint64_t events_written = 0;
  std::uint64_t events_whole = 0;  // rows up to the last whole event: one may span rows

  std::optional<FrameWriter> frames;

  std::size_t bytes_kept = 0;  // by HDF5, of whole chunks

  layout::Committed committed;
  Clock::time_point next_flush;
  bool broken = false;

  std::uint64_t rows() const { return chunk_start + filled; }

  double* cells(std::size_t block, std::size_t row) {
    return values.data() + datasets.blocks.first(block) * chunk_rows + row * datasets.blocks.width(block);
  }

  // Everything goes to the file, then the counts that make it valid.
  void write_out(bool last = false) {
    const std::size_t fresh = filled - written;
    const std::uint64_t first = chunk_start + written;
    layout::write_rows(datasets.time, H5T_NATIVE_DOUBLE, first, fresh, times.data() + written);
    if (fresh > 0) layout::extend_values(datasets, first + fresh);
    for (std::size_t block = 0; block < datasets.blocks.count(); ++block) {
      layout::write_values(datasets, block, first, fresh, cells(block, written));
      guard.check();
    }
    layout::write_rows(datasets.hashes, hash_type.id(), hashes_written, hashes.size(), hashes.data());
    layout::write_rows(datasets.events, event_type.id(), events_written, events.size(), events.data());
    if (frames) frames->write(last);
    hdf5::check(H5Fflush(file.id(), H5F_SCOPE_LOCAL), "writing");
    guard.check();

    written = filled;
    hashes_written += hashes.size();
    events_written += events.size();
    hashes.clear();
    events.clear();
    const layout::Committed now{rows(), hashes_written, std::min(events_whole, events_written)};
    layout::write_committed(datasets, now);
    if (frames) frames->commit();
    guard.check();
    committed = now;

    if (filled == chunk_rows) {
      chunk_start += chunk_rows;
      filled = written = 0;
      bytes_kept += sizeof(double) * (values.size() + times.size());
    }
    if (bytes_kept >= most_bytes_kept) {
      layout::release_chunks(file.id(), datasets);
      guard.check();
      bytes_kept = 0;
    }
    if (frames && frames->bytes_kept() >= most_bytes_kept) {
      frames->release(file.id());
      guard.check();
    }
    next_flush = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(std::clamp(options.flush_seconds, 0.0, 1e6)));
  }

  [[noreturn]] void give_up(const hdf5::Failure& failure) {
    broken = true;
    throw ResultError(fmt::format(
        "cannot write the result file {}: {}. The first {} rows are kept; make room or choose another place, then run "
        "again",
        path.string(), failure.what(), committed.rows));
  }

  void flush() {
    if (broken || file.id() < 0) return;
    hdf5::Quiet quiet;
    try {
      write_out();
    } catch (const hdf5::Failure& failure) {
      give_up(failure);
    }
  }

  bool close() {
    bool closed = !frames || frames->close();
    for (hdf5::Handle* each : {&datasets.time, &datasets.values, &datasets.hashes, &datasets.events,
                               &datasets.committed, &datasets.status, &hash_type, &event_type, &file}) {
      closed &= each->close() >= 0;
    }
    return closed;
  }

  // Where there is no room for a second file beside it, the first one is whole and only larger.
  void pack() const {
    try {
      rewrite(path, options.compression, Origin::this_process);
    } catch (const ResultError&) {}
  }

  void finish(std::string_view status) {
    if (file.id() < 0) return;
    hdf5::Quiet quiet;
    if (broken) {
      close();
      lock = WriterLock();
      return;
    }
    try {
      write_out(true);
      layout::write_status(datasets, status);
      hdf5::check(close() ? 0 : -1, "closing the file");
      guard.check();
    } catch (const hdf5::Failure& failure) {
      give_up(failure);
    }
    if (options.compression > 0) pack();
    lock = WriterLock();
  }
};

Recorder::Recorder(std::filesystem::path path, RunHeader header, std::vector<ChannelInfo> channels, Options options,
                   const std::optional<Scene>& scene)
    : file_(std::make_unique<File>()) {
  check_channels(channels);
  if (options.compression < 0 || options.compression > 9) throw std::invalid_argument("compression goes from 0 to 9");

  File& f = *file_;
  f.path = std::move(path);
  f.options = options;
  f.rounding = Rounding(header.mantissa_bits);
  f.chunk_rows = options.chunk_rows ? options.chunk_rows : choose_chunk_rows(options.expected_rows, channels.size());
  f.times.resize(f.chunk_rows);
  f.values.resize(f.chunk_rows * channels.size());
  f.hashes.reserve(hash_buffer_rows);
  f.events.reserve(event_buffer_rows);

  if (is_being_written(f.path)) {
    throw ResultError(
        fmt::format("{} is being written by another run: stop that run or choose another file", f.path.string()));
  }
  hdf5::Quiet quiet;
  try {
    io::Draft unborn(f.path);
    f.file = layout::create_file(unborn.path(), true, f.guard);
    f.datasets = layout::create_datasets(f.file.id(), header, channels, {.chunk_rows = f.chunk_rows}, "running");
    if (scene) f.frames.emplace(f.file.id(), *scene, options.vertices_per_frame);
    f.hash_type = layout::hash_type();
    f.event_type = layout::event_type();
    // The next call reads back what was written, so it must be there.
    hdf5::check(H5Fflush(f.file.id(), H5F_SCOPE_LOCAL), "writing");
    f.guard.check();
    hdf5::check(H5Fstart_swmr_write(f.file.id()), "letting readers in");
    f.write_out();
    f.lock = WriterLock(unborn.path());
    unborn.keep();
  } catch (const std::runtime_error& error) {  // hdf5::Failure or io::FileError
    f.close();
    throw ResultError(
        fmt::format("cannot make the result file {}: {}. Does the folder exist, may you write there, and "
                    "is there room?",
                    f.path.string(), error.what()));
  }
}

Recorder::Recorder(Recorder&&) noexcept = default;

Recorder& Recorder::operator=(Recorder&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

Recorder::~Recorder() {
  if (!file_) return;
  try {
    file_->finish("interrupted");
  } catch (const std::exception&) {
    // What could be kept is in the file; a destructor has nobody to tell.
  }
}

void Recorder::append(double time, std::span<const double> values) {
  File& f = *file_;
  const layout::ColumnBlocks& blocks = f.datasets.blocks;
  if (values.size() != blocks.channels()) throw std::invalid_argument("a row must have one value per channel");
  if (f.broken) return;
  f.times[f.filled] = time;
  for (std::size_t block = 0; block < blocks.count(); ++block)
    std::transform(values.data() + blocks.first(block), values.data() + blocks.first(block) + blocks.width(block),
                   f.cells(block, f.filled), f.rounding);
  ++f.filled;
  if (f.filled == f.chunk_rows || Clock::now() >= f.next_flush) f.flush();
}

void Recorder::append_hash(double time, std::uint64_t hash) {
  File& f = *file_;
  if (f.broken) return;
  f.hashes.push_back({time, hash});
  if (f.hashes.size() == hash_buffer_rows) f.flush();
}

void Recorder::append_event(double time, std::string_view element, std::string_view key, std::string_view text,
                            std::span<const double> values) {
  File& f = *file_;
  EventSplitter splitter(time, element, key, text, values);
  do {
    if (f.broken) return;
    f.events.push_back(splitter.next());
    if (splitter.done()) f.events_whole = f.events_written + f.events.size();
    if (f.events.size() == event_buffer_rows) f.flush();
  } while (!splitter.done());
}

void Recorder::append_frame(const Frame& frame) {
  File& f = *file_;
  if (f.broken) return;
  f.frames.value().append(frame);
  if (Clock::now() >= f.next_flush) f.flush();
}

void Recorder::flush() { file_->flush(); }
void Recorder::finish(std::string_view status) { file_->finish(status); }
std::uint64_t Recorder::rows() const { return file_->rows(); }
std::uint64_t Recorder::rows_committed() const { return file_->committed.rows; }
bool Recorder::failed() const { return file_->broken; }
const std::filesystem::path& Recorder::path() const { return file_->path; }

}  // namespace davit::result
