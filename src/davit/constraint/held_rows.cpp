#include "davit/constraint/held_rows.hpp"

#include "davit/constraint/spring_law.hpp"

namespace davit::constraint {

HeldRows hold(const std::string& name, std::shared_ptr<const Geometry> geometry, const Softness& softness,
              Assembly& assembly) {
  HeldRows rows{geometry, 0, nullptr, {}};
  if (softness.compliance > 0) {
    rows.force = std::make_shared<CompliantConstraint>(
        name, elastic_row(std::move(geometry), {1 / softness.compliance, softness.damping, 0, false}));
    rows.place = assembly.add(rows.force);
  } else {
    rows.first_row = assembly.add(Constraint{name, std::move(geometry)});
  }
  return rows;
}

}  // namespace davit::constraint
