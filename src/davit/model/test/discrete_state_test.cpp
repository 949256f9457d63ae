#include "davit/model/discrete_state.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "davit/model/state.hpp"

namespace davit {
namespace {

TEST(DiscreteState, ASlotOfOneIsPlainMemory) {
  DiscreteState discrete({{"pid", 3, 1}, {"contacts", 2, 4}});
  EXPECT_EQ(discrete.size(0), 1);
  discrete.record(0, 0)[2] = 7;
  EXPECT_EQ(discrete.record(0, 0)[2], 7);
  EXPECT_EQ(discrete.size(1), 0);
}

TEST(DiscreteState, AFullSlotSaysSo) {
  DiscreteState discrete({{"contacts", 1, 2}});
  EXPECT_FALSE(discrete.insert(0, 5).empty());
  EXPECT_FALSE(discrete.insert(0, 3).empty());
  EXPECT_TRUE(discrete.insert(0, 4).empty());
  EXPECT_FALSE(discrete.insert(0, 5).empty());  // there already
  EXPECT_FALSE(discrete.erase(0, 9));
}

RC_GTEST_PROP(DiscreteState, BehavesAsAMap, ()) {
  DiscreteState discrete({{"other", 2, 3}, {"contacts", 2, 8}, {"last", 1, 2}});
  std::map<std::int64_t, double> model;
  const auto keys = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-6, 6));
  double value = 1;
  for (int key : keys) {
    if (model.count(key)) {
      RC_ASSERT(discrete.erase(1, key));
      model.erase(key);
    } else if (model.size() < 8) {
      const auto record = discrete.insert(1, key);
      RC_ASSERT(record.size() == 2u);
      RC_ASSERT(record[0] == 0 && record[1] == 0);
      record[0] = value;
      model[key] = value;
      value += 1;
    }
    RC_ASSERT(discrete.size(1) == static_cast<int>(model.size()));
    int i = 0;
    for (const auto& [k, v] : model) {
      RC_ASSERT(discrete.key(1, i) == k);
      RC_ASSERT(discrete.record(1, i)[0] == v);
      RC_ASSERT(discrete.find(1, k)[0] == v);
      ++i;
    }
    RC_ASSERT(discrete.size(0) == 0 && discrete.size(2) == 0);
  }
  for (const auto& [k, v] : model) discrete.erase(1, k);
  // Equal contents are equal, whatever happened before.
  RC_ASSERT(discrete == DiscreteState({{"other", 2, 3}, {"contacts", 2, 8}, {"last", 1, 2}}));
}

TEST(DiscreteState, AssignmentLeavesNothingBehind) {
  const std::vector<DiscreteSlot> slots{{"a", 2, 5}, {"b", 1, 3}};
  DiscreteState full(slots), few(slots);
  for (int i = 0; i < 5; ++i) full.insert(0, i)[1] = 7 + i;
  full.insert(1, 4)[0] = 2;
  few.insert(0, 3)[0] = 1;
  DiscreteState copy = full;
  copy = few;
  EXPECT_EQ(copy, few);
  copy = full;
  EXPECT_EQ(copy, full);
  copy = DiscreteState({{"c", 1, 2}});
  EXPECT_EQ(copy.slots(), 1);
}

TEST(State, HashSeesEveryMember) {
  State a;
  a.q = VecX::Ones(3);
  a.u = VecX::Zero(2);
  a.z = VecX::Ones(1);
  a.lambda = VecX::Ones(1);
  a.discrete = DiscreteState({{"memory", 1, 1}, {"contacts", 1, 3}});
  a.discrete.insert(1, 5);
  EXPECT_EQ(a.hash(), State(a).hash());
  const auto seen = [&](auto change) {
    State b = a;
    change(b);
    return b.hash() != a.hash();
  };
  EXPECT_TRUE(seen([](State& s) { s.t = 1e-300; }));
  EXPECT_TRUE(seen([](State& s) { s.q[1] = std::nextafter(1.0, 2.0); }));
  EXPECT_TRUE(seen([](State& s) { s.u[1] = 1e-300; }));
  EXPECT_TRUE(seen([](State& s) { s.z[0] = 2; }));
  EXPECT_TRUE(seen([](State& s) { s.lambda[0] = 2; }));
  EXPECT_TRUE(seen([](State& s) { s.integrator_history = VecX::Zero(1); }));
  EXPECT_TRUE(seen([](State& s) { s.step = 1; }));
  EXPECT_TRUE(seen([](State& s) { s.next_step = 0.1; }));
  EXPECT_TRUE(seen([](State& s) { s.step_error = 0; }));
  EXPECT_TRUE(seen([](State& s) { s.load_peaks = VecX::Constant(1, 2.0); }));
  EXPECT_TRUE(seen([](State& s) { s.z = VecX::Ones(2), s.lambda.resize(0); })) << "moved to another list";
  EXPECT_TRUE(seen([](State& s) { s.discrete.record(0, 0)[0] = 1e-300; }));
  EXPECT_TRUE(seen([](State& s) { s.discrete.insert(1, 0); })) << "one more record of zeros";
  EXPECT_TRUE(seen([](State& s) { s.discrete.erase(1, 5), s.discrete.insert(1, 6); })) << "another key";
  EXPECT_FALSE(seen([](State& s) { s.u[0] = -0.0; })) << "zero has no sign here";
}

}  // namespace
}  // namespace davit
