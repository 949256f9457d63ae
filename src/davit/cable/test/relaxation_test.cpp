// Lines whose stiffness depends on the rate.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/cable/beam.hpp"
#include "lines.hpp"

namespace davit::cable {
namespace {

// A taut and light line, pulled by a millimetre per metre within a step and held: T = ε (EA + (EA_d − EA) e^{−t/t_r}).
TEST(Relaxation, TensionFallsFromTheDynamicToTheStaticStiffness) {
  Section rope = chain(100, 10);
  rope.mass = 0.1, rope.displacement = 0, rope.EA = 1e8, rope.EA_dynamic = 2.5e8, rope.relaxation_time = 20;
  rope.drag_normal = rope.drag_tangential = 0;
  Moored m(Line({rope}, {}, {}, {}, {.tolerance = 1e-9}));
  const Vec3 a(0, 0, -50), b(100.1, 0, -50), pulled(100.2, 0, -50);
  ASSERT_TRUE(m.settle(a, b, Line::Start::straight).converged);
  EXPECT_NEAR(m.view().tension_b, 1e5, 10);
  double time = 0;
  const auto go = [&](double h, int steps) {
    for (int i = 0; i < steps; ++i, time += h) ASSERT_TRUE(m.step(time, h, a, pulled).converged);
  };
  go(0.01, 20);
  EXPECT_NEAR(m.forces.b.norm() / (1e5 + 1e5 * (1 + 1.5 * std::exp(-0.2 / 20))), 1, 5e-3);
  go(0.05, 396);
  EXPECT_NEAR(m.forces.b.norm() / (1e5 + 1e5 * (1 + 1.5 * std::exp(-20.0 / 20))), 1, 5e-3);
  EXPECT_NEAR(m.view().tension[5] / m.forces.b.norm(), 1, 1e-3);
  go(0.5, 400);
  EXPECT_NEAR(m.forces.b.norm() / 2e5, 1, 1e-3);
}

// The same of beams, by both strains (Green and Lagrange's is longer by half of it, and so are the forces).
TEST(Relaxation, OfBeamsIsThatOfBars) {
  Section rope = chain(100, 10);
  rope.mass = 0.1, rope.displacement = 0, rope.EA = 1e8, rope.EA_dynamic = 2.5e8, rope.relaxation_time = 20;
  rope.drag_normal = rope.drag_tangential = 0;
  const Vec3 a(0, 0, -50), b(100.1, 0, -50), pulled(100.2, 0, -50);
  for (const Strain strain : {Strain::engineering, Strain::green}) {
    const Beam beam({rope}, {}, {}, {}, {.strain = strain}, {.tolerance = 1e-9});
    BeamWork work = beam.make_work();
    std::vector<double> state(static_cast<size_t>(beam.state_size())), next = state;
    EndForces forces;
    ASSERT_TRUE(beam.settle({a, b}, state.data(), work, Beam::Start::straight).converged);
    double time = 0;
    const auto go = [&](double h, int steps) {
      for (int i = 0; i < steps; ++i, time += h) {
        ASSERT_TRUE(beam.step(state.data(), time, h, {a, pulled}, next.data(), forces, work).converged);
        state.swap(next);
      }
    };
    go(0.01, 20);
    EXPECT_NEAR(forces.b.norm() / (1e5 + 1e5 * (1 + 1.5 * std::exp(-0.2 / 20))), 1, 8e-3);
    go(0.05, 396);
    EXPECT_NEAR(forces.b.norm() / (1e5 + 1e5 * (1 + 1.5 * std::exp(-20.0 / 20))), 1, 8e-3);
    LineView view;
    beam.look(state.data(), view);
    EXPECT_NEAR(view.tension[5] / forces.b.norm(), 1, 1e-3);
    go(0.5, 400);
    EXPECT_NEAR(forces.b.norm() / 2e5, 1, 4e-3);
  }
}

TEST(Relaxation, SaysWhatIsWrong) {
  Section rope = chain(100, 10);
  rope.EA_dynamic = 0.5 * rope.EA, rope.relaxation_time = 1;
  EXPECT_THROW(Line({rope}, {}, {}, {}), std::invalid_argument);
  rope.EA_dynamic = 2 * rope.EA, rope.relaxation_time = 0;
  EXPECT_THROW(Line({rope}, {}, {}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace davit::cable
