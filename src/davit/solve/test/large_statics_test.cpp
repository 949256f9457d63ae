// Statics of models with hundreds of speeds, against the balance of every particle and the catenary.
#include <gtest/gtest.h>

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

// A chain of particles between two points of the world, 100 m of it over a span of 80 m, held by springs that only
// pull.
struct HangingChain {
  static constexpr double piece_mass = 5, stiffness = 1e6, span = 80, length = 100, gravity = 9.81;
  int count;
  std::shared_ptr<const Particles> particles;
  std::unique_ptr<Model> model;
  double piece() const { return length / (count + 1); }

  HangingChain(int number, const std::function<Vec3(double)>& start) : count(number) {
    std::vector<Particle> list;
    for (int i = 0; i < count; ++i)
      list.push_back({"p" + std::to_string(i), piece_mass, start((i + 1.0) / (count + 1)), Vec3::Zero()});
    const auto tree = std::make_shared<Tree>(std::vector<Body>{});
    particles = std::make_shared<Particles>(after(*tree), list);
    ModelParts parts;
    parts.blocks = {tree, particles};
    parts.body_names = {"world"};
    std::vector<Gravity::Weight> weights;
    for (int i = 0; i < count; ++i) {
      parts.body_names.push_back(list[static_cast<size_t>(i)].name);
      weights.push_back({particles->body(i), piece_mass, Vec3::Zero()});
    }
    parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -gravity), weights)};
    for (int i = 0; i <= count; ++i) {
      const Frame a = i == 0 ? Frame{} : particles->frame(i - 1);
      const Frame b = i == count ? Frame{0, {Mat3::Identity(), Vec3(span, 0, 0)}} : particles->frame(i);
      parts.forces.push_back(std::make_shared<CompliantConstraint>(
          "line" + std::to_string(i),
          elastic_row(std::make_shared<PointDistance>(a, b), {stiffness, 0, piece(), true})));
    }
    model = std::make_unique<Model>(std::move(parts));
  }
  Vec3 at(const State& s, int i) const {
    if (i < 0) return Vec3::Zero();
    if (i >= count) return {span, 0, 0};
    return s.q.segment<3>(3 * i);
  }
  Vec3 pull(const State& s, int from, int to) const {
    const Vec3 along = at(s, to) - at(s, from);
    return stiffness * std::max(0.0, along.norm() - piece()) * along.normalized();
  }
};

// Half of the length of a catenary with parameter a is a sinh(span/2a).
double catenary_sag() {
  double low = 1, high = 1000;
  for (int i = 0; i < 200; ++i) {
    const double a = (low + high) / 2;
    (2 * a * std::sinh(HangingChain::span / 2 / a) > HangingChain::length ? low : high) = a;
  }
  return low * (std::cosh(HangingChain::span / 2 / low) - 1);
}

// The springs stretch by some 1 %, which the catenary does not know.
TEST(LargeStatics, ChainsHangFromAnyStart) {
  const double w = HangingChain::span;
  const std::vector<std::pair<const char*, std::function<Vec3(double)>>> starts{
      {"parabola", [&](double x) { return Vec3(w * x, 0, -100 * x * (1 - x)); }},
      {"slack heap", [&](double x) { return Vec3(w * x, 0.3 * std::sin(40 * x), 0.2 * std::cos(31 * x)); }},
      {"V", [&](double x) { return Vec3(w * x, 0, -60 * std::min(x, 1 - x)); }},
      {"upside down V, aside", [&](double x) { return Vec3(w * x, 3 * x * (1 - x), 60 * std::min(x, 1 - x)); }}};
  for (const auto& [name, start] : starts)
    for (const int count : {39, 133}) {
      const HangingChain chain(count, start);
      System system(*chain.model);
      const Equilibrium rest = find_equilibrium(system, chain.model->initial_state());
      ASSERT_TRUE(rest.converged) << name << ", " << count << ": " << rest.why;
      EXPECT_TRUE(rest.stable) << name;
      for (int i = 0; i < count; ++i) {
        const Vec3 sum = chain.pull(rest.state, i, i - 1) + chain.pull(rest.state, i, i + 1);
        EXPECT_LT((sum - Vec3(0, 0, chain.piece_mass * chain.gravity)).norm(), 1e-5) << name << " particle " << i;
      }
      EXPECT_NEAR(chain.at(rest.state, count / 2).z(), -catenary_sag(), 0.015 * catenary_sag()) << name;
      EXPECT_NEAR(chain.at(rest.state, count / 2).y(), 0, 1e-6) << name;
    }
}

}  // namespace
}  // namespace davit
