// A run of a scenario that can be stepped, saved and repeated: owns State, System, Stepper and Supervisor, and shows
// what happens to its sinks. Whoever runs a lift runs one of these.
//
//   Simulation run(scenario, find_start(scenario));
//   while (!run.is_over()) {
//     run.advance(run.time() + 0.1);
//     run.set("hoist", length_for(run.get("load.position_z")));
//   }
//   const RunOutcome outcome = run.finish();
//
// Stepped, advanced or run in one go, a run has the same bits, and so has one that was saved and restored. Nothing
// happens before it is first told to go on. Several of one scenario may run at once, each in a thread.
#pragma once

#include <functional>
#include <map>

#include "davit/operation/levers.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/recording.hpp"
#include "davit/solve/step_loop.hpp"

namespace davit {

// Bytes that are not those of a run of this scenario, or a run that cannot be saved: in words.
class BadSave : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Simulation {
 public:
  struct Settings {
    std::vector<Sink*> sinks = {};                  // that look on
    std::function<bool(double t)> proceed = {};     // called after every step; returns false to end the run
    operation::CommandSource* commands = nullptr;   // of levers, in place of recorded ones
    std::optional<SimulationOptions> options = {};  // in place of those of the scenario
  };
  // The scenario and what is in the settings must outlive it.
  Simulation(const Scenario&, State start, Settings);
  // One that cannot begin there (cannot_begin) is over at once, broken.
  Simulation(const Scenario&, const Start&, Settings);
  Simulation(const Scenario& scenario, State start) : Simulation(scenario, std::move(start), Settings()) {}
  Simulation(const Scenario& scenario, const Start& start) : Simulation(scenario, start, Settings()) {}
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  double time() const { return state_.t; }
  const State& state() const { return state_; }
  bool is_over() const;

  // One step of the method; where loads have to be resolved, the first that does.
  void step();
  // Steps until its time has come there. It takes the steps that it would take anyway, and so may come past it; or it
  // lands on it, which is another run where a step would not have ended there.
  enum class Landing { after, on };
  void advance(double to, Landing landing = Landing::after);
  // All that is left; then finishes.
  RunOutcome run();
  // The run ends here. Sinks are told, once; later calls return the same.
  const RunOutcome& finish();

  // The value of a channel of the model now, whether it is recorded or not. Throws std::out_of_range with channels of
  // like names.
  double get(std::string_view channel);
  // A workspace evaluated where it is.
  const Workspace& look();

  // What a signal does from here on, in place of phases that move it: goes to a value as fast as its drive can (a
  // switch, or what has no drive, jumps there), keeps a speed that its drive comes to, or follows a motion. Signals are
  // those of Model::signals by name, a coordinate of one axis by its body too. Throws std::out_of_range with the names
  // there are, std::invalid_argument for values beyond its range.
  void set(std::string_view signal, double value);
  void drive(std::string_view signal, double speed);
  void follow(std::string_view signal, Motion motion);

  // All that is needed to go on from here, bit for bit, in another Simulation of the same scenario, which has not
  // begun. The end of the run may be another. Where it cannot be saved (cannot_be_saved) or the bytes are not of this
  // scenario, BadSave.
  std::string save() const;
  void restore(std::string_view bytes);
  std::optional<std::string> cannot_be_saved() const;
  // Whether it could go on from where it is: not broken, nor stopped by its operation.
  bool may_go_on() const;
  bool was_interrupted() const;

  const Scenario& scenario() const { return scenario_; }
  const Stepper& stepper() const { return *stepper_; }
  System& system() { return system_; }

 private:
  void begin();
  int signal_named(std::string_view name) const;
  void give(int signal, Motion motion);

  const Scenario& scenario_;
  Settings settings_;
  std::optional<std::string> nowhere_to_begin_;
  System system_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
  Recording recording_;
  std::optional<operation::RecordedCommands> recorded_;
  std::unique_ptr<operation::OperationRun> phases_;  // without levers
  std::unique_ptr<operation::LeverRun> levers_;
  std::optional<StepLoop> loop_;
  bool begun_ = false;
  std::optional<RunOutcome> outcome_;
  std::map<std::string, size_t, std::less<>> channels_;  // of the model, by name
};

}  // namespace davit
