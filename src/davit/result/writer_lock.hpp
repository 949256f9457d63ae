// Says whether some living process is still writing a result file.
//
// Solves: HDF5 marks a file as open for writing, but a killed run leaves the same mark as a living one. The operating
// system knows the difference, because it drops the lock of a dead process.
// Does not: keep anyone from reading, nor work where the file system has no locks (then nobody seems to be writing).
#pragma once

#include <filesystem>

namespace davit::result {

class WriterLock {
 public:
  WriterLock() = default;
  explicit WriterLock(const std::filesystem::path& path);
  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&& other) noexcept;
  ~WriterLock();

 private:
  int descriptor_ = -1;
};

bool is_being_written(const std::filesystem::path& path);

}  // namespace davit::result
