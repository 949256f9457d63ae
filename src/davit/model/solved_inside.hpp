// Elements that solve equations of their own whenever they are evaluated (a mooring line, for the places of its ends).
// Where one finds no solution its loads are not numbers, and the step is tried shorter; if no step helps it is the
// element that is to be named, not the coordinate that shows it. An element derives from this beside its own interface.
#pragma once

#include <string>

#include "davit/math/export.hpp"
#include "davit/model/element.hpp"

namespace davit {

class DAVIT_API SolvedInside {
 public:
  virtual ~SolvedInside() = default;
  // Why it found none when it was evaluated last with this work, with what may help; empty where it found one.
  virtual std::string unsolved(const ElementWork&) const = 0;
};

}  // namespace davit
