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
  says(ends + "sections: [{EA: 0 N, mass: 100 kg/m, submerged_weight: 800 N/m, length: 400 m}]", "EA");
  says(ends + "sections: [{type: wire, diameter: 60 mm, length: 400 m, elements: 0}]", "elements");
  says(ends + "sections: [{type: wire, diameter: 60 mm, length: 0 m}]", "length");
  says(ends + "sections: [{type: polyester, diameter: 150 mm, length: 400 m, dynamic_EA: 100 MN}]",
       "stiffness by rate needs");
  says(ends + "sections: [{type: polyester, diameter: 150 mm, length: 400 m, dynamic_EA: 1 MN, relaxation_time: 9 s}]",
       "its dynamic EA must be as large as EA at least");
  says(ends + "winch: true, model: spring, " + chain, "a spring has no winch");
  says(ends + "model: spring, spring: {}", "the spring has no stiffness");
  says(ends + "spring: {stiffness: 40 kN/m}", "only a line with 'model: spring' has a spring");
  says(ends + "model: spring, spring: {table: [[10 m, 0 kN], [9 m, 5 kN]]}", "must grow with the distance");
  says(ends + "model: spring, spring: {table: [[10 m, 0 kN], [9 m]]}", "is not a pair");
  says(ends + "tension: 1 MN, angle: 20 deg, " + chain, "one length cannot give two of");
  says(ends + "seabed: {slope: 5 deg}, " + chain, "a slope has an angle and a heading");
  says(ends + "seabed: {slope: 10 deg, slope_heading: 180 deg}, " + chain,
       "its first end is 70.53 m below the bed, which is -20.53 m deep there");
}

TEST(MooringLine, an_anchor_is_on_the_bed) {
  const std::string to_bow = ", to: ship.bow, " + chain;
  for (const char* place : {"-40 m", "50 m"}) {
    const Read wrong = moored(std::string("anchor: [400 m, 0, ") + place + "]" + to_bow);
    EXPECT_FALSE(wrong.scenario);
    EXPECT_TRUE(wrong.says(place[0] == '-' ? "its anchor is 10 m above the bed" : "its anchor is 100 m above the bed"))
        << wrong.problems.to_text();
  }
  // The head of a pile, a bollard on a quay.
  for (const char* place : {"-47 m", "4 m"}) {
    const Read doubtful = moored(std::string("anchor: [400 m, 0, ") + place + "]" + to_bow);
    EXPECT_TRUE(doubtful.scenario) << doubtful.problems.to_text();
    EXPECT_TRUE(doubtful.says("above the bed")) << doubtful.problems.to_text();
  }
}

TEST(MooringLine, what_length_cannot_give_is_told_with_units) {
  const Read read = moored("anchor: [400 m, 0, -50 m], to: ship.bow, tension: 90000 MN, " + chain);
  EXPECT_FALSE(read.scenario);
  EXPECT_TRUE(read.says("no length of the last section gives a tension of ")) << read.problems.to_text();
  EXPECT_FALSE(read.says("e+")) << read.problems.to_text();
}

TEST(MooringLine, hangs_as_the_catenary_at_the_start) {
  const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, seabed: {stiffness: 1e6 N/m^2}, " + chain);
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  const State start = read.scenario->initial_state();
  const cable::Section section =
      mooring::typical_section(mooring::LineKind::studless_chain, 0.076, mooring::ChainGrade::R3);
  const auto exact = cable::grounded_catenary({400, (section.mass - 1025 * section.displacement) * 9.80665, section.EA},
                                              375, 51 - section.axis_height);
  ASSERT_TRUE(exact);
  EXPECT_NEAR(channel(*read.scenario, start, "bow.tension") / exact->tension_upper(), 1, 5e-3);
  EXPECT_NEAR(channel(*read.scenario, start, "bow.grounded_length"), exact->grounded, 0.01 * 400);
}

TEST(MooringLine, length_is_found_for_a_tension) {
  const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, tension: 700 kN, " + chain);
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  EXPECT_NEAR(channel(*read.scenario, read.scenario->initial_state(), "bow.tension"), 700e3, 5e3);
}

TEST(MooringLine, length_is_found_for_an_angle_or_a_horizontal_tension) {
  const auto pull = [](const std::string& target) {
    const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, " + target + ", " + chain);
    EXPECT_TRUE(read.scenario) << read.problems.to_text();
    const State start = read.scenario->initial_state();
    return Vec3(channel(*read.scenario, start, "bow.fairlead_force_x"),
                channel(*read.scenario, start, "bow.fairlead_force_y"),
                channel(*read.scenario, start, "bow.fairlead_force_z"));
  };
  EXPECT_NEAR(pull("horizontal_tension: 500 kN").x(), 500e3, 5e3);
  const Vec3 steep = pull("angle: 40 deg");
  EXPECT_NEAR(std::atan2(-steep.z(), steep.x()) * 180 / pi, 40, 0.5);
  const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, tension: 20 kN, " + chain);
  EXPECT_FALSE(read.scenario);
  EXPECT_TRUE(read.says("no length of the last section gives a tension of 20 kN")) << read.problems.to_text();
}

TEST(MooringLine, lighter_models_pull_alike_at_the_start) {
  const auto pull = [](const std::string& model) {
    const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, tension: 500 kN, " + model);
    EXPECT_TRUE(read.scenario) << read.problems.to_text();
    return channel(*read.scenario, read.scenario->initial_state(), "bow.tension");
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

// A run of some seconds with more at the top of the file; the value of a channel when it ends.
double after(const Read& read, double seconds, const std::string& name) {
  EXPECT_TRUE(read.scenario) << read.problems.to_text();
  if (!read.scenario) return NAN;
  return channel(*read.scenario, run(*read.scenario, seconds, 0.1), name);
}

TEST(MooringLine, breaks_at_a_time_or_beyond_a_tension) {
  const std::string held = "anchor: [430 m, 0, -50 m], to: ship.bow, " + chain;
  EXPECT_GT(after(moored(held + ", breaks: {at: 2 s}"), 1.9, "bow.tension"), 5e4);
  EXPECT_EQ(after(moored(held + ", breaks: {at: 2 s}"), 2.1, "bow.tension"), 0);
  EXPECT_EQ(after(moored(held + ", breaks: {at: 2 s}"), 2.1, "bow.intact"), 0);
  const std::string inside = held + ", breaks: {at: 2 s, along: 250 m}";
  EXPECT_GT(after(moored(inside), 2.1, "bow.tension"), 1e4) << "what still hangs on the ship";
  EXPECT_NEAR(after(moored(inside), 2.1, "bow.broke_at"), 250, 5);
  EXPECT_EQ(after(moored(held + ", breaks: {above: 10 kN}"), 1, "bow.intact"), 0);
  EXPECT_EQ(after(moored(held + ", breaks: {above: 1 * mbl}"), 1, "bow.intact"), 1);
  const auto says = [&](const std::string& breaks, const std::string& words) {
    const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, breaks: " + breaks +
                             ", sections: [{EA: 4e8 N, mass: 115 kg/m, submerged_weight: 980 N/m, length: 400 m}]");
    EXPECT_FALSE(read.scenario);
    EXPECT_TRUE(read.says(words)) << read.problems.to_text();
  };
  says("{}", "it is not said when the line breaks");
  says("{above: 1 * mbl}", "the breaking load of the line is not known");
  says("{above: 1 * load}", "'load' is no property of a line");
  says("{above: 5 m}", "m");
  says("{above: -5 kN}", "is broken at the start");
}

TEST(MooringLine, a_winch_takes_in_what_the_operation_says) {
  const auto hauled = [](const std::string& move, const std::string& more = "winch: true") {
    return Read("water_depth: 50 m", "hydrodynamics: " + barge + ", points: {bow: [55 m, 0, 1 m]}",
                "forces: {bow: {mooring_line: {anchor: [430 m, 0, -50 m], to: ship.bow, " + more + ", " + chain +
                    "}}}\noperation: [{at: 1 s, over: 4 s, move: {bow: " + move + "}}]",
                "step: 0.1 s");
  };
  const double still = after(hauled("-0.001 m"), 6, "bow.tension"), taut = after(hauled("-2 m"), 6, "bow.tension");
  EXPECT_GT(taut, 1.05 * still);
  EXPECT_LT(after(hauled("2 m"), 6, "bow.tension"), 0.95 * still);
  EXPECT_NEAR(after(hauled("-2 m"), 6, "bow.paid_out"), -2, 1e-9);
  EXPECT_TRUE(hauled("-500 m").says("the winch takes in 500 m")) << hauled("-500 m").problems.to_text();
  EXPECT_TRUE(hauled("3 kg").says("kg"));
  EXPECT_FALSE(hauled("-1 m", "winch: false").scenario);
}

TEST(MooringLine, lies_on_the_bed_of_the_environment) {
  const auto read = [](const std::string& environment, const std::string& line) {
    return Read(environment, "hydrodynamics: " + barge + ", points: {bow: [55 m, 0, 1 m]}",
                "forces: {bow: {mooring_line: {anchor: [430 m, 0, -50 m], to: ship.bow" + line + ", " + chain + "}}}",
                "step: 0.1 s");
  };
  const auto tension = [](const Read& of) {
    EXPECT_TRUE(of.scenario) << of.problems.to_text();
    return channel(*of.scenario, of.scenario->initial_state(), "bow.tension");
  };
  const double level = tension(read("water_depth: 50 m", ""));
  EXPECT_NEAR(tension(read("seabed: {depth: 50 m}", "")) / level, 1, 1e-9);
  // A bed that falls away from the anchor towards the ship lies 20 m deeper under it.
  const std::string slope = "seabed: {depth: 70 m, slope: 2.66 deg, slope_heading: 180 deg}";
  const double sloping = tension(read(slope, ""));
  EXPECT_GT(std::abs(sloping / level - 1), 0.05);
  EXPECT_NEAR(tension(read("water_depth: 50 m", ", " + slope)) / sloping, 1, 1e-9);
  const Read missing = read("seabed: {map: no_such_map.asc}", "");
  EXPECT_FALSE(missing.scenario);
  EXPECT_TRUE(missing.says("no_such_map.asc")) << missing.problems.to_text();
  EXPECT_TRUE(read("seabed: {depth: 50 m, map: a.asc}", "").says("given by a map and by a depth"));
  EXPECT_TRUE(Read("seabed: {depth: 50 m}", "hydrodynamics: " + barge, "", "step: 0.1 s").says("nothing lies on"));
}

// The same bits with scratch of its own at every step, and in a copy that goes on.
uint64_t hash_after_steps(const Scenario& scenario, bool fresh) {
  auto system = std::make_unique<System>(*scenario.model);
  auto stepper = scenario.make_stepper();
  State state = scenario.initial_state();
  state.u[3] = 0.5;
  system->commit(state);
  for (int n = 0; n < 48; ++n) {
    if (fresh && n % 16 == 0) {
      system = std::make_unique<System>(*scenario.model);
      stepper = scenario.make_stepper();
    }
    EXPECT_TRUE(stepper->step(*system, state, 0.1).ok);
    system->commit(state);
  }
  return state.hash();
}
TEST(MooringLine, scratch_does_not_matter) {
  const Read read = moored("anchor: [430 m, 0, -50 m], to: ship.bow, " + chain);
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  EXPECT_EQ(hash_after_steps(*read.scenario, false), hash_after_steps(*read.scenario, true));
}
// Nor where waves are met by windows, and beams are clamped.
TEST(MooringLine, scratch_does_not_matter_in_waves) {
  const std::string clamped =
      "sections: [{type: studless_chain, diameter: 76 mm, length: 395 m, EI: 1 kN m^2}, {type: studless_chain, "
      "diameter: 76 mm, length: 5 m, elements: 8, EI: 60 kN m^2}], clamped_to: [1, 0, -0.5]";
  for (const std::string& line : {chain, clamped}) {
    const Read read("water_depth: 50 m, waves: {spectrum: regular, height: 3 m, period: 8 s, heading: 0}",
                    "hydrodynamics: " + barge + ", wave_ramp: 1 s, points: {bow: [55 m, 0, 1 m]}",
                    "forces: {bow: {mooring_line: {anchor: [430 m, 0, -50 m], to: ship.bow, " + line + "}}}",
                    "step: 0.1 s");
    ASSERT_TRUE(read.scenario) << read.problems.to_text();
    EXPECT_EQ(hash_after_steps(*read.scenario, false), hash_after_steps(*read.scenario, true));
  }
}

std::string banner_of(const Read& read) {
  for (const auto& force : read.scenario->model->forces())
    if (force.element->name() == "bow") return force.element->summary();
  return {};
}
const std::string anchored = "anchor: [430 m, 0, -50 m], to: ship.bow, ";
std::string hose(const std::string& EI) {
  return anchored +
         "sections: [{EA: 2e8 N, mass: 150 kg/m, submerged_weight: 900 N/m, diameter: 0.3 m, length: 400 m, EI: " + EI +
         "}]";
}

TEST(MooringLine, elements_are_chosen_by_bending_and_accuracy) {
  const Read limp = moored(hose("10 N m^2")), stiff = moored(hose("5000 kN m^2"));
  ASSERT_TRUE(limp.scenario && stiff.scenario) << limp.problems.to_text() << stiff.problems.to_text();
  EXPECT_NE(banner_of(limp).find("bars for 5 %; bars because it bends over"), std::string::npos) << banner_of(limp);
  EXPECT_NE(banner_of(stiff).find("beams (ANCF) for 5 %; beams because"), std::string::npos) << banner_of(stiff);
  const auto elements = [](const Read& read) {
    return std::stoi(banner_of(read).substr(banner_of(read).find(',') + 1));
  };
  const Read fine = moored(hose("10 N m^2") + ", accuracy: 2 %");
  ASSERT_TRUE(fine.scenario) << fine.problems.to_text();
  EXPECT_NEAR(static_cast<double>(elements(fine)) / elements(limp), 0.8 * 3.5, 0.1);
}

TEST(MooringLine, beams_pull_as_bars_do) {
  const Read bars = moored(anchored + "element: bar, " + chain), beams = moored(anchored + "element: ancf, " + chain);
  ASSERT_TRUE(bars.scenario && beams.scenario) << bars.problems.to_text() << beams.problems.to_text();
  const auto tension = [](const Read& r) { return channel(*r.scenario, r.scenario->initial_state(), "bow.tension"); };
  EXPECT_NEAR(tension(beams) / tension(bars), 1, 2e-3);
}

TEST(MooringLine, mistakes_of_bending_and_steps_are_told) {
  const auto says = [](const std::string& line, const std::string& words) {
    const Read read = moored(anchored + line);
    EXPECT_TRUE(read.says(words)) << read.problems.to_text();
  };
  says("clamped_to: [1, 0, 0], " + chain, "an end of the line is clamped, and the line has no bending stiffness");
  says("clamped_to: [1, 0, 0], element: bar, " + chain, "bars do not bend");
  says("clamped_to: [0, 0, 0], " + chain, "the direction of a clamped end has no length");
  says("model: quasi_static, element: ancf, " + chain, "only a line with 'model: dynamic' bends");
  says("accuracy: 0.1 %, " + chain, "accuracy");
  const std::string sea = "water_depth: 50 m, waves: {spectrum: regular, height: 2 m, period: 8 s}";
  const std::string ship = "hydrodynamics: " + barge + ", points: {bow: [55 m, 0, 1 m]}";
  const std::string forces = "forces: {bow: {mooring_line: {" + anchored + "accuracy: 1 %, " + chain + "}}}";
  const Read hasty(sea, ship, forces, "step: 0.1 s"), patient(sea, ship, forces, "step: 13 ms");
  EXPECT_TRUE(hasty.says("a step of 100 ms is long for an accuracy of 1 % in waves of 8 s"))
      << hasty.problems.to_text();
  EXPECT_FALSE(patient.says("is long for an accuracy")) << patient.problems.to_text();
}

}  // namespace
}  // namespace davit
