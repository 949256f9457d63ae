// A ship with a crane in short-crested waves: simulated time against processor time, and what a step spends on what.
// The limit beside it is the 1,000 times real time at which three hours take eleven seconds.
#include <fmt/format.h>

#include "davit/scenario/scenario.hpp"
#include "lifts.hpp"
#include "processor_time.hpp"
#include "smoke.hpp"

using namespace davit;
using davit::bench::processor_seconds;

namespace {

// Nanoseconds of one call.
template <class Task>
double nanoseconds(int times, const Task& task) {
  const double begin = processor_seconds();
  for (int i = 0; i < times; ++i) task();
  return 1e9 * (processor_seconds() - begin) / times;
}

}  // namespace

int main(int count, char** arguments) {
  const double hours = count > 1 ? std::stod(arguments[1]) : bench::full_or(3.0, 0.002);
  input::Problems problems;
  const auto scenario = parse_scenario(bench::ship_and_crane(hours), "bench.yaml", problems);
  if (!scenario) {
    fmt::print(stderr, "{}", problems.to_text());
    return 1;
  }
  const Model& model = *scenario->model;
  System system(model);
  State state = scenario->initial_state();
  system.commit(state);
  const auto stepper = scenario->make_stepper();
  const double h = 0.01;
  const long steps = std::lround(hours * 3600 / h);
  const double begin = processor_seconds();
  for (long n = 0; n < steps; ++n) {
    const StepOutcome outcome = stepper->step(system, state, h);
    if (!outcome.ok) {
      fmt::print(stderr, "broken at {} s: {}\n", state.t, outcome.why.why);
      return 1;
    }
    system.commit(state);
  }
  const double used = processor_seconds() - begin;
  const double per_step = 1e9 * used / static_cast<double>(steps);
  fmt::print("ship and crane, {} degrees of freedom, {} auxiliary states, 60 x 13 waves, rk4 at 10 ms, one thread\n",
             model.nu(), model.nz());
  fmt::print("  {} h in {:.2f} s: {:.0f} times real time, {:.0f} ns per step\n", hours, used, hours * 3600 / used,
             per_step);

  // Parts, each called by itself at the last state.
  const int times = bench::repetitions(20000);
  EvaluationT<double> e;
  model.prepare(e);
  system.evaluate(state, System::Want::accelerations);
  const Workspace& work = system.workspace();
  fmt::print("  {:<34} {:>8} {:>12} {:>9}\n", "part", "ns", "per step", "of a step");
  const auto row = [&](const std::string& part, double ns, int per) {
    fmt::print("  {:<34} {:>8.0f} {:>12.0f} {:>8.1f} %\n", part, ns, per * ns, 100 * per * ns / per_step);
  };
  row("evaluation", nanoseconds(times, [&] { system.evaluate(state, System::Want::accelerations); }), 4);
  row("  of it kinematics, control, forces",
      nanoseconds(times,
                  [&] {
                    system.apply_forces<double>(e, state.t, state.q.data(), state.u.data(), state.z.data(),
                                                state.discrete);
                  }),
      4);
  Loads loads;
  loads.resize(model.bodies(), model.nu(), true);
  std::vector<double> zdot(static_cast<size_t>(model.nz()) + 1);
  for (const auto& f : model.forces())
    row("    " + f.element->name(),
        nanoseconds(times,
                    [&] {
                      f.element->apply(ContextT<double>{work.kin, state.z.data() + f.first_z, work.w.data(),
                                                        state.discrete, f.first_slot},
                                       loads, zdot.data());
                    }),
        4);
  State other = state;
  row("copy of the state", nanoseconds(times, [&] { other = state; }), 1);
  // At times that go on, as in a run.
  double t = state.t;
  row("commit: sums over waves",
      nanoseconds(times,
                  [&] {
                    other.t = t += h;
                    system.commit(other);
                  }),
      1);
}
