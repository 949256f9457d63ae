// The one exception of this module: a file or a selection that cannot be used.
//
// Solves: a caller shows what() to the user as it is; it names the file and what to do.
// Does not: report a programmer's mistake (those are std::invalid_argument or std::logic_error).
#pragma once

#include <stdexcept>

#include "davit/math/export.hpp"

namespace davit::result {

class DAVIT_API ResultError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace davit::result
