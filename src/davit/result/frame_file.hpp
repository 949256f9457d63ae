// Scene and frames in a result file, private to this module.
//
//   /scene/document      what there is to see, JSON (docs/results.md)
//   /scene/points        float32, x, y, z of the points of all meshes
//   /scene/triangles     uint32, three points each
//   /frames              attributes bodies, lines, length_step, attitude_step, tension_step, frames_per_block
//   /frames/time         [s], one per frame
//   /frames/poses, counts, vertices, flags   as in PackedFrames
//   /frames/ends         how many vertices there are up to and with a frame
//   /frames/committed    how many frames are whole
//
// Packed chunks are written once, when they are full: one that grows would move in the file each time and leave a hole.
// A kill so loses the frames of the last one or two blocks, a dozen seconds at ten a second.
#pragma once

#include <optional>

#include "davit/hdf5/reading.hpp"
#include "davit/result/frame_packing.hpp"

namespace davit::result {

class FrameWriter {
 public:
  // Makes everything, and writes what does not change. `vertices`: about how many a frame has.
  FrameWriter(hid_t file, const Scene& scene, std::uint64_t vertices);

  void append(const Frame& frame);
  // What was packed already, of a run that is written again.
  void append(const PackedFrames& packed);
  // Full chunks, or all; then, when that is on its way to the file, the count that makes it valid.
  void write(bool all);
  void commit();
  // Closes the growing datasets and opens them again (layout::release_chunks).
  void release(hid_t file);
  bool close();
  std::size_t bytes_kept() const { return bytes_kept_; }

 private:
  template <typename T>
  struct Column {
    hdf5::Handle dataset;
    hid_t type = -1;
    hsize_t chunk = 1;
    hsize_t written = 0;
    std::vector<T> pending{};
    std::size_t write(bool all);
  };
  template <typename T>
  Column<T> column(hid_t group, const char* name, hid_t type, hsize_t chunk);
  template <typename Visitor>
  void each_column(Visitor&& visit);

  FrameShape shape_;
  FramePacker packer_;
  PackedFrames fresh_;
  Column<double> times_;
  Column<std::uint32_t> poses_, counts_, vertices_;
  Column<std::uint8_t> flags_;
  Column<std::uint64_t> ends_;
  hdf5::Handle committed_;
  std::uint64_t vertices_so_far_ = 0, frames_whole_ = 0;
  std::vector<std::uint64_t> open_ends_;  // of frames that are not whole yet
  std::size_t bytes_kept_ = 0;
};

// Of a file that may be anybody's: what is wrong throws hdf5::Failure.
class FrameReader {
 public:
  // Nothing where the file has no scene.
  static std::optional<FrameReader> open(hid_t file);

  const Scene& scene() const { return scene_; }
  std::uint64_t frames() const { return frames_; }
  std::vector<double> times() const;
  // `first` is a multiple of frames_per_block.
  PackedFrames read(std::uint64_t first, std::uint64_t count) const;
  // That all frames are in the file.
  void claim(hdf5::Storage& storage) const;
  // Everything, or all but the packed values themselves.
  void look_through(bool packed) const;

 private:
  template <typename Visitor>
  void each_list(Visitor&& visit) const;  // a dataset, and how many values of it are frames

  Scene scene_;
  std::uint64_t frames_ = 0, all_vertices_ = 0;
  hdf5::Handle times_, poses_, counts_, vertices_, flags_, ends_;
};

}  // namespace davit::result
