// Linear models of small mechanisms: coordinates without mass, rows on speeds, turns in space, bearing friction, all in
// motion too, against closed forms and differences of accelerations.
#include "davit/solve/linear_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/knife_edge.hpp"
#include "davit/dynamics/scalars.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"

namespace davit {
namespace {

// A generalised force that is an input.
class Push final : public ForceOf<Push> {
 public:
  Push(int speed, int input) : ForceOf("push"), speed_(speed), input_(input) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<size_t>(speed_)] += c.w[input_];
  }

 private:
  int speed_, input_;
};

struct Made {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
};
Made make(std::vector<Body> bodies, const std::function<void(const Tree&, ModelParts&)>& add) {
  Made out;
  out.tree = std::make_shared<Tree>(std::move(bodies));
  ModelParts parts;
  parts.blocks = {out.tree};
  parts.body_names = out.tree->segment_names();
  add(*out.tree, parts);
  out.model = std::make_unique<Model>(std::move(parts));
  return out;
}

Body body(const char* name, JointKind kind, const Vec3& axis = Vec3::UnitX()) {
  Body b;
  b.name = name;
  b.joint.kind = kind;
  b.joint.axis = axis;
  b.mass = 3;
  b.inertia = Sym3::diagonal(0.4, 0.5, 0.3);
  return b;
}

PortSelection all_inputs(const Model& model, Loop loop = Loop::closed) {
  PortSelection out;
  out.loop = loop;
  for (int i = 0; i < static_cast<int>(model.inputs().size()); ++i) out.inputs.push_back(i);
  for (int i = 0; i < static_cast<int>(model.signals().size()); ++i) out.signals.push_back(i);
  for (const Channel& c : model.channels()) out.outputs.push_back(c);
  return out;
}

Eigen::Index index_of(const std::vector<linear::Variable>& list, const std::string& name) {
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<Eigen::Index>(i);
  throw std::logic_error("there is no " + name);
}

// A drum without mass, tied to a trolley by x = r φ, and a torque on the drum: ẍ = τ/(r m).
TEST(LinearModel, a_coordinate_without_mass_that_a_row_ties) {
  const double r = 0.4;
  const Made m = make({body("trolley", JointKind::prismatic)}, [&](const Tree& tree, ModelParts& parts) {
    const auto scalars = std::make_shared<Scalars>(after(tree), std::vector<Scalar>{{"drum", "rad", 0}});
    parts.blocks.push_back(scalars);
    const TreeBody& b = tree.body("trolley");
    parts.constraints = {{"rack", std::make_shared<JointCombination>(
                                      JointCombination::gear(scalars->at(0), CoordinateIndex{b.q, b.u}, r))}};
    parts.inputs = {{"torque", "N m"}};
    parts.forces = {std::make_shared<Push>(scalars->at(0).u, 0)};
  });
  System system(*m.model);
  const LinearModel linear = linear_model(system, m.model->initial_state(), all_inputs(*m.model));
  const linear::StateSpace& s = linear.space;
  ASSERT_EQ(s.A.rows(), 2);
  const linear::Complex at(0.3, 0.8);
  const MatXc seen = linear::transfer(s, at);
  EXPECT_LT(std::abs(seen(index_of(s.outputs, "trolley.travel"), 0) - 1.0 / (r * 3 * at * at)), 1e-13);
  EXPECT_LT(std::abs(seen(index_of(s.outputs, "drum"), 0) - 1.0 / (r * r * 3 * at * at)), 1e-12);
  EXPECT_NEAR(s.D(index_of(s.outputs, "trolley.travel_acceleration"), 0), 1 / (r * 3), 1e-9);
  EXPECT_TRUE(linear.outputs[static_cast<size_t>(index_of(s.outputs, "drum_rate"))].exact);
  EXPECT_FALSE(linear.outputs[static_cast<size_t>(index_of(s.outputs, "trolley.travel_acceleration"))].exact);
}

TEST(LinearModel, a_coordinate_without_mass_that_nothing_ties_is_named) {
  const Made m = make({body("trolley", JointKind::prismatic)}, [&](const Tree& tree, ModelParts& parts) {
    parts.blocks.push_back(std::make_shared<Scalars>(after(tree), std::vector<Scalar>{{"drum", "rad", 0}}));
    parts.inputs = {{"torque", "N m"}};
    parts.forces = {std::make_shared<Push>(0, 0)};
  });
  System system(*m.model);
  try {
    linear_model(system, m.model->initial_state(), all_inputs(*m.model));
    FAIL() << "it has a linear model";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("drum has no inertia"), std::string::npos) << error.what();
  }
}

// A skate that glides along x at speed v: ẏ = v ψ. Three coordinates, two speeds.
TEST(LinearModel, rows_on_speeds_leave_their_coordinates) {
  const double v = 2;
  Body skate = body("skate", JointKind::planar, Vec3::UnitZ());
  skate.joint.rate = {v, 0, 0};
  const Made m = make({skate}, [&](const Tree& tree, ModelParts& parts) {
    Frame edge = tree.frame("skate");
    edge.offset.R << 1, 0, 0, 0, 0, 1, 0, -1, 0;  // its z axis is y of the body
    parts.constraints = {{"edge", std::make_shared<KnifeEdge>(edge)}};
    parts.inputs = {{"moment", "N m"}};
    parts.forces = {std::make_shared<Push>(tree.body("skate").u + 2, 0)};
  });
  System system(*m.model);
  const LinearModel linear = linear_model(system, m.model->initial_state(), all_inputs(*m.model));
  const linear::StateSpace& s = linear.space;
  ASSERT_EQ(s.A.rows(), 5);
  EXPECT_FALSE(linear.at_rest());
  const linear::Complex at(0.1, 0.5);
  const MatXc seen = linear::transfer(s, at);
  const linear::Complex turned = 1.0 / (0.3 * at * at);
  EXPECT_LT(std::abs(seen(index_of(s.outputs, "skate.angle"), 0) - turned), 1e-12);
  EXPECT_LT(std::abs(seen(index_of(s.outputs, "skate.y"), 0) - v * turned / at), 1e-11);
}

// ḋ and u̇ in the chart of the state, by differences of what the System evaluates.
MatX by_differences(System& system, const State& at) {
  const int nu = system.model().nu();
  MatX out(2 * nu, 2 * nu);
  constexpr double h = 1e-4;
  for (int i = 0; i < 2 * nu; ++i) {
    const auto rates = [&](double step) {
      State s = at;
      VecX d = VecX::Zero(nu), rate(nu), all(2 * nu);
      (i < nu ? d[i] : s.u[i - nu]) += step;
      system.retract(at.q, d, s.q);
      EXPECT_TRUE(system.evaluate(s));
      system.increment_rate(d, s.u, rate);
      all << rate, system.workspace().a;
      return all;
    };
    out.col(i) = (8 * (rates(h) - rates(-h)) - (rates(2 * h) - rates(-2 * h))) / (12 * h);
  }
  return out;
}

TEST(LinearModel, turns_in_space_in_motion) {
  for (const JointKind kind : {JointKind::free, JointKind::spherical}) {
    Body top = body("top", kind);
    top.centre = {0.1, -0.2, 0.4};
    top.joint.position =
        kind == JointKind::free ? std::vector<double>{0.4, -0.3, 0.8, 1, 2, 3} : std::vector<double>{0.4, -0.3, 0.8};
    top.joint.rate =
        kind == JointKind::free ? std::vector<double>{1.5, -2, 3, 0.5, 0.2, -0.7} : std::vector<double>{1.5, -2, 3};
    const Made m = make({top}, [&](const Tree& tree, ModelParts& parts) {
      parts.forces = {std::make_shared<Gravity>(
          Vec3(0, 0, -9.81),
          std::vector<Gravity::Weight>{{tree.frame("top").body, 3, tree.frame("top").offset * top.centre}})};
      parts.inputs = {{"moment", "N m"}};
      parts.forces.push_back(std::make_shared<Push>(1, 0));
    });
    System system(*m.model);
    const State start = m.model->initial_state();
    const MatX expected = by_differences(system, start);
    const LinearModel linear = linear_model(system, start, all_inputs(*m.model));
    EXPECT_LT((linear.space.A - expected).cwiseAbs().maxCoeff(), 1e-9) << type_of(kind).name;
    // What a difference leaves of the workspace is what the instant shows.
    EXPECT_EQ(system.workspace().w[0], 0);
    EXPECT_EQ(system.workspace().kin.deviations, nullptr);
  }
}

TEST(LinearModel, bearing_friction_in_motion) {
  Body arm = body("arm", JointKind::revolute, Vec3::UnitY());
  arm.centre = {0, 0, -1.2};
  arm.joint.position = {0.5};
  arm.joint.rate = {2e-3};
  Body second = arm;
  second.name = "second";
  second.on = "arm";
  second.at.p = {0, 0, -2};
  second.joint.rate = {-1e-3};
  const Made m = make({arm, second}, [&](const Tree& tree, ModelParts& parts) {
    std::vector<Gravity::Weight> weights;
    for (const Body& b : {arm, second}) {
      const TreeBody& t = tree.body(b.name);
      weights.push_back({t.last_segment, b.mass, t.frame * b.centre});
      parts.reaction_forces.push_back(std::make_shared<BearingFriction>(
          b.name + " bearing", JointCoordinate{b.name, t.q, t.u, t.last_segment, true}, t.last_segment,
          BearingFriction::Data{0.1, 0.05, 2e-3}));
    }
    parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -9.81), weights)};
    parts.inputs = {{"moment", "N m"}};
    parts.forces.push_back(std::make_shared<Push>(0, 0));
  });
  System system(*m.model);
  const State start = m.model->initial_state();
  const MatX rough = by_differences(system, start);
  const LinearModel linear = linear_model(system, start, all_inputs(*m.model));
  ASSERT_TRUE(system.evaluate(start));
  EXPECT_LT((linear.point.a - system.workspace().a).cwiseAbs().maxCoeff(), 1e-9);
  // tanh(u/u_c) changes over a step of the differences: five digits are left of them.
  EXPECT_LT((linear.space.A - rough).cwiseAbs().maxCoeff(), 1e-5 * rough.cwiseAbs().maxCoeff());
}

TEST(LinearModel, channels_by_differences_are_as_good_as_exact_ones) {
  const Made m = make({body("trolley", JointKind::prismatic)}, [&](const Tree& tree, ModelParts& parts) {
    parts.inputs = {{"force", "N"}};
    parts.outputs = {{"place", "m", Output::Kind::position, 0, tree.frame("trolley")}};
    parts.forces = {std::make_shared<Push>(0, 0)};
  });
  System system(*m.model);
  const LinearModel linear = linear_model(system, m.model->initial_state(), all_inputs(*m.model));
  const linear::StateSpace& s = linear.space;
  const Eigen::Index exact = index_of(s.outputs, "place"), other = index_of(s.outputs, "trolley.position_x");
  EXPECT_TRUE(linear.outputs[static_cast<size_t>(exact)].exact);
  EXPECT_FALSE(linear.outputs[static_cast<size_t>(other)].exact);
  EXPECT_LT((s.C.row(exact) - s.C.row(other)).norm(), 1e-10);
  EXPECT_LT(linear.outputs[static_cast<size_t>(other)].error, 1e-9);
}

}  // namespace
}  // namespace davit
