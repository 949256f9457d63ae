#include "verify/plans/rotary_crane.hpp"

#include "davit/constraint/angle_row.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/tied_row.hpp"
#include "davit/dynamics/director_body.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/scalars.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"

namespace davit::verify {

namespace {

constexpr double load_mass = 10;

// Table 2.1.
Body crane_body(const char* name, double mass, double J1, double J2, double J3) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.inertia = Sym3::diagonal(J1, J2, J3);
  return b;
}
Body girder() { return crane_body("girder", 100, 216.67, 216.67, 16.67); }
Body trolley() { return crane_body("trolley", 50, 2.08, 2.08, 2.08); }
Body winch() { return crane_body("winch", 3, 0.26, 0.02, 0.26); }

// Girder and trolley on their joints.
std::vector<Body> slewing_part(const RotaryCraneOptions& o) {
  Body slew = girder();
  slew.joint.kind = JointKind::revolute;
  slew.joint.rate = {o.slew_rate};
  Body travel = trolley();
  travel.on = "girder";
  travel.joint.kind = JointKind::prismatic;
  travel.joint.axis = Vec3::UnitX();
  travel.joint.position = {o.travel};
  return {slew, travel};
}

CoordinateIndex coordinate(const Tree& tree, const char* body) { return {tree.body(body).q, tree.body(body).u}; }

std::shared_ptr<const Force> weight(const RotaryCraneOptions& o, int load_body) {
  // Everything else stays at its height.
  return std::make_shared<Gravity>(Vec3(0, 0, -o.gravity),
                                   std::vector<Gravity::Weight>{{load_body, load_mass, Vec3::Zero()}});
}

Particle load(const RotaryCraneOptions& o) {
  return {"load", load_mass, Vec3(o.travel, 0, -o.rope), Vec3(0, o.slew_rate * o.travel, 0)};
}

// |φ₄ - φ₃| - (r θ + l₀), (2.101) without the squares.
Constraint rope(const RotaryCraneOptions& o, const Frame& winch, const Frame& load, const CoordinateIndex& angle) {
  return {"rope", std::make_shared<TiedRow>(std::make_shared<PointDistance>(winch, load, o.rope), angle, o.drum)};
}

// Actuators on slewing, travel and hoist.
void add_drives(const RotaryCraneOptions& o, const RotaryCrane& crane, ModelParts& parts) {
  if (!o.driven) return;
  const std::pair<const char*, CoordinateIndex> drives[] = {
      {"slew", crane.slew}, {"travel", crane.travel}, {"hoist", crane.hoist}};
  for (const auto& [name, at] : drives)
    parts.forces.push_back(
        std::make_shared<JointActuator>(name, JointCoordinate{name, at.q, at.u}, parts.add(Input{name, "N"})));
}

}  // namespace

RotaryCrane rotary_crane_by_joints(const RotaryCraneOptions& o) {
  std::vector<Body> bodies = slewing_part(o);
  // The winch is symmetric about the axis it turns on, which is perpendicular to the slewing axis: its energy is that
  // of a part of the trolley, (J₃ + m s²) φ̇²/2 + m ṡ²/2, and of its own turning, J₂ θ̇²/2, without products (2.87c).
  Body on_trolley = winch();
  on_trolley.on = "trolley";
  bodies.push_back(on_trolley);
  // n = R₁(-θ₁) R₂(-θ₂) (-e₃), (2.81)-(2.83).
  Body swing;
  swing.name = "swing";
  swing.on = "trolley";
  swing.joint.kind = JointKind::universal;
  swing.joint.axis = -Vec3::UnitX();
  swing.joint.second_axis = -Vec3::UnitY();
  bodies.push_back(swing);
  Body hung;
  hung.name = "load";
  hung.on = "swing";
  hung.joint.kind = JointKind::prismatic;
  hung.joint.axis = -Vec3::UnitZ();
  hung.joint.position = {o.rope};
  hung.mass = load_mass;
  bodies.push_back(hung);
  const auto tree = std::make_shared<Tree>(std::move(bodies));
  // With θ = (l - l₀)/r, (2.76), that turning is (J₂/r²) l̇²/2: a mass on the length alone.
  const double wound = winch().inertia.yy / (o.drum * o.drum);
  const auto drum = std::make_shared<Scalars>(after(*tree), std::vector<Scalar>{{"wound rope", "m", wound, o.rope, 0}});

  RotaryCrane crane;
  crane.slew = coordinate(*tree, "girder");
  crane.travel = coordinate(*tree, "trolley");
  crane.hoist = coordinate(*tree, "load");
  crane.load = tree->frame("load");
  ModelParts parts;
  parts.blocks = {tree, drum};
  parts.body_names = tree->segment_names();
  parts.forces = {weight(o, crane.load.body)};
  parts.constraints = {
      {"winch", std::make_shared<JointCombination>(JointCombination::gear(crane.hoist, drum->at(0), 1))}};
  add_drives(o, crane, parts);
  crane.model = std::make_unique<Model>(std::move(parts));
  return crane;
}

RotaryCrane rotary_crane_by_directors(const RotaryCraneOptions& o) {
  const auto tree = std::make_shared<Tree>(std::vector<Body>{});
  const Vec3 slewing(0, 0, o.slew_rate), at(o.travel, 0, 0);
  const Pose carried{Mat3::Identity(), at};
  const Twist turning{slewing, Vec3::Zero()}, moved{slewing, slewing.cross(at)};
  const auto first = std::make_shared<DirectorBody>(after(*tree), girder(), Pose{}, turning);
  const auto second = std::make_shared<DirectorBody>(after(*first), trolley(), carried, moved);
  const auto third = std::make_shared<DirectorBody>(after(*second), winch(), carried, moved);
  const auto particle = std::make_shared<Particles>(after(*third), std::vector<Particle>{load(o)});
  const auto extra =
      std::make_shared<Scalars>(after(*particle), std::vector<Scalar>{{"slewing angle", "rad", 0, 0, o.slew_rate},
                                                                      {"travel", "m", 0, o.travel, 0},
                                                                      {"winch angle", "rad", 0, 0, 0}});
  RotaryCrane crane;
  crane.slew = extra->at(0);
  crane.travel = extra->at(1);
  crane.hoist = extra->at(2);
  crane.length_per_hoist = o.drum;
  crane.length_at_zero = o.rope;
  crane.load = particle->frame(0);
  const FrameConstraint::Held about_z{{true, true, true}, {true, true, false}};
  const FrameConstraint::Held along_x{{false, true, true}, {true, true, true}};
  const FrameConstraint::Held about_y{{true, true, true}, {true, false, true}};
  const FrameConstraint::Held x_alone{{true, false, false}, {}};
  const auto held = [](const DirectorBody& a, const DirectorBody& b, const FrameConstraint::Held& what) {
    return std::make_shared<FrameConstraint>(a.frame(), b.frame(), what);
  };
  // The winch turns about d₂ of the trolley, from d₁ towards -d₃: (2.108).
  Mat3 winch_axes;
  winch_axes << Vec3::UnitX(), -Vec3::UnitZ(), Vec3::UnitY();
  const Frame winch_plane = second->frame(Pose{winch_axes, Vec3::Zero()});
  ModelParts parts;
  parts.blocks = {tree, first, second, third, particle, extra};
  parts.body_names = {"world", "girder", "trolley", "winch", "load"};
  parts.forces = {weight(o, crane.load.body)};
  parts.constraints = {
      first->rigidity(),
      second->rigidity(),
      third->rigidity(),
      {"slewing bearing", std::make_shared<FrameConstraint>(Frame{}, first->frame(), about_z)},  // (2.95)
      {"trolley on girder", held(*first, *second, along_x)},                                     // (2.97)
      {"winch in trolley", held(*second, *third, about_y)},                                      // (2.99)
      rope(o, third->frame(), crane.load, crane.hoist),                                          // (2.101)
      {"slewing angle", std::make_shared<AngleRow>(Frame{}, first->frame(), crane.slew)},        // (2.104)
      {"travel", std::make_shared<TiedRow>(held(*first, *second, x_alone), crane.travel, 1)},    // (2.106)
      {"winch angle", std::make_shared<AngleRow>(winch_plane, third->frame(), crane.hoist)}};    // (2.108)
  add_drives(o, crane, parts);
  crane.model = std::make_unique<Model>(std::move(parts));
  return crane;
}

RotaryCrane rotary_crane_by_rope(const RotaryCraneOptions& o) {
  std::vector<Body> bodies = slewing_part(o);
  Body turning = winch();
  turning.on = "trolley";
  turning.joint.kind = JointKind::revolute;
  turning.joint.axis = Vec3::UnitY();
  bodies.push_back(turning);
  const auto tree = std::make_shared<Tree>(std::move(bodies));
  const auto particle = std::make_shared<Particles>(after(*tree), std::vector<Particle>{load(o)});
  RotaryCrane crane;
  crane.slew = coordinate(*tree, "girder");
  crane.travel = coordinate(*tree, "trolley");
  crane.hoist = coordinate(*tree, "winch");
  crane.length_per_hoist = o.drum;
  crane.length_at_zero = o.rope;
  crane.load = particle->frame(0);
  ModelParts parts;
  parts.blocks = {tree, particle};
  parts.body_names = tree->segment_names();
  parts.body_names.push_back("load");
  parts.forces = {weight(o, crane.load.body)};
  parts.constraints = {rope(o, tree->frame("winch"), crane.load, crane.hoist)};
  add_drives(o, crane, parts);
  crane.model = std::make_unique<Model>(std::move(parts));
  return crane;
}

}  // namespace davit::verify
