// What a piece of rope stores and pulls: its law, its damping, its weight, drums and pistons; and the solver of what
// couples nodes to their neighbours.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "davit/rope/block_tridiagonal.hpp"
#include "davit/rope/winch.hpp"
#include "lone_rope.hpp"

namespace davit::rope {
namespace {

using testing::LoneRope;
using testing::point_at;

TEST(Piece, PullsWithTheSlopeOfItsEnergy) {
  const Elasticity linear(2e6, 0), table(std::vector<Elasticity::Point>{{0.01, 1e4}, {0.02, 4e4}, {0.04, 6e4}}, 0);
  for (const Elasticity* law : {&linear, &table})
    for (const double e : {-0.01, 0.004, 0.013, 0.03, 0.06}) {
      const double h = 1e-7;
      EXPECT_NEAR(law->tension(e), (law->energy(e + h) - law->energy(e - h)) / (2 * h), 1e-3) << e;
      EXPECT_EQ(law->tension(e) > 0, e > 0);
      // Over a step the work is what is stored, through slack too.
      for (const double to : {-0.02, 0.01, 0.05})
        EXPECT_NEAR(law->step_tension(e, to) * (to - e), law->energy(to) - law->energy(e),
                    1e-9 * (1 + law->energy(0.06)));
    }
  EXPECT_NEAR(table.tension(0.05), 7e4, 1e-9);  // beyond its points as in the last piece
  EXPECT_EQ(table.stiffness(), 3e6);
}

// N metres of rope stretched to l store N W(l/N - 1).
TEST(Piece, StoresItsEnergyPerUnstretchedLength) {
  LoneRope scene(1);
  scene.kin.body[1].p = Vec3(0, 0, -5);
  RopeSetup setup = testing::through({point_at(0, Vec3::Zero()), point_at(1, Vec3::Zero())}, 1e6, 0);
  setup.length = 4.9;
  scene.lay(std::move(setup));
  const double e = 5 / 4.9 - 1;
  EXPECT_NEAR(scene.energy(), 4.9 * 0.5 * 1e6 * e * e, 1e-6);
  scene.apply();
  EXPECT_NEAR(scene.loads.wrench[1].f.z(), 1e6 * e, 1e-6);
  scene.kin.body[1].p.z() = -4.8;
  EXPECT_EQ(scene.energy(), 0);
  scene.apply();
  EXPECT_EQ(scene.loads.wrench[1].f.norm(), 0);
}

TEST(Piece, IsDampedWhileItIsTautAndNeverPushes) {
  LoneRope scene(1);
  scene.kin.body[1].p = Vec3(0, 0, -5);
  RopeSetup setup = testing::through({point_at(0, Vec3::Zero()), point_at(1, Vec3::Zero())}, 1e6, 0);
  setup.rope.elasticity = Elasticity(1e6, 0.05);
  setup.length = 4.9;
  scene.lay(std::move(setup));
  const double elastic = 1e6 * (5 / 4.9 - 1);
  const auto pull = [&](double speed) {
    scene.kin.body[1].v.z() = speed;
    scene.apply();
    return scene.loads.wrench[1].f.z();
  };
  EXPECT_NEAR(pull(-0.2), elastic + 1e6 * 0.05 * 0.2 / 4.9, 1e-6);
  EXPECT_NEAR(pull(0.2), elastic - 1e6 * 0.05 * 0.2 / 4.9, 1e-6);
  EXPECT_EQ(pull(50), 0);
  scene.kin.body[1].p.z() = -4.5;
  EXPECT_EQ(pull(-10), 0);
}

// Of a rope that hangs plumb its weight is above and not below.
TEST(Piece, PassesItsWeightOnAbove) {
  LoneRope scene(1);
  scene.kin.body[1].p = Vec3(0, 0, -10);
  RopeSetup setup = testing::through({point_at(0, Vec3::Zero()), point_at(1, Vec3::Zero())}, 1e7, 2e4);
  setup.rope.weight = 60;
  scene.lay(std::move(setup));
  const auto view = scene.view();
  const Rope& rope = scene.rope->setup().rope;
  const double weight = 60 * view.state.material;
  EXPECT_NEAR(tension_at(rope, view.tensions, 0, 0) - tension_at(rope, view.tensions, 0, 1), weight, 1e-9);
  EXPECT_EQ(largest_tension(rope, view.tensions), tension_at(rope, view.tensions, 0, 0));
  scene.apply();
  EXPECT_NEAR(scene.loads.wrench[1].f.z(), view.tensions.tension[0] - 0.5 * weight, 1e-9);
}

// A rope that was let go carries nothing; its slot says how long it is all the same.
TEST(Piece, ThatWasLetGoCarriesNothing) {
  LoneRope scene(1);
  scene.signals.add(Motion(1));
  scene.kin.body[1].p = Vec3(0, 0, -5);
  RopeSetup setup = testing::through({point_at(0, Vec3::Zero()), point_at(1, Vec3::Zero())}, 1e6, 3e4);
  setup.connected = Signal(0);
  scene.lay(std::move(setup));
  scene.apply();
  EXPECT_NEAR(scene.loads.wrench[1].f.z(), 3e4, 1e-6);
  scene.signals.set(0, Motion(0));
  EXPECT_TRUE(scene.rope->is_loose(scene.kin));
  scene.apply();
  EXPECT_EQ(scene.loads.wrench[1].f.norm(), 0);
  EXPECT_EQ(scene.energy(), 0);
  EXPECT_NEAR(scene.rope->unstretched(scene.discrete, 0), 5 / 1.03, 1e-12);
  scene.signals.set(0, Motion(1));
  scene.rope->lengthen(scene.discrete, 0, 0.1);
  EXPECT_NEAR(scene.rope->unstretched(scene.discrete, 0), 5 / 1.03 + 0.1, 1e-12);
}

// Rope given out by a drum in layers: its rate is the radius that it runs off, and the pull works against it.
TEST(Drum, GivesOutByItsRadius) {
  const double radius = 0.5, thinning = 0.03, start = 0.4;
  const DrumReel drum(CoordinateIndex{0, 0}, start, radius, thinning);
  LoneRope scene(1, 1);
  for (const double angle : {0.4, 1.0, 5.0, -2.0}) {
    scene.q[0] = angle;
    scene.u[0] = 1.3;
    const double h = 1e-6, here = drum.paid_out(scene.kin);
    EXPECT_NEAR(here, radius * (angle - start) - 0.5 * thinning * std::pow(angle - start, 2), 1e-14);
    EXPECT_NEAR(drum.radius(scene.kin), radius - thinning * (angle - start), 1e-14);
    EXPECT_NEAR(drum.rate(scene.kin), 1.3 * drum.radius(scene.kin), 1e-14);
    scene.q[0] = angle + h;
    EXPECT_NEAR((drum.paid_out(scene.kin) - here) / h, drum.radius(scene.kin), 1e-7);
    scene.loads.clear();
    drum.add_pull(scene.kin, 2e4, scene.loads);
    EXPECT_NEAR(scene.loads.tau[0], 2e4 * drum.radius(scene.kin), 1e-9);
  }
}

// A rope of 10 m from a drum: turned by an angle it is longer by what was given out, and pulls the drum with its
// moment.
TEST(Drum, TurnsIntoLength) {
  LoneRope scene(1, 1);
  scene.kin.body[1].p = Vec3(0, 0, -10);
  RopeSetup setup = testing::through({point_at(0, Vec3::Zero()), point_at(1, Vec3::Zero())}, 1e6, 1e4);
  setup.first_reel = std::make_shared<DrumReel>(CoordinateIndex{0, 0}, 0, 0.5);
  scene.lay(std::move(setup));
  const double rope = scene.view().state.material;
  scene.apply();
  EXPECT_NEAR(scene.loads.tau[0], 0.5 * material_pull(Elasticity(1e6, 0), 1e4, 0.01), 1e-6);
  scene.q[0] = 0.1;
  scene.commit();
  EXPECT_NEAR(scene.view().state.material, rope + 0.05, 1e-12);
  EXPECT_NEAR(scene.view().tensions.tension[0], 1e6 * (10 / (rope + 0.05) - 1), 1e-6);
  // Energy by the angle: minus the moment.
  const double h = 1e-6;
  const auto energy = [&](double angle) {
    scene.q[0] = angle;
    return scene.energy();
  };
  const double slope = (energy(0.1 + h) - energy(0.1 - h)) / (2 * h);
  scene.q[0] = 0.1;
  scene.apply();
  EXPECT_NEAR(scene.loads.tau[0], -slope, 1e-4);
}

// A piston carries the end along: no more rope stretches, and it feels the tension and no more.
TEST(Piston, CarriesTheEndAlong) {
  LoneRope scene(1, 1);
  scene.kin.body[1].p = Vec3(0, 0, -10);
  RopeSetup setup = testing::through({point_at(0, Vec3::Zero()), point_at(1, Vec3::Zero())}, 1e6, 1e4);
  setup.first_reel = std::make_shared<PistonReel>(CoordinateIndex{0, 0});
  scene.lay(std::move(setup));
  const double rope = scene.view().state.material;
  scene.q[0] = 0.05;
  scene.commit();
  EXPECT_NEAR(scene.view().tensions.stretching[0], rope, 1e-12);
  EXPECT_NEAR(scene.view().tensions.material[0], rope + 0.05, 1e-12);
  EXPECT_NEAR(scene.view().tensions.tension[0], 1e6 * ((10 - 0.05) / rope - 1), 1e-6);
  scene.apply();
  EXPECT_NEAR(scene.loads.tau[0], scene.view().tensions.tension[0], 1e-6);
  // Against preload, spring and damper; what it stores is the work of the first two.
  const Piston piston("compensator", CoordinateIndex{0, 0}, 9e3, 2e4, 500);
  scene.u[0] = 0.3;
  scene.loads.clear();
  piston.add_loads(scene.context(), scene.loads, static_cast<double*>(nullptr));
  EXPECT_NEAR(scene.loads.tau[0], -(9e3 + 2e4 * 0.05 + 500 * 0.3), 1e-9);
  EXPECT_NEAR(piston.potential_energy(scene.context()), 9e3 * 0.05 + 0.5 * 2e4 * 0.05 * 0.05, 1e-9);
  EXPECT_NEAR(piston.potential_rate(scene.context()), (9e3 + 2e4 * 0.05) * 0.3, 1e-9);
}

TEST(BlockTridiagonal, SolvesAsTheFullMatrixDoes) {
  std::mt19937 engine(2);
  std::uniform_real_distribution<double> any(-1, 1);
  constexpr int size = 3, columns = 2;
  for (const size_t n : {1u, 2u, 7u}) {
    BlockTridiagonal<size> A;
    A.resize(n);
    const auto N = static_cast<Eigen::Index>(size * n);
    MatX full = MatX::Zero(N, N), right(N, columns);
    for (double& x : right.reshaped()) x = any(engine);
    const auto fill = [&](auto& block, size_t i, size_t j) {
      for (double& x : block.reshaped()) x = any(engine);
      if (i == j) block.diagonal().array() += 4;
      full.block<size, size>(static_cast<Eigen::Index>(size * i), static_cast<Eigen::Index>(size * j)) = block;
    };
    for (size_t i = 0; i < n; ++i) {
      fill(A.diagonal(i), i, i);
      if (i > 0) fill(A.lower(i), i, i - 1);
      if (i + 1 < n) fill(A.upper(i), i, i + 1);
    }
    std::vector<Eigen::Matrix<double, size, columns>> x(n);
    for (size_t i = 0; i < n; ++i) x[i] = right.middleRows<size>(static_cast<Eigen::Index>(size * i));
    A.factor();
    A.solve(x);
    MatX solution(N, columns);
    for (size_t i = 0; i < n; ++i) solution.middleRows<size>(static_cast<Eigen::Index>(size * i)) = x[i];
    EXPECT_LT((full * solution - right).norm(), 1e-12 * right.norm()) << n;
  }
}

}  // namespace
}  // namespace davit::rope
