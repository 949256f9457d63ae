// A file that somebody else made is read in a child process first: what HDF5 and the libraries that use it (netCDF,
// matio) do with a damaged file, they do there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace davit::hdf5 {

// Returns what `read` returned in the child: what is wrong with the file, by its own judgement. Throws a
// io::FileError when it is no regular file of at most `most_bytes`, or when reading it crashed, took all memory that
// a file of its size may need, or had no end. An honest file costs a millisecond and once its reading.
std::string trial(const std::filesystem::path& file, std::uintmax_t most_bytes,
                  const std::function<std::string()>& read);

}  // namespace davit::hdf5
