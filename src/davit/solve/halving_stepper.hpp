// What fixed-step implicit methods share: a step whose equations have no solution is halved, a broken one leaves the
// state as it was, the history of the last step is forgotten on restart, and output inside a step comes from its ends.
#pragma once

#include "davit/solve/inside_step.hpp"
#include "davit/solve/mean_of_parts.hpp"
#include "davit/solve/stepper.hpp"

namespace davit {

class HalvingStepper : public Stepper {
 public:
  bool adaptive() const final { return false; }
  double contact_work() const final { return contact_work_; }
  void restart(State& state) final { state.integrator_history.resize(0); }

  StepOutcome step(System& system, State& state, double h) final {
    start_ = state;
    part_start_ = &start_;
    parts_.begin();
    contact_work_ = 0;
    Failure why;
    if (!take(system, state, h, halvings_, why)) {
      state = start_;
      return {false, 0, why};
    }
    if (Solution* found = part_solution(); found && parts_.count() > 0) parts_.show(state, *found);
    counts_.accept(h);
    ++state.step;
    last_ = state;
    return {true, h, {}};
  }

  void interpolate(System& system, double t, State& out) final {
    inside_.at(system, start_, last_, t, out);
    if (holds_positions()) system.satisfy_constraints(out);
  }

 protected:
  HalvingStepper(const Model& model, int halvings)
      : halvings_(halvings), inside_(model), start_(model.initial_state()), part_end_(start_), last_(start_) {}

  // Moves the state by h; false where it cannot, whatever the state is then.
  virtual bool advance(System&, State&, double h, Failure& why) = 0;
  // What the last part found, of methods whose multipliers are means over a step; of a step in parts it becomes the
  // mean of all of them.
  virtual Solution* part_solution() { return nullptr; }
  // Rigid rows are closed at the end of every step: then they are inside it too.
  virtual bool holds_positions() const { return true; }

  double contact_work_ = 0;

  std::optional<std::string> refuses_contacts(const Model& model) const {
    if (model.contacts().empty()) return std::nullopt;
    return "method " + name() + " is for smooth motion, and contact '" + model.contacts()[0].name +
           "' is not: use conserving, midpoint, implicit_euler, dele or spook";
  }

 private:
  // In parts where it must.
  bool take(System& system, State& state, double h, int halvings, Failure& why) {
    if (advance(system, state, h, why)) {
      if (halvings == halvings_) return true;
      if (const Solution* found = part_solution()) parts_.add(h, state, *found);
      part_end_ = state;
      part_start_ = &part_end_;
      return true;
    }
    state = *part_start_;
    if (halvings == 0) return false;
    ++counts_.rejected;
    return take(system, state, h / 2, halvings - 1, why) && take(system, state, h / 2, halvings - 1, why);
  }

  int halvings_;
  InsideStep inside_;
  MeanOfParts parts_;
  State start_, part_end_, last_;
  const State* part_start_ = nullptr;
};

}  // namespace davit
