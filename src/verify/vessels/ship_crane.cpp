#include "verify/vessels/ship_crane.hpp"

#include <numbers>

#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"

namespace davit {

namespace {

constexpr double half_pi = std::numbers::pi / 2;

Sym3 cylinder(double mass, double length, int axis, double radius = 0.5) {
  const double along = mass * radius * radius / 2, across = mass * (3 * radius * radius + length * length) / 12;
  double m[3] = {across, across, across};
  m[axis] = along;
  return Sym3::diagonal(m[0], m[1], m[2]);
}

class Restoring final : public ForceOf<Restoring> {
 public:
  Restoring(int body, const HullRestoring& k) : ForceOf("hull restoring"), body_(body), k_(k) {}
  std::string summary() const override { return "linear restoring of the hull in heave, roll and pitch"; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const auto& hull = c.kin.body[static_cast<size_t>(body_)];
    const Vec3T<S> rpy = rpy_of_rotation(hull.R);
    auto& w = loads.wrench[static_cast<size_t>(body_)];
    w.f.z() -= S(k_.heave) * hull.p.z();
    w.n -= hull.R * Vec3T<S>(S(k_.roll) * rpy.x(), S(k_.pitch) * rpy.y(), S(0));
  }

 private:
  int body_;
  HullRestoring k_;
};

}  // namespace

std::vector<Body> ship_crane_bodies(const ShipCraneOptions& options) {
  std::vector<Body> bodies;
  Body hull;
  hull.name = "hull";
  hull.joint.kind = JointKind::free;
  hull.joint.position = {options.roll, options.pitch, 0, 0, 0, 0};
  hull.mass = 6.362e6;
  hull.inertia = Sym3::diagonal(2.0e8, 2.6e9, 2.6e9);
  hull.weightless = true;
  bodies.push_back(hull);

  const auto link = [&](const char* name, double a, double alpha, double d, double offset, bool reversed, double mass,
                        const Vec3& centre, const Sym3& inertia, double start) {
    Body b;
    b.name = name;
    b.on = bodies.back().name;
    set_denavit_hartenberg(b, a, alpha, d, offset, reversed);
    b.joint.position = {start};
    b.mass = mass;
    b.centre = centre;
    b.inertia = inertia;
    bodies.push_back(b);
  };
  const auto& q = options.start_angles;
  link("king", 0, -half_pi, -4, half_pi, true, 120e3, {0, -2, 0}, cylinder(120e3, 4, 1), q[0]);
  link("inner", 2.5, 0, 0, 0, false, 100e3, {-1.25, 0, 0}, cylinder(100e3, 2.5, 0), q[1]);
  link("outer", 2.5, 0, 0, 0, false, 76e3, {-1.25, 0, 0}, cylinder(76e3, 2.5, 0), q[2]);
  const Sym3 load = Sym3::scaled_identity(4e5);
  if (options.massless_link) {
    // Links 4 and 5 of Table 1 as one universal joint: about z₃, then, after Rz(π/2) Rx(π/2), about z₄; the load's
    // frame is that of link 5.
    Body b;
    b.name = "load";
    b.on = "outer";
    b.at.R = axis_rotation(2, half_pi);
    b.joint.kind = JointKind::universal;
    b.joint.axis = Vec3::UnitZ();
    b.joint.second_axis = axis_rotation(0, half_pi).col(2);
    b.joint.position = {q[3], q[4]};
    b.frame.R = axis_rotation(0, half_pi) * axis_rotation(2, half_pi) * axis_rotation(0, -half_pi);
    b.mass = 150e3;
    b.centre = {0, 0, 10};
    b.inertia = load;
    bodies.push_back(b);
  } else {
    link("link4", 0, half_pi, 0, half_pi, false, 1e-6, Vec3::Zero(), Sym3::scaled_identity(1e-6), q[3]);
    link("load", 0, -half_pi, 0, half_pi, false, 150e3, {0, 0, 10}, load, q[4]);
  }
  return bodies;
}

std::shared_ptr<const Force> hull_restoring(int body, const HullRestoring& k) {
  return std::make_shared<Restoring>(body, k);
}

ShipCrane make_ship_crane(const ShipCraneOptions& options) {
  ShipCrane out;
  auto tree = std::make_shared<Tree>(ship_crane_bodies(options));
  out.tree = tree;
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : tree->bodies_of_tree())
    if (!b.body.weightless) weights.push_back({b.last_segment, b.body.mass, b.frame * b.body.centre});
  parts.forces.push_back(std::make_shared<Gravity>(Vec3(0, 0, 9.81), std::move(weights)));
  parts.forces.push_back(hull_restoring(tree->body("hull").last_segment));
  if (options.kp != 0 || options.kd != 0) {
    const char* const names[] = {"king", "inner", "outer"};
    for (size_t i = 0; i < 3; ++i) {
      const TreeBody& b = tree->body(names[i]);
      const JointCoordinate at{std::string(names[i]) + ".angle", b.q, b.u, true};
      parts.forces.push_back(std::make_shared<JointSpring>(
          at.name + " spring", at, JointSpring::Data{.stiffness = options.kp, .rest = options.start_angles[i]}));
      parts.forces.push_back(
          std::make_shared<JointDamper>(at.name + " damper", at, JointDamper::Data{.damping = options.kd}));
    }
  }
  out.model = std::make_unique<Model>(std::move(parts));
  return out;
}

}  // namespace davit
