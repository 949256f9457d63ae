#include "davit/constraint/compliant_constraint.hpp"

#include <algorithm>

namespace davit {

std::vector<Figure> CompliantConstraint::figures() const {
  const Law& law = *row_.laws[0];
  const bool angle = row_.geometry->unit() == "rad";
  return {{"stiffness", law.stiffness(), angle ? "N m/rad" : "N/m"},
          {"damping", law.damping(), angle ? "N m s/rad" : "N s/m"},
          {angle ? "free angle" : "free length", law.rest(), angle ? "rad" : "m"}};
}

bool CompliantConstraint::conservative() const {
  return !row_.geometry->moves_with_time() &&
         std::all_of(row_.laws.begin(), row_.laws.end(), [](const auto& law) { return law->conservative(); });
}

double CompliantConstraint::potential_rate(const ContextT<double>& c) const {
  const RowMotion<double>& m = evaluate(c);
  double rate = 0;
  for (size_t i = 0; i < row_.laws.size(); ++i) rate -= row_.laws[i]->force(m.g[i], 0.0) * m.rate[i];
  return rate;
}

template class ForceOf<CompliantConstraint>;

}  // namespace davit
