// Models small enough to be solved by hand: weights, a rod between two points, a coordinate that is moved, a skate.
#pragma once

#include <cmath>

#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/system.hpp"
#include "davit/dynamics/tree.hpp"

namespace davit::testing {

inline constexpr double gravity = 9.81;

// Constant forces at points of bodies, in world axes.
class PointForces final : public ForceOf<PointForces> {
 public:
  using Forces = std::vector<std::pair<Frame, Vec3>>;
  explicit PointForces(Forces forces) : ForceOf("point forces"), forces_(std::move(forces)) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    for (const auto& [at, force] : forces_)
      loads.add_force(at.body, c.kin.body[static_cast<size_t>(at.body)].R * as<S>(at.offset.p), as<S>(force));
  }

 private:
  Forces forces_;
};

// ½(|d|² - l²) of two points: its multiplier is minus the tension over the length.
class Rod final : public GeometryOf<Rod> {
 public:
  Rod(Frame a, Frame b, double length) : a_(std::move(a)), b_(std::move(b)), length_(length) {}
  int size() const override { return 1; }
  std::string summary() const override { return "rod"; }
  std::string unit() const override { return "m^2"; }
  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    g[0] = S(0.5) * ((position(kin, b_) - position(kin, a_)).squaredNorm() - S(length_ * length_));
  }
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const {
    const Vec3T<S> d = position(kin, b_) - position(kin, a_);
    out.add_point(0, b_, d);
    out.add_point(0, a_, Vec3T<S>(-d));
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    const auto rest_acceleration = [&](const Frame& f) {
      const auto& k = kin.body[static_cast<size_t>(f.body)];
      const Vec3T<S> arm = k.R * as<S>(f.offset.p);
      return Vec3T<S>(k.acc + k.alpha.cross(arm) + k.w.cross(Vec3T<S>(k.w.cross(arm))));
    };
    bias[0] = (position(kin, b_) - position(kin, a_)).dot(rest_acceleration(b_) - rest_acceleration(a_)) +
              (velocity(kin, b_) - velocity(kin, a_)).squaredNorm();
  }

 private:
  Frame a_, b_;
  double length_;
};

// q - s(t) of one coordinate, with s(t) = offset + speed t + ½ acceleration t², and another speed from `kink` on.
struct Course {
  double offset = 0, speed = 0, acceleration = 0;
  double kink = INFINITY, speed_after = 0;
};
class Moved final : public GeometryOf<Moved> {
 public:
  Moved(CoordinateIndex at, const Course& course) : at_(at), s_(course) {}
  int size() const override { return 1; }
  std::string summary() const override { return "moved"; }
  std::string unit() const override { return "m"; }
  bool moves_with_time() const override { return true; }
  std::vector<double> breakpoints() const override { return {s_.kink, s_.kink + 1}; }
  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    const S late = value_of(kin.t) < s_.kink ? S(0) : S(s_.speed_after - s_.speed) * (kin.t - S(s_.kink));
    g[0] = kin.q[at_.q] - S(s_.offset) - kin.t * (S(s_.speed) + S(0.5 * s_.acceleration) * kin.t) - late;
  }
  template <class S>
  void gradient(const KinT<S>&, JacobianT<S>& out) const {
    out.add_speed(0, at_.u, S(1));
  }
  template <class S>
  void products(const KinT<S>&, S* bias) const {
    bias[0] = S(-s_.acceleration);
  }
  template <class S>
  void drift(const KinT<S>& kin, S* rate) const {
    rate[0] = -S(value_of(kin.t) < s_.kink ? s_.speed : s_.speed_after) - S(s_.acceleration) * kin.t;
  }

 private:
  CoordinateIndex at_;
  Course s_;
};

// No speed of a point along a direction: rows that have no g.
class Skate final : public GeometryOf<Skate> {
 public:
  Skate(Frame at, const Vec3& across) : at_(std::move(at)), across_(across) {}
  int size() const override { return 1; }
  std::string summary() const override { return "skate"; }
  std::string unit() const override { return "m/s"; }
  bool holonomic() const override { return false; }
  template <class S>
  void measure(const KinT<S>&, S* g) const {
    g[0] = S(0);
  }
  template <class S>
  void gradient(const KinT<S>&, JacobianT<S>& out) const {
    out.add_point(0, at_, as<S>(across_));
  }
  template <class S>
  void products(const KinT<S>&, S* bias) const {
    bias[0] = S(0);
  }

 private:
  Frame at_;
  Vec3 across_;
};

// A model with its system and state.
struct Lab {
  std::unique_ptr<Model> model;
  std::unique_ptr<System> system;
  State state;

  explicit Lab(ModelParts parts) {
    model = std::make_unique<Model>(std::move(parts));
    system = std::make_unique<System>(*model);
    state = model->initial_state();
  }
  Workspace& work() { return system->workspace(); }
};

inline std::shared_ptr<const Tree> no_tree() { return std::make_shared<Tree>(std::vector<Body>{}); }

// Particles alone, under their weight.
inline ModelParts of_particles(const std::vector<Particle>& particles, std::shared_ptr<const Particles>& block) {
  const auto none = no_tree();
  block = std::make_shared<Particles>(after(*none), particles);
  ModelParts parts;
  parts.blocks = {none, block};
  parts.body_names = {"world"};
  PointForces::Forces weights;
  for (size_t i = 0; i < particles.size(); ++i) {
    parts.body_names.push_back(particles[i].name);
    weights.push_back({block->frame(static_cast<int>(i)), Vec3(0, 0, -gravity * particles[i].mass)});
  }
  parts.forces = {std::make_shared<PointForces>(weights)};
  return parts;
}

// Masses on slides along x, one on the other: coordinate i is where slide i is against the one before.
inline ModelParts of_slides(const std::vector<double>& masses, std::shared_ptr<const Tree>& tree) {
  std::vector<Body> bodies;
  for (size_t i = 0; i < masses.size(); ++i) {
    Body b;
    b.name = "slide" + std::to_string(i);
    if (i > 0) b.on = bodies.back().name;
    b.joint.kind = JointKind::prismatic;
    b.joint.axis = Vec3::UnitX();
    b.mass = masses[i];
    b.inertia = Sym3::diagonal(1, 1, 1);
    bodies.push_back(b);
  }
  tree = std::make_shared<Tree>(std::move(bodies));
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  return parts;
}

}  // namespace davit::testing
