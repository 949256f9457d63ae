#include "davit/result/rewrite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "davit/io/write_file.hpp"
#include "davit/result/event_rows.hpp"
#include "davit/result/frame_file.hpp"
#include "davit/result/layout.hpp"
#include "davit/result/reader.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/result_error.hpp"

namespace davit::result {
namespace {

// What is left empty of a packed chunk takes no room, and of long ones of one channel more is saved: 128 kB.
std::size_t packed_chunk_rows(std::uint64_t rows) { return std::clamp<std::size_t>(std::bit_ceil(rows), 32, 16384); }

// Block by block of channels, chunk by chunk of rows: each chunk is written once.
void copy_series(const Result& from, const layout::Datasets& to, std::size_t chunk_rows) {
  std::vector<double> times, rows;
  layout::extend_values(to, from.rows());
  for (std::uint64_t first = 0; first < from.rows(); first += chunk_rows) {
    times.resize(std::min<std::uint64_t>(chunk_rows, from.rows() - first));
    from.read_times(first, times);
    layout::write_rows(to.time, H5T_NATIVE_DOUBLE, first, times.size(), times.data());
    for (std::size_t block = 0; block < to.blocks.count(); ++block) {
      const std::size_t width = to.blocks.width(block);
      rows.resize(times.size() * width);
      from.read_channels(to.blocks.first(block), width, first, rows);
      layout::write_values(to, block, first, times.size(), rows.data());
    }
  }
}

void copy_tables(const Result& from, const layout::Datasets& to, layout::Committed& committed) {
  std::vector<layout::HashRow> hashes;
  for (const StateHash& each : from.hashes()) hashes.push_back({each.time, each.hash});
  layout::write_rows(to.hashes, layout::hash_type().id(), 0, hashes.size(), hashes.data());

  std::vector<layout::EventRow> events;
  for (const Event& each : from.events()) {
    EventSplitter splitter(each.time, each.element, each.key, each.text, each.values);
    do events.push_back(splitter.next());
    while (!splitter.done());
  }
  layout::write_rows(to.events, layout::event_type().id(), 0, events.size(), events.data());
  committed.hashes = hashes.size();
  committed.events = events.size();
}

void copy_frames(const Result& from, const Scene& scene, hid_t file) {
  constexpr std::uint64_t block = 16 * frames_per_block;
  const std::uint64_t vertices = from.frames() > 0 ? from.read_frames(0, 1).flags.size() : 0;
  FrameWriter to(file, scene, vertices);
  for (std::uint64_t first = 0; first < from.frames(); first += block) {
    to.append(from.read_frames(first, std::min(block, from.frames() - first)));
    to.write(false);
  }
  to.write(true);
  to.commit();
}

// Everything HDF5 is closed when this returns: the file it leaves is whole.
void write_copy(const Result& from, const std::filesystem::path& path, int compression) {
  hdf5::WriteGuard guard;
  hdf5::Handle file = layout::create_file(path, false, guard);
  {
    const std::size_t chunk =
        compression > 0 ? packed_chunk_rows(from.rows()) : choose_chunk_rows(from.rows(), from.channels().size());
    const std::string status = from.status() == "running" ? "interrupted" : from.status();
    const auto to = layout::create_datasets(file.id(), from.header(), from.channels(), {chunk, compression}, status);
    layout::Committed committed{.rows = from.rows()};
    copy_series(from, to, chunk);
    copy_tables(from, to, committed);
    layout::write_committed(to, committed);
    if (const Scene* scene = from.scene()) copy_frames(from, *scene, file.id());
  }
  hdf5::check(file.close(), "closing the file");
  guard.check();
}

}  // namespace

void rewrite(const std::filesystem::path& path, int compression, Origin origin) {
  hdf5::Quiet quiet;
  try {
    const Result from = Result::open(path, origin);
    if (origin == Origin::anyone && from.being_written()) {
      throw ResultError(fmt::format("{} is still being written: stop the run first, or wait for it", path.string()));
    }
    io::Draft beside(path);
    write_copy(from, beside.path(), compression);
    beside.keep();
  } catch (const ResultError&) {
    throw;
  } catch (const std::runtime_error& error) {  // hdf5::Failure or io::FileError
    throw ResultError(
        fmt::format("cannot rewrite the result file {}: {}. The file itself is untouched; is there room "
                    "for a second one beside it?",
                    path.string(), error.what()));
  }
}

bool rewrite_plain(const std::filesystem::path& path) {
  if (Result::open(path).closed()) return false;
  rewrite(path);
  return true;
}

}  // namespace davit::result
