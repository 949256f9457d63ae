// A scenario given as text, run step by step with whatever looks on in between.
#pragma once

#include "davit/scenario/scenario.hpp"

namespace davit::verify {

class TextRun {
 public:
  // Throws what is wrong with the text.
  explicit TextRun(const std::string& text);

  const Scenario& scenario() const { return scenario_; }
  State& state() { return state_; }
  // To be called when the state was changed from outside, before the first step.
  void begin();
  // Throws when the run breaks off.
  void step(double h);
  // Where everything is now.
  const Kin& look();
  // The first vessel, or body.
  Frame first() const { return scenario_.body_frames[0]; }

 private:
  Scenario scenario_;
  System system_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
};

}  // namespace davit::verify
