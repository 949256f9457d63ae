#include "davit/contact/rigid_contact_spec.hpp"

#include "davit/assembly/element_channel.hpp"
#include "davit/constraint/frame_constraint.hpp"

namespace davit::contact {

const input::Record<RigidContactSpec>& RigidContactSpec::record() {
  using Spec = RigidContactSpec;
  static const auto r = [] {
    auto record = input::Record<Spec>("contact", "A point may rest and slide on a plane, and never enters it")
                      .field("surface", &Spec::surface, "a body or a point of one, through which the plane goes")
                      .example("world")
                      .field("point", &Spec::point, "a body or a point of one, which stays above the plane")
                      .example("load.corner");
    friction_field(normal_field(record))
        .field("restitution", &Spec::restitution, "1",
               "coefficient of restitution: speed of separation over speed of approach")
        .at_least(0)
        .at_most(1)
        .by_default();
    return record;
  }();
  return r;
}

namespace {

constexpr double shown_of_plane = 24;  // m, of a plane without end where it is looked at

bool is_shown(const std::string& name, const Frame& plane, const Observables& seen) {
  return std::any_of(seen.surfaces.begin(), seen.surfaces.end(),
                     [&](const ObservedSurface& s) { return s.name == name && s.frame.body == plane.body; });
}

}  // namespace

void RigidContactSpec::build(const std::string& name, Assembly& assembly) const {
  const auto touched = plane(surface, assembly);
  const auto at = assembly.frame(point);
  if (!touched || !at || !on_another_body(*touched, *at, point.where, assembly)) return;
  // Once, whatever stands on it.
  if (!is_shown(surface.name, *touched, assembly.observables()))
    show_plane(surface.name, *touched, shown_of_plane, shown_of_plane, assembly);
  const auto geometry = std::make_shared<FrameConstraint>(*touched, *at, FrameConstraint::Held{{true, true, true}, {}});
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

}  // namespace davit::contact
