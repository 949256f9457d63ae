// The loop of a run, one step at a time: lands on breakpoints, sample times and what a Supervisor waits for, hands
// evaluated states to an Observer, watches for broken states and keeps the books that a RunOutcome is made of. To step
// it a step at a time is to run it in one go, bit for bit.
//
// It can be saved between any two steps. Implicit methods keep the factors of a matrix from step to step as long as
// they serve; so what is saved is the last State that continues bit for bit with a new stepper, and how many steps ago
// that was: restoring takes these steps again. The Supervisor has to decide then what it decided, and the Observer not
// to hear of it.
#pragma once

#include <optional>

#include "davit/solve/event_schedule.hpp"
#include "davit/solve/step_advice.hpp"
#include "davit/solve/step_cut.hpp"

namespace davit {

class StepLoop {
 public:
  // All must outlive it. Nothing happens before begin() or archive().
  StepLoop(System&, Stepper&, State&, const SimulationOptions&, Observer&, Supervisor* = nullptr);
  StepLoop(const StepLoop&) = delete;
  StepLoop& operator=(const StepLoop&) = delete;

  // Meets constraints and shows the first instant.
  void begin();
  // Whether the run has come to its end, or cannot go on.
  bool is_over() const;
  // A step; where loads have to be resolved, the first that does.
  void step();
  // Between two steps: the caller changes what signals follow, and says whether one jumped.
  void intervene(const std::function<bool(State&)>& change);
  // The next step ends here, if it does not end before.
  void land_on(double t) { land_ = t; }
  // From here on as a run does that goes on from a saved state: steps up to here are not taken again in one that was
  // saved later.
  void go_on_afresh();
  // The run ends here, by somebody's wish …
  void interrupt();
  // … or because it cannot go on.
  void break_off(std::string element, std::string why) { fail(std::move(element), std::move(why)); }
  // Evaluates where it is, for whoever reads channels between steps.
  bool look();
  RunOutcome finish();
  const RunOutcome& outcome() const { return out_; }
  // The last State that continues bit for bit with a new stepper.
  const State& kept() const { return kept_; }

  // Saves it, or restores it with the same model and options; only the end may be another. `repeat`: called when steps
  // are taken again, and when that is over.
  void save(ArchiveWriter&) const;
  void restore(ArchiveReader&, const std::function<void(bool again)>& repeat);

 private:
  enum class Due { nothing, look, row, both };
  static Due due(bool look, bool row) { return look ? row ? Due::both : Due::look : row ? Due::row : Due::nothing; }

  double output_time(long i) const { return start_ + static_cast<double>(i) * options_.output; }
  double look_time(long i) const;
  double row_slack(double end, double h) const;
  void make_advice();
  bool try_to_step();
  std::optional<double> advance(double limit);
  void show(const State&, Due what);
  bool observe(const State&, Due what);
  void observe_inside_step(double begin, double end);
  bool observe_end_of_step();
  void find_first_contacts();
  bool commit(const Solution* found);
  bool supervise();
  bool settle_jumps(SpeedJumps::Since since);
  void restart();
  void keep();
  double parts_of_steps() const;
  void end_with(RunStatus status, std::string element, std::string why);
  void fail(std::string element, std::string why) { end_with(RunStatus::broken, std::move(element), std::move(why)); }
  template <class A, class Self>
  static void archive_books(A& a, Self& self) {
    a(self.outputs_, self.looks_, self.seen_, self.out_, self.hopeless_, self.smooth_, self.jumps_, self.book_,
      *self.advice_);
    if (self.loads_) a(*self.loads_);
  }

  System& system_;
  Stepper& stepper_;
  State& state_;
  SimulationOptions options_;
  Observer& observer_;
  Supervisor* supervisor_;
  const Model& model_;
  RunOutcome out_;
  double start_;  // s
  EventSchedule schedule_;
  std::optional<StepAdvice> advice_;
  StepView view_;
  bool watches_;
  long outputs_ = 0, looks_ = 1;
  const Solution* solution_ = nullptr;  // of the last step, of the trial at the start, or kept
  std::unique_ptr<Stepper> trial_stepper_;
  Energy seen_;  // at the last look
  SpeedJumps jumps_;
  EnergyBalance book_;
  std::optional<LoadResolution> loads_;
  StepCut cut_;
  double land_ = -std::numeric_limits<double>::infinity();  // s
  State good_;                                              // where the last step began
  // Where it can go on from, with what was found there, and whether that goes on smoothly.
  State kept_;
  Solution kept_solution_;
  bool kept_has_solution_ = false, kept_smooth_ = false;
  std::int64_t steps_since_kept_ = 0;
  bool hopeless_ = false, smooth_ = false;
};

}  // namespace davit
