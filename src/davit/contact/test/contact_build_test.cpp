// The compliant contact of a file: its law, what it touches, its channels, and what is wrong.
#include <gtest/gtest.h>

#include "davit/contact/compliant_contact_spec.hpp"
#include "davit/mesh/shapes.hpp"

namespace davit::contact {
namespace {

class ContactBuild : public ::testing::Test {
 protected:
  input::Problems problems;
  std::unique_ptr<Model> model;
  State state;
  Workspace work;

  // A block of 2 m on whose top is a plate of 1 m, pressed in by 1 cm.
  void build(const CompliantContactSpec& spec, bool open = false) {
    problems = {};
    std::vector<Body> bodies(2);
    bodies[0].name = "block";
    bodies[1].name = "plate";
    bodies[1].at.p = Vec3(0, 0, 1.49);
    for (Body& body : bodies) {
      body.joint.kind = JointKind::free;
      body.mass = 1;
      body.inertia = Sym3::diagonal(1, 1, 1);
    }
    Assembly assembly(std::make_shared<Tree>(bodies), problems);
    assembly.add_point("plate", "west", Vec3(-0.5, 0, -0.5));
    assembly.add_point("plate", "east", Vec3(0.5, 0, -0.5));
    assembly.add_point("block", "top", Vec3(0, 0, 1));
    TriangleMesh block = box_mesh(Vec3(2, 2, 2));
    if (open) block.triangles.pop_back();
    assembly.add_surface("block_hull",
                         std::make_shared<BodySurface>("block_hull", *assembly.body_frame("block"), block));
    assembly.add_surface("plate_hull", std::make_shared<BodySurface>("plate_hull", *assembly.body_frame("plate"),
                                                                     box_mesh(Vec3(1, 1, 1))));
    spec.build("contact", assembly);
    if (problems.has_errors()) return;
    const Kin kin = assembly.start_kinematics();
    model = assembly.finish();
    state = model->initial_state();
    work = model->make_workspace();
    work.kin = kin;
  }
  double channel(const std::string& name) const {
    for (const Channel& c : model->channels())
      if (c.name == "contact." + name) return c.value(state, work);
    throw std::out_of_range(name);
  }
  static input::Reference named(const std::string& name) { return {name, {}}; }
  static CompliantContactSpec feet() {
    CompliantContactSpec out;
    out.surface = named("block.top");
    out.points = {named("plate.west"), named("plate.east")};
    out.stiffness = 3e6;
    return out;
  }
  void expect_mistake(const std::string& part) const {
    ASSERT_TRUE(problems.has_errors());
    EXPECT_NE(problems.to_text().find(part), std::string::npos) << problems.to_text();
  }
};

TEST_F(ContactBuild, PointsPressIntoAPlane) {
  build(feet());
  ASSERT_FALSE(problems.has_errors()) << problems.to_text();
  EXPECT_NEAR(channel("normal"), 2 * 3e6 * 0.01, 1e-3);
  EXPECT_NEAR(channel("west.normal"), 3e6 * 0.01, 1e-3);
  EXPECT_NEAR(channel("gap"), -0.01, 1e-12);
  EXPECT_EQ(channel("touching"), 2);
}

TEST_F(ContactBuild, APlaneEndsWhereItIsSaidTo) {
  CompliantContactSpec spec = feet();
  spec.length = 0.9;
  build(spec);
  ASSERT_FALSE(problems.has_errors()) << problems.to_text();
  EXPECT_EQ(channel("touching"), 0);
}

TEST_F(ContactBuild, ATableIsTheCurveOfEachPoint) {
  const auto quantity = [](const char* text) { return *input::parse_quantity(text).value; };
  CompliantContactSpec spec = feet();
  spec.stiffness.reset();
  spec.table = {{quantity("5 mm"), quantity("10 kN")}, {quantity("15 mm"), quantity("50 kN")}};
  build(spec);
  ASSERT_FALSE(problems.has_errors()) << problems.to_text();
  EXPECT_NEAR(channel("west.normal"), 30e3, 1e-3);
}

// Pressure is stiffness per area times depth, on a square metre.
TEST_F(ContactBuild, ASurfacePressesByItsArea) {
  CompliantContactSpec spec;
  spec.surface = named("block.top");
  spec.points_of = named("plate_hull");
  spec.stiffness_per_area = 2e7;
  spec.spacing = 0.05;
  build(spec);
  ASSERT_FALSE(problems.has_errors()) << problems.to_text();
  // Points at the rim of the bottom stand for the lowest half spacing of the sides too.
  EXPECT_NEAR(channel("normal") / (2e7 * 0.01 * 1), 1, 4 * 0.05 / 2);
  EXPECT_GT(channel("normal"), 2e7 * 0.01 * 1);
}

TEST_F(ContactBuild, PointsAndSurfaceAreOnDifferentBodies) {
  CompliantContactSpec spec = feet();
  spec.points = {named("block.top")};
  build(spec);
  expect_mistake("the points and the surface are on one body");
}

TEST_F(ContactBuild, AnOpenSurfaceHasNoInside) {
  CompliantContactSpec spec = feet();
  spec.surface.reset();
  spec.mesh = named("block_hull");
  build(spec);
  EXPECT_FALSE(problems.has_errors()) << problems.to_text();
  build(spec, true);
  expect_mistake("the surface 'block_hull' is open: it has no inside to press into");
}

TEST_F(ContactBuild, TooManyPointsAreRefused) {
  CompliantContactSpec spec;
  spec.surface = named("block.top");
  spec.points_of = named("plate_hull");
  spec.stiffness_per_area = 2e7;
  spec.spacing = 1e-3;
  build(spec);
  expect_mistake("points 0.001 m apart on 'plate_hull' are more than 20000");
}

}  // namespace
}  // namespace davit::contact
