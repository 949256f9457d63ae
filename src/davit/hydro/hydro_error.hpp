// The one exception of this module: a database that cannot be read, written or used. what() is for the user, as it is.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace davit::hydro {

class DatabaseError : public std::runtime_error {
 public:
  // Line 0: the file as a whole.
  DatabaseError(std::string file_, int line_, std::string message_, std::string remedy_)
      : std::runtime_error(file_ + (line_ > 0 ? ", line " + std::to_string(line_) : "") + ": " + message_ + "; " +
                           remedy_),
        file(std::move(file_)),
        line(line_),
        message(std::move(message_)),
        remedy(std::move(remedy_)) {}
  DatabaseError(std::string file_, std::string message_, std::string remedy_)
      : DatabaseError(std::move(file_), 0, std::move(message_), std::move(remedy_)) {}

  std::string file;
  int line;
  std::string message, remedy;
};

}  // namespace davit::hydro
