#include "davit/scenario/vessels.hpp"

#include <algorithm>

namespace davit {

BodySpec vessel_body(const vessel::VesselSpec& spec, const hydro::MassProperties& loading) {
  BodySpec body;
  body.at = {spec.at.x(), spec.at.y(), 0};
  if (spec.heading != 0) {
    RotationSpec turn;
    turn.z = spec.heading;
    body.turn.push_back(turn);
  }
  body.joint.emplace().free.emplace();
  body.mass = loading.mass;
  body.centre = loading.centre;
  const Mat3& I = loading.inertia;
  body.inertia = I.diagonal();
  if (!I.isDiagonal()) body.products = Vec3(I(0, 1), I(0, 2), I(1, 2));
  body.weightless = spec.equations == vessel::Equations::linear;  // its weight is part of the restoring
  body.points = spec.points;
  body.where = spec.where;
  return body;
}

std::vector<std::optional<vessel::Hydrodynamics>> add_vessel_bodies(Specification& spec,
                                                                    const vessel::NewHulls& new_hulls,
                                                                    input::Problems& problems) {
  std::vector<std::optional<vessel::Hydrodynamics>> out;
  input::Named<BodySpec> bodies;
  for (const auto& [name, vessel_spec] : spec.vessels) {
    std::optional<vessel::Hydrodynamics> found;
    const bool complete = vessel_spec.hydrodynamics.has_value() != vessel_spec.hull.has_value();
    if (complete) found = vessel::hydrodynamics_of(name, vessel_spec, spec.environment.water(), new_hulls, problems);
    // A stand-in, so that what is on a vessel with mistakes can be checked.
    const hydro::MassProperties stand_in{1, Vec3::Zero(), Mat3::Identity()};
    bodies.emplace_back(name, vessel_body(vessel_spec, found ? found->loading : stand_in));
    out.push_back(std::move(found));
  }
  spec.bodies.insert(spec.bodies.begin(), std::make_move_iterator(bodies.begin()),
                     std::make_move_iterator(bodies.end()));
  return out;
}

std::vector<vessel::Built> build_vessels(const Specification& spec,
                                         const std::vector<std::optional<vessel::Hydrodynamics>>& hydrodynamics,
                                         const std::set<std::string>& doubtful, Assembly& assembly) {
  std::vector<vessel::Built> out;
  for (size_t i = 0; i < spec.vessels.size(); ++i) {
    const auto& [name, described] = spec.vessels[i];
    if (!hydrodynamics[i] || doubtful.count(name)) continue;
    if (const auto infinite = vessel::build(name, described, *hydrodynamics[i], spec.environment.gravity, assembly))
      out.push_back({name, described, *hydrodynamics[i], *infinite});
  }
  return out;
}

}  // namespace davit
