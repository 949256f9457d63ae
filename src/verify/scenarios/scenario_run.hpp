// A scenario that is run step by step with whatever looks on in between.
#pragma once

#include "davit/scenario/scenario.hpp"

namespace davit::verify {

// Throws what is wrong with the text.
Scenario scenario_of(const std::string& text);

class ScenarioRun {
 public:
  explicit ScenarioRun(Scenario scenario);
  // Throws what is wrong with the text.
  explicit ScenarioRun(const std::string& text);

  const Scenario& scenario() const { return scenario_; }
  State& state() { return state_; }
  System& system() { return system_; }
  // To be called when the state was changed from outside, before the first step.
  void begin();
  // Throws when the run breaks off.
  void step(double h);
  // Steps that were halved or taken again so far.
  long rejected() const { return stepper_->counts().rejected; }
  // Where everything is now.
  const Kin& look();
  // The value of a channel where it was looked last.
  double channel(const std::string& name) const;
  // The first vessel, or body.
  Frame first() const { return scenario_.body_frames[0]; }

 private:
  Scenario scenario_;
  System system_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
};

}  // namespace davit::verify
