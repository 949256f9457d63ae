// Files that are written beside their place and put there when they are whole.
//
// Solves: who opens the file finds the old one or the new one, never half of it, whatever happens meanwhile; a symbolic
// link in its place is replaced, never followed, so that nobody can lead a program to overwrite another file.
// Does not: make folders. Devices and pipes that a user names are written to as they are.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "davit/io/file_error.hpp"

namespace davit::io {

// A name beside the place of a file, for one writer; what is there vanishes with the object unless it was kept.
class Draft {
 public:
  // Makes an empty file, or throws a FileError.
  explicit Draft(std::filesystem::path place);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void keep();  // puts it into its place

 private:
  std::filesystem::path place_, path_;
  bool beside_ = true;
};

// Throws a FileError when nothing can be written there: for those who work for long before they write.
void check_writable(const std::filesystem::path& place);

// Throws a FileError when not all of it could be written.
void write_file(const std::filesystem::path& place, std::string_view bytes);
// For texts that are too large to be made first: `write` gets a stream.
void write_file(const std::filesystem::path& place, const std::function<void(std::ostream&)>& write);

}  // namespace davit::io
