// Mooring lines in scenarios: what is wrong with them is said with numbers, statics are exact, runs go on bit for bit.
#include <fmt/format.h>

#include "davit/cable/catenary.hpp"
#include "davit/math/constants.hpp"
#include "davit/mooring/catalogue.hpp"
#include "davit/scenario/test/vessel_support.hpp"

namespace davit {
namespace {

using namespace test;

const std::string chain = "sections: [{type: studless_chain, diameter: 76 mm, length: 400 m}]";

Read moored(const std::string& line, const std::string& run = "step: 0.1 s") {
  return Read("water_depth: 50 m", "hydrodynamics: " + barge + ", points: {bow: [55 m, 0, 1 m]}",
              "forces: {bow: {mooring_line: {" + line + "}}}", run);
}

TEST(MooringLine, mistakes_are_told_with_numbers) {
  const auto says = [](const std::string& line, const std::string& words) {
    const Read read = moored(line);
    EXPECT_FALSE(read.scenario);
    EXPECT_TRUE(read.says(words)) << read.problems.to_text();
  };
  says("to: ship.bow, " + chain, "either an anchor or a first end on a body");
  says("anchor: [900 m, 0, -50 m], to: ship.bow, " + chain, "the line is 400 m long, and its ends are 846.54 m apart");
  says("anchor: [400 m, 0, -60 m], to: ship.bow, " + chain, "its first end is 10 m below the bed, which is 50 m deep");
  says("anchor: [400 m, 0, -50 m], to: ship.bow, sections: []", "the line has no sections");
  says("anchor: [400 m, 0, -50 m], to: ship.bow, sections: [{type: wire, length: 400 m}]",
       "typical properties need a diameter");
  says("anchor: [400 m, 0, -50 m], to: ship.bow, sections: [{EA: 1e8 N, mass: 100 kg/m, length: 400 m}]",
       "needs EA, mass and submerged_weight");
  says(
      "anchor: [400 m, 0, -50 m], to: ship.bow, sections: [{EA: 1e8 N, mass: 100 kg/m, submerged_weight: 2000 N/m, "
      "length: 400 m}]",
      "cannot weigh");
  says("anchor: [400 m, 0, -50 m], to: ship.stern, " + chain, "stern");
  const std::string ends = "anchor: [400 m, 0, -50 m], to: ship.bow, ";
  says(ends + "model: spring, spring: {}", "the spring has no stiffness");
  says(ends + "spring: {stiffness: 40 kN/m}", "only a line with 'model: spring' has a spring");
  says(ends + "model: spring, spring: {table: [[10 m, 0 kN], [9 m, 5 kN]]}", "must grow with the distance");
  says(ends + "model: spring, spring: {table: [[10 m, 0 kN], [9 m]]}", "is not a pair");
  says(ends + "tension: 1 MN, angle: 20 deg, " + chain, "one length cannot give two of");
  says(ends + "seabed: {slope: 5 deg}, " + chain, "a slope has an angle and a heading");
  says(ends + "seabed: {slope: 10 deg, slope_heading: 180 deg}, " + chain,
       "its first end is 70.53 m below the bed, which is -20.53 m deep there");
}

TEST(MooringLine, hangs_as_the_catenary_at_the_start) {
  const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, seabed: {stiffness: 1e6 N/m^2}, " + chain);
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  const State start = read.scenario->model->initial_state();
  const cable::Section section =
      mooring::typical_section(mooring::LineKind::studless_chain, 0.076, mooring::ChainGrade::R3);
  const auto exact =
      cable::grounded_catenary({400, (section.mass - 1025 * section.displacement) * 9.80665, section.EA}, 375, 51);
  ASSERT_TRUE(exact);
  EXPECT_NEAR(channel(*read.scenario, start, "bow.tension") / exact->tension_upper(), 1, 5e-3);
  EXPECT_NEAR(channel(*read.scenario, start, "bow.grounded_length"), exact->grounded, 0.01 * 400);
}

TEST(MooringLine, length_is_found_for_a_tension) {
  const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, tension: 700 kN, " + chain);
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  EXPECT_NEAR(channel(*read.scenario, read.scenario->model->initial_state(), "bow.tension"), 700e3, 5e3);
}

TEST(MooringLine, length_is_found_for_an_angle_or_a_horizontal_tension) {
  const auto pull = [](const std::string& target) {
    const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, " + target + ", " + chain);
    EXPECT_TRUE(read.scenario) << read.problems.to_text();
    const State start = read.scenario->model->initial_state();
    return Vec3(channel(*read.scenario, start, "bow.fairlead_force_x"),
                channel(*read.scenario, start, "bow.fairlead_force_y"),
                channel(*read.scenario, start, "bow.fairlead_force_z"));
  };
  EXPECT_NEAR(pull("horizontal_tension: 500 kN").x(), 500e3, 5e3);
  const Vec3 steep = pull("angle: 40 deg");
  EXPECT_NEAR(std::atan2(-steep.z(), steep.x()) * 180 / pi, 40, 0.5);
  const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, tension: 20 kN, " + chain);
  EXPECT_FALSE(read.scenario);
  EXPECT_TRUE(read.says("no length of the last section gives tension 20 kN")) << read.problems.to_text();
}

TEST(MooringLine, lighter_models_pull_alike_at_the_start) {
  const auto pull = [](const std::string& model) {
    const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, tension: 500 kN, " + model);
    EXPECT_TRUE(read.scenario) << read.problems.to_text();
    return channel(*read.scenario, read.scenario->model->initial_state(), "bow.tension");
  };
  EXPECT_NEAR(pull(chain), 500e3, 5e3);
  EXPECT_NEAR(pull("model: quasi_static, " + chain), 500e3, 5e3);
  EXPECT_NEAR(pull("model: spring, " + chain), 500e3, 5e3);
  EXPECT_NEAR(pull("model: spring, spring: {stiffness: 50 kN/m}"), 500e3, 1);
}

// A chain of 76 mm in the tables of makers: 126 kg/m of studlink chain, 4884 kN of grade R3.
TEST(MooringLine, typical_properties) {
  const auto studlink = mooring::typical_section(mooring::LineKind::studlink_chain, 0.076, mooring::ChainGrade::R3);
  EXPECT_NEAR(studlink.mass, 126.5, 0.5);
  EXPECT_NEAR(studlink.breaking_load, 4884e3, 1e3);
}

// The same bits with scratch of its own at every step, and in a copy that goes on.
TEST(MooringLine, scratch_does_not_matter) {
  const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, " + chain);
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  const auto go = [&](bool fresh) {
    auto system = std::make_unique<System>(*read.scenario->model);
    auto stepper = read.scenario->make_stepper();
    State state = read.scenario->model->initial_state();
    state.u[3] = 0.5;
    system->commit(state);
    for (int n = 0; n < 48; ++n) {
      if (fresh && n % 16 == 0) {
        system = std::make_unique<System>(*read.scenario->model);
        stepper = read.scenario->make_stepper();
      }
      EXPECT_TRUE(stepper->step(*system, state, 0.1).ok);
      system->commit(state);
    }
    return state.hash();
  };
  EXPECT_EQ(go(false), go(true));
}

}  // namespace
}  // namespace davit
