// Datasets of a result file: made, extended, committed, and opened again.
#include "davit/result/layout.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "davit/hdf5/array.hpp"

namespace davit::result::layout {

using hdf5::check;
using hdf5::Handle;

namespace {

void insert(const Handle& compound, const char* name, std::size_t offset, hid_t type) {
  check(H5Tinsert(compound.id(), name, offset, type), "making a table type");
}

Handle create(hid_t parent, const char* name, hid_t type, const Handle& space, const Handle& creation,
              const Handle& access) {
  return {H5Dcreate2(parent, name, type, space.id(), H5P_DEFAULT, creation.id(), access.id()), H5Dclose,
          "making a dataset"};
}

// Whole chunks go straight to the file: the cache is off, because we buffer rows ourselves and a megabyte of cache per
// channel would be gigabytes with thousands of channels. Packed chunks need one of their own size.
Handle growing_access(std::size_t packed_chunk = 0) {
  Handle access = hdf5::property_list(H5P_DATASET_ACCESS);
  check(H5Pset_chunk_cache(access.id(), 1, packed_chunk, 1.0), "choosing a cache size");
  return access;
}

void write_header(hid_t file, const RunHeader& header) {
  const Handle root{H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, "opening the root group"};
  hdf5::write_attribute(root.id(), "layout", version);
  hdf5::write_attribute(root.id(), "davit_version", header.davit_version);
  hdf5::write_attribute(root.id(), "title", header.title);
  hdf5::write_attribute(root.id(), "method", header.method);
  hdf5::write_attribute(root.id(), "step", header.step);
  hdf5::write_attribute(root.id(), "seed", header.seed);
  hdf5::write_attribute(root.id(), "mantissa_bits", static_cast<std::uint64_t>(header.mantissa_bits));
  hdf5::write_attribute(root.id(), "created", header.created);
  hdf5::write_attribute(root.id(), "scenario_file", header.scenario_file);

  const Handle type = hdf5::text_type();
  const Handle scenario = create_fixed(file, "scenario", type.id(), hdf5::scalar_space());
  const char* text = header.scenario.c_str();
  check(H5Dwrite(scenario.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text), "writing the scenario");
  hdf5::write_attribute(scenario.id(), "provenance", header.provenance);
}

// What is told of the channels, each in a list of its own.
void write_channel_infos(hid_t group, std::span<const ChannelInfo> channels) {
  const auto texts = [&](const char* name, std::string ChannelInfo::*member, const char* description) {
    std::vector<std::string> all;
    for (const ChannelInfo& info : channels) all.push_back(info.*member);
    hdf5::write_fixed_texts(group, name, all, description);
  };
  texts("name", &ChannelInfo::name, "of the channel in each column of values");
  texts("unit", &ChannelInfo::unit, "of its values; empty: a pure number");
  texts("description", &ChannelInfo::description, "what it is");
  texts("source", &ChannelInfo::source, "where it comes from");
  texts("group", &ChannelInfo::group, "channels of one unit and one group share a plot");
  std::vector<std::uint8_t> main;
  for (const ChannelInfo& info : channels) main.push_back(info.main ? 1 : 0);
  const Handle dataset = create_fixed(group, "main", H5T_NATIVE_UINT8, hdf5::vector_space(main.size(), main.size()));
  if (!main.empty())
    check(H5Dwrite(dataset.id(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, main.data()), "writing a dataset");
  hdf5::write_attribute(dataset.id(), "description", std::string("1: drawn in the report"));
}

Handle growing_creation(std::span<const hsize_t> chunk, int compression) {
  Handle creation = hdf5::property_list(H5P_DATASET_CREATE);
  check(H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data()), "choosing a chunk size");
  check(H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER), "choosing a fill time");
  check(H5Pset_obj_track_times(creation.id(), false), "choosing time stamps");
  if (compression > 0) {
    check(H5Pset_shuffle(creation.id()), "choosing a compression");
    check(H5Pset_deflate(creation.id(), static_cast<unsigned>(compression)), "choosing a compression");
  }
  return creation;
}

Handle create_values(hid_t group, const ColumnBlocks& blocks, const Shape& shape) {
  const std::array<hsize_t, 2> size{0, blocks.channels()}, most{H5S_UNLIMITED, blocks.channels()},
      chunk{shape.chunk_rows, blocks.columns()};
  const Handle space{H5Screate_simple(2, size.data(), most.data()), H5Sclose, "making a data space"};
  Handle dataset = create(group, "values", H5T_NATIVE_DOUBLE, space, growing_creation(chunk, shape.compression),
                          growing_access(shape.compression > 0 ? chunk[0] * chunk[1] * sizeof(double) : 0));
  hdf5::write_attribute(dataset.id(), "description", std::string("row by row, the channels in the order of name"));
  return dataset;
}

}  // namespace

ColumnBlocks::ColumnBlocks(std::size_t channels, std::size_t chunk_rows) : channels_(channels) {
  if (channels == 0) return;
  constexpr std::size_t chunk_bytes = 32u << 10u;
  const std::size_t most = std::max<std::size_t>(chunk_bytes / sizeof(double) / chunk_rows, 1);
  const std::size_t blocks = (channels + most - 1) / most;  // of the same width, as far as that goes
  columns_ = (channels + blocks - 1) / blocks;
}

Handle create_growing(hid_t parent, const char* name, hid_t type, hsize_t chunk, int compression) {
  return create(parent, name, type, hdf5::vector_space(0, H5S_UNLIMITED), growing_creation({&chunk, 1}, compression),
                growing_access(compression > 0 ? chunk * H5Tget_size(type) : 0));
}

Handle create_fixed(hid_t parent, const char* name, hid_t type, const Handle& space) {
  const Handle creation = hdf5::property_list(H5P_DATASET_CREATE);
  check(H5Pset_alloc_time(creation.id(), H5D_ALLOC_TIME_EARLY), "choosing an allocation time");
  check(H5Pset_obj_track_times(creation.id(), false), "choosing time stamps");
  return create(parent, name, type, space, creation, hdf5::property_list(H5P_DATASET_ACCESS));
}

Handle hash_type() {
  Handle type{H5Tcreate(H5T_COMPOUND, sizeof(HashRow)), H5Tclose, "making a table type"};
  insert(type, "time", offsetof(HashRow, time), H5T_NATIVE_DOUBLE);
  insert(type, "hash", offsetof(HashRow, hash), H5T_NATIVE_UINT64);
  return type;
}

Handle event_type() {
  constexpr EventRow row;
  constexpr hsize_t value_count = row.values.size();
  const Handle values{H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &value_count), H5Tclose, "making a table type"};
  Handle type{H5Tcreate(H5T_COMPOUND, sizeof(EventRow)), H5Tclose, "making a table type"};
  insert(type, "time", offsetof(EventRow, time), H5T_NATIVE_DOUBLE);
  insert(type, "continues", offsetof(EventRow, continues), H5T_NATIVE_UINT32);
  insert(type, "value_count", offsetof(EventRow, value_count), H5T_NATIVE_UINT32);
  insert(type, "values", offsetof(EventRow, values), values.id());
  insert(type, "element", offsetof(EventRow, element), hdf5::fixed_text_type(row.element.size()).id());
  insert(type, "key", offsetof(EventRow, key), hdf5::fixed_text_type(row.key.size()).id());
  insert(type, "text", offsetof(EventRow, text), hdf5::fixed_text_type(row.text.size()).id());
  return type;
}

Handle create_file(const std::filesystem::path& path, bool streaming, hdf5::WriteGuard& guard) {
  const Handle creation = hdf5::property_list(H5P_FILE_CREATE);
  const Handle access = hdf5::property_list(H5P_FILE_ACCESS);
  if (streaming) {
    check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "choosing the file format");
    // A kill can cut a write in two where it crosses from one page of memory to the next, and a header so torn makes
    // its dataset unreadable. With this strategy no header crosses a page.
    constexpr hsize_t memory_page = 4096;
    check(H5Pset_file_space_strategy(creation.id(), H5F_FSPACE_STRATEGY_PAGE, false, 1), "choosing file pages");
    check(H5Pset_file_space_page_size(creation.id(), memory_page), "choosing file pages");
  }
  // Some network file systems cannot lock; the Recorder keeps its own lock against a second writer.
  check(H5Pset_file_locking(access.id(), false, true), "choosing file locking");
  guard.attach(access.id());
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id());
  if (id < 0) guard.check();
  return {id, H5Fclose, "making the file"};
}

Datasets create_datasets(hid_t file, const RunHeader& header, std::span<const ChannelInfo> channels, const Shape& shape,
                         std::string_view status) {
  write_header(file, header);

  Datasets made;
  made.status = create_fixed(file, "status", hdf5::fixed_text_type(status_size).id(), hdf5::scalar_space());
  made.committed = create_fixed(file, "committed", H5T_NATIVE_UINT64, hdf5::vector_space(3, 3));
  hdf5::write_attribute(made.committed.id(), "description",
                        std::string("whole rows in: time and every channel; hashes; events"));
  write_status(made, status);
  write_committed(made, {});

  made.time = create_growing(file, "time", H5T_NATIVE_DOUBLE, shape.chunk_rows, shape.compression);
  hdf5::write_attribute(made.time.id(), "unit", std::string("s"));

  const Handle group{H5Gcreate2(file, "channels", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                     "making the group of channels"};
  write_channel_infos(group.id(), channels);
  made.blocks = ColumnBlocks(channels.size(), shape.chunk_rows);
  if (!channels.empty()) made.values = create_values(group.id(), made.blocks, shape);

  made.hashes = create_growing(file, "hashes", hash_type().id(), 64, shape.compression);
  made.events = create_growing(file, "events", event_type().id(), 32, shape.compression);
  return made;
}

void write_rows(const Handle& dataset, hid_t memory_type, hsize_t first, hsize_t count, const void* data) {
  if (count == 0) return;
  const hsize_t length = first + count;
  check(H5Dset_extent(dataset.id(), &length), "writing");
  const Handle file_space{H5Dget_space(dataset.id()), H5Sclose, "writing"};
  check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, &first, nullptr, &count, nullptr), "writing");
  const Handle memory_space = hdf5::vector_space(count, count);
  check(H5Dwrite(dataset.id(), memory_type, memory_space.id(), file_space.id(), H5P_DEFAULT, data), "writing");
}

void extend_values(const Datasets& datasets, hsize_t rows) {
  if (datasets.blocks.count() == 0) return;
  const std::array<hsize_t, 2> size{rows, datasets.blocks.channels()};
  check(H5Dset_extent(datasets.values.id(), size.data()), "writing");
}

void write_values(const Datasets& datasets, std::size_t block, hsize_t first, hsize_t count, const double* rows) {
  if (count == 0) return;
  const std::array<hsize_t, 2> from{first, datasets.blocks.first(block)}, size{count, datasets.blocks.width(block)};
  const Handle file_space{H5Dget_space(datasets.values.id()), H5Sclose, "writing"};
  check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr), "writing");
  const Handle memory_space = hdf5::block_space(size);
  check(H5Dwrite(datasets.values.id(), H5T_NATIVE_DOUBLE, memory_space.id(), file_space.id(), H5P_DEFAULT, rows),
        "writing");
}

void reopen(hid_t file, Handle& dataset, std::size_t packed_chunk_bytes) {
  std::string name(static_cast<std::size_t>(check(H5Iget_name(dataset.id(), nullptr, 0), "writing")), '\0');
  check(H5Iget_name(dataset.id(), name.data(), name.size() + 1), "writing");
  check(dataset.close(), "writing");
  dataset = {H5Dopen2(file, name.c_str(), growing_access(packed_chunk_bytes).id()), H5Dclose, "writing"};
}

void release_chunks(hid_t file, Datasets& datasets) {
  for (Handle* each : {&datasets.time, &datasets.values, &datasets.hashes, &datasets.events})
    if (each->id() >= 0) reopen(file, *each);
}

void write_status(const Datasets& datasets, std::string_view status) {
  std::array<char, status_size> text{};
  std::memcpy(text.data(), status.data(), std::min(status.size(), text.size()));
  const Handle type = hdf5::fixed_text_type(text.size());
  check(H5Dwrite(datasets.status.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "writing the status");
}

void write_committed(const Datasets& datasets, const Committed& committed) {
  const std::array<std::uint64_t, 3> counts{committed.rows, committed.hashes, committed.events};
  check(H5Dwrite(datasets.committed.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, counts.data()),
        "writing the row count");
  check(H5Dflush(datasets.committed.id()), "writing the row count");
}

Committed read_committed(hid_t file) {
  const Handle dataset = hdf5::open_dataset(file, "committed");
  std::array<std::uint64_t, 3> counts{};
  hdf5::read_rows(dataset.id(), H5T_NATIVE_UINT64, 0, counts.size(), counts.data());
  return {counts[0], counts[1], counts[2]};
}

std::string read_status(hid_t file) {
  return hdf5::read_fixed_text(hdf5::open_dataset(file, "status").id(), status_size);
}

}  // namespace davit::result::layout
