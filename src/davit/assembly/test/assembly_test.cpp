// What an Assembly finds by name, and what it says of names and moves that do not fit.
#include "davit/assembly/assembly.hpp"

#include <gtest/gtest.h>

#include "davit/assembly/surface.hpp"
#include "davit/dynamics/system.hpp"
#include "davit/mesh/shapes.hpp"

namespace davit {
namespace {

using input::Problems;
using input::Reference;
using input::Where;

Body body(const std::string& name, const std::string& on, JointKind kind) {
  Body b;
  b.name = name;
  b.on = on;
  b.joint.kind = kind;
  b.mass = 1;
  b.inertia = Sym3::diagonal(1, 1, 1);
  return b;
}

class Assembling : public ::testing::Test {
 protected:
  std::shared_ptr<const Tree> tree = [] {
    std::vector<Body> bodies{body("vessel", "world", JointKind::roll_pitch_yaw),
                             body("king", "vessel", JointKind::revolute),
                             body("boom", "king", JointKind::cylindrical),
                             body("hook", "boom", JointKind::spherical),
                             body("lug", "hook", JointKind::fixed),
                             body("load", "world", JointKind::free)};
    bodies[1].joint.position = {0.5};
    bodies[1].at.p = Vec3(0, 0, 5);
    return std::make_shared<Tree>(bodies);
  }();
  Problems problems;
  Assembly assembly{tree, problems};

  static Reference at(const std::string& name, int line = 7) {
    return {name, Where{"lift.yaml", line, 3, "forces.f.on"}};
  }
  input::Problem the_problem() const {
    EXPECT_EQ(problems.all().size(), 1u) << problems.to_text();
    return problems.all().empty() ? input::Problem{} : problems.all()[0];
  }
  static void expect_has(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
  }
  static input::Quantity quantity(const std::string& text) {
    auto q = *input::parse_quantity(text).value;
    q.where = {"lift.yaml", 9, 5, "operation[0].move"};
    return q;
  }
  static Assembly::Move move(double from, double over, double to, int line) {
    return {from, over, to, {}, Where{"lift.yaml", line, 5, "operation[1]"}};
  }
};

TEST_F(Assembling, finds_bodies_points_and_the_world) {
  assembly.add_point("king", "top", Vec3(0, 0, 2));
  const auto top = assembly.frame(at("king.top"));
  ASSERT_TRUE(top);
  EXPECT_TRUE(assembly.frame(at("world")));
  EXPECT_TRUE(assembly.frame(at("hook")));
  EXPECT_FALSE(problems.has_errors()) << problems.to_text();
  EXPECT_EQ(top->offset.p, Vec3(0, 0, 2));
  EXPECT_EQ(top->body, tree->body("king").last_segment);
}

TEST_F(Assembling, unknown_frames_give_the_nearest_name) {
  assembly.add_point("boom", "tip", Vec3::Zero());
  EXPECT_FALSE(assembly.frame(at("boom.tpi")));
  const auto p = the_problem();
  EXPECT_EQ(p.where.line, 7);
  EXPECT_EQ(p.where.column, 3);
  expect_has(p.message, "there is no body or point 'boom.tpi'");
  expect_has(p.remedy, "did you mean 'boom.tip'?");
  expect_has(p.remedy, "vessel, king, boom");
}

TEST_F(Assembling, unknown_bodies_give_the_nearest_name) {
  EXPECT_FALSE(assembly.coordinate(at("kign")));
  expect_has(the_problem().message, "there is no body 'kign'");
  expect_has(the_problem().remedy, "did you mean 'king'?");
}

TEST_F(Assembling, unknown_targets_give_the_nearest_of_all_that_can_be_moved) {
  assembly.add_target("main", "m");
  EXPECT_FALSE(assembly.target(at("mian")));
  expect_has(the_problem().remedy, "did you mean 'main'?");
  expect_has(the_problem().remedy, "king");
}

TEST_F(Assembling, unknown_coordinates_name_those_that_exist) {
  EXPECT_FALSE(assembly.coordinate(at("vessel.rol")));
  expect_has(the_problem().message, "there is no joint coordinate 'vessel.rol'");
  expect_has(the_problem().remedy, "did you mean 'vessel.roll'?");
  expect_has(the_problem().remedy, "vessel.roll, vessel.pitch, vessel.yaw");
}

TEST_F(Assembling, a_joint_of_several_coordinates_must_be_named) {
  EXPECT_FALSE(assembly.coordinate(at("vessel")));
  expect_has(the_problem().message, "the joint of 'vessel' has 3 coordinates");
  expect_has(the_problem().remedy, "vessel.roll");
}

TEST_F(Assembling, coordinates_know_their_place) {
  const TreeBody& vessel = tree->body("vessel");
  const auto pitch = assembly.coordinate(at("vessel.pitch"));
  ASSERT_TRUE(pitch);
  EXPECT_EQ(pitch->q, vessel.q + 1);
  EXPECT_EQ(pitch->u, vessel.u + 1);
  EXPECT_EQ(tree->segments()[static_cast<size_t>(pitch->segment)].u, pitch->u);
  EXPECT_TRUE(pitch->angle);
  const auto king = assembly.coordinate(at("king"));
  ASSERT_TRUE(king);
  EXPECT_EQ(king->name, "king.angle");
  EXPECT_EQ(assembly.coordinate(at("king.angle"))->u, king->u);
  const auto travel = assembly.coordinate(at("boom.travel")), angle = assembly.coordinate(at("boom.angle"));
  EXPECT_FALSE(travel->angle);
  EXPECT_TRUE(angle->angle);
  EXPECT_NE(travel->segment, angle->segment);
  EXPECT_EQ(tree->segments()[static_cast<size_t>(travel->segment)].kind, Primitive::prismatic);
  EXPECT_EQ(tree->segments()[static_cast<size_t>(angle->segment)].kind, Primitive::revolute);
  EXPECT_FALSE(problems.has_errors());
}

TEST_F(Assembling, quaternion_and_fixed_joints_have_no_coordinate_to_act_on) {
  for (const char* name : {"hook", "load.x", "lug"}) {
    Problems own;
    Assembly other(tree, own);
    EXPECT_FALSE(other.coordinate(at(name)));
    ASSERT_EQ(own.all().size(), 1u);
    expect_has(own.all()[0].message, "has no coordinate to act on");
    expect_has(own.all()[0].remedy, "wrench");
  }
}

TEST_F(Assembling, quantities_of_a_joint_have_the_unit_of_its_motion) {
  const auto king = *assembly.coordinate(at("king")), travel = *assembly.coordinate(at("boom.travel"));
  EXPECT_EQ(assembly.joint_quantity(quantity("3 kN m"), king, "N m", "N"), 3000);
  EXPECT_EQ(assembly.joint_quantity(quantity("3 kN"), travel, "N m", "N"), 3000);
  EXPECT_EQ(assembly.joint_quantity(std::nullopt, travel, "N m", "N"), 0);
  EXPECT_FALSE(problems.has_errors());
  EXPECT_EQ(assembly.joint_quantity(quantity("3 kN"), king, "N m", "N"), 0);
  EXPECT_EQ(the_problem().where.line, 9);
  expect_has(the_problem().message, "'3 kN' is a force");
}

TEST_F(Assembling, moves_start_from_the_start_and_are_taken) {
  assembly.add_move("king.angle", move(1, 2, 1.5, 11));
  const Signal signal = assembly.take_signal(*assembly.coordinate(at("king.angle")));
  EXPECT_EQ(assembly.motion(signal).value(0.5), 0.5);
  EXPECT_EQ(assembly.motion(signal).value(3), 1.5);
  EXPECT_EQ(assembly.range(signal), std::pair(0.5, 1.5));
  const auto model = assembly.finish();
  EXPECT_FALSE(problems.has_errors()) << problems.to_text();
  ASSERT_EQ(model->signals().size(), 1u);
  EXPECT_EQ(model->signals()[0].name, "king.angle");
  EXPECT_EQ(model->signals()[0].unit, "rad");
  EXPECT_EQ(model->initial_state().discrete.signals[0], model->signals()[0].motion);
}

TEST_F(Assembling, moves_that_nothing_drives_are_reported) {
  assembly.add_move("king.angle", move(1, 2, 1, 11));
  assembly.add_move("boom.travel", move(4, 2, 2, 12));
  assembly.take_signal(*assembly.coordinate(at("boom.travel")));
  assembly.finish();
  EXPECT_EQ(the_problem().where.line, 11);
  expect_has(the_problem().message, "nothing drives 'king.angle'");
  expect_has(the_problem().remedy, "add a controller");
}

TEST_F(Assembling, moves_that_overlap_are_reported_with_their_line) {
  assembly.add_move("king.angle", move(1, 2, 1, 11));
  assembly.add_move("king.angle", move(2, 2, 0.2, 12));
  assembly.add_move("king.angle", move(5, 2, 0.4, 13));
  assembly.take_signal(*assembly.coordinate(at("king")));
  EXPECT_EQ(the_problem().where.line, 12);
  expect_has(the_problem().remedy, "let each end before the next begins");
}

TEST_F(Assembling, targets_are_joints_or_what_said_so) {
  assembly.add_target("winch", "m/s");
  EXPECT_EQ(assembly.target(at("winch"))->unit, "m/s");
  EXPECT_FALSE(assembly.target(at("winch"))->joint);
  EXPECT_EQ(assembly.target(at("king"))->name, "king.angle");
  EXPECT_EQ(assembly.target(at("king"))->unit, "rad");
  EXPECT_TRUE(assembly.target(at("king"))->joint);
  EXPECT_FALSE(assembly.target(at("kign")));
  expect_has(the_problem().remedy, "did you mean 'king'?");
}

TEST_F(Assembling, switches_are_signals_of_who_asks) {
  assembly.add_switch("sling", 0);
  EXPECT_FALSE(assembly.take_switch("rope"));
  const auto signal = assembly.take_switch("sling");
  ASSERT_TRUE(signal);
  EXPECT_EQ(assembly.motion(*signal).value(5), 0);
}

TEST_F(Assembling, what_hangs_on_a_mistake_is_not_reported_again) {
  Problems own;
  Assembly other(tree, own, {"king", "crane"});
  EXPECT_FALSE(other.coordinate(at("king")));
  EXPECT_FALSE(other.coordinate(at("king.anlge")));
  EXPECT_FALSE(other.frame(at("king.tip")));
  other.add_move("king.angle", move(1, 2, 1, 11));
  other.finish();
  EXPECT_FALSE(own.has_errors()) << own.to_text();
}

// Position and attitude, on any joint and in any coordinates.
TEST_F(Assembling, every_body_shows_its_pose) {
  assembly.add_particles({{"buoy", 1, Vec3(1, 2, 3)}});
  Body plate = body("plate", "world", JointKind::free);
  plate.at = {exp_rotation(Vec3(0.1, 0.2, 0.3)), Vec3(4, 5, 6)};
  assembly.add_director_body(plate);
  const auto model = assembly.finish();
  State state = model->initial_state();
  state.q[0] = 0.3;  // roll of the vessel, which all but three bodies stand on
  System system(*model);
  ASSERT_TRUE(system.evaluate(state));
  const Kin& kin = system.workspace().kin;
  std::vector<std::string> names;
  for (const ObservedPose& seen : model->observables().poses) {
    names.push_back(seen.name);
    const Frame frame = assembly.body_frame(seen.name).value();
    EXPECT_EQ(seen.pose(kin).p, position(kin, frame));
    EXPECT_EQ(seen.pose(kin).R, rotation(kin, frame));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"vessel", "king", "boom", "hook", "lug", "load", "buoy", "plate"}));
  const auto pose = [&](size_t i) { return model->observables().poses[i].pose(kin); };
  EXPECT_TRUE(pose(0).R.isApprox(exp_rotation(Vec3(0.3, 0, 0)), 1e-14));
  EXPECT_TRUE(pose(1).p.isApprox(exp_rotation(Vec3(0.3, 0, 0)) * Vec3(0, 0, 5), 1e-14));
  EXPECT_TRUE(pose(4).R.isApprox(pose(3).R, 1e-14));  // fixed
  EXPECT_TRUE(pose(6).p.isApprox(Vec3(1, 2, 3), 1e-14));
  EXPECT_TRUE(pose(7).R.isApprox(plate.at.R, 1e-14));
}

TEST_F(Assembling, surfaces_are_seen_with_their_frames) {
  const Frame king = assembly.body_frame("king").value();
  assembly.add_surface("mast", std::make_shared<BodySurface>("mast", king, box_mesh(Vec3(1, 1, 8))));
  assembly.add_surface("lost", nullptr);
  const auto model = assembly.finish();
  ASSERT_EQ(model->observables().surfaces.size(), 1u);
  const ObservedSurface& seen = model->observables().surfaces[0];
  EXPECT_EQ(seen.name, "mast");
  EXPECT_EQ(seen.frame.body, king.body);
  EXPECT_EQ(seen.mesh->triangles.size(), 12u);
}

}  // namespace
}  // namespace davit
