// A run: steps a State to the end, lands on breakpoints and sample times, hands evaluated states to an observer at
// output times and at every step, watches for broken states, and measures what step the motion needs. No files, no
// terminal: see app and result.
#pragma once

#include <functional>

#include "davit/solve/energy_balance.hpp"
#include "davit/solve/load_resolution.hpp"
#include "davit/solve/speed_jumps.hpp"
#include "davit/solve/stepper.hpp"

namespace davit {

struct SimulationOptions {
  double end = 0;
  double step = 0.01;    // of fixed methods; the longest of adaptive ones
  double output = 0.01;  // interval of output
  // Fixed steps are shortened where ropes, mooring lines and compliant contacts need it (solve/load_resolution.hpp).
  bool resolve_loads = false;
  double load_tolerance = 1;  // in units of what is tolerated by default
  // The state is one that a run of the same model came to, after a step: it goes on.
  bool resumes = false;
  bool measures_error = true;  // of fixed steps, now and then
};

// Stopped: by a Supervisor, safely.
enum class RunStatus { complete, interrupted, stopped, broken };

struct RunOutcome {
  RunStatus status = RunStatus::complete;
  double t = 0;         // reached
  std::string element;  // broken or stopped: where …
  std::string why;      // … and why, with what to do
  StepCounts counts;
  // Fixed steps: the local error (two half steps against one) that nine in ten of the measured steps keep, per step, in
  // rad, m and relative speed; and the step that would keep it at the goal (1e-8 for methods of order four, 1e-6
  // below). Zero when it was not measured. Steps with an impact in them are only counted.
  double local_error = 0;
  double local_error_goal = 1e-8;
  double advised_step = 0;
  long impact_steps = 0;
  LoadSteps load_steps;
  EnergyGain energy_gain;              // out of nothing; of runs whose observer watches every step
  std::vector<SpeedJump> speed_jumps;  // of rigid rows: impulses that no force shows

  // How far it is; all else is written when it ends.
  template <class A>
  void archive(A& a) {
    a(status, element, why);
  }
};

class Observer {
 public:
  virtual ~Observer() = default;
  // At every output time, first and last included, with an evaluated workspace.
  virtual void record(const State&, System&) = 0;
  // What limits and statistics are about does not depend on what is recorded: at the start, at every accepted step and,
  // because adaptive methods may take long steps, at a quarter of each and a thousandth of the run at least. Where an
  // output is due too, record() follows at once. Called only if watches().
  virtual bool watches() const { return false; }
  virtual void watch(const State&, System&, const Energy&) {}
  // The speed of a rigid row jumped, by an impulse: the first of a row, and others that are much larger.
  virtual void jumped(const SpeedJump&) {}
  // After every step; return false to stop.
  virtual bool proceed(const State&) { return true; }
};

// Decides during a run what signals shall do.
class Supervisor {
 public:
  virtual ~Supervisor() = default;
  // The next time at which it wants to decide, whatever happens until then: steps land on it. Infinite: none.
  virtual double next_time(const State&) const = 0;
  struct Decision {
    bool jumped = false;       // some signal, in value, speed or acceleration
    bool stop = false;         // the run ends here …
    std::string element, why;  // … because of this
  };
  // Whether it waits for something that the motion decides. Then every step is looked at before it is accepted: where
  // that has come in it, the step is taken again to end at that very instant (solve/step_cut.hpp).
  virtual bool waits(const State&) const { return false; }
  // Whether what it waits for has come since its last decision, in a workspace evaluated there.
  virtual bool has_come(const State&, const Workspace&) { return false; }
  // At the start and after every step, with a workspace evaluated there. It may change the motions of signals and
  // State::operation, and nothing else.
  virtual Decision decide(State&, const Workspace&) = 0;
};

RunOutcome simulate(System&, Stepper&, State&, const SimulationOptions&, Observer&, Supervisor* = nullptr);

}  // namespace davit
