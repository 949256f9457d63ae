// Which oscillations are modes of bodies, and which are of states that only remember.
#include "davit/solve/vibration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/tree.hpp"

namespace davit {
namespace {

// A particle on springs, which a filter listens to: z̈ + 2ζνż + ν²z = ν²x, and pulls back with a part of z.
class FilteredSpring final : public ForceOf<FilteredSpring> {
 public:
  struct Filter {
    double frequency, damping, pull;
  };
  FilteredSpring(int particle, double stiffness, Filter filter)
      : ForceOf("filtered"), particle_(particle), stiffness_(stiffness), filter_(filter) {}
  std::string summary() const override { return "springs and a filter"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {particle_}}}; }
  int auxiliary_states() const override { return 2; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    const Vec3T<S>& p = c.kin.body[static_cast<size_t>(particle_)].p;
    const double nu = filter_.frequency;
    zdot[0] = c.z[1];
    zdot[1] = S(nu * nu) * (p[0] - c.z[0]) - S(2 * filter_.damping * nu) * c.z[1];
    Vec3T<S> force = S(-stiffness_) * p;
    force[0] -= S(filter_.pull) * c.z[0];
    loads.add_force(particle_, Vec3T<S>(Vec3T<S>::Zero()), force);
  }

 private:
  int particle_;
  double stiffness_;
  Filter filter_;
};

VibrationResult modes_with(FilteredSpring::Filter filter) {
  const auto tree = std::make_shared<Tree>(std::vector<Body>{});
  const auto particles =
      std::make_shared<Particles>(after(*tree), std::vector<Particle>{{"p", 2, Vec3::Zero(), Vec3::Zero()}});
  ModelParts parts;
  parts.blocks = {tree, particles};
  parts.body_names = {"world", "p"};
  parts.forces = {std::make_shared<FilteredSpring>(particles->body(0), 18, filter)};
  const Model model(std::move(parts));
  System system(model);
  return vibration_modes(system, model.initial_state());
}

TEST(Vibration, OscillationsOfFiltersAreCountedAndLeftOut) {
  const VibrationResult found = modes_with({.frequency = 20, .damping = 0.3, .pull = 0.5});
  EXPECT_EQ(found.auxiliary, 1);
  ASSERT_EQ(found.modes.size(),
            3U);  // three directions of one particle, √(18/2) = 3 rad/s, one of them a little stiffer
  for (const VibrationMode& mode : found.modes) EXPECT_NEAR(2 * M_PI * mode.frequency, 3, 0.06);
}

// The filter's states have shares of either sign that cancel: sizes alone would take it for a motion of the body.
TEST(Vibration, SharesThatCancelAreNoMotionOfBodies) {
  const VibrationResult found = modes_with({.frequency = 4, .damping = 0.7, .pull = -8});
  EXPECT_EQ(found.auxiliary + static_cast<int>(found.modes.size()), 4);
  EXPECT_EQ(found.modes.size(), 3U);
}

TEST(Vibration, WhatGrowsIsNeverLeftOut) {
  const VibrationResult found = modes_with({.frequency = 20, .damping = -0.01, .pull = 0.01});
  EXPECT_EQ(found.auxiliary, 0);
  ASSERT_EQ(found.modes.size(), 4U);
  EXPECT_GT(found.modes.back().eigenvalue.real(), 0);
}

}  // namespace
}  // namespace davit
