// Runs code that may crash or never end, because a library reads a file that somebody else made, in a child process.
//
// Solves: HDF5, netCDF and matio crash, loop or take all memory on some damaged files, and nothing in this process can
// stop that. In a child with bounds on memory and time it costs one message.
// Does not: confine what the child may do beyond that, or protect from a file that is exchanged after the trial.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "davit/io/file_error.hpp"

namespace davit::io {

struct Limits {
  std::size_t memory = std::size_t{512} << 20u;  // bytes beyond those that this process has
  unsigned seconds = 10;  // of processor time; five times as much on the clock, for a machine under load
};

// Not under the address sanitizer, which takes terabytes of addresses for itself.
extern const bool memory_is_bounded;

// Returns what `trial` returned, or throws a FileError when it crashed or went beyond a limit. The child has this
// process's memory but only the calling thread, so `trial` must not wait for others; whoever calls holds the locks that
// it will need.
std::string in_child(const std::function<std::string()>& trial, const Limits& limits);

}  // namespace davit::io
