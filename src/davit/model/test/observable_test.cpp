// What is seen of a model: numbers that share a look, and what an element publishes of itself.
#include <gtest/gtest.h>

#include "davit/model/model.hpp"

namespace davit {
namespace {

// Three numbers, and how often they were looked at.
std::shared_ptr<int> add_counted(Observables& out, const std::string& name, double first) {
  auto looks = std::make_shared<int>(0);
  out.add_scalars({{name + ".a", "m", "", "", ""}, {name + ".b", "N", "", "", ""}, {name + ".c", "1", "", "", ""}},
                  [looks, first](const State& s, const Workspace&, double* values) {
                    ++*looks;
                    for (int i = 0; i < 3; ++i) values[i] = first + i + s.t;
                  });
  return looks;
}

TEST(Observables, ASourceIsLookedAtOnceAndOnlyIfItIsChosen) {
  ModelParts parts;
  const auto rope = add_counted(parts.observables, "rope", 10), mesh = add_counted(parts.observables, "mesh", 20),
             winch = add_counted(parts.observables, "winch", 30);
  const Model model(std::move(parts));
  ASSERT_EQ(model.channels().size(), 9u);
  EXPECT_EQ(model.channels()[4].name, "mesh.b");
  EXPECT_EQ(model.channels()[4].unit, "N");
  // In any order; nothing of the mesh.
  const std::vector<Channel> chosen{model.channels()[7], model.channels()[2], model.channels()[0], model.channels()[8]};
  ChannelReader reader(chosen);
  ASSERT_EQ(reader.size(), 4u);
  State state = model.initial_state();
  const Workspace work = model.make_workspace();
  std::vector<double> values(4);
  for (const double t : {0.0, 0.5}) {
    state.t = t;
    reader.read(state, work, values.data());
    EXPECT_EQ(values, (std::vector{31 + t, 12 + t, 10 + t, 32 + t}));
  }
  EXPECT_EQ(*rope, 2);
  EXPECT_EQ(*winch, 2);
  EXPECT_EQ(*mesh, 0);
  EXPECT_EQ(model.channels()[4].value(state, work), 21.5);
  EXPECT_EQ(*mesh, 1);
}

TEST(Observables, WhatRingsOrCrossesIsAlwaysRecorded) {
  ScalarInfo info{"gap.distance", "m", "", "", ""};
  EXPECT_FALSE(info.always_recorded());
  ScalarInfo alarmed = info, crossed = info;
  alarmed.alarm = {0.1, "too near"};
  crossed.crossing = {"gap", "touch", "part"};
  EXPECT_TRUE(alarmed.always_recorded());
  EXPECT_TRUE(crossed.always_recorded());
}

class Leaking final : public ForceOf<Leaking> {
 public:
  Leaking(std::string name, double first) : ForceOf(std::move(name)), first_(first) {
    publish("level", "m", "what is left", [](const ContextT<double>& c) { return c.z[0]; });
    publish(
        "loss", "m/s", "what leaks", [this](const ContextT<double>& c) { return first_ - c.z[0]; }, false);
  }
  std::string summary() const override { return "a leak"; }
  int auxiliary_states() const override { return 1; }
  void initial_z(double* z) const override { z[0] = first_; }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>&, S*) const {}

 private:
  double first_;
};

TEST(Observables, AForcePublishesItsChannels) {
  ModelParts parts;
  parts.forces = {std::make_shared<Leaking>("tank", 3), std::make_shared<Leaking>("barrel", 5)};
  const Model model(std::move(parts));
  ASSERT_EQ(model.channels().size(), 4u);
  const char* const names[] = {"tank.level", "tank.loss", "barrel.level", "barrel.loss"};
  const double expected[] = {2, 1, 5, 0};
  State state = model.initial_state();
  state.z[0] = 2;
  const Workspace work = model.make_workspace();
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(model.channels()[i].name, names[i]);
    EXPECT_EQ(model.channels()[i].value(state, work), expected[i]);
    EXPECT_EQ(model.channels()[i].main, i % 2 == 0);
  }
  EXPECT_EQ(model.channels()[1].unit, "m/s");
  EXPECT_EQ(model.channels()[1].description, "what leaks");
}

}  // namespace
}  // namespace davit
