#include "verify/methods/method_problems.hpp"

#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/knife_edge.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/constraint/tied_row.hpp"
#include "davit/dynamics/director_body.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/scalars.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/rope/rope_force.hpp"

namespace davit::verify {

namespace {

const Vec3 down(0, 0, -9.81);
const FrameConstraint::Held ball{{true, true, true}, {}};

Pose at(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

std::shared_ptr<const Force> weights(const Tree& tree) {
  std::vector<Gravity::Weight> all;
  for (const TreeBody& b : tree.bodies_of_tree()) all.push_back({b.last_segment, b.body.mass, b.frame * b.body.centre});
  return std::make_shared<Gravity>(down, all);
}
std::shared_ptr<const Force> weights(const Particles& particles) {
  std::vector<Gravity::Weight> all;
  for (int i = 0; i < particles.bodies(); ++i)
    all.push_back({particles.body(i), particles.particles()[static_cast<size_t>(i)].mass, Vec3::Zero()});
  return std::make_shared<Gravity>(down, all);
}

ModelParts with(std::shared_ptr<const Tree> tree) {
  ModelParts parts;
  parts.body_names = tree->segment_names();
  parts.blocks = {std::move(tree)};
  return parts;
}
// An empty tree and particles.
struct Points {
  std::shared_ptr<const Tree> tree = std::make_shared<Tree>(std::vector<Body>{});
  std::shared_ptr<const Particles> particles;
  explicit Points(std::vector<Particle> list) : particles(std::make_shared<Particles>(after(*tree), std::move(list))) {}
  ModelParts parts() const {
    ModelParts out;
    out.blocks = {tree, particles};
    out.body_names = {"world"};
    for (const Particle& p : particles->particles()) out.body_names.push_back(p.name);
    return out;
  }
};

MethodProblem problem(std::string name, std::string has, ModelParts parts, const Frame& watched) {
  MethodProblem out;
  out.name = std::move(name);
  out.has = std::move(has);
  out.model = out.equivalent = std::make_shared<Model>(std::move(parts));
  out.watched = out.equivalent_watched = watched;
  return out;
}

Body link(const char* name) {
  Body b;
  b.name = name;
  b.mass = 1.5;
  b.centre = {0.5, 0.02, 0};
  b.inertia = Sym3::diagonal(0.02, 0.09, 0.08);
  return b;
}

Body swinging(const char* name) {
  Body b = link(name);
  b.joint.kind = JointKind::revolute;
  b.joint.axis = Vec3::UnitY();
  b.joint.position = {0.4};
  b.joint.rate = {0.8};
  return b;
}

MethodProblem joints() {
  Body hull = link("hull");
  hull.joint.kind = JointKind::free;
  hull.joint.position = {0.3, -0.2, 0.5, 1, 2, 3};
  hull.joint.rate = {0.9, -0.6, 1.2, 0.3, 0.2, -0.5};
  hull.mass = 4;
  hull.inertia = Sym3::diagonal(1, 1.6, 2.1);
  Body boom = swinging("boom");
  boom.on = "hull";
  boom.at.p = Vec3(0.5, 0.1, 0.2);
  const auto tree = std::make_shared<Tree>(std::vector<Body>{hull, boom});
  ModelParts parts = with(tree);
  const TreeBody& b = tree->body("boom");
  parts.forces = {std::make_shared<JointSpring>("spring", JointCoordinate{"boom.angle", b.q, b.u, b.last_segment, true},
                                                JointSpring::Data{6, 0, 0})};
  return problem("tree joints", "rotations and coupled masses, a spring", std::move(parts),
                 tree->frame("boom", at(1, 0, 0)));
}

MethodProblem loop() {
  std::vector<Body> bodies;
  for (int i = 0; i < 2; ++i) {
    Body b = link(i ? "outer" : "inner");
    b.joint.kind = JointKind::free;
    b.at.p = Vec3(i, 0, 0);
    // The origin of the outer one moves with the end of the inner one: ω × (1, 0, 0).
    b.joint.rate = {0.1 + 0.2 * i, 0.2, 0.3, 0, 0.3 * i, -0.2 * i};
    bodies.push_back(b);
  }
  const auto tree = std::make_shared<Tree>(bodies);
  ModelParts parts = with(tree);
  parts.forces = {weights(*tree)};
  parts.constraints = {
      {"first ball", std::make_shared<FrameConstraint>(tree->frame("world"), tree->frame("inner"), ball)},
      {"second ball",
       std::make_shared<FrameConstraint>(tree->frame("inner", at(1, 0, 0)), tree->frame("outer"), ball)}};
  return problem("constraints on a tree", "free bodies held together by balls", std::move(parts),
                 tree->frame("outer", at(1, 0, 0)));
}

MethodProblem rods() {
  const Points points({{"a", 1, {0, 0, 0}, {0, 0, 1}},
                       {"b", 2, {1, 0, 0}, {0, 0.5, 0}},
                       {"c", 1, {1, 1, 0}, {0.3, 0.5, 0.5}},
                       {"d", 1.5, {1, 1, 1}, {0, -1, 0.5}}});
  const Particles& p = *points.particles;
  ModelParts parts = points.parts();
  for (int i = 0; i < 3; ++i)
    parts.constraints.push_back(
        {"rod " + std::to_string(i + 1), std::make_shared<PointDistance>(p.frame(i), p.frame(i + 1), 1)});
  MethodProblem out =
      problem("constraints on particles", "four particles on three rods, flying free", std::move(parts), p.frame(3));
  out.momentum = [particles = points.particles](const State& s) {
    Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
    for (int i = 0; i < particles->bodies(); ++i) {
      const Vec3 impulse = particles->particles()[static_cast<size_t>(i)].mass * s.u.segment<3>(3 * i);
      sum.head<3>() += impulse;
      sum.tail<3>() += Vec3(s.q.segment<3>(3 * i)).cross(impulse);
    }
    return sum;
  };
  return out;
}

MethodProblem directors() {
  const auto tree = std::make_shared<Tree>(std::vector<Body>{});
  const Vec3 spin(0.7, 0.4, -0.9);
  const auto body = std::make_shared<DirectorBody>(after(*tree), link("pendulum"), Pose{}, Twist{spin, Vec3::Zero()});
  ModelParts parts;
  parts.blocks = {tree, body};
  parts.body_names = {"world", "pendulum"};
  parts.forces = {std::make_shared<Gravity>(down, std::vector<Gravity::Weight>{{body->body(), 1.5, Vec3::Zero()}})};
  parts.constraints = {body->rigidity(), {"ball", std::make_shared<FrameConstraint>(Frame{}, body->frame(), ball)}};
  return problem("director bodies", "twelve coordinates, held rigid by constraints", std::move(parts),
                 body->frame(at(1, 0, 0)));
}

MethodProblem springs() {
  const Points points({{"upper", 1, {1, 0, 0}, {0, 0.5, 0}}, {"lower", 1, {1, 0, -1}, {0, -0.5, 0.2}}});
  const Particles& p = *points.particles;
  ModelParts parts = points.parts();
  parts.forces = {weights(p)};
  const SpringLaw::Data law{400, 0, 1, false};
  parts.forces.push_back(std::make_shared<CompliantConstraint>(
      "upper spring", elastic_row(std::make_shared<PointDistance>(Frame{}, p.frame(0)), law)));
  parts.forces.push_back(std::make_shared<CompliantConstraint>(
      "lower spring", elastic_row(std::make_shared<PointDistance>(p.frame(0), p.frame(1)), law)));
  MethodProblem out = problem("compliant constraints", "particles on springs", std::move(parts), p.frame(1));
  out.steps = 80;  // the springs must be resolved for the order to show
  return out;
}

MethodProblem line() {
  const Points points({{"load", 2, {0.1, 0, -0.8}, {0, 0.2, 0}}});
  ModelParts parts = points.parts();
  parts.forces = {weights(*points.particles),
                  std::make_shared<CompliantConstraint>(
                      "line", elastic_row(std::make_shared<PointDistance>(Frame{}, points.particles->frame(0)),
                                          {2000, 0, 1, true}))};
  MethodProblem out = problem("lines that go slack", "a load that falls into its line and is thrown up",
                              std::move(parts), points.particles->frame(0));
  out.smooth = false;
  return out;
}

// Two loads on one rope through an eye, swinging; it stays taut.
MethodProblem rope_through_eye() {
  const Points points({{"first", 2, {1, 0, -0.8}, {0, 0.6, 0.3}}, {"second", 3, {-0.7, 0.2, -1}, {0.2, 0, -0.1}}});
  ModelParts parts = points.parts();
  rope::RopeSetup setup;
  setup.rope.layout.waypoints.resize(3);
  setup.rope.layout.waypoints[0].frame = points.particles->frame(0);
  setup.rope.layout.waypoints[2].frame = points.particles->frame(1);
  setup.rope.elasticity = rope::Elasticity(1000, 0);
  setup.tension = 25;
  Kin start;
  start.body.resize(3);
  for (size_t i = 0; i < 2; ++i) start.body[i + 1].p = points.particles->particles()[i].position;
  parts.forces = {weights(*points.particles), std::make_shared<rope::RopeForce>("rope", std::move(setup), start)};
  MethodProblem out =
      problem("ropes", "two loads on a rope through an eye", std::move(parts), points.particles->frame(0));
  out.steps = 80;
  return out;
}

MethodProblem contact() {
  Body box;
  box.name = "box";
  box.joint.kind = JointKind::free;
  box.joint.rate = {0, 0.3, 0, 1, 0, 0};
  box.at.p = Vec3(0, 0, 0.6);
  box.mass = 100;
  box.inertia = Sym3::diagonal(100 / 6., 100 / 6., 100 / 6.);
  const auto tree = std::make_shared<Tree>(std::vector<Body>{box});
  ModelParts parts = with(tree);
  parts.forces = {weights(*tree)};
  for (int corner = 0; corner < 4; ++corner)
    parts.contacts.push_back({"corner " + std::to_string(corner + 1),
                              std::make_shared<FrameConstraint>(
                                  tree->frame("world"),
                                  tree->frame("box", at(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, -0.5)), ball),
                              0.3, 0.4});
  MethodProblem out =
      problem("contacts", "a box that falls on the ground and slides", std::move(parts), tree->frame("box"));
  out.smooth = out.keeps_energy = false;
  return out;
}

// The trolley follows a motion that lasts longer than the run; the pendulum on it swings.
MethodProblem driven() {
  Body trolley = link("trolley");
  trolley.joint.kind = JointKind::prismatic;
  trolley.joint.axis = Vec3::UnitX();
  Body pendulum = swinging("pendulum");
  pendulum.on = "trolley";
  const auto tree = std::make_shared<Tree>(std::vector<Body>{trolley, pendulum});
  ModelParts parts = with(tree);
  parts.forces = {weights(*tree)};
  Motion travel(0.0);
  travel.move(0, 1, 0.5);
  const TreeBody& t = tree->body("trolley");
  parts.constraints = {
      {"drive", std::make_shared<JointCombination>(std::vector<JointCombination::Term>{{t.q, t.u, 1}},
                                                   parts.add(SignalInfo{"trolley", "m", travel}), false)}};
  MethodProblem out = problem("constraints that move", "a driven trolley with a pendulum", std::move(parts),
                              tree->frame("pendulum", at(1, 0, 0)));
  out.keeps_energy = false;
  return out;
}

// Chaplygin's sleigh: it may not slip across its edge.
MethodProblem skate() {
  Body sleigh = link("sleigh");
  sleigh.joint.kind = JointKind::planar;
  sleigh.joint.rate = {1.5, 0, 0.8};
  const auto tree = std::make_shared<Tree>(std::vector<Body>{sleigh});
  ModelParts parts = with(tree);
  parts.constraints = {
      {"edge", std::make_shared<KnifeEdge>(tree->frame("sleigh", Pose{rotation_from_z(Vec3::UnitY()), Vec3::Zero()}))}};
  return problem("constraints on speeds", "a sleigh on an edge", std::move(parts), tree->frame("sleigh"));
}

// A spring and a dashpot one after the other: the force z follows ż = k u - z/τ.
class Maxwell final : public ForceOf<Maxwell> {
 public:
  Maxwell(int speed, double stiffness, double time) : ForceOf("maxwell"), u_(speed), k_(stiffness), time_(time) {}
  std::string summary() const override { return "spring and dashpot one after the other"; }
  int auxiliary_states() const override { return 1; }
  void initial_z(double* z) const override { *z = 0.5; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    loads.tau[static_cast<size_t>(u_)] -= c.z[0];
    zdot[0] = S(k_) * c.kin.u[u_] - c.z[0] / S(time_);
  }

 private:
  int u_;
  double k_, time_;
};

// A state beside the coordinates, in a tree or on a particle that hangs on a rod.
MethodProblem state_in_tree() {
  const auto tree = std::make_shared<Tree>(std::vector<Body>{swinging("pendulum")});
  ModelParts parts = with(tree);
  parts.forces = {weights(*tree), std::make_shared<Maxwell>(0, 5, 0.2)};
  MethodProblem out = problem("auxiliary states", "a pendulum in a tree, damped through a force with a state",
                              std::move(parts), tree->frame("pendulum", at(1, 0, 0)));
  out.keeps_energy = false;
  return out;
}
MethodProblem state_on_particle() {
  const Points points({{"bob", 1, {1, 0, 0}, {0, 0.5, 0.3}}});
  ModelParts parts = points.parts();
  parts.forces = {weights(*points.particles), std::make_shared<Maxwell>(2, 5, 0.2)};
  parts.constraints = {{"rod", std::make_shared<PointDistance>(Frame{}, points.particles->frame(0), 1)}};
  MethodProblem out = problem("auxiliary states and constraints", "a particle on a rod, damped through such a force",
                              std::move(parts), points.particles->frame(0));
  out.keeps_energy = false;
  return out;
}

// A particle on a rope that a drum without inertia winds against a spring: on the whole a spring of stiffness k/r².
MethodProblem massless() {
  const double radius = 0.2, stiffness = 4, length = 1;
  const std::vector<Particle> list{{"bob", 1, {1, 0, 0}, {0, 0.5, 0}}};
  const Points points(list), plain(list);
  const auto drum = std::make_shared<Scalars>(after(*points.particles), std::vector<Scalar>{{"drum", "rad", 0, 0, 0}});
  const CoordinateIndex angle = drum->at(0);
  ModelParts parts = points.parts();
  parts.blocks.push_back(drum);
  parts.forces = {weights(*points.particles),
                  std::make_shared<JointSpring>("drum spring", JointCoordinate{"drum", angle.q, angle.u, 0, true},
                                                JointSpring::Data{stiffness, 0, 0})};
  const Frame bob = points.particles->frame(0);
  parts.constraints = {
      {"rope", std::make_shared<TiedRow>(std::make_shared<PointDistance>(Frame{}, bob, length), angle, radius)}};
  MethodProblem out = problem("coordinates without mass", "a drum without inertia, tied to a particle by a rope",
                              std::move(parts), bob);
  ModelParts sprung = plain.parts();
  sprung.forces = {weights(*plain.particles),
                   std::make_shared<CompliantConstraint>(
                       "rope", elastic_row(std::make_shared<PointDistance>(Frame{}, plain.particles->frame(0)),
                                           {stiffness / (radius * radius), 0, length, false}))};
  out.equivalent = std::make_shared<Model>(std::move(sprung));
  out.equivalent_watched = plain.particles->frame(0);
  return out;
}

MethodProblem friction() {
  const auto tree = std::make_shared<Tree>(std::vector<Body>{swinging("pendulum")});
  ModelParts parts = with(tree);
  const TreeBody& b = tree->body("pendulum");
  parts.forces = {weights(*tree)};
  // It creeps enough to be smooth.
  parts.reaction_forces = {
      std::make_shared<BearingFriction>("bearing", JointCoordinate{"pendulum.angle", b.q, b.u, b.last_segment, true},
                                        b.last_segment, BearingFriction::Data{0.3, 0.2, 1.0})};
  MethodProblem out = problem("bearing friction", "friction that grows with the joint's own reaction", std::move(parts),
                              tree->frame("pendulum", at(1, 0, 0)));
  out.keeps_energy = false;
  return out;
}

}  // namespace

const std::vector<MethodProblem>& method_problems() {
  static const std::vector<MethodProblem> all = {
      joints(),           loop(),    rods(),          directors(),         driven(),   skate(),   springs(), line(),
      rope_through_eye(), contact(), state_in_tree(), state_on_particle(), massless(), friction()};
  return all;
}

}  // namespace davit::verify
