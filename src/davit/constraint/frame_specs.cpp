#include "davit/constraint/frame_specs.hpp"

#include "davit/constraint/channels.hpp"
#include "davit/constraint/knife_edge.hpp"
#include "davit/constraint/point_distance.hpp"

namespace davit::constraint {

using input::Record;
using input::Reference;

namespace {

bool same_body(const Frame& a, const Frame& b, const Reference& to, Assembly& assembly) {
  if (a.body != b.body) return false;
  assembly.problems().error(to.where, "both ends are on one body", "let 'from' and 'to' be on different bodies");
  return true;
}

template <class Spec>
void add_soft_keys(Record<Spec>& record, bool directions, bool rotations) {
  const auto key = [&](const char* name, std::optional<double> SoftKeys::*member, const char* unit, const char* help) {
    record.field(name, static_cast<std::optional<double> Spec::*>(member), unit, help).at_least(0);
  };
  if (directions) {
    key("compliance", &SoftKeys::compliance, "m/N", "compliance of the constrained directions; 0: rigid");
    key("damping", &SoftKeys::damping, "N s/m", "damping of compliant directions");
  }
  if (rotations) {
    key("angular_compliance", &SoftKeys::angular_compliance, "rad/N/m",
        "compliance of the constrained rotations; 0: rigid");
    key("angular_damping", &SoftKeys::angular_damping, "N m s/rad", "damping of compliant rotations");
  }
}

// Rows of a frame constraint: directions and rotations that do not both hold exactly are apart, with a law each.
std::vector<HeldRows> hold_frames(const std::string& name, const Frame& a, const Frame& b,
                                  const FrameConstraint::Held& held, const SoftKeys& soft, Assembly& assembly) {
  const Softness directions = soft.of_directions(), rotations = soft.of_rotations();
  if (directions.compliance == 0 && rotations.compliance == 0)
    return {hold(name, std::make_shared<FrameConstraint>(a, b, held), {}, assembly)};
  std::vector<HeldRows> rows;
  const auto part = [&](const FrameConstraint::Held& some, const Softness& softness) {
    const auto geometry = std::make_shared<FrameConstraint>(a, b, some);
    if (geometry->size() > 0) rows.push_back(hold(name, geometry, softness, assembly));
  };
  part({held.position, {}}, directions);
  part({{}, held.rotation}, rotations);
  return rows;
}

}  // namespace

bool SoftKeys::check(const input::Where& where, bool both, Assembly& assembly) const {
  const auto damped = [&](const char* key, const char* of, const std::optional<double>& c, double compliance_given) {
    if (c.value_or(0) == 0 || compliance_given > 0) return true;
    assembly.problems().error(where, std::string("'") + key + "' needs '" + of + "': what is held exactly has no rate",
                              std::string("give '") + of + "' above zero, or leave '" + key + "' out");
    return false;
  };
  const auto missing = [&](const char* key, const char* beside, const char* unit) {
    assembly.problems().error(where, std::string("'") + key + "' is missing beside '" + beside + "'",
                              std::string("give it in ") + unit + "; 0 is rigid");
    return false;
  };
  if (!damped("damping", "compliance", damping, compliance.value_or(0)) ||
      !damped("angular_damping", "angular_compliance", angular_damping, angular_compliance.value_or(0)))
    return false;
  if (both && compliance && !angular_compliance) return missing("angular_compliance", "compliance", "rad/(N m)");
  if (both && angular_compliance && !compliance) return missing("compliance", "angular_compliance", "m/N");
  return true;
}

template <const FrameKind& kind>
const input::Record<FrameSpec<kind>>& FrameSpec<kind>::record() {
  static const auto r = [] {
    auto record = Record<FrameSpec>(std::string(kind.name) + "_constraint", kind.help)
                      .field("from", &FrameSpec::from, "a body or a point of one")
                      .example("boom.tip")
                      .field("to", &FrameSpec::to, "a body or a point of one")
                      .example("link.pin");
    if (kind.has_axis) record.field("axis", &FrameSpec::axis, "the axis, in the axes of the first body").by_default();
    add_soft_keys(record, true, kind.holds_rotation());
    return record.located(&FrameSpec::where);
  }();
  return r;
}

template <const FrameKind& kind>
void FrameSpec<kind>::build(const std::string& name, Assembly& assembly) const {
  auto a = assembly.frame(from), b = assembly.frame(to);
  if (!a || !b || same_body(*a, *b, to, assembly) || !check(where, kind.holds_rotation(), assembly)) return;
  if (kind.holds_rotation() && (!assembly.can_rotate(*a, from) || !assembly.can_rotate(*b, to))) return;
  const Kin kin = assembly.start_kinematics();
  a->offset.R = (a->offset.R * rotation_from_z(axis.direction)).eval();
  b->offset.R = kin.body[static_cast<size_t>(b->body)].R.transpose() * rotation(kin, *a);
  Frame second = *b;
  if (kind.holds_all()) {
    // Points that are apart stay so; what is round-off of points that meet is taken as meeting.
    const BodyKinT<double>& body = kin.body[static_cast<size_t>(b->body)];
    const Vec3 there = position(kin, *a);
    if ((there - position(kin, *b)).norm() > 1e-9) second.offset.p = body.R.transpose() * (there - body.p);
  }
  add_reaction_channels(name, hold_frames(name, *a, second, kind.held, *this, assembly), *b,
                        "second body about its point", assembly);
}

template struct FrameSpec<ball>;
template struct FrameSpec<hinge>;
template struct FrameSpec<slider>;
template struct FrameSpec<cylindrical>;
template struct FrameSpec<planar>;
template struct FrameSpec<fixed>;

const input::Record<UniversalSpec>& UniversalSpec::record() {
  static const auto r = [] {
    auto record =
        Record<UniversalSpec>("universal_constraint",
                              "Two points stay together and an axis of each body stays perpendicular to the other's")
            .field("from", &UniversalSpec::from, "a body or a point of one")
            .field("to", &UniversalSpec::to, "a body or a point of one")
            .field("axis", &UniversalSpec::axis, "axis of the cross in the first body, in the axes of that body")
            .by_default()
            .field("second_axis", &UniversalSpec::second_axis,
                   "axis of the cross in the second body, in the axes of that body")
            .by_default();
    add_soft_keys(record, true, true);
    return record.located(&UniversalSpec::where);
  }();
  return r;
}

void UniversalSpec::build(const std::string& name, Assembly& assembly) const {
  auto a = assembly.frame(from), b = assembly.frame(to);
  if (!a || !b || same_body(*a, *b, to, assembly) || !check(where, true, assembly)) return;
  if (!assembly.can_rotate(*a, from) || !assembly.can_rotate(*b, to)) return;
  // The rotation row about y keeps z of the first frame perpendicular to x of the second.
  a->offset.R = (a->offset.R * rotation_from_z(axis.direction)).eval();
  const Mat3 turned = rotation_from_z(second_axis.direction);
  Mat3 second;
  second << turned.col(2), turned.col(0), turned.col(1);
  b->offset.R = (b->offset.R * second).eval();
  add_reaction_channels(name, hold_frames(name, *a, *b, {{true, true, true}, {false, true, false}}, *this, assembly),
                        *b, "second body about its point", assembly);
}

const input::Record<RodSpec>& RodSpec::record() {
  static const auto r = [] {
    auto record = Record<RodSpec>("rod_constraint", "Two points keep their distance: a rod without mass")
                      .field("from", &RodSpec::from, "a body or a point of one")
                      .field("to", &RodSpec::to, "a body or a point of one")
                      .field("length", &RodSpec::length, "m", "the distance; that at the start if not given")
                      .above(0);
    add_soft_keys(record, true, false);
    return record.located(&RodSpec::where);
  }();
  return r;
}

void RodSpec::build(const std::string& name, Assembly& assembly) const {
  const auto a = assembly.frame(from), b = assembly.frame(to);
  if (!a || !b || same_body(*a, *b, to, assembly) || !check(where, false, assembly)) return;
  const Kin kin = assembly.start_kinematics();
  const double start = (position(kin, *b) - position(kin, *a)).norm();
  if (!(start > 1e-6)) {
    assembly.problems().error(to.where, "the ends of the rod are at one place",
                              "use a ball constraint, or move an end");
    return;
  }
  const auto geometry = std::make_shared<PointDistance>(*a, *b, length.value_or(start));
  add_reaction_channels(name, {hold(name, geometry, of_directions(), assembly)}, *b, "second body about its point",
                        assembly);
}

const input::Record<SkateSpec>& SkateSpec::record() {
  static const auto r =
      Record<SkateSpec>("skate_constraint",
                        "A point of a body does not move along a direction of the body: a skate, a wheel, a keel")
          .field("on", &SkateSpec::on, "a body or a point of one")
          .example("sledge.runner")
          .field("across", &SkateSpec::across, "the direction in which it does not move, in the axes of the body")
          .by_default();
  return r;
}

void SkateSpec::build(const std::string& name, Assembly& assembly) const {
  auto at = assembly.frame(on);
  if (!at) return;
  if (at->body == 0) {
    assembly.problems().error(on.where, "the world does not move", "put the skate on a body");
    return;
  }
  if (!assembly.can_rotate(*at, on)) return;
  at->offset.R = (at->offset.R * rotation_from_z(across.direction)).eval();
  add_reaction_channels(name, {hold(name, std::make_shared<KnifeEdge>(*at), {}, assembly)}, *at, "body about the point",
                        assembly);
}

}  // namespace davit::constraint
