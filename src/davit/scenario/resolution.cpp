// Hulls opened, bodies of vessels made and weighed, names and counts checked, before there is a model.
#include "davit/scenario/resolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "davit/scenario/carried_mass.hpp"
#include "davit/scenario/hull_neighbours.hpp"
#include "davit/scenario/invalid_elements.hpp"
#include "davit/scenario/plausibility.hpp"

namespace davit {

namespace {

using input::Problems;

// All that a file makes, counted together: beyond it a model fills the memory before its first step.
constexpr size_t most_elements = 10'000;

bool check_count(const Specification& spec, Problems& problems) {
  size_t count = spec.bodies.size();
  for (const auto& section : registry().sections())
    for (const auto& [name, element] : spec.elements.in(*section)) count += element.parts();
  if (count <= most_elements) return true;
  problems.error(spec.where,
                 fmt::format("the model has {} bodies, surfaces, constraints, forces, ropes, slings and controllers "
                             "together, more than the {} that Davit builds",
                             count, most_elements),
                 "leave out what does not matter to the lift, or let one element stand for many");
  return false;
}

void check_unique_names(const Specification& spec, Problems& problems) {
  std::set<std::string> seen;
  const auto visit = [&](const std::string& name, const input::Where& where, const std::string& what) {
    if (!seen.insert(name).second)
      problems.error(where, fmt::format("the {} '{}' has the name of something else", what, name),
                     "channels are named after bodies, forces, controllers and the like: give each its own name");
  };
  for (const auto& [name, body] : spec.bodies) visit(name, body.where, "body");
  for (const auto& section : registry().sections())
    for (const auto& [name, element] : spec.elements.in(*section)) visit(name, element.where, section->noun());
}

// Of a box that has the waterplane's area and second moments: C33 = ρgA, C44 = ρg(I + V z_B) - m g z_G.
HullForm form_of(const hydro::Database& database) {
  const hydro::FloatingBody& body = database.bodies.front();
  const double weight = database.density * database.gravity;
  const double area = body.restoring(2, 2) / weight;
  const double mass = body.loading ? body.loading->mass : database.density * body.volume;
  const double volume = std::isfinite(body.volume) ? body.volume : mass / database.density;
  if (!(area > 0) || !(volume > 0)) return {};
  const double draft = volume / area;
  const double below = std::isfinite(body.buoyancy.z()) ? body.buoyancy.z() : -draft / 2;
  const double above = body.loading ? body.loading->centre.z() : 0;
  const auto side = [&](int motion) {
    const double second_moment =
        (body.restoring(motion, motion) + mass * database.gravity * above) / weight - volume * below;
    return std::sqrt(12 * std::max(second_moment, 0.0) / area);
  };
  HullForm form{side(4), side(3), draft};
  if (!(form.length > 0) || !(form.beam > 0)) return {};
  form.fullness = area / (form.length * form.beam);
  return form;
}

// The body of a vessel that has this weight itself. It stands at the front of all bodies, so that others can be on it.
BodySpec body_of(const vessel::VesselSpec& spec, const hydro::MassProperties& loading) {
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

void open_hulls(const Specification& spec, const vessel::NewHulls& new_hulls, Resolution& out, Problems& problems) {
  // A stand-in, so that what is on a vessel with mistakes can be checked.
  const hydro::MassProperties stand_in{1, Vec3::Zero(), Mat3::Identity()};
  for (const auto& [name, vessel] : spec.elements.of<vessel::VesselSpec>()) {
    std::optional<vessel::Hydrodynamics> found;
    const bool complete = vessel.hydrodynamics.has_value() != vessel.hull.has_value();
    if (complete) found = vessel::hydrodynamics_of(name, vessel, spec.environment.water(), new_hulls, problems);
    out.bodies.emplace_back(name, body_of(vessel, found ? found->loading : stand_in));
    out.forms.push_back(found ? form_of(found->database) : HullForm{});
    if (found) out.hulls[name] = std::make_shared<vessel::Hydrodynamics>(*std::move(found));
  }
}

}  // namespace

void Resolution::weigh(const std::string& vessel, const vessel::VesselSpec& spec,
                       const hydro::MassProperties& loading) {
  const auto specified = std::find_if(bodies.begin(), bodies.end(), [&](const auto& b) { return b.first == vessel; });
  specified->second = body_of(spec, loading);
  const auto part =
      std::find_if(parts.of_tree.begin(), parts.of_tree.end(), [&](const Body& b) { return b.name == vessel; });
  part->mass = loading.mass;
  part->centre = loading.centre;
  part->inertia = Sym3::of(loading.inertia);
}

std::optional<Resolution> resolve(const Specification& spec, const input::Node& root, const vessel::NewHulls& new_hulls,
                                  Problems& problems) {
  Resolution out;
  open_hulls(spec, new_hulls, out, problems);
  out.bodies.insert(out.bodies.end(), spec.bodies.begin(), spec.bodies.end());
  resolve_points(out.bodies, problems);
  if (!check_count(spec, problems)) return std::nullopt;
  check_unique_names(spec, problems);
  const std::size_t errors = problems.error_count();
  check_sizes(root, spec, out.bodies, problems);
  // What is joined to a mass that cannot be computed with would be reported as missing.
  if (problems.error_count() > errors) return std::nullopt;
  check_neighbours(spec, out.forms, problems);
  if (out.bodies.empty() && !problems.has_errors())
    problems.error(spec.where, "there are no bodies", "give at least one body that can move, or a vessel");
  out.parts = build_bodies(out.bodies, InvalidElements(problems).names, problems);
  release_free_bodies(out.bodies, out.parts);
  load_vessels(spec, out, problems);
  return out;
}

}  // namespace davit
