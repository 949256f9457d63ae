#include "davit/result/writer_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace davit::result {
namespace {

// A byte no result file reaches, and a lock that belongs to the open file instead of the process: closing another
// descriptor of the same file (as a reader in this process does) would drop a classic lock.
struct flock lock_request() {
  struct flock request {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  request.l_start = off_t{1} << 60;
  request.l_len = 1;
  return request;
}

}  // namespace

WriterLock::WriterLock(const std::filesystem::path& path) : descriptor_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  if (descriptor_ < 0) return;
  auto request = lock_request();
  ::fcntl(descriptor_, F_OFD_SETLK, &request);  // where it fails there are no locks: see the header
}

WriterLock::WriterLock(WriterLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool is_being_written(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // of a pipe: without waiting
  if (descriptor < 0) return false;
  auto request = lock_request();
  const bool known = ::fcntl(descriptor, F_OFD_GETLK, &request) == 0;
  ::close(descriptor);
  return known && request.l_type != F_UNLCK;
}

}  // namespace davit::result
