// What took long to compute is kept in files by content: the same content finds the same file. In $DAVIT_CACHE, or else
// in davit/ of the user's cache folder; where there is neither, or where others could write into it, nothing is kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace davit::io {

// FNV-1a, from a starting value.
std::uint64_t content_hash(std::string_view content, std::uint64_t start = 14695981039346656037u);

// The result for some content, which is kept beside it and compared: a name that fits by chance, or was made to fit,
// finds nothing.
class CacheEntry {
 public:
  // `kind` is a folder, `ending` that of the file's name.
  CacheEntry(std::string_view kind, std::string content, std::string_view ending);

  // The file, if there is one for just this content.
  std::optional<std::filesystem::path> find() const;

  // `write` makes the file it is given, beside the wanted one, which is then renamed: another run never sees half a
  // file. A cache that cannot be written is no mistake: the next run computes again.
  void keep(const std::function<void(const std::filesystem::path&)>& write) const;

 private:
  std::filesystem::path content_file() const;

  std::string content_;
  std::optional<std::filesystem::path> folder_;  // of the cache; nothing where there is none
  std::filesystem::path file_;
};

}  // namespace davit::io
