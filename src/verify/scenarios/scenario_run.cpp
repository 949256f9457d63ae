#include "verify/scenarios/scenario_run.hpp"

namespace davit::verify {

Scenario scenario_of(const std::string& text) {
  input::Problems problems;
  auto scenario = parse_scenario(text, "verification.yaml", problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  return *std::move(scenario);
}

ScenarioRun::ScenarioRun(const std::string& text) : ScenarioRun(scenario_of(text)) {}

ScenarioRun::ScenarioRun(Scenario scenario)
    : scenario_(std::move(scenario)),
      system_(*scenario_.model),
      stepper_(scenario_.make_stepper()),
      state_(scenario_.initial_state()) {
  begin();
}

void ScenarioRun::begin() { system_.commit(state_); }

void ScenarioRun::step(double h) {
  const StepOutcome outcome = stepper_->step(system_, state_, h);
  if (!outcome.ok) throw std::runtime_error("a run broke off: " + outcome.why.element + ": " + outcome.why.why);
  system_.commit(state_);
}

const Kin& ScenarioRun::look() {
  system_.evaluate(state_);
  return system_.workspace().kin;
}

double ScenarioRun::channel(const std::string& name) const {
  for (const Channel& c : scenario_.model->channels())
    if (c.name == name) return c.value(state_, system_.workspace());
  throw std::runtime_error("there is no channel " + name);
}

}  // namespace davit::verify
