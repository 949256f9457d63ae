#include "davit/inverse_dynamics/servo_problem.hpp"

#include <algorithm>

#include "davit/inverse_dynamics/servo_constraint.hpp"

namespace davit {
template class GeometryOf<inverse_dynamics::PlaceServo>;
template class GeometryOf<inverse_dynamics::OffsetServo>;
template class GeometryOf<inverse_dynamics::CoordinateServo>;
template class GeometryOf<inverse_dynamics::OrientationServo>;
}  // namespace davit

namespace davit::inverse_dynamics {

std::vector<double> ServoProblem::breakpoints() const {
  std::vector<double> times;
  for (const Output& o : outputs)
    for (const double t : o.rows->breakpoints())
      if (t > start.t && t < end) times.push_back(t);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

std::string ServoProblem::row_name(int row) const {
  for (const Output& o : outputs) {
    const int n = o.rows->size();
    if (row < n) return n == 1 ? o.name : o.name + ", row " + std::to_string(row + 1) + " of " + std::to_string(n);
    row -= n;
  }
  return {};
}

double time_scale_of(const ServoProblem& problem) {
  const double length = problem.end - problem.start.t;
  return length > 0 ? length / 15 : 1;
}

std::vector<std::string> unsupported(const Model& model) {
  std::vector<std::string> why;
  for (const auto& f : model.forces()) {
    if (f.element->auxiliary_states() > 0) why.push_back("'" + f.element->name() + "' has states of its own");
    if (f.element->row()) why.push_back("'" + f.element->name() + "' is elastic: plans take rigid ropes and rods");
  }
  for (const auto& r : model.reaction_forces())
    why.push_back("the bearing friction '" + r->name() + "' depends on reactions");
  for (const auto& s : model.servos()) why.push_back("'" + s.element->name() + "' controls outputs of its own");
  for (const auto& c : model.contacts()) why.push_back("the contact '" + c.name + "' may open and close");
  for (const auto& c : model.constraints())
    if (!c.constraint.geometry->holonomic()) why.push_back("'" + c.constraint.name + "' is a row on speeds alone");
  if (model.adds_inertia()) why.push_back("some force adds inertia");
  return why;
}

}  // namespace davit::inverse_dynamics
