// Levers as a file describes them.
#pragma once

#include "davit/input/file_path.hpp"
#include "davit/input/quantity.hpp"
#include "davit/input/record.hpp"
#include "davit/math/export.hpp"

namespace davit {

struct LeverSpec {
  std::optional<input::Quantity> speed, acceleration, least, most;
  input::Where where;
  static const input::Record<LeverSpec>& record();
};

struct DAVIT_API LeversSpec {
  std::optional<double> tick;
  bool automatic = false;
  std::optional<input::FilePath> file;
  input::Named<LeverSpec> of;
  input::Where where;
  static const input::Record<LeversSpec>& record();
};

}  // namespace davit
