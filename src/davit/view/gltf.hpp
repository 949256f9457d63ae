// A result as one binary glTF 2.0 file with an animation, for Blender, slides and other viewers.
//
// Solves: bodies with their shapes and motion, ropes and lines as tubes that move. y is up, as glTF wants it; metres.
// Does not: sea, tensions, contacts: those need the viewer.
#pragma once

#include <filesystem>

#include "davit/result/reader.hpp"

namespace davit::view {

struct WrittenGltf {
  std::uint64_t bytes = 0, frames = 0, stride = 1;  // stride: frames of the result to one of the file
};
// At most so many frames. Throws ResultError, also where the result has no scene.
WrittenGltf write_gltf(const result::Result& result, const std::filesystem::path& path,
                       std::uint64_t most_frames = 3000);

}  // namespace davit::view
