// Files for fuzz targets of readers that open files themselves: in memory where the machine has such a folder, one for
// the life of the process. Shared by the targets of all modules.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace davit::test {

// A folder of this process that vanishes with it.
class FuzzFolder {
 public:
  FuzzFolder() {
    std::error_code absent;
    const bool in_memory = std::filesystem::is_directory("/dev/shm", absent) && access("/dev/shm", W_OK) == 0;
    path_ = (in_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
            ("davit_fuzz_" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ~FuzzFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  FuzzFolder(const FuzzFolder&) = delete;
  FuzzFolder& operator=(const FuzzFolder&) = delete;

  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The input of a target, taken piece by piece; zeros after its end.
class FuzzBytes {
 public:
  FuzzBytes(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}
  bool empty() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace davit::test
