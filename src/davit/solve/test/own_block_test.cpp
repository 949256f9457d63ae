// The worked example of docs/extending.md: a block of one's own, its force and its channels, against exact frequencies.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/dynamics/plain_observables.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/dynamics/vector_space_block.hpp"
#include "davit/solve/stepper.hpp"
#include "davit/solve/vibration.hpp"

namespace davit {
namespace {

using Mat2 = Eigen::Matrix2d;

// Two bending coordinates of a slender boom. Their mass matrix is constant and couples them; no body moves with them.
class Bending final : public VectorSpaceBlock<Bending> {
 public:
  Bending(const BlockPlace& place, std::string name, const Mat2& mass, const Vec2& start)
      : VectorSpaceBlock(place), name_(std::move(name)), mass_(mass), inverse_(mass.inverse()), start_(start) {}

  // What the Model asks about it.
  int nu() const override { return 2; }
  int bodies() const override { return 0; }
  std::vector<std::vector<int>> groups() const override { return {{0, 1}}; }  // they share inertia
  std::vector<int> speeds_moving(int) const override { return {}; }
  void add_wrench(const Kin&, int, const Wrench&, double*) const override {}
  void initial_state(double* q, double* u) const override {
    for (int i = 0; i < 2; ++i) {
      q[i] = start_[i];
      u[i] = 0;
    }
  }
  using VectorSpaceBlock::make_work;
  std::unique_ptr<BlockWork> make_work(double) const override { return std::make_unique<NoWork>(); }
  void factor_mass(const Kin&, const Loads&, BlockWork&) const override {}
  MassFailure mass_failure(const BlockWork&) const override { return {}; }
  double kinetic_energy(const Kin& kin) const override {
    const Vec2 u(kin.u[place().u], kin.u[place().u + 1]);
    return 0.5 * u.dot(mass_ * u);
  }
  std::vector<std::string> speed_names() const override { return {name_ + ".first", name_ + ".second"}; }
  void add_observables(Observables& out) const override {
    for (int i = 0; i < 2; ++i)
      add_coordinate_scalars(speed_names()[static_cast<size_t>(i)], "m", "bending coordinate", "coordinates in m",
                             place().q + i, place().u + i, out);
  }

  // The equations, for any scalar (vector_space_block.hpp).
  void solve(const BlockWork&, double* r) const {
    const Vec2 a = inverse_ * Vec2(r[0], r[1]);
    r[0] = a[0];
    r[1] = a[1];
  }
  template <class S>
  void move(const S*, const S*, KinT<S>&) const {}
  template <class S>
  void multiply_mass(const KinT<S>&, const LoadsT<S>&, const S* a, S* out) const {
    for (int i = 0; i < 2; ++i) out[i] = S(mass_(i, 0)) * a[0] + S(mass_(i, 1)) * a[1];
  }
  template <class S>
  void subtract_loads(const KinT<S>&, const LoadsT<S>& loads, S* out) const {
    for (int i = 0; i < 2; ++i) out[i] -= loads.tau[static_cast<size_t>(place().u + i)];
  }
  template <class S>
  void add_piece(const KinT<S>&, const typename JacobianT<S>::Entry&, const S&, S*) const {}
  template <class S>
  S piece_rate(const KinT<S>&, const typename JacobianT<S>::Entry&) const {
    return S(0);
  }

 private:
  std::string name_;
  Mat2 mass_, inverse_;
  Vec2 start_;
};

// Its stiffness is a force on its speeds.
class BendingStiffness final : public ForceOf<BendingStiffness> {
 public:
  BendingStiffness(const Bending& boom, const Vec2& stiffness)
      : ForceOf("stiffness"), place_(boom.place()), stiffness_(stiffness) {}
  std::string summary() const override { return "bending stiffness"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {}, .speeds = {place_.u, place_.u + 1}}}; }
  bool conservative() const override { return true; }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    S twice(0);
    for (int i = 0; i < 2; ++i) twice += S(stiffness_[i]) * c.kin.q[place_.q + i] * c.kin.q[place_.q + i];
    return S(0.5) * twice;
  }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    for (int i = 0; i < 2; ++i)
      loads.tau[static_cast<size_t>(place_.u + i)] -= S(stiffness_[i]) * c.kin.q[place_.q + i];
  }

 private:
  BlockPlace place_;
  Vec2 stiffness_;
};

struct Boom {
  Mat2 mass;
  Vec2 stiffness{4e5, 9e6};
  std::unique_ptr<Model> model;
  Boom() {
    mass << 900, 120, 120, 350;
    const auto tree = std::make_shared<Tree>(std::vector<Body>{});
    const auto bending = std::make_shared<Bending>(after(*tree), "boom", mass, Vec2(0.02, -0.005));
    ModelParts parts;
    parts.blocks = {tree, bending};
    parts.body_names = {"world"};
    parts.forces = {std::make_shared<BendingStiffness>(*bending, stiffness)};
    model = std::make_unique<Model>(std::move(parts));
  }
};

// det(K - ω²M) = 0
TEST(OwnBlock, HasItsModes) {
  const Boom boom;
  System system(*boom.model);
  const double a = boom.mass.determinant(),
               b = boom.mass(0, 0) * boom.stiffness[1] + boom.mass(1, 1) * boom.stiffness[0],
               c = boom.stiffness[0] * boom.stiffness[1], root = std::sqrt(b * b - 4 * a * c);
  const auto modes = vibration_modes(system, boom.model->initial_state()).modes;
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_NEAR(2 * M_PI * modes[0].frequency, std::sqrt((b - root) / (2 * a)), 1e-9);
  EXPECT_NEAR(2 * M_PI * modes[1].frequency, std::sqrt((b + root) / (2 * a)), 1e-9);
}

TEST(OwnBlock, KeepsItsEnergy) {
  const Boom boom;
  System system(*boom.model);
  State s = boom.model->initial_state();
  ASSERT_TRUE(system.evaluate(s));
  const double start = system.energy(s).total();
  const auto stepper = make_implicit(ImplicitMethod::conserving, *boom.model);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(stepper->step(system, s, 0.002).ok);
  ASSERT_TRUE(system.evaluate(s));
  EXPECT_NEAR(system.energy(s).total(), start, 1e-9 * start);
}

}  // namespace
}  // namespace davit
