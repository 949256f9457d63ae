// Files of this module other than the result itself, private to it: whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "davit/io/write_file.hpp"
#include "davit/result/result_error.hpp"

namespace davit::result {

// What to write: bytes, or a function that gets a stream. Throws a ResultError.
template <class What>
void write_whole(const std::filesystem::path& path, const What& what) {
  try {
    io::write_file(path, what);
  } catch (const io::FileError& error) {
    throw ResultError(path.string() + ": " + error.what());
  }
}

}  // namespace davit::result
