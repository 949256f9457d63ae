// What contacts of both kinds say in a file: the normal of a plane that is touched, and friction; and what is asked of
// them: the plane as a frame, and points on other bodies.
#pragma once

#include "davit/assembly/axis.hpp"
#include "davit/assembly/registry.hpp"

namespace davit::contact {

struct DAVIT_API ContactSpec {
  AxisSpec normal;
  double friction = 0;

 protected:
  template <class Spec>
  static input::Record<Spec>& normal_field(input::Record<Spec>& record) {
    return record
        .field("normal", static_cast<AxisSpec Spec::*>(&ContactSpec::normal),
               "the plane's normal, in the axes of the surface's body")
        .by_default();
  }
  template <class Spec>
  static input::Record<Spec>& friction_field(input::Record<Spec>& record) {
    return record.field("friction", static_cast<double Spec::*>(&ContactSpec::friction), "1", "coefficient of friction")
        .at_least(0)
        .by_default();
  }

  // A plane through a point of a body, z along the normal; nothing after a mistake.
  std::optional<Frame> plane(const input::Reference& surface, Assembly&) const;
  // Whether what touches is on another body than what is touched, and what to say if not.
  static bool on_another_body(const Frame& touched, const Frame& touching, const input::Where&, Assembly&);
  // What is drawn of a plane with the length and width.
  static void show_plane(const std::string& name, const Frame& plane, double length, double width, Assembly&);
};

}  // namespace davit::contact
