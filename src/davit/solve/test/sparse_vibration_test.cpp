// Modes of large models: a string of particles against its exact frequencies, and against dense matrices where there
// are constraints and auxiliary states.
#include "davit/solve/sparse_vibration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/solve/equilibrium.hpp"

namespace davit {
namespace {

// Holds back a particle through a state: f = -k (x - z), ż = (x - z)/T in each direction; in slow motion a damper k T,
// in fast motion a spring.
class Maxwell final : public ForceOf<Maxwell> {
 public:
  Maxwell(int particle, double stiffness, double time)
      : ForceOf("maxwell"), particle_(particle), stiffness_(stiffness), time_(time) {}
  std::string summary() const override { return "spring and damper in a row"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {particle_}}}; }
  int auxiliary_states() const override { return 3; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    const Vec3T<S>& p = c.kin.body[static_cast<size_t>(particle_)].p;
    Vec3T<S> stretch;
    for (int i = 0; i < 3; ++i) {
      stretch[i] = p[i] - c.z[i];
      zdot[i] = stretch[i] / S(time_);
    }
    loads.add_force(particle_, Vec3T<S>(Vec3T<S>::Zero()), Vec3T<S>(S(-stiffness_) * stretch));
  }

 private:
  int particle_;
  double stiffness_, time_;
};

struct Line {
  std::shared_ptr<const Particles> particles;
  std::unique_ptr<Model> model;
};
struct Options {
  int count = 10;
  Vec3 direction = Vec3::UnitX();
  double gravity = 0;
  bool rigid = false, both_ends = true, maxwell = false;
};
constexpr double mass = 5, stiffness = 1e6, pitch = 0.5, rest_length = 0.45,
                 tension = stiffness * (pitch - rest_length);

// Particles in a row from the origin, on springs or rigid links.
Line line(const Options& o) {
  std::vector<Particle> list;
  for (int i = 0; i < o.count; ++i)
    list.push_back({"p" + std::to_string(i), mass, (i + 1) * pitch * o.direction, Vec3::Zero()});
  Line out;
  const auto tree = std::make_shared<Tree>(std::vector<Body>{});
  out.particles = std::make_shared<Particles>(after(*tree), list);
  ModelParts parts;
  parts.blocks = {tree, out.particles};
  parts.body_names = {"world"};
  std::vector<Gravity::Weight> weights;
  for (int i = 0; i < o.count; ++i) {
    parts.body_names.push_back(list[static_cast<size_t>(i)].name);
    weights.push_back({out.particles->body(i), mass, Vec3::Zero()});
  }
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -o.gravity), weights)};
  for (int i = 0; i <= o.count - (o.both_ends ? 0 : 1); ++i) {
    const Frame a = i == 0 ? Frame{} : out.particles->frame(i - 1);
    const Frame b =
        i == o.count ? Frame{0, {Mat3::Identity(), (o.count + 1) * pitch * o.direction}} : out.particles->frame(i);
    const std::string name = "link" + std::to_string(i);
    if (o.rigid)
      parts.constraints.push_back({name, std::make_shared<PointDistance>(a, b, pitch)});
    else
      parts.forces.push_back(std::make_shared<CompliantConstraint>(
          name, elastic_row(std::make_shared<PointDistance>(a, b), {stiffness, 0, rest_length, false})));
  }
  if (o.maxwell)
    for (int i = 0; i < o.count; i += 3)
      parts.forces.push_back(std::make_shared<Maxwell>(out.particles->body(i), 300.0 + 20 * i, 0.4));
  out.model = std::make_unique<Model>(std::move(parts));
  return out;
}

// Transverse: twice 2 √(T/ma) sin(kπ/2(n+1)); along: 2 √(c/m) sin(…).
TEST(SparseVibration, StringOfParticles) {
  const int n = 300;
  const Line string = line({.count = n});
  System system(*string.model);
  const VibrationResult found = vibration_modes(system, string.model->initial_state());
  EXPECT_TRUE(found.only_slowest);
  const auto shape = [&](int k) { return std::sin(k * M_PI / (2 * (n + 1))); };
  std::vector<double> exact;
  for (int k = 1; k <= n; ++k) {
    for (int twice = 0; twice < 2; ++twice) exact.push_back(2 * std::sqrt(tension / (mass * pitch)) * shape(k));
    exact.push_back(2 * std::sqrt(stiffness / mass) * shape(k));
  }
  std::sort(exact.begin(), exact.end());
  ASSERT_GE(found.modes.size(), 30U);
  for (size_t i = 0; i < 30; ++i) {
    EXPECT_NEAR(2 * M_PI * found.modes[i].frequency, exact[i], 1e-9 * exact[i]) << i;
    EXPECT_LT(std::abs(found.modes[i].damping_ratio), 1e-9) << i;
  }
  EXPECT_NEAR(found.fastest, exact.back(), 1e-3 * exact.back());
}

// The same modes as by dense matrices, as far as the slowest go.
void expect_same(System& system, const State& state) {
  const VibrationResult dense = dense_vibration_modes(system, state), sparse = sparse_vibration_modes(system, state);
  const auto oscillating = [](const VibrationResult& all) {
    std::vector<VibrationMode> out;
    for (const VibrationMode& m : all.modes)
      if (m.frequency > 1e-4) out.push_back(m);
    return out;
  };
  const auto expected = oscillating(dense), found = oscillating(sparse);
  ASSERT_GE(found.size(), std::min<size_t>(20, expected.size()));
  ASSERT_GE(expected.size(), 15U);
  for (size_t i = 0; i < std::min<size_t>(20, expected.size()); ++i) {
    EXPECT_NEAR(found[i].frequency, expected[i].frequency, 1e-8 * expected[i].frequency) << i;
    EXPECT_NEAR(found[i].damping_ratio, expected[i].damping_ratio, 1e-8) << i;
  }
  EXPECT_NEAR(sparse.fastest, dense.fastest, 1e-3 * dense.fastest);
}

TEST(SparseVibration, RigidChainThatHangsAsByDenseMatrices) {
  const Line chain =
      line({.count = 30, .direction = -Vec3::UnitZ(), .gravity = 9.81, .rigid = true, .both_ends = false});
  System system(*chain.model);
  expect_same(system, chain.model->initial_state());
}

TEST(SparseVibration, AuxiliaryStatesAsByDenseMatrices) {
  const Line string = line({.count = 30, .maxwell = true});
  System system(*string.model);
  State s = string.model->initial_state();
  const Equilibrium rest = find_equilibrium(system, s);
  ASSERT_TRUE(rest.converged);
  expect_same(system, rest.state);
}

TEST(SparseVibration, NothingUnderConstraintsThatAreNotAtRest) {
  const Line chain = line({.count = 30, .gravity = 9.81, .rigid = true, .both_ends = false});
  System system(*chain.model);
  EXPECT_TRUE(sparse_vibration_modes(system, chain.model->initial_state()).modes.empty());
}

}  // namespace
}  // namespace davit
