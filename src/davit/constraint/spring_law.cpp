#include "davit/constraint/spring_law.hpp"

namespace davit {

std::string SpringLaw::summary() const { return data_.tension_only ? "line" : "spring"; }

ConstraintEquation elastic_row(std::shared_ptr<const Geometry> geometry, const SpringLaw::Data& data) {
  const auto law = std::make_shared<SpringLaw>(data);
  const auto rows = static_cast<size_t>(geometry->size());
  return {std::move(geometry), std::vector<std::shared_ptr<const Law>>(rows, law)};
}

}  // namespace davit
