// Eyes, sheaves and posts of a file as waypoints; inertia and momentum of a drum.
#include "davit/rope/waypoints.hpp"

#include "davit/math/rotation.hpp"

namespace davit::rope {

namespace {

// Whether a body is moved by the joint of a segment.
bool carries(const Tree& tree, int segment, int body) {
  for (; body > 0; body = tree.segments()[static_cast<size_t>(body)].parent)
    if (body == segment) return true;
  return false;
}

}  // namespace

Waypoint point(const std::string& name, const Frame& frame) {
  Waypoint s;
  s.name = name;
  s.frame = frame;
  return s;
}

void make_round(Waypoint& waypoint, double radius, const AxisSpec& axis) {
  waypoint.radius = radius;
  waypoint.frame.offset.R = (waypoint.frame.offset.R * rotation_from_z(axis.direction)).eval();
}

std::optional<Waypoint> station_of(const PassSpec& pass, const std::string& scalar_name, Assembly& assembly) {
  if (pass.around) {
    Waypoint s = point("around", {0, {Mat3::Identity(), *pass.around}});
    s.passing = false;
    return s;
  }
  const input::Reference& at = pass.eye ? *pass.eye : pass.sheave ? *pass.sheave : *pass.post;
  const auto frame = assembly.frame(at);
  if (!frame) return std::nullopt;
  Waypoint s = point(at.name, *frame);
  if (pass.friction) {
    s.static_friction = pass.friction->sticking;
    s.kinetic_friction = pass.friction->slipping;
  }
  if (pass.eye) return s;
  if (!assembly.can_rotate(*frame, at)) return std::nullopt;
  make_round(s, *pass.radius, *pass.axis);
  s.post = pass.post.has_value();
  if (pass.bearing_friction)
    s.static_friction = s.kinetic_friction = *pass.bearing_friction * *pass.pin_radius / *pass.radius;
  if (pass.inertia) {
    s.spin = assembly.add_scalar({scalar_name, "rad", *pass.inertia, 0, 0});
    s.rotor = true;
    s.inertia = *pass.inertia;
  }
  if (pass.joint) {
    const auto joint = assembly.coordinate(*pass.joint);
    if (!joint) return std::nullopt;
    if (!joint->angle) {
      assembly.problems().error(pass.joint->where, "'" + joint->name + "' slides", "name a joint that turns");
      return std::nullopt;
    }
    if (carries(assembly.tree(), joint->segment, frame->body)) {
      assembly.problems().error(
          pass.joint->where,
          "the sheave is on the body that its joint '" + joint->name + "' turns, and would turn with it",
          "put it on the body that holds the joint, e.g. {sheave: crown, joint: wheel} for a wheel on the crown");
      return std::nullopt;
    }
    s.spin = CoordinateIndex{joint->q, joint->u};
  }
  return s;
}

double drum_momentum(const DrumSpec& drum) { return drum.inertia + drum.gear * drum.motor_inertia; }

double drum_inertia(const DrumSpec& drum) { return drum.inertia + drum.gear * drum.gear * drum.motor_inertia; }

}  // namespace davit::rope
