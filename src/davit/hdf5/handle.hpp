// A thin layer over HDF5's C interface, for every module that has a file in this format; arrays are in array.hpp.
//
// Solves: ids that close themselves, failures that become exceptions with the cause HDF5 knows (for instance "No space
// left on device"), and an error stack that is never printed on the user's terminal.
// Does not: wrap the interface as a whole. Whoever uses ids of one file from several threads must see to it.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace davit::hdf5 {

// While one lives, HDF5 prints nothing and belongs to this thread: a child process that is made meanwhile finds it in
// order (trial.hpp). The previous setting comes back, because the program that embeds us may want it.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

  // In a child process, whose only thread is another one to a lock than that which took it.
  static void renew_lock();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// An HDF5 call failed; what() is the cause, without a file name. The public classes add that and the remedy.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void fail(const char* doing);

// Ids, counts and herr_t all report failure by a negative value.
template <typename T>
T check(T value, const char* doing) {
  if (value < 0) fail(doing);
  return value;
}

class Handle {
 public:
  using Closer = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Closer closer, const char* doing) : id_(check(id, doing)), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  ~Handle() { close(); }

  hid_t id() const { return id_; }

  // Negative when closing failed, for instance because the last flush found the disk full.
  herr_t close() noexcept {
    if (id_ < 0) return 0;
    Quiet quiet;
    return closer_(std::exchange(id_, -1));
  }

 private:
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

Handle property_list(hid_t kind);
Handle text_type();                        // variable length, UTF-8: h5py gives a str
Handle fixed_text_type(std::size_t size);  // the only kind of text that may be written while readers look on
Handle scalar_space();
Handle vector_space(hsize_t length, hsize_t greatest);
// Of a block of that shape in memory. HDF5 copies rows between it and a block of the same shape in a file, and number
// by number where one has another rank.
Handle block_space(std::span<const hsize_t> shape);

void write_attribute(hid_t object, const char* name, const std::string& value);
void write_attribute(hid_t object, const char* name, double value);
void write_attribute(hid_t object, const char* name, std::uint64_t value);

}  // namespace davit::hdf5
