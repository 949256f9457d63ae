// Where a Model puts its elements: in z, in the discrete state and in the work of an evaluation.
#include "davit/model/model.hpp"

#include <gtest/gtest.h>

namespace davit {
namespace {

// Where a test reads which element it is.
struct OwnWork : ElementWork {
  explicit OwnWork(std::string name) : owner(std::move(name)) {}
  std::string owner;
};

struct Sizes {
  int states, slots;
  double first;  // of its states at the start
};

template <class Base>
class WithSizes : public Base {
 public:
  WithSizes(std::string name, Sizes sizes) : Base(std::move(name)), sizes_(sizes) {}
  std::string summary() const override { return this->name(); }
  int auxiliary_states() const override { return sizes_.states; }
  void initial_z(double* z) const override { std::fill_n(z, sizes_.states, sizes_.first); }
  std::vector<DiscreteSlot> discrete_slots() const override {
    return std::vector<DiscreteSlot>(static_cast<size_t>(sizes_.slots), {this->name(), 1, 1});
  }
  std::unique_ptr<ElementWork> make_work(double) const override { return std::make_unique<OwnWork>(this->name()); }
  using Base::make_work;

 private:
  Sizes sizes_;
};

class TestForce final : public WithSizes<ForceOf<TestForce>> {
 public:
  using WithSizes::WithSizes;
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>&, S*) const {}
};

class TestController final : public WithSizes<ControllerOf<TestController>> {
 public:
  using WithSizes::WithSizes;
  template <class S>
  void control(const ContextT<S>&, S*, S*) const {}
};

TEST(Model, GivesEveryElementItsPlace) {
  ModelParts parts;
  parts.forces = {std::make_shared<TestForce>("spring", Sizes{0, 0, 0}),
                  std::make_shared<TestForce>("memory", Sizes{3, 1, 0.5}),
                  std::make_shared<TestForce>("rope", Sizes{1, 3, 0.25})};
  parts.controllers = {std::make_shared<TestController>("pid", Sizes{2, 1, 4}),
                       std::make_shared<TestController>("relay", Sizes{0, 2, 0})};
  const Model model(std::move(parts));
  EXPECT_EQ(model.nz(), 6);
  const State s = model.initial_state();
  EXPECT_EQ(s.z, (VecX(6) << 0.5, 0.5, 0.5, 0.25, 4, 4).finished());
  EXPECT_EQ(s.discrete.slots(), 7);

  const Workspace w = model.make_workspace();
  const struct {
    const char* name;
    int first_z, first_slot;
  } expected[] = {{"spring", 0, 0}, {"memory", 0, 0}, {"rope", 3, 1}, {"pid", 4, 4}, {"relay", 6, 5}};
  ASSERT_EQ(model.elements().size(), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    const auto& placed = model.elements()[i];
    EXPECT_EQ(placed.element->name(), expected[i].name);
    const ContextT<double> c = placed.context(s, w);
    EXPECT_EQ(c.z, s.z.data() + expected[i].first_z) << expected[i].name;
    EXPECT_EQ(c.first_slot, expected[i].first_slot) << expected[i].name;
    EXPECT_EQ(static_cast<const OwnWork*>(c.work)->owner, expected[i].name);
  }
  EXPECT_EQ(model.forces()[2].index, 2);
  EXPECT_EQ(model.controllers()[0].index, 3);
}

// What a part is told when it is added is where the model has it.
TEST(ModelParts, SaysWhereTheModelWillHaveAPart) {
  ModelParts parts;
  std::vector<ElementPlace> told;
  for (const Sizes& sizes : {Sizes{2, 1, 0}, Sizes{0, 3, 0}, Sizes{1, 0, 0}})
    told.push_back(parts.add(std::make_shared<TestForce>("force", sizes)));
  parts.controllers = {std::make_shared<TestController>("pid", Sizes{2, 1, 4})};
  const Model model(std::move(parts));
  ASSERT_EQ(model.forces().size(), told.size());
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].index, model.forces()[i].index);
    EXPECT_EQ(told[i].first_z, model.forces()[i].first_z);
    EXPECT_EQ(told[i].first_slot, model.forces()[i].first_slot);
  }
  EXPECT_EQ(told[2].first_z, 2);
  EXPECT_EQ(told[2].first_slot, 4);
}

TEST(ModelParts, NumbersInputsInOrder) {
  ModelParts parts;
  EXPECT_EQ(parts.add(Input{"a", "N", -1, 1}), 0);
  EXPECT_EQ(parts.add(Input{"b", "N", -1, 1}), 1);
}

}  // namespace
}  // namespace davit
