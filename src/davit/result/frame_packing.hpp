// Frames as small whole numbers, and back.
//
// Solves: what moves smoothly differs little from where it would be if it went on as before. Numbers are counted in
// steps (FrameShape), and what is kept is the second difference in time, zigzag (0, -1, 1, -2, … as 0, 1, 2, 3, …), so
// that deflate makes a tenth of it. Every `frames_per_block` frames it begins anew, so that a reader can begin there.
//
//   d = v                 in the first frame of a block, or where the line had another number of vertices before
//   d = v - v₁            in the next
//   d = v - 2 v₁ + v₂     from then on; all modulo 2³²
//
// Does not: touch files.
#pragma once

#include <cstdint>
#include <vector>

#include "davit/result/scene.hpp"

namespace davit::result {

inline constexpr std::uint64_t frames_per_block = 64;
inline constexpr std::uint64_t numbers_per_pose = 7, numbers_per_vertex = 4;

// Whole frames, packed.
struct PackedFrames {
  std::uint64_t first = 0;  // a multiple of frames_per_block
  std::vector<double> times{};
  std::vector<std::uint32_t> poses{};     // of each frame, body by body: x, y, z, then the quaternion w, x, y, z
  std::vector<std::uint32_t> counts{};    // of each frame, line by line: how many vertices
  std::vector<std::uint32_t> vertices{};  // of each frame, line by line: x, y, z, tension
  std::vector<std::uint8_t> flags{};      // of each vertex
};

// Allocates nothing beyond what the vectors that it appends to do.
class FramePacker {
 public:
  explicit FramePacker(const FrameShape& shape);
  void pack(const Frame& frame, PackedFrames& to);

 private:
  struct Line {
    std::vector<std::uint32_t> last, before;
    int same = 0;  // how many frames had this number of vertices
  };
  FrameShape shape_;
  std::uint64_t frame_ = 0;
  std::vector<std::uint32_t> last_, before_;  // of poses
  std::vector<Line> lines_;
};

// Numbers of packed frames that do not fit each other throw std::runtime_error.
std::vector<Frame> unpack(const FrameShape& shape, const PackedFrames& packed);

}  // namespace davit::result
