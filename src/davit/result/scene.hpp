// What can be looked at of a run: a scene that does not change, and frames in which it moves.
//
// Solves: a viewer needs nothing but this to draw a lift; docs/results.md describes it for those who write their own.
// Does not: draw, or know mechanics: whoever records fills it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "davit/math/export.hpp"

namespace davit::result {

// Points and triangles of all meshes, one after the other; the document says which are whose. In metres, in the axes
// of the body that has them.
struct SceneMeshes {
  std::vector<float> points{};             // x, y, z of each
  std::vector<std::uint32_t> triangles{};  // three points of each, counted from the first of its mesh

  bool operator==(const SceneMeshes&) const = default;
};

// Of what frames are made: how many bodies and lines, and the steps in which their numbers are counted.
struct FrameShape {
  std::uint64_t bodies = 0;
  std::uint64_t lines = 0;
  double length_step = 1e-3;    // [m]
  double attitude_step = 1e-6;  // of the components of quaternions
  double tension_step = 1;      // [N]

  bool operator==(const FrameShape&) const = default;
};

struct Scene {
  std::string document{};  // JSON
  SceneMeshes meshes{};
  FrameShape frames{};

  bool operator==(const Scene&) const = default;
};

struct BodyPose {
  std::array<double, 3> at{};                  // [m]
  std::array<double, 4> attitude{1, 0, 0, 0};  // quaternion w, x, y, z
};

// A place on a line. What happens there is a sum: where it touches and sticks, or slips; no piece follows.
struct LineVertex {
  static constexpr std::uint8_t sticks = 1, slips = 2, gap_after = 4;
  std::array<double, 3> at{};  // [m]
  double tension = 0;          // of the piece that follows [N]
  std::uint8_t flags = 0;
};

struct Frame {
  double time = 0;
  std::vector<BodyPose> bodies{};
  std::vector<std::vector<LineVertex>> lines{};
};

}  // namespace davit::result
