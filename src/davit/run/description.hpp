// What banner and report say of a force or controller: its words, and its numbers in units that people read.
#pragma once

#include "davit/model/element.hpp"
#include "davit/page/display_unit.hpp"

namespace davit {

std::string description(const Named& element, page::UnitSystem units);

}  // namespace davit
