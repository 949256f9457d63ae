#include "davit/io/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace davit::io {
namespace {

[[noreturn]] void refuse_size(std::uintmax_t most_bytes) {
  constexpr std::uintmax_t mebibyte = 1u << 20u;
  throw FileError(fmt::format("the file is larger than {} MiB", most_bytes / mebibyte), "reduce it");
}

// A descriptor of a file that is known to be a regular one: asked after opening, so that nobody can change it between.
class RegularFile {
 public:
  RegularFile(const std::filesystem::path& path, std::uintmax_t most_bytes)
      // Opening a pipe would wait for its writer.
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (descriptor_ < 0) {
      if (errno == ENOENT || errno == ENOTDIR)
        throw FileError("there is no such file", "check the path; in a file it is relative to that file");
      throw FileError(fmt::format("the file cannot be opened ({})", std::strerror(errno)), "check the permissions");
    }
    struct stat status {};
    const bool known = ::fstat(descriptor_, &status) == 0;
    try {
      if (known && S_ISDIR(status.st_mode)) throw FileError("this is a directory", "give the file inside it");
      if (!known || !S_ISREG(status.st_mode)) throw FileError("this is not a regular file", "give a regular file");
      size_ = static_cast<std::uintmax_t>(status.st_size);
      if (size_ > most_bytes) refuse_size(most_bytes);
    } catch (const FileError&) {
      ::close(descriptor_);
      throw;
    }
  }
  ~RegularFile() { ::close(descriptor_); }
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  std::uintmax_t size() const { return size_; }

  // How many bytes came; 0 at the end.
  std::size_t read(char* to, std::size_t count) {
    for (;;) {
      const ssize_t got = ::read(descriptor_, to, count);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR)
        throw FileError(fmt::format("the file cannot be read to its end ({})", std::strerror(errno)),
                        "check the disk and the permissions");
    }
  }

 private:
  int descriptor_;
  std::uintmax_t size_ = 0;
};

}  // namespace

std::string read_file(const std::filesystem::path& path, std::uintmax_t most_bytes) {
  RegularFile file(path, most_bytes);
  std::string bytes;
  // To the end and not to the size: files that the kernel makes up say 0, and a file may grow after it was measured.
  for (std::size_t filled = 0, room = static_cast<std::size_t>(file.size()) + 1;; room = filled + 65536) {
    bytes.resize(room);
    while (filled < room) {
      const std::size_t got = file.read(bytes.data() + filled, room - filled);
      if (got == 0) {
        bytes.resize(filled);
        return bytes;
      }
      filled += got;
      if (filled > most_bytes) refuse_size(most_bytes);
    }
  }
}

std::uintmax_t check_file(const std::filesystem::path& path, std::uintmax_t most_bytes) {
  return RegularFile(path, most_bytes).size();
}

}  // namespace davit::io
