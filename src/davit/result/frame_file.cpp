// Scene and frames in HDF5: written block by block, read with every size checked first.
#include "davit/result/frame_file.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "davit/hdf5/reading.hpp"
#include "davit/result/layout.hpp"

namespace davit::result {

using hdf5::check;
using hdf5::Handle;

namespace {

constexpr int packing = 4;  // level of deflate; more takes time and brings a hundredth
constexpr hsize_t smallest_chunk = 256, largest_chunk = 1 << 16U;
constexpr std::uint64_t most_bodies = 1'000'000;
constexpr std::uint64_t most_read_at_once = 1 << 20U;  // frames
constexpr std::uint64_t most_vertices = std::uint64_t{1} << 40U;

Handle make_group(hid_t file, const char* name) {
  return {H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "making a group"};
}

// All of a list that does not change; its chunk is all of it, at most.
void write_list(hid_t group, const char* name, hid_t type, const void* values, hsize_t count) {
  const hsize_t chunk = std::clamp<hsize_t>(count, 1, hsize_t{1} << 20U);
  const Handle dataset = layout::create_growing(group, name, type, chunk, packing);
  layout::write_rows(dataset, type, 0, count, values);
}

void write_scene(hid_t file, const Scene& scene) {
  const Handle group = make_group(file, "scene");
  const Handle type = hdf5::text_type();
  const Handle document = layout::create_fixed(group.id(), "document", type.id(), hdf5::scalar_space());
  const char* text = scene.document.c_str();
  check(H5Dwrite(document.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text), "writing the scene");
  write_list(group.id(), "points", H5T_NATIVE_FLOAT, scene.meshes.points.data(), scene.meshes.points.size());
  write_list(group.id(), "triangles", H5T_NATIVE_UINT32, scene.meshes.triangles.data(), scene.meshes.triangles.size());
}

void write_shape(hid_t group, const FrameShape& shape) {
  hdf5::write_attribute(group, "bodies", shape.bodies);
  hdf5::write_attribute(group, "lines", shape.lines);
  hdf5::write_attribute(group, "length_step", shape.length_step);
  hdf5::write_attribute(group, "attitude_step", shape.attitude_step);
  hdf5::write_attribute(group, "tension_step", shape.tension_step);
  hdf5::write_attribute(group, "frames_per_block", frames_per_block);
}

FrameShape read_shape(hid_t group) {
  FrameShape shape{hdf5::read_integer_attribute(group, "bodies"), hdf5::read_integer_attribute(group, "lines"),
                   hdf5::read_number_attribute(group, "length_step"),
                   hdf5::read_number_attribute(group, "attitude_step"),
                   hdf5::read_number_attribute(group, "tension_step")};
  for (const double step : {shape.length_step, shape.attitude_step, shape.tension_step})
    if (!std::isfinite(step) || step <= 0) throw hdf5::Failure("the frames count in steps that are no lengths");
  if (shape.bodies > most_bodies || shape.lines > most_bodies) throw hdf5::Failure("the frames have too many bodies");
  if (hdf5::read_integer_attribute(group, "frames_per_block") != frames_per_block)
    throw hdf5::Failure("the frames are packed in a way that is not read");
  return shape;
}

template <typename T>
std::vector<T> read_list(const Handle& dataset, hid_t type, hsize_t first, hsize_t count) {
  // Asked before memory is: rows that are not there are no reason to fill it.
  const hsize_t length = hdf5::length_of(dataset.id());
  if (first > length || count > length - first) throw hdf5::Failure("the frames are shorter than they say");
  hdf5::check_room(dataset.id(), count, sizeof(T));
  std::vector<T> values(count);
  hdf5::read_rows(dataset.id(), type, first, count, values.data());
  return values;
}

// Whether more brackets are open at once, outside of texts, than a scene has. Who goes through a document calls itself
// for each of them.
bool is_nested_too_deeply(std::string_view json) {
  constexpr int deepest = 32;
  int open = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text && c == '\\')
      ++i;  // whatever follows is part of the text
    else if (c == '"')
      in_text = !in_text;
    else if (!in_text && (c == '{' || c == '['))
      ++open;
    else if (!in_text && (c == '}' || c == ']'))
      --open;
    if (open > deepest) return true;
  }
  return false;
}

Scene read_scene(hid_t file) {
  Scene scene;
  const Handle group = hdf5::open_group(file, "scene");
  scene.document = hdf5::read_text(hdf5::open_dataset(group.id(), "document").id());
  if (is_nested_too_deeply(scene.document)) throw hdf5::Failure("the document of the scene is nested too deeply");
  const Handle points = hdf5::open_dataset(group.id(), "points"),
               triangles = hdf5::open_dataset(group.id(), "triangles");
  scene.meshes.points = read_list<float>(points, H5T_NATIVE_FLOAT, 0, hdf5::length_of(points.id()));
  scene.meshes.triangles = read_list<std::uint32_t>(triangles, H5T_NATIVE_UINT32, 0, hdf5::length_of(triangles.id()));
  return scene;
}

}  // namespace

template <typename T>
std::size_t FrameWriter::Column<T>::write(bool all) {
  const std::size_t count = all ? pending.size() : pending.size() / chunk * chunk;
  layout::write_rows(dataset, type, written, count, pending.data());
  pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(count));
  written += count;
  return count * sizeof(T);
}

template <typename T>
FrameWriter::Column<T> FrameWriter::column(hid_t group, const char* name, hid_t type, hsize_t chunk) {
  chunk = std::max<hsize_t>(chunk, 1);
  Column<T> made{layout::create_growing(group, name, type, chunk, packing), type, chunk};
  made.pending.reserve(2 * chunk);
  return made;
}

template <typename Visitor>
void FrameWriter::each_column(Visitor&& visit) {
  visit(times_);
  visit(poses_);
  visit(counts_);
  visit(vertices_);
  visit(flags_);
  visit(ends_);
}

FrameWriter::FrameWriter(hid_t file, const Scene& scene, std::uint64_t vertices)
    : shape_(scene.frames), packer_(scene.frames) {
  write_scene(file, scene);
  const Handle group = make_group(file, "frames");
  write_shape(group.id(), shape_);
  const hsize_t of_block = std::clamp<hsize_t>(frames_per_block * vertices, smallest_chunk, largest_chunk);
  times_ = column<double>(group.id(), "time", H5T_NATIVE_DOUBLE, frames_per_block);
  poses_ = column<std::uint32_t>(group.id(), "poses", H5T_NATIVE_UINT32,
                                 frames_per_block * shape_.bodies * numbers_per_pose);
  counts_ = column<std::uint32_t>(group.id(), "counts", H5T_NATIVE_UINT32, frames_per_block * shape_.lines);
  vertices_ = column<std::uint32_t>(group.id(), "vertices", H5T_NATIVE_UINT32, of_block * numbers_per_vertex);
  flags_ = column<std::uint8_t>(group.id(), "flags", H5T_NATIVE_UINT8, of_block);
  ends_ = column<std::uint64_t>(group.id(), "ends", H5T_NATIVE_UINT64, frames_per_block);
  committed_ = layout::create_fixed(group.id(), "committed", H5T_NATIVE_UINT64, hdf5::vector_space(1, 1));
  open_ends_.reserve(2 * frames_per_block);
  commit();
}

void FrameWriter::append(const Frame& frame) {
  fresh_.times.clear();
  fresh_.poses.clear();
  fresh_.counts.clear();
  fresh_.vertices.clear();
  fresh_.flags.clear();
  packer_.pack(frame, fresh_);
  append(fresh_);
}

void FrameWriter::append(const PackedFrames& packed) {
  const auto add = [](auto& column, const auto& values) {
    column.pending.insert(column.pending.end(), values.begin(), values.end());
  };
  add(times_, packed.times);
  add(poses_, packed.poses);
  add(counts_, packed.counts);
  add(vertices_, packed.vertices);
  add(flags_, packed.flags);
  for (std::size_t f = 0; f < packed.times.size(); ++f) {
    for (std::size_t l = 0; l < shape_.lines; ++l) vertices_so_far_ += packed.counts[f * shape_.lines + l];
    ends_.pending.push_back(vertices_so_far_);
    open_ends_.push_back(vertices_so_far_);
  }
}

void FrameWriter::write(bool all) {
  each_column([&](auto& column) { bytes_kept_ += column.write(all); });
}

void FrameWriter::commit() {
  const std::uint64_t whole = std::min(times_.written, ends_.written);
  const std::uint64_t vertices = std::min<std::uint64_t>(vertices_.written / numbers_per_vertex, flags_.written);
  std::size_t closed = 0;
  while (closed < open_ends_.size() && frames_whole_ + closed < whole && open_ends_[closed] <= vertices) ++closed;
  open_ends_.erase(open_ends_.begin(), open_ends_.begin() + static_cast<std::ptrdiff_t>(closed));
  frames_whole_ += closed;
  check(H5Dwrite(committed_.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &frames_whole_),
        "writing the count of frames");
  check(H5Dflush(committed_.id()), "writing the count of frames");
}

void FrameWriter::release(hid_t file) {
  each_column([&](auto& column) { layout::reopen(file, column.dataset, column.chunk * sizeof(column.pending[0])); });
  bytes_kept_ = 0;
}

bool FrameWriter::close() {
  bool closed = committed_.close() >= 0;
  each_column([&](auto& column) { closed &= column.dataset.close() >= 0; });
  return closed;
}

std::optional<FrameReader> FrameReader::open(hid_t file) {
  if (!hdf5::has(file, "scene") || !hdf5::has(file, "frames")) return std::nullopt;
  FrameReader reader;
  const Handle group = hdf5::open_group(file, "frames");
  // The count first, as for rows (reader.cpp).
  const Handle committed = hdf5::open_dataset(group.id(), "committed");
  hdf5::read_rows(committed.id(), H5T_NATIVE_UINT64, 0, 1, &reader.frames_);
  reader.scene_ = read_scene(file);
  reader.scene_.frames = read_shape(group.id());
  const FrameShape& shape = reader.scene_.frames;
  reader.times_ = hdf5::open_dataset(group.id(), "time");
  reader.poses_ = hdf5::open_dataset(group.id(), "poses");
  reader.counts_ = hdf5::open_dataset(group.id(), "counts");
  reader.vertices_ = hdf5::open_dataset(group.id(), "vertices");
  reader.flags_ = hdf5::open_dataset(group.id(), "flags");
  reader.ends_ = hdf5::open_dataset(group.id(), "ends");
  const auto at_most = [&](const Handle& dataset, std::uint64_t of_frame) {
    if (of_frame > 0)
      reader.frames_ = std::min<std::uint64_t>(reader.frames_, hdf5::length_of(dataset.id()) / of_frame);
  };
  at_most(reader.times_, 1);
  at_most(reader.poses_, shape.bodies * numbers_per_pose);
  at_most(reader.counts_, shape.lines);
  at_most(reader.ends_, 1);
  hdf5::length_of(reader.vertices_.id());
  hdf5::length_of(reader.flags_.id());
  if (reader.frames_ > 0)
    reader.all_vertices_ = read_list<std::uint64_t>(reader.ends_, H5T_NATIVE_UINT64, reader.frames_ - 1, 1)[0];
  if (reader.all_vertices_ > most_vertices) throw hdf5::Failure("the frames have too many vertices");
  return reader;
}

template <typename Visitor>
void FrameReader::each_list(Visitor&& visit) const {
  visit(times_.id(), frames_);
  visit(ends_.id(), frames_);
  visit(poses_.id(), frames_ * scene_.frames.bodies * numbers_per_pose);
  visit(counts_.id(), frames_ * scene_.frames.lines);
  visit(vertices_.id(), all_vertices_ * numbers_per_vertex);
  visit(flags_.id(), all_vertices_);
}

void FrameReader::claim(hdf5::Storage& storage) const {
  each_list([&](hid_t dataset, hsize_t count) { storage.claim(dataset, count); });
}

std::vector<double> FrameReader::times() const { return read_list<double>(times_, H5T_NATIVE_DOUBLE, 0, frames_); }

PackedFrames FrameReader::read(std::uint64_t first, std::uint64_t count) const {
  if (first % frames_per_block != 0) throw hdf5::Failure("frames are read from the beginning of a block on");
  if (first > frames_ || count > frames_ - first || count > most_read_at_once)
    throw hdf5::Failure("there are not so many frames");
  const FrameShape& shape = scene_.frames;
  PackedFrames out;
  out.first = first;
  if (count == 0) return out;
  out.times = read_list<double>(times_, H5T_NATIVE_DOUBLE, first, count);
  const std::uint64_t numbers = shape.bodies * numbers_per_pose;
  out.poses = read_list<std::uint32_t>(poses_, H5T_NATIVE_UINT32, first * numbers, count * numbers);
  out.counts = read_list<std::uint32_t>(counts_, H5T_NATIVE_UINT32, first * shape.lines, count * shape.lines);
  const std::uint64_t begin = first == 0 ? 0 : read_list<std::uint64_t>(ends_, H5T_NATIVE_UINT64, first - 1, 1)[0];
  std::uint64_t vertices = 0;
  for (const std::uint32_t of_line : out.counts) vertices += of_line;
  const std::uint64_t end = read_list<std::uint64_t>(ends_, H5T_NATIVE_UINT64, first + count - 1, 1)[0];
  if (end < begin || end - begin != vertices || end > most_vertices)
    throw hdf5::Failure("the vertices of the frames are counted in two ways that differ");
  out.vertices =
      read_list<std::uint32_t>(vertices_, H5T_NATIVE_UINT32, begin * numbers_per_vertex, vertices * numbers_per_vertex);
  out.flags = read_list<std::uint8_t>(flags_, H5T_NATIVE_UINT8, begin, vertices);
  return out;
}

void FrameReader::look_through(bool packed) const {
  each_list([&](hid_t dataset, hsize_t count) {
    if (packed || dataset == times_.id() || dataset == ends_.id())
      hdf5::look_through(dataset, std::min(count, hdf5::length_of(dataset)));
    else
      H5Dget_storage_size(dataset);  // goes through the whole index of chunks
  });
}

}  // namespace davit::result
