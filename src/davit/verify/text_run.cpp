#include "davit/verify/text_run.hpp"

namespace davit::verify {

namespace {

Scenario parsed(const std::string& text) {
  input::Problems problems;
  auto scenario = parse_scenario(text, "verification.yaml", problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  return *std::move(scenario);
}

}  // namespace

TextRun::TextRun(const std::string& text)
    : scenario_(parsed(text)),
      system_(*scenario_.model),
      stepper_(scenario_.make_stepper()),
      state_(scenario_.model->initial_state()) {
  begin();
}

void TextRun::begin() { system_.commit(state_); }

void TextRun::step(double h) {
  const StepOutcome outcome = stepper_->step(system_, state_, h);
  if (!outcome.ok) throw std::runtime_error("a run broke off: " + outcome.why.element + ": " + outcome.why.why);
  system_.commit(state_);
}

const Kin& TextRun::look() {
  system_.evaluate(state_);
  return system_.workspace().kin;
}

}  // namespace davit::verify
