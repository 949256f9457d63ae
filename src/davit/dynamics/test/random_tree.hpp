// Random trees in random motion under random loads, for property tests.
#pragma once

#include <random>

#include "davit/dynamics/system.hpp"
#include "davit/dynamics/tree.hpp"

namespace davit::testing {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double low = -1, double high = 1) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  Vec3 vector(double size = 1) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  Mat3 rotation() { return exp_rotation(vector(2)); }
  Pose pose() { return {rotation(), vector(1.5)}; }

 private:
  std::mt19937 engine_;
};

inline std::vector<Body> random_bodies(Random& random, int count) {
  std::vector<Body> bodies;
  for (int i = 0; i < count; ++i) {
    Body b;
    b.name = "b" + std::to_string(i);
    const int parent = random.integer(-1, i - 1);
    if (parent >= 0) b.on = "b" + std::to_string(parent);
    b.joint.kind = static_cast<JointKind>(random.integer(i == 0 ? 1 : 0, 8));  // something must move
    b.joint.axis = random.vector() + Vec3(0, 0, 0.3);
    b.joint.second_axis = random.vector() + Vec3(0.3, 0, 0);
    b.at = random.integer(0, 3) == 0 ? Pose{} : random.pose();
    b.frame = random.integer(0, 2) == 0 ? random.pose() : Pose{};
    b.mass = random.number(0.5, 3);
    b.centre = random.vector();
    const Vec3 m = random.vector().cwiseAbs() + Vec3(1, 1.1, 1.2);
    b.inertia = congruence(random.rotation(), Sym3::diagonal(m.x(), m.y(), m.z()));
    for (size_t k = 0; k < b.joint.type().coordinates.size(); ++k) {
      b.joint.position.push_back(random.number(-1.2, 1.2));
      b.joint.rate.push_back(random.number());
    }
    bodies.push_back(b);
  }
  return bodies;
}

// Constant random wrenches on all segments and forces on all speeds.
class RandomLoads final : public ForceOf<RandomLoads> {
 public:
  RandomLoads(Random& random, int bodies, int speeds) : ForceOf("random loads") {
    for (int i = 0; i < bodies; ++i) wrench_.push_back({random.vector(5), random.vector(5)});
    for (int i = 0; i < speeds; ++i) tau_.push_back(random.number(-5, 5));
  }
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>& loads, S*) const {
    for (size_t i = 1; i < wrench_.size(); ++i) {
      loads.wrench[i].n += as<S>(wrench_[i].n);
      loads.wrench[i].f += as<S>(wrench_[i].f);
    }
    for (size_t i = 0; i < tau_.size(); ++i) loads.tau[i] += S(tau_[i]);
  }

 private:
  std::vector<Wrench> wrench_;
  std::vector<double> tau_;
};

struct RandomCase {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  std::unique_ptr<System> system;
  State state;

  RandomCase(unsigned seed, int bodies) {
    Random random(seed);
    tree = std::make_shared<Tree>(random_bodies(random, bodies));
    ModelParts parts;
    parts.blocks = {tree};
    parts.forces = {std::make_shared<RandomLoads>(random, tree->bodies() + 1, tree->nu())};
    parts.body_names = tree->segment_names();
    model = std::make_unique<Model>(std::move(parts));
    system = std::make_unique<System>(*model);
    state = model->initial_state();
  }
};

}  // namespace davit::testing
