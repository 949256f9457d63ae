// What banner and report say of a force or controller: its words, and its numbers in units that people read.
#pragma once

#include "davit/html/display_unit.hpp"
#include "davit/model/element.hpp"

namespace davit {

std::string description(const Named& element, html::UnitSystem units);

}  // namespace davit
