// A section and a verb of one's own are read, checked, built and moved as those of the library are.
#include "davit/api/extension.hpp"

#include <gtest/gtest.h>

#include "davit/api/lift.hpp"
#include "davit/api/model_builder.hpp"
#include "davit/scenario/specification.hpp"

namespace davit {
namespace {

// A jack on a joint that slides: a stiff spring to where a signal says.
class Jack final : public ForceOf<Jack> {
 public:
  Jack(std::string name, const JointCoordinate& at, double stiffness, Signal stroke)
      : ForceOf(std::move(name)), q_(at.q), u_(at.u), stiffness_(stiffness), stroke_(stroke) {}
  std::string summary() const override { return "a jack"; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<std::size_t>(u_)] -= S(stiffness_) * (c.kin.q[q_] - stroke_.value(c.kin));
  }

 private:
  int q_, u_;
  double stiffness_;
  Signal stroke_;
};

struct JackSpec {
  input::Reference joint;
  double stiffness = 0;

  static const input::Record<JackSpec>& record() {
    static const auto r = input::Record<JackSpec>("jack", "A hydraulic jack on a joint that slides")
                              .field("joint", &JackSpec::joint, "the joint")
                              .field("stiffness", &JackSpec::stiffness, "N/m", "stiffness of its oil")
                              .above(0);
    return r;
  }
  void declare(const std::string& name, Assembly& assembly) const { assembly.add_target(name, "m"); }
  void build(const std::string& name, Assembly& assembly) const {
    if (const auto at = assembly.coordinate(joint))
      assembly.add(std::make_shared<Jack>(name, *at, stiffness, assembly.take_signal(name, 0)));
  }
};

struct ExtendVerb : TargetsSpec {
  void plan(operation::PhaseMoves& moves) const {
    for (const auto& [name, stroke] : targets)
      if (const auto target = moves.assembly().target(name))
        moves.travel(*target, name, stroke, operation::SignalMove::Kind::by);
  }
};

const bool registered = [] {
  add_section<JackSpec>("jacks", "jack", "hydraulic jacks by name", BuildStage::forces);
  add_verb<ExtendVerb>("extend", "jacks that push out", "{jack: 1 m}");
  return true;
}();

constexpr const char* jacked_block = R"(
davit: 1
title: A block on a jack
environment: {gravity: 0 m/s^2}
bodies:
  block: {joint: {prismatic: z}, mass: 1 t, inertia: [1 t m^2, 1 t m^2, 1 t m^2]}
jacks:
  ram: {joint: block, stiffness: 9 MN/m}
operation:
  - {extend: {ram: 20 cm}, over: 10 s}
run: {duration: 12 s, step: 5 ms}
)";

TEST(Extension, AVerbOfOnesOwnMovesAnElementOfASectionOfOnesOwn) {
  ASSERT_TRUE(registered);
  const Lift lift = Lift::parse(jacked_block);
  const std::size_t place = lift.channel("block.travel");
  double last = 0;
  const LiftOutcome outcome = lift.run([&](const Instant& now) {
    last = now.value(place);
    return true;
  });
  EXPECT_TRUE(outcome.complete) << outcome.why;
  // A spring of 95 rad/s follows a smooth move over 10 s to a millionth of it.
  EXPECT_NEAR(last, 0.2, 2e-7);
}

TEST(Extension, InCodeAsInAFile) {
  ModelBuilder builder("A block on a jack");
  BodySpec block;
  block.joint.emplace().prismatic = AxisSpec{Vec3::UnitZ()};
  block.mass = 1000;
  block.inertia = Vec3(1000, 1000, 1000);
  JackSpec jack;
  jack.joint = builder.add("block", block);
  jack.stiffness = 9e6;
  PhaseSpec phase;
  phase.add(ExtendVerb{{{{builder.add("ram", jack), *input::parse_quantity("20 cm").value}}}});
  phase.over = 10;
  builder.add(phase);
  const std::string text = builder.to_yaml();
  EXPECT_NE(text.find("jacks:"), std::string::npos) << text;
  EXPECT_NE(text.find("extend:"), std::string::npos) << text;
}

TEST(Extension, ItsMistakesAreToldAsThoseOfTheLibrary) {
  const auto refused = [](std::string from, const std::string& with) {
    std::string text = jacked_block;
    text.replace(text.find(from), from.size(), with);
    try {
      Lift::parse(text);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  EXPECT_NE(refused("9 MN/m", "-9 MN/m").find("jacks.ram.stiffness"), std::string::npos);
  EXPECT_NE(refused("20 cm", "20 kg").find("extend"), std::string::npos);
  EXPECT_NE(refused("extend: {ram", "extend: {rim").find("ram"), std::string::npos);
  EXPECT_NE(refused("ram: {joint", "block: {joint").find("the jack 'block' has the name of something else"),
            std::string::npos);
}

TEST(Extension, WhatComesAfterTheFirstScenarioIsRefused) {
  Lift::parse(jacked_block);
  EXPECT_THROW(add_section<JackSpec>("rams", "ram", "too late", BuildStage::forces), std::logic_error);
  EXPECT_THROW(add_verb<ExtendVerb>("push", "too late"), std::logic_error);
}

}  // namespace
}  // namespace davit
