#include "davit/scene/description.hpp"

namespace davit {

std::string description(const Named& element, html::UnitSystem units) {
  std::string text = element.summary();
  const char* before = ": ";
  for (const Figure& figure : element.figures()) {
    if (figure.value == 0) continue;
    text += before + (figure.what.empty() ? "" : figure.what + " ") + html::with_unit(figure.value, figure.unit, units);
    before = ", ";
  }
  return text;
}

}  // namespace davit
