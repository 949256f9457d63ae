// libFuzzer target: any bytes through reader, checks and assembly, hulls planned, and two steps of what was built.
// Whatever they are, there is a model that can be stepped or a list of mistakes, each with a place, never a crash.
#include <cstdint>
#include <cstdlib>

#include "davit/operation/operation.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/solve/stepper.hpp"

namespace {

// More would be no other code, only more of it.
bool is_small(const davit::Model& model) { return model.nu() <= 40 && model.nz() <= 200 && model.rows() <= 40; }

// A run may break, with a reason.
void step_twice(const davit::Scenario& scenario) {
  davit::System system(*scenario.model);
  davit::State state = scenario.initial_state();
  const auto stepper = scenario.make_stepper();
  system.commit(state);
  stepper->restart(state);
  std::optional<davit::operation::OperationRun> supervisor;
  state.operation = scenario.operation.beginning();
  if (!state.operation.empty()) supervisor.emplace(scenario.operation, *scenario.model, nullptr);
  if (supervisor && system.evaluate(state)) supervisor->decide(state, system.workspace());
  for (int i = 0; i < 2; ++i) {
    const davit::StepOutcome outcome = stepper->step(system, state, scenario.options.step);
    if (!outcome.ok && outcome.why.why.empty()) std::abort();
    if (!outcome.ok) return;
    if (system.commit(state)) stepper->restart(state);
    if (supervisor && system.evaluate(state) && supervisor->decide(state, system.workspace()).stop) return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  setenv("DAVIT_CACHE", "/dev/null", 1);  // nothing is kept, nothing is found
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  davit::input::Problems problems;
  const auto scenario =
      davit::parse_scenario(std::string(reinterpret_cast<const char*>(data), size), "fuzz.yaml", problems);
  // Either it is good or it says why not.
  if (!scenario && !problems.has_errors()) std::abort();
  if (scenario && problems.has_errors()) std::abort();
  for (const davit::input::Problem& problem : problems.all())
    // What escaped is told of the file as a whole; words of the file itself are not meant.
    if (problem.where.file.empty() || problem.message.empty() ||
        (problem.where.path.empty() && problem.message.starts_with("this lift cannot be built")))
      std::abort();
  (void)problems.to_text();
  if (scenario && is_small(*scenario->model)) step_twice(*scenario);
  return 0;
}
