#include "verify/plans/servo_cranes.hpp"

#include <numbers>

#include "davit/constraint/joint_combination.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/scalars.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/inverse_dynamics/replay.hpp"
#include "davit/inverse_dynamics/servo_constraint.hpp"
#include "davit/rope/rigid_rope.hpp"
#include "verify/plans/rotary_crane.hpp"

namespace davit::verify {

namespace {

using inverse_dynamics::CoordinateServo;
using inverse_dynamics::OrientationServo;
using inverse_dynamics::PlaceServo;

struct Scale {
  double mass = 1, length = 1, time = 1;
};
thread_local Scale scale;

constexpr double g = 9.81;

// A crane under construction: bodies first, then coordinates, then what acts.
class Builder {
 public:
  Body& body(const std::string& name, JointKind kind, const Vec3& axis, double mass, const std::string& on = "world") {
    Body b;
    b.name = name;
    b.on = on;
    b.joint.kind = kind;
    b.joint.axis = axis;
    b.mass = mass;
    bodies_.push_back(b);
    return bodies_.back();
  }
  void particle(const std::string& name, double mass, const Vec3& place) { particles_.push_back({name, mass, place}); }
  void scalar(const std::string& name, double inertia, double value) {
    scalars_.push_back({name, "m", inertia, value, 0});
  }

  // Coordinates have their places from here on.
  void place() {
    for (Body& b : bodies_) in_units(b);
    for (Particle& p : particles_) p.mass *= scale.mass, p.position *= scale.length;
    for (Scalar& x : scalars_) x.mass *= scale.mass * scale.length * scale.length;
    tree_ = std::make_shared<Tree>(bodies_);
    parts_.blocks = {tree_};
    parts_.body_names = tree_->segment_names();
    for (const TreeBody& b : tree_->bodies_of_tree()) {
      crane.at[b.body.name] = {b.q, b.u};
      frames_[b.body.name] = tree_->frame(b.body.name);
      if (b.body.mass > 0) weights_.push_back({frames_[b.body.name].body, b.body.mass, Vec3::Zero()});
    }
    if (!particles_.empty()) {
      const auto block = std::make_shared<Particles>(after(*parts_.blocks.back()), particles_);
      for (size_t i = 0; i < particles_.size(); ++i) {
        frames_[particles_[i].name] = block->frame(static_cast<int>(i));
        parts_.body_names.push_back(particles_[i].name);
        weights_.push_back({block->body(static_cast<int>(i)), particles_[i].mass, Vec3::Zero()});
        for (int k = 0; k < 3; ++k) {
          const int at = 3 * static_cast<int>(i) + k;
          crane.at[particles_[i].name + "." + "xyz"[k]] = {block->place().q + at, block->place().u + at};
        }
      }
      parts_.blocks.push_back(block);
    }
    if (!scalars_.empty()) {
      const auto block = std::make_shared<Scalars>(after(*parts_.blocks.back()), scalars_);
      for (size_t i = 0; i < scalars_.size(); ++i) crane.at[scalars_[i].name] = block->at(static_cast<int>(i));
      parts_.blocks.push_back(block);
    }
    // Where everything is at the start.
    q_.setZero(after(*parts_.blocks.back()).q);
    VecX u = VecX::Zero(after(*parts_.blocks.back()).u);
    start_.body.resize(static_cast<size_t>(after(*parts_.blocks.back()).body));
    for (const auto& b : parts_.blocks) {
      b->initial_state(q_.data() + b->place().q, u.data() + b->place().u);
      b->kinematics(q_.data() + b->place().q, u.data() + b->place().u, start_);
    }
    start_.q = q_.data();
  }
  Frame frame(const std::string& body, const Vec3& at = Vec3::Zero()) const {
    Frame f = body == "world" ? Frame{} : frames_.at(body);
    f.offset = f.offset * Pose{Mat3::Identity(), scale.length * at};
    return f;
  }
  void gravity(const Vec3& acceleration, const std::vector<std::string>& of) {
    std::vector<Gravity::Weight> weights;
    for (const auto& w : weights_)
      for (const std::string& name : of)
        if (frames_.at(name).body == w.body) weights.push_back(w);
    const Vec3 in_units = acceleration * scale.length / (scale.time * scale.time);
    parts_.forces.push_back(std::make_shared<Gravity>(in_units, weights));
  }
  void input(const std::string& name, const std::string& coordinate) {
    const CoordinateIndex at = crane.at.at(coordinate);
    const int port = parts_.add(Input{name, "N"});
    parts_.forces.push_back(std::make_shared<JointActuator>(name, JointCoordinate{coordinate, at.q, at.u}, port));
    crane.problem.inputs.push_back(port);
    const double force = scale.mass * scale.length / (scale.time * scale.time);
    crane.input_units.push_back(turns(coordinate) ? force * scale.length : force);
  }
  void rope(const std::string& name, const std::vector<Frame>& through,
            std::vector<std::pair<std::string, double>> reels) {
    std::vector<rope::Waypoint> waypoints;
    for (const Frame& f : through) {
      rope::Waypoint w;
      w.frame = f;
      waypoints.push_back(w);
    }
    std::vector<rope::RigidRope::Reel> on;
    for (const auto& [coordinate, ratio] : reels) on.push_back({crane.at.at(coordinate), scale.length * ratio});
    row(name, std::make_shared<rope::RigidRope>(waypoints, on, start_));
  }
  void row(const std::string& name, std::shared_ptr<const Geometry> geometry) {
    parts_.constraints.push_back({name, std::move(geometry)});
  }
  void output(const std::string& name, std::shared_ptr<const Geometry> rows, int continuous) {
    crane.problem.outputs.push_back({name, std::move(rows), continuous});
  }
  void place_output(const Frame& at, std::vector<PlaceServo::Along> along, int continuous = 4) {
    output("load", std::make_shared<PlaceServo>(at, std::move(along)), continuous);
    crane.load = at;
  }
  ServoCrane finish(double end) {
    std::vector<inverse_dynamics::Feedforward::Channel> feedforward;
    for (const int input : crane.problem.inputs) {
      crane.signals.push_back(parts_.add(SignalInfo{parts_.inputs[static_cast<size_t>(input)].name, "N"}));
      feedforward.push_back({crane.signals.back(), input});
    }
    parts_.controllers.push_back(std::make_shared<inverse_dynamics::Feedforward>("plan", feedforward));
    crane.model = std::make_unique<Model>(std::move(parts_));
    crane.problem.model = crane.model.get();
    crane.problem.start = crane.model->initial_state();
    crane.problem.end = scale.time * end;
    crane.input_units.push_back(scale.mass * scale.length / (scale.time * scale.time));
    return std::move(crane);
  }

  ServoCrane crane;

 private:
  static void in_units(Body& b) {
    b.mass *= scale.mass;
    b.inertia = (scale.mass * scale.length * scale.length) * b.inertia;
    b.at.p *= scale.length;
    const bool free = b.joint.kind == JointKind::free;
    if (b.joint.kind == JointKind::prismatic || free)
      for (size_t i = free ? 3 : 0; i < b.joint.position.size(); ++i) b.joint.position[i] *= scale.length;
  }
  // Angles: those of winches and of joints that turn.
  bool turns(const std::string& coordinate) const {
    for (const Body& b : bodies_)
      if (b.name == coordinate) return b.joint.kind != JointKind::prismatic;
    return true;
  }

  std::vector<Body> bodies_;
  std::vector<Particle> particles_;
  std::vector<Scalar> scalars_;
  std::shared_ptr<Tree> tree_;
  std::map<std::string, Frame> frames_;
  std::vector<Gravity::Weight> weights_;
  ModelParts parts_;
  VecX q_;
  Kin start_;
};

// 5-6-7-8-9 polynomial (4.87).
Motion nine(double from, double to, double over) {
  Motion m(scale.length * from);
  m.move(0, scale.time * over, scale.length * to, {.smoothness = 4});
  return m;
}

const Vec3 X = Vec3::UnitX(), Y = Vec3::UnitY(), Z = Vec3::UnitZ();

std::vector<PlaceServo::Along> overhead_motion() { return {{X, nine(0, 5, 3)}, {Z, nine(-4, -1, 3)}}; }

}  // namespace

InUnits::InUnits(double mass, double length, double time) { scale = {mass, length, time}; }
InUnits::~InUnits() { scale = {}; }

namespace {
Motion three_phases_of_an_angle(double to) {
  Motion m(0);
  m.move(0, 20 * scale.time, to, {.smoothness = 4, .ramp = 5 * scale.time});
  return m;
}
}  // namespace

Motion three_phases(double from, double to) {
  Motion m(scale.length * from);
  m.move(0, 20 * scale.time, scale.length * to, {.smoothness = 4, .ramp = 5 * scale.time});
  return m;
}

ServoCrane overhead_crane_dependent() {
  Builder b;
  b.body("s", JointKind::prismatic, X, 10);
  b.body("x", JointKind::prismatic, X, 0);
  b.body("z", JointKind::prismatic, Z, 100, "x").joint.position = {-4};
  b.scalar("beta", 0.1, 40);
  b.place();
  b.gravity(-g * Z, {"z"});
  b.rope("rope", {b.frame("s"), b.frame("z")}, {{"beta", 0.1}});
  b.input("F", "s");
  b.input("M", "beta");
  b.place_output(b.frame("z"), overhead_motion());
  return b.finish(3);
}

ServoCrane overhead_crane_minimal() {
  Builder b;
  b.body("s", JointKind::prismatic, X, 10);
  b.body("phi", JointKind::revolute, -Y, 0, "s");
  b.body("l", JointKind::prismatic, -Z, 100, "phi").joint.position = {4};
  b.scalar("beta", 0.1, 40);
  b.place();
  b.gravity(-g * Z, {"l"});
  b.row("winch", std::make_shared<JointCombination>(
                     JointCombination::gear(b.crane.at.at("beta"), b.crane.at.at("l"), 0.1 * scale.length)));
  b.input("F", "s");
  b.input("M", "beta");
  b.place_output(b.frame("l"), overhead_motion());
  return b.finish(3);
}

namespace {

struct RotaryData {
  double load, trolley, winch, drum, bridge;
  Vec3 from, to;
};
RotaryData rotary_data(RotarySet set) {
  if (set == RotarySet::B) return {100, 10, 0.1, 0.1, 480, Vec3(5, 0, -5), Vec3(-2, 2, -2)};
  return {10, 50, 0.02, 0.1, 500, Vec3(5, 0, -5), Vec3(-2, 2, -2)};
}
std::vector<PlaceServo::Along> rotary_motion(const RotaryData& d) {
  std::vector<PlaceServo::Along> along;
  for (int i = 0; i < 3; ++i) along.push_back({Vec3::Unit(i), three_phases(d.from[i], d.to[i])});
  return along;
}
void slewing_part(Builder& b, const RotaryData& d) {
  b.body("phi", JointKind::revolute, Z, 0).inertia = Sym3::diagonal(0, 0, d.bridge);
  b.body("s", JointKind::prismatic, X, d.trolley, "phi").joint.position = {d.from.x()};
}
void rotary_inputs(Builder& b) {
  b.input("Mb", "phi");
  b.input("Ft", "s");
  b.input("Mw", "beta");
}

}  // namespace

ServoCrane rotary_crane_dependent(RotarySet set) {
  const RotaryData d = rotary_data(set);
  Builder b;
  slewing_part(b, d);
  b.particle("load", d.load, d.from);
  b.scalar("beta", d.winch, -d.from.z() / d.drum);
  b.place();
  b.gravity(-g * Z, {"load"});
  b.rope("rope", {b.frame("s"), b.frame("load")}, {{"beta", d.drum}});
  rotary_inputs(b);
  b.place_output(b.frame("load"), rotary_motion(d));
  return b.finish(20);
}

ServoCrane rotary_crane_minimal(RotarySet set) {
  const RotaryData d = rotary_data(set);
  Builder b;
  slewing_part(b, d);
  Body& swing = b.body("theta", JointKind::universal, -X, 0, "s");
  swing.joint.second_axis = -Y;
  b.body("l", JointKind::prismatic, -Z, d.load, "theta").joint.position = {-d.from.z()};
  b.scalar("beta", d.winch, -d.from.z() / d.drum);
  b.place();
  b.gravity(-g * Z, {"l"});
  b.row("winch", std::make_shared<JointCombination>(
                     JointCombination::gear(b.crane.at.at("beta"), b.crane.at.at("l"), d.drum * scale.length)));
  rotary_inputs(b);
  b.place_output(b.frame("l"), rotary_motion(d));
  return b.finish(20);
}

ServoCrane rotary_crane_of_section_2(RotaryCoordinates coordinates) {
  RotaryCraneOptions o;
  o.travel = 5;
  o.slew_rate = 0;
  o.driven = true;
  RotaryCrane built = coordinates == RotaryCoordinates::joints      ? rotary_crane_by_joints(o)
                      : coordinates == RotaryCoordinates::directors ? rotary_crane_by_directors(o)
                                                                    : rotary_crane_by_rope(o);
  ServoCrane crane;
  crane.at = {{"phi", built.slew}, {"s", built.travel}, {"hoist", built.hoist}};
  crane.load = built.load;
  crane.hoist_ratio = built.length_per_hoist;
  crane.model = std::move(built.model);
  crane.problem.model = crane.model.get();
  crane.problem.start = crane.model->initial_state();
  crane.problem.end = 20;
  crane.problem.inputs = {0, 1, 2};
  crane.problem.outputs.push_back(
      {"load", std::make_shared<PlaceServo>(crane.load, rotary_motion(rotary_data(RotarySet::B))), 4});
  return crane;
}

ServoCrane navy_planar(double pulley_mass) {
  const bool massless = pulley_mass == 0;
  const double angle = std::numbers::pi / 3, l = 10, s = massless ? 0 : 5;
  const Vec3 down(-std::sin(angle), 0, -std::cos(angle));  // along the pole, from its top
  const Vec3 P = s * down, A = (s + l) * down;
  // Pulley and load hang below P.
  const Vec3 pulley(P.x(), 0, massless ? -5 : -12.5), load(P.x(), 0, massless ? -15 : -22.5);
  const Vec3 to = massless ? Vec3(-5, 0, -12) : Vec3(-1, 0, -17.5);
  Builder b;
  b.body("x0", JointKind::prismatic, X, 0).joint.position = {pulley.x()};
  b.body("z0", JointKind::prismatic, Z, pulley_mass, "x0").joint.position = {pulley.z()};
  b.body("x", JointKind::prismatic, X, 0).joint.position = {load.x()};
  b.body("z", JointKind::prismatic, Z, 100, "x").joint.position = {load.z()};
  // Winches as the rope that they have given out: mass J/r², force u/r.
  b.scalar("beta1", 0.1, 0);
  b.scalar("beta2", 0.1, 0);
  if (!massless) b.scalar("beta3", 0.1, 0);
  b.place();
  b.gravity(-g * Z, massless ? std::vector<std::string>{"z"} : std::vector<std::string>{"z", "z0"});
  b.rope("first", {b.frame("world", P), b.frame("z0"), b.frame("z")}, {{"beta2", 0.1}});
  b.rope("second", {b.frame("world", A), b.frame("z0")}, {{"beta1", 0.1}});
  if (!massless) b.rope("third", {b.frame("world"), b.frame("z0")}, {{"beta3", 0.1}});
  b.input("u1", "beta1");
  b.input("u2", "beta2");
  if (!massless) b.input("u3", "beta3");
  b.place_output(b.frame("z"), {{X, nine(load.x(), to.x(), 3)}, {Z, nine(load.z(), to.z(), 3)}});
  if (!massless)
    b.output(
        "pulley",
        std::make_shared<PlaceServo>(b.frame("z0"), std::vector<PlaceServo::Along>{{Z, nine(pulley.z(), -10.5, 3)}}),
        4);
  return b.finish(3);
}

ServoCrane navy_spatial(double pulley_mass) {
  const bool massless = pulley_mass == 0;
  const double r = 5 * std::sqrt(3.0), z3 = 5;
  Builder b;
  // The platform: (6.31) has 2 M r²/2 of point P alone.
  b.body("phi", JointKind::revolute, Z, 0).inertia = Sym3::diagonal(0, 0, 6.4 * r * r);
  b.particle("pulley", pulley_mass, Vec3(r, 0, 2.5));
  b.particle("load", 100, Vec3(r, 0, -15));
  b.scalar("beta1", 0.1, 0);
  if (!massless) b.scalar("beta2", 0.1, 0);
  b.scalar("beta3", 0.1, 0);
  b.place();
  const Vec3 P(r, 0, z3);
  b.gravity(-g * Z, massless ? std::vector<std::string>{"load"} : std::vector<std::string>{"load", "pulley"});
  b.rope("first", {b.frame("phi", P), b.frame("pulley"), b.frame("load")}, {{"beta3", 0.1}});
  b.rope("second", {b.frame("phi", 0.5 * P), b.frame("pulley")}, {{"beta1", 0.1}});
  if (!massless) b.rope("third", {b.frame("phi", 1.5 * P), b.frame("pulley")}, {{"beta2", 0.1}});
  b.input("u1", "beta1");
  if (!massless) b.input("u2", "beta2");
  b.input("u3", "beta3");
  b.input("u4", "phi");
  const Vec3 to(-2, 6.928203230275509, -13);
  b.place_output(b.frame("load"),
                 {{X, three_phases(r, to.x())}, {Y, three_phases(0, to.y())}, {Z, three_phases(-15, to.z())}});
  if (!massless)
    b.output(
        "pulley",
        std::make_shared<PlaceServo>(b.frame("pulley"), std::vector<PlaceServo::Along>{{Z, three_phases(2.5, 1.5)}}),
        4);
  return b.finish(20);
}

// Heights are negative here, as z is down in the thesis; the crane is the same by symmetry of x and y.
ServoCrane cablev(const CablevMotion& motion) {
  const double side = 1.2, half = 0.6, radius = side / std::sqrt(3.0);
  const Vec3 corners[3] = {{radius, 0, 0}, {-radius / 2, half, 0}, {-radius / 2, -half, 0}};
  const Vec3 from(1.3464101615137753, 1.2, -3), to(3.3464101615137753, 5, -1);
  const double inertia[3] = {0.75, 0.75, 1.5};
  Builder b;
  // The gantry carries the trolleys, which (6.86) leaves out of its inertia.
  b.body("pg0", JointKind::prismatic, Y, 380 - 105).joint.position = {1.2};
  const double offset[3] = {0, half, -half};
  for (int i = 0; i < 3; ++i) {
    Body& trolley = b.body("pg" + std::to_string(i + 1), JointKind::prismatic, X, 35, "pg0");
    trolley.at.p = Vec3(0, offset[i], 0);
    trolley.joint.position = {from.x() + corners[i].x()};
  }
  Body& platform = b.body("platform", JointKind::free, Z, 12.5);
  platform.inertia = Sym3::diagonal(0.75, 0.75, 1.5);
  platform.joint.position = {0, 0, 0, from.x(), from.y(), from.z()};
  for (int i = 0; i < 3; ++i)
    b.scalar("beta" + std::to_string(i + 1), motion.winch_inertia < 0 ? inertia[i] : motion.winch_inertia, 30);
  b.place();
  b.gravity(-g * Z, {"platform"});
  for (int i = 0; i < 3; ++i)
    b.rope("rope" + std::to_string(i + 1), {b.frame("pg" + std::to_string(i + 1)), b.frame("platform", corners[i])},
           {{"beta" + std::to_string(i + 1), 0.1}});
  for (int i = 0; i < 4; ++i) b.input("ug" + std::to_string(i), "pg" + std::to_string(i));
  for (int i = 1; i < 4; ++i) b.input("uc" + std::to_string(i), "beta" + std::to_string(i));
  std::vector<PlaceServo::Along> along;
  for (int i = 0; i < 3; ++i)
    along.push_back({Vec3::Unit(i), motion.translate ? three_phases(from[i], to[i]) : Motion(scale.length * from[i])});
  b.place_output(b.frame("platform"), along);
  b.output("orientation",
           std::make_shared<OrientationServo>(b.frame("platform"), Mat3::Identity(), motion.axis,
                                              three_phases_of_an_angle(motion.turn)),
           4);
  b.output("trolleys",
           std::make_shared<CoordinateServo>(
               std::vector<CoordinateServo::Term>{
                   {b.crane.at.at("pg1"), 1}, {b.crane.at.at("pg2"), -0.5}, {b.crane.at.at("pg3"), -0.5}},
               Motion(scale.length * std::sqrt(3.0) * half)),  // (6.81)
           1000);
  return b.finish(20);
}

}  // namespace davit::verify
