#include "davit/model/modes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "davit/model/state.hpp"

namespace davit {
namespace {

TEST(Modes, ASlotOfOneIsPlainMemory) {
  Modes modes({{"pid", 3, 1}, {"contacts", 2, 4}});
  EXPECT_EQ(modes.size(0), 1);
  modes.record(0, 0)[2] = 7;
  EXPECT_EQ(modes.record(0, 0)[2], 7);
  EXPECT_EQ(modes.size(1), 0);
}

TEST(Modes, AFullSlotSaysSo) {
  Modes modes({{"contacts", 1, 2}});
  EXPECT_FALSE(modes.insert(0, 5).empty());
  EXPECT_FALSE(modes.insert(0, 3).empty());
  EXPECT_TRUE(modes.insert(0, 4).empty());
  EXPECT_FALSE(modes.insert(0, 5).empty());  // there already
  EXPECT_FALSE(modes.erase(0, 9));
}

RC_GTEST_PROP(Modes, BehavesAsAMap, ()) {
  Modes modes({{"other", 2, 3}, {"contacts", 2, 8}, {"last", 1, 2}});
  std::map<std::int64_t, double> model;
  const auto keys = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-6, 6));
  double value = 1;
  for (int key : keys) {
    if (model.count(key)) {
      RC_ASSERT(modes.erase(1, key));
      model.erase(key);
    } else if (model.size() < 8) {
      const auto record = modes.insert(1, key);
      RC_ASSERT(record.size() == 2u);
      RC_ASSERT(record[0] == 0 && record[1] == 0);
      record[0] = value;
      model[key] = value;
      value += 1;
    }
    RC_ASSERT(modes.size(1) == static_cast<int>(model.size()));
    int i = 0;
    for (const auto& [k, v] : model) {
      RC_ASSERT(modes.key(1, i) == k);
      RC_ASSERT(modes.record(1, i)[0] == v);
      RC_ASSERT(modes.find(1, k)[0] == v);
      ++i;
    }
    RC_ASSERT(modes.size(0) == 0 && modes.size(2) == 0);
  }
  for (const auto& [k, v] : model) modes.erase(1, k);
  // Equal contents are equal, whatever happened before.
  RC_ASSERT(modes == Modes({{"other", 2, 3}, {"contacts", 2, 8}, {"last", 1, 2}}));
}

TEST(State, HashSeesEveryMember) {
  State a;
  a.q = VecX::Ones(3);
  a.u = VecX::Zero(2);
  a.z = VecX::Ones(1);
  a.lambda = VecX::Ones(1);
  a.modes = Modes({{"memory", 1, 1}, {"contacts", 1, 3}});
  a.modes.insert(1, 5);
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
  EXPECT_TRUE(seen([](State& s) { s.memory = VecX::Zero(1); }));
  EXPECT_TRUE(seen([](State& s) { s.step = 1; }));
  EXPECT_TRUE(seen([](State& s) { s.next_step = 0.1; }));
  EXPECT_TRUE(seen([](State& s) { s.step_error = 0; }));
  EXPECT_TRUE(seen([](State& s) { s.z = VecX::Ones(2), s.lambda.resize(0); })) << "moved to another list";
  EXPECT_TRUE(seen([](State& s) { s.modes.record(0, 0)[0] = 1e-300; }));
  EXPECT_TRUE(seen([](State& s) { s.modes.insert(1, 0); })) << "one more record of zeros";
  EXPECT_TRUE(seen([](State& s) { s.modes.erase(1, 5), s.modes.insert(1, 6); })) << "another key";
  EXPECT_FALSE(seen([](State& s) { s.u[0] = -0.0; })) << "zero has no sign here";
}

}  // namespace
}  // namespace davit
