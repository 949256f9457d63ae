#include "davit/constraint/spring_law.hpp"

#include <sstream>

namespace davit {

// Numbers are in the units of the row, SI.
std::string SpringLaw::summary() const {
  std::ostringstream text;
  text << (data_.tension_only ? "line" : "spring");
  const char* before = " ";
  const auto add = [&](const char* what, double value) {
    if (value == 0) return;
    text << before << what << " " << value;
    before = ", ";
  };
  add("stiffness", data_.stiffness);
  add("damping", data_.damping);
  add("free length", data_.length);
  return text.str();
}

ConstraintEquation elastic_row(std::shared_ptr<const Geometry> geometry, const SpringLaw::Data& data) {
  const auto law = std::make_shared<SpringLaw>(data);
  const auto rows = static_cast<size_t>(geometry->size());
  return {std::move(geometry), std::vector<std::shared_ptr<const Law>>(rows, law)};
}

}  // namespace davit
