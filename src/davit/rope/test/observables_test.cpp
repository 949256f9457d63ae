// What is seen of a rope: every number is filled, the path goes round sheaves and over edges, nodes are told.
#include "davit/rope/observables.hpp"

#include <gtest/gtest.h>

#include "davit/mesh/repair.hpp"
#include "davit/mesh/shapes.hpp"

namespace davit::rope {
namespace {

Waypoint waypoint_at(const Vec3& at, const std::string& name = "eye") {
  Waypoint w;
  w.name = name;
  w.frame.offset.p = at;
  return w;
}

// A rope in the world under 1 kN, as the only thing in it.
struct SeenRope {
  std::unique_ptr<Model> model;
  State state;
  Workspace work;

  explicit SeenRope(RopeSetup setup) {
    setup.rope.elasticity = Elasticity(1e5, 0);
    setup.tension = 1000;
    Kin start;
    start.body.resize(1);
    const auto rope = std::make_shared<RopeForce>("hoist", std::move(setup), start);
    ModelParts parts;
    parts.forces = {rope};
    add_observables(rope, ElementPlace{}, parts.observables);
    model = std::make_unique<Model>(std::move(parts));
    state = model->initial_state();
    work = model->make_workspace();
    DiscreteState committed = state.discrete;
    rope->commit(ElementPlace{}.context(state, work), committed);
    state.discrete = committed;
  }
  Polyline path() const {
    Polyline line;
    EXPECT_EQ(model->observables().polylines.at(0).name, "hoist");
    model->observables().polylines.at(0).draw(state, work, line);
    return line;
  }
};

// Up to a sheave of half a metre, half round it and down.
RopeSetup over_a_sheave() {
  RopeSetup setup;
  Waypoint sheave = waypoint_at({0, 0, 5}, "sheave");
  sheave.frame.offset.R = rotation_from_z(Vec3::UnitY());
  sheave.radius = 0.5;
  setup.rope.layout.waypoints = {waypoint_at({-0.5, 0, 0}), sheave, waypoint_at({0.5, 0, 1})};
  return setup;
}

// Over a beam of two metres, from metres beside it.
RopeSetup over_a_beam(double friction) {
  RopeSetup setup;
  Waypoint above = waypoint_at({0, 0, 4});
  above.passing = false;
  setup.rope.layout.waypoints = {waypoint_at({-4, 0, 0}), above, waypoint_at({4, 0, 0})};
  const RepairedMesh box = repair(box_mesh(Vec3(2, 2, 2)));
  TouchedSurface surface;
  surface.name = "beam";
  surface.features = std::make_shared<Features>(find_features(box.mesh));
  surface.edges = std::make_shared<EdgeTree>(*surface.features);
  surface.size = bounds(box.mesh).size();
  surface.static_friction = surface.kinetic_friction = friction;
  setup.rope.layout.surfaces = {surface};
  setup.rope.friction = friction > 0;
  return setup;
}

TEST(RopeObservables, ThePathGoesRoundASheave) {
  const SeenRope rope(over_a_sheave());
  const auto vertices = rope.path().vertices;
  ASSERT_EQ(vertices.size(), 15u);  // the ends, and twelve pieces of 15 degrees
  EXPECT_NEAR((vertices.front().at - Vec3(-0.5, 0, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((vertices.back().at - Vec3(0.5, 0, 1)).norm(), 0, 1e-12);
  for (size_t i = 1; i < 14; ++i) {
    const double angle = std::numbers::pi / 12 * static_cast<double>(i - 1);
    const Vec3 expected(-0.5 * std::cos(angle), 0, 5 + 0.5 * std::sin(angle));
    EXPECT_NEAR((vertices[i].at - expected).norm(), 0, 1e-9) << i;
    EXPECT_NEAR(vertices[i].tension, 1000, 1e-6);
    EXPECT_EQ(vertices[i].contact, Polyline::Contact::none);
  }
}

TEST(RopeObservables, ThePathHasItsNodesOnEdges) {
  const SeenRope rope(over_a_beam(0.2));
  const auto vertices = rope.path().vertices;
  ASSERT_EQ(vertices.size(), 4u);
  for (const size_t i : {1u, 2u}) {
    EXPECT_NEAR((vertices[i].at - Vec3(i == 1 ? -1 : 1, 0, 1)).norm(), 0, 1e-6);
    EXPECT_EQ(vertices[i].contact, Polyline::Contact::sticks);
    EXPECT_NEAR(vertices[i].tension, 1000, 1);
    EXPECT_FALSE(vertices[i].gap_after);
  }
  EXPECT_EQ(vertices[0].contact, Polyline::Contact::none);
}

TEST(RopeObservables, APathInPiecesHasItsGap) {
  RopeSetup setup;
  setup.rope.layout.waypoints = {waypoint_at({0, 0, 0}), waypoint_at({0, 0, 2}), waypoint_at({1, 0, 2}),
                                 waypoint_at({1, 0, 0})};
  setup.rope.layout.waypoints[1].gap_after = true;
  const auto vertices = SeenRope(std::move(setup)).path().vertices;
  ASSERT_EQ(vertices.size(), 4u);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(vertices[i].gap_after, i == 1);
}

TEST(RopeObservables, EveryNumberIsFilled) {
  for (RopeSetup setup : {over_a_sheave(), over_a_beam(0), over_a_beam(0.2)}) {
    const SeenRope rope(std::move(setup));
    ASSERT_EQ(rope.model->observables().scalars.size(), 1u);
    const ObservedScalars& seen = *rope.model->observables().scalars[0];
    constexpr double untouched = -12345;
    std::vector<double> values(seen.scalars.size() + 1, untouched);
    seen.observe(rope.state, rope.work, values.data());
    for (size_t i = 0; i < seen.scalars.size(); ++i) EXPECT_NE(values[i], untouched) << seen.scalars[i].name;
    EXPECT_EQ(values.back(), untouched);
    for (const Channel& c : rope.model->channels()) {
      if (c.name == "hoist.tension_to") {
        EXPECT_NEAR(c.value(rope.state, rope.work), 1000, 1);
      }
      if (c.name == "hoist.pass1.turn") {
        EXPECT_NEAR(c.value(rope.state, rope.work), std::numbers::pi, 1e-9);
      }
      if (c.name == "hoist.contact_force") {
        EXPECT_NEAR(c.value(rope.state, rope.work), 2000 * std::sin(std::atan(1 / 3.0) / 2), 1);
      }
    }
  }
}

TEST(RopeObservables, NodesAreEvents) {
  struct Heard final : EventSink {
    void event(double, std::string_view element, std::string_view key, std::string_view text,
               std::span<const double> values) override {
      told.push_back(std::string(element) + " " + std::string(key) + " " + std::string(text));
      places.push_back(values[0]);
    }
    std::vector<std::string> told;
    std::vector<double> places;
  } heard;
  const SeenRope rope(over_a_beam(0.2));
  for (const ObservedEvents& e : rope.model->observables().events) e.report(rope.state, rope.work, heard);
  EXPECT_EQ(heard.told, (std::vector<std::string>{"hoist sticks beam", "hoist sticks beam"}));
  EXPECT_NEAR(heard.places.at(0), -1, 1e-6);
  EXPECT_TRUE(SeenRope(over_a_sheave()).model->observables().events.empty());
}

}  // namespace
}  // namespace davit::rope
