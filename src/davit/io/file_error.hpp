// The one exception of this module: a file that is not read or not written. It does not name the file: whoever asked
// for it knows its place, and says both.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace davit::io {

class FileError : public std::runtime_error {
 public:
  FileError(std::string message_, std::string remedy_)
      : std::runtime_error(message_ + "; " + remedy_), message(std::move(message_)), remedy(std::move(remedy_)) {}

  std::string message, remedy;
};

}  // namespace davit::io
