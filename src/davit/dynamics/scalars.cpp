#include "davit/dynamics/scalars.hpp"

#include "davit/dynamics/plain_observables.hpp"

namespace davit {

std::vector<std::vector<int>> Scalars::groups() const {
  std::vector<std::vector<int>> groups;
  for (int i = 0; i < nu(); ++i) groups.push_back({i});
  return groups;
}

void Scalars::initial_state(double* q, double* u) const {
  for (const Scalar& s : scalars_) {
    *q++ = s.value;
    *u++ = s.rate;
  }
}

MassFailure Scalars::mass_failure(const BlockWork&) const {
  for (const Scalar& s : scalars_)
    if (!(s.mass > 0)) return {s.name, "the coordinate", "give it mass, or use an implicit method"};
  return {};
}

double Scalars::kinetic_energy(const Kin& kin) const {
  double twice = 0;
  for (int i = 0; i < nu(); ++i) twice += scalars_[static_cast<size_t>(i)].mass * kin.u[at(i).u] * kin.u[at(i).u];
  return twice / 2;
}

std::vector<std::string> Scalars::speed_names() const {
  std::vector<std::string> names;
  for (const Scalar& s : scalars_) names.push_back(s.name);
  return names;
}

void Scalars::add_observables(Observables& out) const {
  for (int i = 0; i < nu(); ++i) {
    const Scalar& s = scalars_[static_cast<size_t>(i)];
    add_coordinate_scalars(s.name, s.unit, "coordinate " + s.name, "coordinates in " + s.unit, at(i).q, at(i).u, out);
  }
}

template class VectorSpaceBlock<Scalars>;

}  // namespace davit
