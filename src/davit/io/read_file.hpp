// The one way to the bytes of a file that a user or another file names.
//
// Solves: a device gives bytes without end, a pipe keeps its reader waiting, and a file may be larger than the memory.
// Only regular files up to a size are opened, and no more than that size is read, whatever the file says of itself.
// Does not: look at what the bytes mean.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "davit/io/file_error.hpp"

namespace davit::io {

// All throw a FileError unless it is a regular file of at most so many bytes that may be read.
std::string read_file(const std::filesystem::path& path, std::uintmax_t most_bytes);
// For libraries that open the file themselves: its size.
std::uintmax_t check_file(const std::filesystem::path& path, std::uintmax_t most_bytes);

}  // namespace davit::io
