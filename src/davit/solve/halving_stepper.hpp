// What fixed-step implicit methods share: a step whose equations have no solution is halved, a broken one leaves the
// state as it was, the history of the last step is forgotten on restart, and output inside a step comes from its ends.
#pragma once

#include "davit/solve/inside_step.hpp"
#include "davit/solve/stepper.hpp"

namespace davit {

class HalvingStepper : public Stepper {
 public:
  bool adaptive() const final { return false; }
  void restart(State& state) final { state.integrator_history.resize(0); }

  StepOutcome step(System& system, State& state, double h) final {
    start_ = state;
    Failure why;
    if (!advance(system, state, h, halvings_, why)) {
      state = start_;
      return {false, 0, why};
    }
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
      : halvings_(halvings), inside_(model), start_(model.initial_state()), last_(start_) {}

  // Moves the state by h, in parts where it must.
  virtual bool advance(System&, State&, double h, int halvings, Failure& why) = 0;
  // Rigid rows are closed at the end of every step: then they are inside it too.
  virtual bool holds_positions() const { return true; }

  std::optional<std::string> refuses_contacts(const Model& model) const {
    if (model.contacts().empty()) return std::nullopt;
    return "method " + name() + " is for smooth motion, and contact '" + model.contacts()[0].name +
           "' is not: use conserving, midpoint, implicit_euler, dele or spook";
  }

 private:
  int halvings_;
  InsideStep inside_;
  State start_, last_;
};

}  // namespace davit
