#include "davit/constraint/register.hpp"

#include "davit/assembly/axis.hpp"
#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/contact_spec.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/joint_speed.hpp"
#include "davit/constraint/knife_edge.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"

namespace davit::constraint {

namespace {

using input::Quantity;
using input::Record;
using input::Reference;

// How rows yield; without compliance they hold exactly.
struct Softness {
  double compliance = 0, damping = 0;
};

// Rows in the model, and where their multipliers are found once a workspace is evaluated.
struct HeldRows {
  std::shared_ptr<const Geometry> geometry;
  int first_row = 0;
  std::shared_ptr<const CompliantConstraint> force;  // of rows that yield
  ElementPlace place;

  double multiplier(const State& s, const Workspace& w, int row) const {
    return force ? force->multiplier(place.context(s, w), row) : w.rows.lambda[first_row + row];
  }
  // Adds what the rows exert on a body, about its origin.
  void add_wrench(int body, const State& s, const Workspace& w, Wrench& sum) const {
    if (force) return force->add_wrench(place.context(s, w), body, sum);
    const int last_row = first_row + geometry->size();
    for (const auto& e : w.rows.jacobian.entries)
      if (e.body == body && e.row >= first_row && e.row < last_row) sum += w.rows.lambda[e.row] * e.wrench(w.kin);
  }
};

HeldRows hold(const std::string& name, std::shared_ptr<const Geometry> geometry, const Softness& softness,
              Assembly& assembly) {
  HeldRows rows{geometry, 0, nullptr, {}};
  if (softness.compliance > 0) {
    rows.force = std::make_shared<CompliantConstraint>(
        name, elastic_row(std::move(geometry), {1 / softness.compliance, softness.damping, 0, false}));
    rows.place = assembly.add(rows.force);
  } else {
    rows.first_row = assembly.add(Constraint{name, std::move(geometry)});
  }
  return rows;
}

// Force and moment on a body about a point, in world axes.
void add_reaction_channels(const std::string& name, const std::vector<HeldRows>& held, const Frame& to,
                           const char* where, Assembly& assembly) {
  static const char* const parts[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  std::vector<ScalarInfo> infos;
  for (int i = 0; i < 6; ++i)
    infos.push_back({name + ".reaction." + parts[i], i < 3 ? "N" : "N m",
                     std::string(i < 3 ? "force" : "moment") + " on the " + where + ", in world axes",
                     "multipliers of constraint " + name, name + (i < 3 ? " forces" : " moments"), i < 3});
  assembly.observables().add_scalars(std::move(infos), [held, to](const State& s, const Workspace& w, double* values) {
    Wrench sum;
    for (const HeldRows& rows : held) rows.add_wrench(to.body, s, w, sum);
    const Wrench at_point = sum.about(w.kin.body[static_cast<size_t>(to.body)].R * to.offset.p);
    Vec3::Map(values) = at_point.f;
    Vec3::Map(values + 3) = at_point.n;
  });
}

// The torque or force that a row exerts in a joint: coefficient × λ.
void add_joint_channel(const std::string& channel, const std::string& constraint, const JointCoordinate& at,
                       double coefficient, const HeldRows& rows, Assembly& assembly) {
  assembly.observables().add_scalar(
      {channel, at.angle ? "N m" : "N", "exerted on " + at.name, "multiplier of constraint " + constraint,
       at.angle ? "constraint torques" : "constraint forces", true},
      [rows, coefficient](const State& s, const Workspace& w) { return coefficient * rows.multiplier(s, w, 0); });
}

bool same_body(const Frame& a, const Frame& b, const Reference& to, Assembly& assembly) {
  if (a.body != b.body) return false;
  assembly.problems().error(to.where, "both ends are on one body", "let 'from' and 'to' be on different bodies");
  return true;
}

// Keys of constraints between frames and points that may yield.
struct SoftKeys {
  std::optional<double> compliance, damping, angular_compliance, angular_damping;

  template <class Spec>
  static void add(Record<Spec>& record, bool directions, bool rotations) {
    const auto key = [&](const char* name, std::optional<double> SoftKeys::*member, const char* unit,
                         const char* help) {
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

  // Mistakes are reported; `both`: directions and rotations are held.
  bool check(const input::Where& where, bool both, Assembly& assembly) const {
    const auto damped = [&](const char* key, const char* of, const std::optional<double>& c, double compliance_given) {
      if (c.value_or(0) == 0 || compliance_given > 0) return true;
      assembly.problems().error(where,
                                std::string("'") + key + "' needs '" + of + "': what is held exactly has no rate",
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
  Softness of_directions() const { return {compliance.value_or(0), damping.value_or(0)}; }
  Softness of_rotations() const { return {angular_compliance.value_or(0), angular_damping.value_or(0)}; }
};

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

// The kinds that hold frames together as they are at the start, told apart by what they hold; z is their axis.
struct FrameKind {
  const char *name, *help;
  FrameConstraint::Held held;
  bool has_axis = true;

  constexpr bool holds_rotation() const { return held.rotation[0] || held.rotation[1] || held.rotation[2]; }
};
constexpr FrameKind ball{"ball", "Two points stay together", {{true, true, true}, {false, false, false}}, false};
constexpr FrameKind hinge{
    "hinge", "Two points stay together and the bodies turn about one axis", {{true, true, true}, {true, true, false}}};
constexpr FrameKind slider{
    "slider", "The bodies slide along an axis without turning", {{true, true, false}, {true, true, true}}};
constexpr FrameKind cylindrical{
    "cylindrical", "The bodies slide along and turn about an axis", {{true, true, false}, {true, true, false}}};
constexpr FrameKind planar{"planar",
                           "A point stays in a plane through the other and the bodies turn about its normal",
                           {{false, false, true}, {true, true, false}}};
constexpr FrameKind fixed{
    "fixed", "The bodies are held together as they are at the start", {{true, true, true}, {true, true, true}}, false};

template <const FrameKind& kind>
struct FrameSpec : SoftKeys {
  Reference from, to;
  AxisSpec axis;
  input::Where where;

  static const Record<FrameSpec>& record() {
    static const auto r = [] {
      auto record = Record<FrameSpec>(std::string(kind.name) + "_constraint", kind.help)
                        .field("from", &FrameSpec::from, "a body or a point of one")
                        .example("boom.tip")
                        .field("to", &FrameSpec::to, "a body or a point of one")
                        .example("link.pin");
      if (kind.has_axis) record.field("axis", &FrameSpec::axis, "the axis, in the axes of the first body").by_default();
      SoftKeys::add(record, true, kind.holds_rotation());
      return record.located(&FrameSpec::where);
    }();
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
    auto a = assembly.frame(from), b = assembly.frame(to);
    if (!a || !b || same_body(*a, *b, to, assembly) || !check(where, kind.holds_rotation(), assembly)) return;
    if (kind.holds_rotation() && (!assembly.can_rotate(*a, from) || !assembly.can_rotate(*b, to))) return;
    const Kin kin = assembly.start_kinematics();
    a->offset.R = (a->offset.R * rotation_from_z(axis.direction)).eval();
    b->offset.R = kin.body[static_cast<size_t>(b->body)].R.transpose() * rotation(kin, *a);
    add_reaction_channels(name, hold_frames(name, *a, *b, kind.held, *this, assembly), *b,
                          "second body about its point", assembly);
  }
};

// An axis of the first body stays perpendicular to one of the second: the cross of a universal joint.
struct UniversalSpec : SoftKeys {
  Reference from, to;
  AxisSpec axis{Vec3::UnitX()}, second_axis{Vec3::UnitY()};
  input::Where where;

  static const Record<UniversalSpec>& record() {
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
      SoftKeys::add(record, true, true);
      return record.located(&UniversalSpec::where);
    }();
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
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
};

struct RodSpec : SoftKeys {
  Reference from, to;
  std::optional<double> length;
  input::Where where;

  static const Record<RodSpec>& record() {
    static const auto r = [] {
      auto record = Record<RodSpec>("rod_constraint", "Two points keep their distance: a rod without mass")
                        .field("from", &RodSpec::from, "a body or a point of one")
                        .field("to", &RodSpec::to, "a body or a point of one")
                        .field("length", &RodSpec::length, "m", "the distance; that at the start if not given")
                        .above(0);
      SoftKeys::add(record, true, false);
      return record.located(&RodSpec::where);
    }();
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
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
};

struct SkateSpec {
  Reference on;
  AxisSpec across{Vec3::UnitY()};

  static const Record<SkateSpec>& record() {
    static const auto r =
        Record<SkateSpec>("skate_constraint",
                          "A point of a body does not move along a direction of the body: a skate, a wheel, a keel")
            .field("on", &SkateSpec::on, "a body or a point of one")
            .example("sledge.runner")
            .field("across", &SkateSpec::across, "the direction in which it does not move, in the axes of the body")
            .by_default();
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
    auto at = assembly.frame(on);
    if (!at) return;
    if (at->body == 0) {
      assembly.problems().error(on.where, "the world does not move", "put the skate on a body");
      return;
    }
    if (!assembly.can_rotate(*at, on)) return;
    at->offset.R = (at->offset.R * rotation_from_z(across.direction)).eval();
    add_reaction_channels(name, {hold(name, std::make_shared<KnifeEdge>(*at), {}, assembly)}, *at,
                          "body about the point", assembly);
  }
};

// Keys of constraints on joint coordinates, whose units depend on the joint.
struct JointSoftKeys {
  std::optional<Quantity> compliance, damping;

  template <class Spec>
  static void add(Record<Spec>& record) {
    record
        .field("compliance", static_cast<std::optional<Quantity> Spec::*>(&JointSoftKeys::compliance),
               "compliance (rad/(N m), or m/N); 0 or not given: rigid")
        .field("damping", static_cast<std::optional<Quantity> Spec::*>(&JointSoftKeys::damping),
               "damping if it is compliant (N m s/rad, or N s/m)");
  }
  std::optional<Softness> softness(const JointCoordinate& at, Assembly& assembly) const {
    const size_t errors = assembly.problems().error_count();
    const Softness out{assembly.joint_quantity(compliance, at, "rad/N/m", "m/N"),
                       assembly.joint_quantity(damping, at, "N m s/rad", "N s/m")};
    if (assembly.problems().error_count() > errors) return std::nullopt;
    for (const auto* given : {&compliance, &damping})
      if (*given && (*given)->number < 0)
        assembly.problems().error((*given)->where, "'" + (*given)->text + "' is below zero", "give zero or more");
    if (damping && out.damping > 0 && out.compliance == 0)
      assembly.problems().error(damping->where, "'damping' needs 'compliance': what is held exactly has no rate",
                                "give 'compliance' above zero, or leave 'damping' out");
    return assembly.problems().error_count() > errors ? std::nullopt : std::optional(out);
  }
};

// A joint of one coordinate goes by the name of its body.
std::string short_name(const JointCoordinate& at, const Assembly& assembly) {
  const std::string body = at.name.substr(0, at.name.find('.'));
  return coordinates(assembly.tree().body(body).body.joint.kind).size() == 1 ? body : at.name;
}

struct GearSpec : JointSoftKeys {
  std::vector<Reference> joints;
  Quantity ratio;
  input::Where where;

  static const Record<GearSpec>& record() {
    static const auto r = [] {
      auto record = Record<GearSpec>("gear_constraint",
                                     "The second joint moves `ratio` times as far as the first: a gear, a rack")
                        .field("joints", &GearSpec::joints, "two joints or joint coordinates")
                        .example("[motor, drum]")
                        .field("ratio", &GearSpec::ratio,
                               "motion of the second per motion of the first (1, or m/rad and rad/m of a rack)")
                        .example("-0.05");
      JointSoftKeys::add(record);
      return record.located(&GearSpec::where);
    }();
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
    if (joints.size() != 2) {
      assembly.problems().error(where, "a gear has two joints", "name two, e.g. [motor, drum]");
      return;
    }
    const auto a = assembly.coordinate(joints[0]), b = assembly.coordinate(joints[1]);
    if (!a || !b) return;
    if (a->name == b->name) {
      assembly.problems().error(joints[1].where, "'" + a->name + "' is named twice", "name two different joints");
      return;
    }
    const char* unit = a->angle == b->angle ? "1" : a->angle ? "m/rad" : "rad/m";
    const auto value = input::require(ratio, input::unit(unit), assembly.problems());
    const auto soft = softness(*b, assembly);
    if (!value || !soft) return;
    if (*value == 0) {
      assembly.problems().error(ratio.where, "the ratio is zero",
                                "give the motion of the second joint per motion of the first");
      return;
    }
    const VecX start = assembly.start_coordinates();
    const auto geometry =
        std::make_shared<JointCombination>(std::vector<JointCombination::Term>{{a->q, a->u, -*value}, {b->q, b->u, 1}},
                                           Motion(start[b->q] - *value * start[a->q]), b->angle);
    const HeldRows rows = hold(name, geometry, *soft, assembly);
    for (const auto& [at, coefficient] : {std::pair(*a, -*value), std::pair(*b, 1.0)})
      add_joint_channel(name + "." + short_name(at, assembly) + (at.angle ? ".torque" : ".force"), name, at,
                        coefficient, rows, assembly);
  }
};

struct MotionSpec : JointSoftKeys {
  Reference joint;

  static const Record<MotionSpec>& record() {
    static const auto r = [] {
      auto record = Record<MotionSpec>("motion_constraint",
                                       "A joint follows the moves of the operation exactly, whatever force that takes")
                        .field("joint", &MotionSpec::joint, "a joint or joint coordinate")
                        .example("drum");
      JointSoftKeys::add(record);
      return record;
    }();
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
    const auto at = assembly.coordinate(joint);
    if (!at) return;
    const auto soft = softness(*at, assembly);
    if (!soft) return;
    const auto geometry = std::make_shared<JointCombination>(std::vector<JointCombination::Term>{{at->q, at->u, 1}},
                                                             assembly.take_motion(*at), at->angle);
    add_joint_channel(name + ".force", name, *at, 1, hold(name, geometry, *soft, assembly), assembly);
  }
};

struct SpeedSpec {
  Reference joint;
  Quantity speed;

  static const Record<SpeedSpec>& record() {
    static const auto r = Record<SpeedSpec>("speed_constraint", "A joint keeps a speed, whatever force that takes")
                              .field("joint", &SpeedSpec::joint, "a joint or joint coordinate")
                              .example("drum")
                              .field("speed", &SpeedSpec::speed, "the speed (rad/s, or m/s)")
                              .example("0.5 rad/s");
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
    const auto at = assembly.coordinate(joint);
    if (!at) return;
    const size_t errors = assembly.problems().error_count();
    const double value = assembly.joint_quantity(speed, *at, "rad/s", "m/s");
    if (assembly.problems().error_count() > errors) return;
    const auto geometry = std::make_shared<JointSpeed>(at->u, value, at->angle);
    add_joint_channel(name + ".force", name, *at, 1, hold(name, geometry, {}, assembly), assembly);
  }
};

}  // namespace

void register_elements(Registry& registry) {
  registry.constraints.add_kind<FrameSpec<ball>>(ball.name);
  registry.constraints.add_kind<FrameSpec<hinge>>(hinge.name);
  registry.constraints.add_kind<UniversalSpec>("universal");
  registry.constraints.add_kind<FrameSpec<slider>>(slider.name);
  registry.constraints.add_kind<FrameSpec<cylindrical>>(cylindrical.name);
  registry.constraints.add_kind<FrameSpec<planar>>(planar.name);
  registry.constraints.add_kind<FrameSpec<fixed>>(fixed.name);
  registry.constraints.add_kind<RodSpec>("rod");
  registry.constraints.add_kind<GearSpec>("gear");
  registry.constraints.add_kind<MotionSpec>("motion");
  registry.constraints.add_kind<SpeedSpec>("speed");
  registry.constraints.add_kind<SkateSpec>("skate");
  registry.constraints.add_kind<ContactSpec>("contact");
}

}  // namespace davit::constraint
