// Files of this module other than the result itself, private to it: whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "davit/file/write_file.hpp"
#include "davit/result/error.hpp"

namespace davit::result {

// What to write: bytes, or a function that gets a stream. Throws a ResultError.
template <class What>
void write_whole(const std::filesystem::path& path, const What& what) {
  try {
    file::write_file(path, what);
  } catch (const file::FileError& error) {
    throw ResultError(path.string() + ": " + error.what());
  }
}

}  // namespace davit::result
