#include "davit/io/write_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace davit::io {
namespace {

[[noreturn]] void refuse_writing(int error) {
  throw FileError(fmt::format("cannot be written ({})", std::strerror(error)),
                  "check that its folder exists, that you may write there and that there is room");
}

// A device or a pipe, which has no place to rename a file to. A link to one is refused: who wants it names it.
bool is_written_directly(const std::filesystem::path& place) {
  struct stat own {
  }, target{};
  if (::lstat(place.c_str(), &own) != 0) return false;
  const bool is_link = S_ISLNK(own.st_mode);
  if (is_link && ::stat(place.c_str(), &target) != 0) return false;  // leads nowhere, and is replaced
  const mode_t mode = is_link ? target.st_mode : own.st_mode;
  if (S_ISDIR(mode)) throw FileError("this is a directory", "name a file in it");
  if (S_ISREG(mode)) return false;
  if (is_link) throw FileError("this is a link to something that is no file", "name a file");
  return true;
}

}  // namespace

Draft::Draft(std::filesystem::path place) : place_(std::move(place)) {
  if (is_written_directly(place_)) {
    path_ = place_;
    beside_ = false;
    return;
  }
  // A file or link that is there already is never opened: another name is taken.
  static std::atomic<unsigned> counter = 0;
  for (int tries = 0; tries < 100; ++tries) {
    path_ = place_.parent_path() / fmt::format(".{}.{}-{}", place_.filename().string(), ::getpid(), ++counter);
    const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      ::close(descriptor);
      return;
    }
    if (errno != EEXIST) break;
  }
  refuse_writing(errno);
}

Draft::~Draft() {
  std::error_code ignored;
  if (beside_ && !path_.empty()) std::filesystem::remove(path_, ignored);
}

void Draft::keep() {
  if (!beside_) return;
  if (::rename(path_.c_str(), place_.c_str()) != 0) refuse_writing(errno);
  path_.clear();
}

void check_writable(const std::filesystem::path& place) { const Draft draft(place); }

void write_file(const std::filesystem::path& place, const std::function<void(std::ostream&)>& write) {
  Draft draft(place);
  errno = 0;
  std::ofstream out(draft.path(), std::ios::binary);
  write(out);
  out.close();
  if (!out) refuse_writing(errno != 0 ? errno : EIO);
  draft.keep();
}

void write_file(const std::filesystem::path& place, std::string_view bytes) {
  write_file(place, [&](std::ostream& out) { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

}  // namespace davit::io
