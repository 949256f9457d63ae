// One Model in several environments: elements read what was made of each, and a State moves from one to another.
#include "davit/model/environment.hpp"

#include <gtest/gtest.h>

#include "davit/model/model.hpp"

namespace davit {
namespace {

struct Swell {
  double height = 0;
};

// Keeps a number of each wave, and beside it one that has nothing to do with waves.
class Float final : public ForceOf<Float> {
 public:
  Float(std::string name, InEnvironment<std::vector<double>> heights, bool remembers)
      : ForceOf(std::move(name)), heights_(std::move(heights)), remembers_(remembers) {}
  std::string summary() const override { return name(); }
  std::vector<DiscreteSlot> discrete_slots() const override { return {{name(), 0, 1}}; }
  std::vector<DiscreteSlot> discrete_slots_in(const Environment& around) const override {
    return {{name(), remembers_ ? static_cast<int>(heights_.in(&around).size()) : 1, 1}};
  }
  bool remembers_environment() const override { return remembers_; }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>&, S*) const {}
  double sum(const Kin& kin) const {
    double out = 0;
    for (const double h : heights_.of(kin)) out += h;
    return out;
  }

 private:
  InEnvironment<std::vector<double>> heights_;
  bool remembers_;
};

struct Afloat {
  std::shared_ptr<const Float> of_waves, other;
  std::unique_ptr<Model> model;
  int made = 0;
  Afloat() {
    ModelParts parts;
    const InEnvironment<std::vector<double>> heights(
        parts.add(MakeInEnvironment([this](const std::shared_ptr<const Environment>& around) {
          ++made;
          return std::make_shared<const std::vector<double>>(3, around->find<Swell>()->height);
        })));
    of_waves = std::make_shared<const Float>("float", heights, true);
    other = std::make_shared<const Float>("buoy", heights, false);
    parts.add(std::shared_ptr<const Force>(of_waves));
    parts.add(std::shared_ptr<const Force>(other));
    parts.body_names = {"world"};
    model = std::make_unique<Model>(std::move(parts));
  }
  std::shared_ptr<const Environment> in(double height) const {
    Surroundings given;
    given.add(std::make_shared<const Swell>(Swell{height}));
    return model->make_environment(std::move(given));
  }
};

TEST(Environment, EachHasItsOwnAndTheModelNone) {
  const Afloat afloat;
  const auto low = afloat.in(1), high = afloat.in(4);
  EXPECT_EQ(afloat.made, 2);
  Kin kin;
  kin.environment = low.get();
  EXPECT_EQ(afloat.of_waves->sum(kin), 3);
  kin.environment = high.get();
  EXPECT_EQ(afloat.of_waves->sum(kin), 12);
  kin.environment = nullptr;
  EXPECT_THROW(afloat.of_waves->sum(kin), std::logic_error);
}

TEST(Environment, WhatIsTheSameInAllNeedsNone) {
  const InEnvironment<std::vector<double>> always(std::make_shared<const std::vector<double>>(2, 0.5));
  EXPECT_EQ(always.of(Kin()).size(), 2u);
  ASSERT_TRUE(always.always());
  EXPECT_FALSE(InEnvironment<std::vector<double>>(0).always());
}

TEST(Environment, AStateMovesWithAllButWhatItKnowsOfTheSea) {
  const Afloat afloat;
  const auto low = afloat.in(1), high = afloat.in(4);
  State state = afloat.model->initial_state(low);
  EXPECT_EQ(state.discrete.record(0, 0).size(), 3u);
  state.discrete.record(0, 0)[1] = 5;
  state.discrete.record(1, 0)[0] = 7;
  state.t = 2;
  const State moved = afloat.model->moved(state, high);
  EXPECT_EQ(moved.discrete.environment, high);
  EXPECT_EQ(moved.discrete.record(0, 0)[1], 0);
  EXPECT_EQ(moved.discrete.record(1, 0)[0], 7);
  EXPECT_EQ(moved.t, 2);
  // Copies share it.
  State copy = state;
  copy = moved;
  EXPECT_EQ(copy.discrete.environment, high);
}

}  // namespace
}  // namespace davit
