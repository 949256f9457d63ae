#include "davit/constraint/rigid_contact_spec.hpp"

#include "davit/assembly/element_channel.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/mesh/triangle_mesh.hpp"

namespace davit::constraint {

const input::Record<ContactSpec>& ContactSpec::record() {
  static const auto r =
      input::Record<ContactSpec>("contact", "A point may rest and slide on a plane, and never enters it")
          .field("surface", &ContactSpec::surface, "a body or a point of one, through which the plane goes")
          .example("world")
          .field("point", &ContactSpec::point, "a body or a point of one, which stays above the plane")
          .example("load.corner")
          .field("normal", &ContactSpec::normal, "the plane's normal, in the axes of the surface's body")
          .by_default()
          .field("friction", &ContactSpec::friction, "1", "coefficient of friction")
          .at_least(0)
          .by_default()
          .field("restitution", &ContactSpec::restitution, "1",
                 "coefficient of restitution: speed of separation over speed of approach")
          .at_least(0)
          .at_most(1)
          .by_default();
  return r;
}

namespace {

constexpr double shown_of_plane = 24;  // m, of a plane without end where it is looked at

// Once, whatever stands on it.
void show_plane(const std::string& name, const Frame& plane, Observables& seen) {
  for (const ObservedSurface& other : seen.surfaces)
    if (other.name == name && other.frame.body == plane.body) return;
  const double h = shown_of_plane / 2;
  seen.surfaces.push_back({name, plane,
                           std::make_shared<const TriangleMesh>(TriangleMesh{
                               {{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}}, {{0, 1, 2}, {0, 2, 3}}})});
}

}  // namespace

void ContactSpec::build(const std::string& name, Assembly& assembly) const {
  auto plane = assembly.frame(surface);
  const auto at = assembly.frame(point);
  if (!plane || !at) return;
  if (plane->body == at->body) {
    assembly.problems().error(point.where, "the point and the surface are on one body",
                              "let 'surface' and 'point' be on different bodies");
    return;
  }
  if (!assembly.can_rotate(*plane, surface)) return;
  plane->offset.R = (plane->offset.R * rotation_from_z(normal.direction)).eval();
  show_plane(surface.name, *plane, assembly.observables());
  const auto geometry = std::make_shared<FrameConstraint>(*plane, *at, FrameConstraint::Held{{true, true, true}, {}});
  const int index = assembly.add(Contact{name, geometry, friction, restitution});
  const auto channel = [&](const char* what, const char* unit, const char* description, auto value) {
    add_element_channel(assembly, "contact", name, what, unit, description, true, value);
  };
  // Contacts follow the constraints among the multipliers.
  const auto force = [index](const State& s, const Workspace& w, int row) {
    return s.lambda[w.rows.lambda.size() + 3 * index + row];
  };
  channel("gap", "m", "height of the point above the plane", [geometry](const State&, const Workspace& w) {
    double g[3];
    geometry->rows(w.kin, g);
    return g[2];
  });
  channel("normal", "N", "force of the plane on the point along its normal, over the last step",
          [force](const State& s, const Workspace& w) { return force(s, w, 2); });
  channel("friction", "N", "size of the force along the plane, over the last step",
          [force](const State& s, const Workspace& w) { return std::hypot(force(s, w, 0), force(s, w, 1)); });
}

}  // namespace davit::constraint
