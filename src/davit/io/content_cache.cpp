#include "davit/io/content_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "davit/io/read_file.hpp"
#include "davit/io/write_file.hpp"

namespace davit::io {

namespace {

namespace fs = std::filesystem;

// A variable that is set to something.
const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? value : nullptr;
}

// Whose files we trust: it is this user's, and nobody else may write into it.
bool is_private(const fs::path& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Makes it for this user alone where it is not there.
std::optional<fs::path> private_folder(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  ::mkdir(folder.c_str(), 0700);
  return is_private(folder) ? std::optional(folder) : std::nullopt;
}

std::optional<fs::path> cache_folder() {
  if (const char* own = variable("DAVIT_CACHE")) return private_folder(own);
  const char *xdg = variable("XDG_CACHE_HOME"), *home = variable("HOME");
  if (!xdg && !home) return std::nullopt;
  const auto folder = private_folder((xdg ? fs::path(xdg) : fs::path(home) / ".cache") / "davit");
  if (folder) ::chmod(folder->c_str(), 0700);  // one that was made before may be open to others' eyes
  return folder;
}

}  // namespace

std::uint64_t content_hash(std::string_view content, std::uint64_t start) {
  for (const char c : content) start = (start ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return start;
}

CacheEntry::CacheEntry(std::string_view kind, std::string content, std::string_view ending)
    : content_(std::move(content)), folder_(cache_folder()) {
  if (!folder_) return;
  // From two starting values: 128 bits together.
  file_ = *folder_ / kind /
          fmt::format("{:016x}{:016x}{}", content_hash(content_), content_hash(content_, 1469598103934665603u), ending);
}

fs::path CacheEntry::content_file() const { return file_.string() + ".content"; }

std::optional<fs::path> CacheEntry::find() const {
  if (!folder_) return std::nullopt;
  try {
    if (io::read_file(content_file(), content_.size()) == content_) return file_;
  } catch (const io::FileError&) {}
  return std::nullopt;
}

void CacheEntry::keep(const std::function<void(const fs::path&)>& write) const {
  if (!folder_) return;
  std::error_code ignored;
  fs::create_directories(file_.parent_path(), ignored);
  try {
    io::Draft draft(file_);
    write(draft.path());
    draft.keep();
    io::write_file(content_file(), content_);
  } catch (const std::exception&) {}
}

}  // namespace davit::io
