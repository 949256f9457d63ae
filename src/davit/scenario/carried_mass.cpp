#include "davit/scenario/carried_mass.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/hydro/convert.hpp"
#include "davit/math/linear_algebra.hpp"

namespace davit {

namespace {

bool is_proper(const hydro::MassProperties& loading) {
  return loading.mass > 0 && loading.inertia.allFinite() && symmetric_eigenvalues(loading.inertia)[0] > 0;
}

// The body in whose joint this one swings freely with all between them; none: null.
const Body* hangs_in(const StartPlaces& places, const Body* body, const std::string& vessel) {
  for (; body && body->name != vessel; body = places.find(body->on))
    if (body->joint.kind == JointKind::universal || body->joint.kind == JointKind::spherical) return body;
  return nullptr;
}

// What is left of a mass without a part of it, about the origin of the hull.
hydro::MassProperties less(const hydro::MassProperties& all, const hydro::MassProperties& part) {
  return hydro::mass_properties_of(hydro::mass_matrix(all, Vec3::Zero()) - hydro::mass_matrix(part, Vec3::Zero()),
                                   Vec3::Zero());
}

}  // namespace

CarriedMass carried_by(const std::string& vessel, const StartPlaces& places) {
  if (!places.find(vessel)) return {};
  const Pose into = places.place(vessel).inverse();
  CarriedMass out;
  Mat6 sum = Mat6::Zero();
  for (const Body* body : places.bodies()) {
    if (body->name == vessel || body->weightless || !(body->mass > 0)) continue;
    if (!places.is_descendant_of(body->name, vessel)) continue;
    const Pose pose = into * places.place(body->name);
    const Vec3 centre = pose * body->centre;
    sum += hydro::mass_matrix({body->mass, centre, pose.R * body->inertia.matrix() * pose.R.transpose()}, Vec3::Zero());
    if (const Body* hung = hangs_in(places, body, vessel))
      out.hanging += body->mass * (into * places.joint(hung->name).p - centre);
  }
  if (sum(0, 0) > 0) out.weight = hydro::mass_properties_of(sum, Vec3::Zero());
  return out;
}

void load_vessels(const Specification& spec, Resolution& resolved, input::Problems& problems) {
  const StartPlaces places(resolved.parts.of_tree);
  for (const auto& [name, described] : spec.elements.of<vessel::VesselSpec>()) {
    const auto found = resolved.hulls.find(name);
    if (found == resolved.hulls.end()) continue;
    vessel::Hydrodynamics& hull = *found->second;
    const CarriedMass carried = carried_by(name, places);
    hull.carried_mass = carried.weight;
    hull.hanging = carried.hanging;
    if (described.weight != vessel::Weight::loaded || !(hull.carried_mass.mass > 0)) continue;
    const hydro::MassProperties rest = less(hull.loading, hull.carried_mass);
    if (!is_proper(rest)) {
      problems.error(described.where,
                     fmt::format("weight: laden leaves no mass for the ship itself: of the {:.6g} t of the database "
                                 "{:.6g} t are on board, "
                                 "and what remains has {}",
                                 hull.loading.mass / 1000, hull.carried_mass.mass / 1000,
                                 rest.mass > 0 ? "no positive moments of inertia" : "no mass"),
                     "lighten what is on board or bring it closer to the middle, or say weight: alone");
      continue;
    }
    hull.loading = rest;
    resolved.weigh(name, described, rest);
  }
}

}  // namespace davit
