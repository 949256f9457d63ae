// From the description of a line to its part of a model: its length for a pretension, its elements, and what is wrong.
#include <gtest/gtest.h>

#include <numbers>

#include "davit/cable/catenary.hpp"
#include "davit/mooring/line_force.hpp"
#include "davit/mooring/line_spec.hpp"

namespace davit::mooring {
namespace {

constexpr double depth = 50;

class LineBuild : public ::testing::Test {
 protected:
  input::Problems problems;
  std::unique_ptr<Model> model;
  State state;
  Workspace work;
  const LineForce* line = nullptr;

  // 76 mm chain on a bed 50 m deep, from an anchor 300 m away.
  static MooringLineSpec chain() {
    SectionSpec section;
    section.type = LineKind::studless_chain;
    section.diameter = 0.076;
    section.length = 310;
    MooringLineSpec out;
    out.anchor = Vec3(300, 0, -depth);
    out.to.name = "barge.bow";
    out.sections = {section};
    return out;
  }
  static MooringLineSpec spring(double stiffness) {
    MooringLineSpec out = chain();
    out.sections.clear();
    out.model = LineModelKind::spring;
    out.spring = SpringSpec{.stiffness = stiffness};
    return out;
  }

  void build(const MooringLineSpec& spec) {
    problems = {};
    line = nullptr;
    Body barge;
    barge.name = "barge";
    barge.joint.kind = JointKind::free;
    barge.mass = 1e6;
    barge.inertia = Sym3::diagonal(1e8, 1e8, 1e8);
    Assembly assembly(std::make_shared<Tree>(std::vector<Body>{barge}), problems);
    assembly.add_point("barge", "bow", Vec3(0, 0, -2));
    assembly.share(std::make_shared<const sea::Water>(sea::Water{.depth = depth}));
    spec.build("mooring", assembly);
    if (problems.has_errors()) return;
    const Kin kin = assembly.start_kinematics();
    model = assembly.finish();
    state = model->initial_state();
    work = model->make_workspace();
    work.kin = kin;
    line = dynamic_cast<const LineForce*>(model->forces().at(0).element.get());
  }
  const cable::LineView& view() const { return line->view(model->forces()[0].context(state, work)); }
  // On the fairlead.
  double channel(const std::string& name) const {
    for (const Channel& c : model->channels())
      if (c.name == name) return c.value(state, work);
    throw std::out_of_range(name);
  }
  void expect_mistake(const std::string& part) const {
    ASSERT_TRUE(problems.has_errors());
    EXPECT_NE(problems.to_text().find(part), std::string::npos) << problems.to_text();
  }
};

TEST_F(LineBuild, LengthIsFoundForATension) {
  MooringLineSpec spec = chain();
  spec.tension = 4e5;
  build(spec);
  ASSERT_TRUE(line) << problems.to_text();
  EXPECT_NEAR(view().force_b.norm() / 4e5, 1, 1e-3);
  // Against the exact line over a rigid bed.
  const double weight = (19.9e3 * 0.076 * 0.076) * (1 - 1025.0 / 7850) * 9.80665;
  const auto exact = cable::length_for_tension({0, weight, 0.854e11 * 0.076 * 0.076}, 300, depth - 2, 4e5);
  ASSERT_TRUE(exact);
  EXPECT_NEAR(line->line().length() / *exact, 1, 2e-3);
}

TEST_F(LineBuild, LengthIsFoundForAHorizontalTensionOrAnAngle) {
  MooringLineSpec spec = chain();
  spec.horizontal_tension = 3e5;
  build(spec);
  ASSERT_TRUE(line) << problems.to_text();
  EXPECT_NEAR(view().force_b.head<2>().norm() / 3e5, 1, 1e-3);
  spec = chain();
  spec.angle = 35 * std::numbers::pi / 180;
  build(spec);
  ASSERT_TRUE(line) << problems.to_text();
  EXPECT_NEAR(std::atan2(-view().force_b.z(), view().force_b.head<2>().norm()), *spec.angle, 1e-3);
}

TEST_F(LineBuild, LengthOfTheLastSectionAloneIsFound) {
  MooringLineSpec spec = chain();
  spec.sections[0].length = 200;
  spec.sections.push_back(spec.sections[0]);
  spec.tension = 4e5;
  build(spec);
  ASSERT_TRUE(line) << problems.to_text();
  const double two = line->line().length();
  MooringLineSpec one = chain();
  one.tension = 4e5;
  build(one);
  EXPECT_NEAR(two, line->line().length(), 0.02) << "of one kind it is one line";
}

TEST_F(LineBuild, ATensionThatNoLengthGivesIsAMistake) {
  MooringLineSpec spec = chain();
  spec.tension = 1e3;
  build(spec);
  expect_mistake("no length of the last section gives a tension of 1");
}

TEST_F(LineBuild, ElementsAreThoseGivenOrFineEnoughForTheAccuracy) {
  MooringLineSpec spec = chain();
  spec.sections[0].elements = 37;
  build(spec);
  ASSERT_TRUE(line) << problems.to_text();
  EXPECT_EQ(view().tension.size(), 37u);
  size_t fewer = 0;
  for (const double accuracy : {0.05, 0.02, 0.01}) {
    spec = chain();
    spec.accuracy = accuracy;
    build(spec);
    ASSERT_TRUE(line) << problems.to_text();
    const double bar = line->line().length() / static_cast<double>(view().tension.size());
    const double bed_stiffness = 115 * 0.87 * 9.81 / 0.2, horizontal = view().force_b.head<2>().norm();
    EXPECT_NEAR(bar / bar_length_for(accuracy, horizontal, bed_stiffness), 1, 0.05) << accuracy;
    EXPECT_GT(view().tension.size(), fewer);
    fewer = view().tension.size();
  }
}

TEST(LineElements, AreFinerForMoreAccuracyAndALooserLine) {
  EXPECT_LT(bar_length_for(0.01, 1e6, 5e3), bar_length_for(0.02, 1e6, 5e3));
  EXPECT_LT(bar_length_for(0.03, 1e6, 5e3), bar_length_for(0.05, 1e6, 5e3));
  EXPECT_GT(fineness_for(0.015).steps, fineness_for(0.03).steps);
  EXPECT_NEAR(bar_length_for(0.05, 4e6, 5e3) / bar_length_for(0.05, 1e6, 5e3), 2, 1e-12) << "as √(H/k)";
  EXPECT_EQ(bar_length_for(0.05, 1e-3, 5e3), bar_length_for(0.05, 1, 5e3)) << "λ is a metre at least";
}

TEST(LineElements, BendOverTheRootOfStiffnessOverTension) {
  cable::Section soft, stiff;
  stiff.EI = 4e4;
  EXPECT_NEAR(bending_length({soft, stiff}, 1e4), 2, 1e-12);
  EXPECT_EQ(bending_length({soft}, 1e4), 0);
}

TEST_F(LineBuild, LiesOnTheBedOfTheWater) {
  build(chain());
  ASSERT_TRUE(line) << problems.to_text();
  double lowest = 0;
  for (const Vec3& x : view().positions) lowest = std::min(lowest, x.z());
  EXPECT_NEAR(lowest, -depth, 0.5);
  EXPECT_GT(view().grounded_length, 50);
  EXPECT_NEAR(channel("mooring.tension"), view().force_b.norm(), 1e-6);
}

TEST_F(LineBuild, ASpringPullsByItsStiffnessAboutTheStart) {
  MooringLineSpec spec = spring(4e4);
  spec.tension = 1.5e5;
  build(spec);
  ASSERT_TRUE(line) << problems.to_text();
  EXPECT_NEAR(view().force_b.norm(), 1.5e5, 1e-6);
  work.kin.body[1].p.x() -= 1;
  const double further = Vec3(301, 0, -depth + 2).norm() - Vec3(300, 0, -depth + 2).norm();
  EXPECT_NEAR(view().force_b.norm(), 1.5e5 + 4e4 * further, 1e-3);
}

TEST_F(LineBuild, BreaksAtAMultipleOfItsBreakingLoad) {
  MooringLineSpec spec = chain();
  spec.breaks = BreakSpec{.above = *input::parse_threshold("0.5 * mbl").value};
  build(spec);
  ASSERT_TRUE(line) << problems.to_text();
  EXPECT_NEAR(line->breaks().above, 0.5 * 22.3e6 * 0.076 * 0.076 * (44 - 80 * 0.076), 1);
  spec = spring(4e4);
  spec.breaks = BreakSpec{.above = *input::parse_threshold("0.5 * mbl").value};
  build(spec);
  expect_mistake("the breaking load of the line is not known");
}

TEST_F(LineBuild, AnAnchorIsOnTheBed) {
  MooringLineSpec spec = chain();
  spec.anchor->z() = -depth + 10;
  build(spec);
  expect_mistake("its anchor is 10 m above the bed");
  spec.anchor->z() = -depth - 3;
  build(spec);
  expect_mistake("its first end is 3 m below the bed, which is 50 m deep there");
  spec.anchor->z() = -depth + 3;
  build(spec);
  EXPECT_FALSE(problems.has_errors()) << "a pile";
  EXPECT_NE(problems.to_text().find("its anchor is 3 m above the bed"), std::string::npos);
}

TEST_F(LineBuild, ALineReachesFromEndToEnd) {
  MooringLineSpec spec = chain();
  spec.sections[0].length = 250;
  build(spec);
  expect_mistake("the line is 250 m long, and its ends are 303.82 m apart");
}

TEST_F(LineBuild, HasOneFirstEnd) {
  MooringLineSpec spec = chain();
  spec.from = input::Reference{"barge.bow", {}};
  build(spec);
  expect_mistake("a mooring line has either an anchor or a first end on a body");
  spec.anchor.reset();
  spec.from.reset();
  build(spec);
  expect_mistake("a mooring line has either an anchor or a first end on a body");
}

TEST_F(LineBuild, ASectionHasAllItsProperties) {
  MooringLineSpec spec = chain();
  spec.sections[0].diameter.reset();
  build(spec);
  expect_mistake("typical properties need a diameter");
  spec.sections[0].type.reset();
  build(spec);
  expect_mistake("a section without 'type' needs EA, mass and submerged_weight");
  spec.sections[0].EA = 1e9;
  spec.sections[0].mass = 100;
  spec.sections[0].submerged_weight = 1200;
  build(spec);
  expect_mistake("a line of 100 kg/m cannot weigh 1200 N/m in water");
}

TEST_F(LineBuild, WhatIsClampedBends) {
  MooringLineSpec spec = chain();
  spec.clamped_to = Vec3(1, 0, -1);
  build(spec);
  expect_mistake("an end of the line is clamped, and the line has no bending stiffness");
}

// DNV-OS-E302 in its own units: kN, c d² (44 - 0.08 d) with d in mm.
TEST(Catalogue, ChainHasTheBreakingLoadOfItsGrade) {
  const std::pair<ChainGrade, double> grades[] = {
      {ChainGrade::R3, 0.0223}, {ChainGrade::R3S, 0.0249}, {ChainGrade::R4, 0.0274}, {ChainGrade::R5, 0.0320}};
  for (const auto& [grade, factor] : grades)
    for (const double d : {50.0, 76.0, 120.0})
      EXPECT_NEAR(typical_section(LineKind::studless_chain, 1e-3 * d, grade).breaking_load,
                  1e3 * factor * d * d * (44 - 0.08 * d), 1)
          << d;
}

// What lines weigh tells what they are made of: steel of 7850 kg/m³, polyester of 1380 kg/m³.
TEST(Catalogue, LinesHaveTheDensityOfTheirMaterial) {
  const std::pair<LineKind, double> kinds[] = {{LineKind::studless_chain, 7850},
                                               {LineKind::studlink_chain, 7850},
                                               {LineKind::wire, 7850},
                                               {LineKind::polyester, 1380}};
  for (const auto& [kind, density] : kinds) {
    const cable::Section s = typical_section(kind, 0.1, ChainGrade::R3);
    EXPECT_NEAR(s.mass / s.displacement / density, 1, 0.02);
  }
}

TEST(Catalogue, GoesBySquaredDiameter) {
  for (const LineKind kind : {LineKind::studless_chain, LineKind::wire, LineKind::polyester}) {
    const cable::Section thin = typical_section(kind, 0.05, ChainGrade::R4),
                         thick = typical_section(kind, 0.1, ChainGrade::R4);
    EXPECT_NEAR(thick.mass / thin.mass, 4, 1e-12);
    EXPECT_NEAR(thick.EA / thin.EA, 4, 1e-12);
    EXPECT_NEAR(thick.displacement / thin.displacement, 4, 1e-12);
  }
}

}  // namespace
}  // namespace davit::mooring
