#include "davit/scenario/carried_mass.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/hydro/convert.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/scenario/vessels.hpp"

namespace davit {

bool is_descendant_of(const Tree& tree, int body, int base) {
  while (body >= 0 && body != base) body = tree.bodies_of_tree()[static_cast<size_t>(body)].parent_body;
  return body == base;
}

namespace {

bool is_proper(const hydro::MassProperties& loading) {
  return loading.mass > 0 && loading.inertia.allFinite() && symmetric_eigenvalues(loading.inertia)[0] > 0;
}

// The body in whose joint this one swings freely with all between them; none: −1.
int hangs_in(const Tree& tree, int body, int vessel) {
  for (; body != vessel; body = tree.bodies_of_tree()[static_cast<size_t>(body)].parent_body) {
    const JointKind kind = tree.bodies_of_tree()[static_cast<size_t>(body)].body.joint.kind;
    if (kind == JointKind::universal || kind == JointKind::spherical) return body;
  }
  return -1;
}

}  // namespace

CarriedMass carried_by(const std::string& vessel, const std::shared_ptr<const Tree>& tree) {
  const auto hull = tree->find(vessel);
  if (!hull) return {};
  input::Problems none;
  const Kin kin = Assembly(tree, none).start_kinematics();
  const Frame frame = tree->frame(vessel);
  const Pose into = Pose{rotation(kin, frame), position(kin, frame)}.inverse();
  CarriedMass out;
  Mat6 sum = Mat6::Zero();
  for (int i = 0; i < static_cast<int>(tree->bodies_of_tree().size()); ++i) {
    const Body& body = tree->bodies_of_tree()[static_cast<size_t>(i)].body;
    if (i == *hull || body.weightless || !(body.mass > 0) || !is_descendant_of(*tree, i, *hull)) continue;
    const Frame own = tree->frame(body.name);
    const Pose pose = into * Pose{rotation(kin, own), position(kin, own)};
    const Vec3 centre = pose * body.centre;
    sum += hydro::mass_matrix({body.mass, centre, pose.R * body.inertia.matrix() * pose.R.transpose()}, Vec3::Zero());
    if (const int joint = hangs_in(*tree, i, *hull); joint >= 0) {
      const int segment = tree->bodies_of_tree()[static_cast<size_t>(joint)].first_segment;
      out.hanging += body.mass * (into * kin.body[static_cast<size_t>(segment)].p - centre);
    }
  }
  if (sum(0, 0) > 0) out.weight = hydro::mass_properties_of(sum, Vec3::Zero());
  return out;
}

bool load_vessels(Specification& spec, Bodies& bodies, const std::shared_ptr<const Tree>& tree,
                  std::vector<std::optional<vessel::Hydrodynamics>>& vessels, input::Problems& problems) {
  bool changed = false;
  for (size_t i = 0; i < spec.vessels.size(); ++i) {
    if (!vessels[i]) continue;
    const std::string& name = spec.vessels[i].first;
    const vessel::VesselSpec& vessel_spec = spec.vessels[i].second;
    vessel::Hydrodynamics& vessel = *vessels[i];
    const CarriedMass carried_mass = carried_by(name, tree);
    vessel.carried_mass = carried_mass.weight;
    vessel.hanging = carried_mass.hanging;
    if (vessel_spec.weight != vessel::Weight::loaded || !(vessel.carried_mass.mass > 0)) continue;
    const hydro::MassProperties rest = hydro::mass_properties_of(
        hydro::mass_matrix(vessel.loading, Vec3::Zero()) - hydro::mass_matrix(vessel.carried_mass, Vec3::Zero()),
        Vec3::Zero());
    if (!is_proper(rest)) {
      problems.error(vessel_spec.where,
                     fmt::format("weight: laden leaves no mass for the ship itself: of the {:.6g} t of the database "
                                 "{:.6g} t are on board, "
                                 "and what remains has {}",
                                 vessel.loading.mass / 1000, vessel.carried_mass.mass / 1000,
                                 rest.mass > 0 ? "no positive moments of inertia" : "no mass"),
                     "lighten what is on board or bring it closer to the middle, or say weight: alone");
      continue;
    }
    vessel.loading = rest;
    // Bodies of vessels come first, in their order.
    spec.bodies[i].second = vessel_body(vessel_spec, rest);
    Body& body =
        *std::find_if(bodies.of_tree.begin(), bodies.of_tree.end(), [&](const Body& b) { return b.name == name; });
    body.mass = rest.mass;
    body.centre = rest.centre;
    body.inertia = Sym3::of(rest.inertia);
    changed = true;
  }
  return changed;
}

}  // namespace davit
