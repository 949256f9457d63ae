// Rows that a constraint of a file has put into the model, and where their multipliers are found.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/constraint/compliant_constraint.hpp"

namespace davit::constraint {

// How rows yield; without compliance they hold exactly.
struct Softness {
  double compliance = 0, damping = 0;
};

// Rows in the model, and where their multipliers are found once a workspace is evaluated.
struct HeldRows {
  std::shared_ptr<const Geometry> geometry;
  int first_row = 0;
  std::shared_ptr<const CompliantConstraint> force;  // of rows that yield
  ElementPlace place;

  double multiplier(const State& s, const Workspace& w, int row) const {
    return force ? force->multiplier(place.context(s, w), row) : w.rows.lambda[first_row + row];
  }
  // Adds what the rows exert on a body, about its origin.
  void add_wrench(int body, const State& s, const Workspace& w, Wrench& sum) const {
    if (force) return force->add_wrench(place.context(s, w), body, sum);
    const int last_row = first_row + geometry->size();
    for (const auto& e : w.rows.jacobian.entries)
      if (e.body == body && e.row >= first_row && e.row < last_row) sum += w.rows.lambda[e.row] * e.wrench(w.kin);
  }
};

// Adds the rows to the model: as a constraint, or as a force where they yield.
HeldRows hold(const std::string& name, std::shared_ptr<const Geometry> geometry, const Softness& softness,
              Assembly& assembly);

}  // namespace davit::constraint
