// Makes a plain HDF5 file out of a result whose writer was killed, or a compressed one out of a large one.
//
// Solves: after a kill the file opens only for readers that expect a writer, which h5py, MATLAB and HDFView do not
// without being told; `h5clear` is no remedy, it makes matters worse.
// Does not: bring back rows that were not flushed.
#pragma once

#include <filesystem>

#include "davit/result/reader.hpp"

namespace davit::result {

// Writes a new file beside the old one and moves it into its place in one go. A status "running" becomes "interrupted".
// Throws ResultError, also when the run is still going, unless the caller is its writer, who has closed the file.
void rewrite(const std::filesystem::path& path, int compression = 0, Origin origin = Origin::anyone);

// The same for a file that its writer did not close; leaves others alone and returns false.
bool rewrite_plain(const std::filesystem::path& path);

}  // namespace davit::result
