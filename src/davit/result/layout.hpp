// The layout of a result file, private to this module: the one place that knows names, types and chunks in it.
//
//   /                    attributes davit_version, title, method, step, seed, created, scenario_file, layout,
//                        mantissa_bits (of the values of channels; the others are zero)
//   /time                [s], one number per row
//   /channels/values     [row, channel]: one number per row and channel; none where there are no channels
//   /channels/name, unit, description, source, group, main   of each channel
//   /hashes              table (time, hash): the state's hash, every N steps
//   /events              table (time, element, key, text, values): whatever comes and goes
//   /scenario            the effective scenario; attribute provenance
//   /status              "running", then "complete", "interrupted" or "broken: ..."
//   /committed           how many rows of (time and channels, hashes, events) are whole
//   /scene, /frames      what there is to see, and how it moves: frame_file.hpp
//
// One dataset for the values of all channels: what HDF5 keeps of a dataset (header, index, attributes, and in memory)
// is much, and a flush goes through all of them. Layout 1 had a dataset per channel, /channels/<name> with attributes
// of the same names, in groups for the channels of parts: a second of 12,600 channels took 67 s of processor time,
// which are 1.2 now, and 18,000 could not be written. It is still read (series_file.hpp).
//
// A chunk has `chunk_rows` rows of some channels, about 32 kB: few rows of many channels or many rows of few, so that
// who reads one channel of thousands reads a small part of the file.
//
// While a file is written it follows HDF5's single-writer-multiple-reader rules: no object or attribute appears after
// the start and no variable-length text is written. The datasets grow one after the other, so a kill may find them of
// unequal length; `committed` is written last and says up to where everything is there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "davit/hdf5/reading.hpp"
#include "davit/hdf5/write_guard.hpp"
#include "davit/result/channel_info.hpp"
#include "davit/result/run_header.hpp"

namespace davit::result::layout {

inline constexpr std::uint64_t version = 2;
inline constexpr std::size_t status_size = 1024;

// A row of /events. Longer texts or more values than fit go on in the next row, which has `continues` set; readers join
// them, so nothing is cut off. Text of fixed size because of the rules above.
struct EventRow {
  double time = 0;
  std::uint32_t continues = 0;
  std::uint32_t value_count = 0;
  std::array<double, 8> values{};
  std::array<char, 48> element{};
  std::array<char, 32> key{};
  std::array<char, 128> text{};
};

struct HashRow {
  double time = 0;
  std::uint64_t hash = 0;
};

struct Committed {
  std::uint64_t rows = 0;
  std::uint64_t hashes = 0;
  std::uint64_t events = 0;
};

// How channels are divided among chunks: the columns of values from `first(b)` on, `width(b)` of them. The last block
// may be narrower.
class ColumnBlocks {
 public:
  ColumnBlocks() = default;
  ColumnBlocks(std::size_t channels, std::size_t chunk_rows);
  std::size_t count() const { return columns_ == 0 ? 0 : (channels_ + columns_ - 1) / columns_; }
  std::size_t channels() const { return channels_; }
  std::size_t columns() const { return columns_; }  // of a chunk
  std::size_t first(std::size_t block) const { return block * columns_; }
  std::size_t width(std::size_t block) const { return std::min(columns_, channels_ - first(block)); }

 private:
  std::size_t channels_ = 0, columns_ = 0;
};

struct Datasets {
  hdf5::Handle time;
  hdf5::Handle values;
  ColumnBlocks blocks;
  hdf5::Handle hashes;
  hdf5::Handle events;
  hdf5::Handle committed;
  hdf5::Handle status;
};

struct Shape {
  std::size_t chunk_rows = 0;
  int compression = 0;  // 0 to 9, deflate
};

hdf5::Handle hash_type();
hdf5::Handle event_type();

// `streaming` asks for the newest file format, which single-writer-multiple-reader needs; without it the oldest that
// will do, which old MATLABs read as well.
hdf5::Handle create_file(const std::filesystem::path& path, bool streaming, hdf5::WriteGuard& guard);
Datasets create_datasets(hid_t file, const RunHeader& header, std::span<const ChannelInfo> channels, const Shape& shape,
                         std::string_view status);

// A list that grows; one of fixed place and size that is overwritten in place.
hdf5::Handle create_growing(hid_t parent, const char* name, hid_t type, hsize_t chunk, int compression);
hdf5::Handle create_fixed(hid_t parent, const char* name, hid_t type, const hdf5::Handle& space);

// Makes the dataset longer when needed and writes `count` rows from row `first` on.
void write_rows(const hdf5::Handle& dataset, hid_t memory_type, hsize_t first, hsize_t count, const void* data);
// The rows of one block of channels, row after row; the dataset is made longer for all blocks before.
void extend_values(const Datasets& datasets, hsize_t rows);
void write_values(const Datasets& datasets, std::size_t block, hsize_t first, hsize_t count, const double* rows);
// Of a file that others may read meanwhile, HDF5 (1.10) keeps every chunk in memory until its dataset is closed,
// however small its cache: a run would grow by all that it records. Closes the growing ones and opens them again.
void release_chunks(hid_t file, Datasets& datasets);
void reopen(hid_t file, hdf5::Handle& dataset, std::size_t packed_chunk_bytes = 0);
void write_status(const Datasets& datasets, std::string_view status);
void write_committed(const Datasets& datasets, const Committed& committed);

Committed read_committed(hid_t file);
std::string read_status(hid_t file);

}  // namespace davit::result::layout
