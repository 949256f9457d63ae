// A plan played back: its inputs drive the forward simulation of a model, and the outputs show how far they are off.
#pragma once

#include "davit/inverse_dynamics/plan.hpp"
#include "davit/solve/stepper.hpp"

namespace davit::inverse_dynamics {

// Gives inputs the values of signals: the feedforward of a plan, zero until a plan is there.
class Feedforward final : public ControllerOf<Feedforward> {
 public:
  struct Channel {
    Signal signal;
    int input = 0;
  };
  Feedforward(std::string name, std::vector<Channel> channels)
      : ControllerOf(std::move(name)), channels_(std::move(channels)) {}
  std::string summary() const override { return "inputs as planned"; }
  std::vector<Coupling> couplings() const override;
  const std::vector<Channel>& channels() const { return channels_; }

  template <class S>
  void control(const ContextT<S>& c, S* w, S*) const {
    for (const Channel& channel : channels_) w[channel.input] = channel.signal.value(c.kin);
  }

 private:
  std::vector<Channel> channels_;
};

// Each input of a plan as a motion in time: cubic pieces through its points, with the rates where the plan has them.
std::vector<Motion> planned_inputs(const Plan&);
// Some number of the plan's points likewise.
Motion planned_motion(const Plan&, const std::function<double(const Instant&)>& value);

// How far output rows are off their desired motions at a state.
VecX errors_at(System&, const ServoProblem&, const State&);

// One committed step to a time; why not, where an element cannot go on or the step has no solution.
Failure go_on(System&, Stepper&, State&, double t);

struct Replay {
  std::vector<double> times;
  std::vector<VecX> errors;  // of the output rows at these times
  VecX largest;              // in size, of each row
  State end;
  bool complete = false;
  std::string why;
};
// What signals are told while it lasts.
struct Told {
  Signal signal;
  Motion motion;
};
// From a state of the problem's model through given times, which rise, in steps of about `step`.
Replay replay(const ServoProblem&, const State& start, const std::vector<Told>&, const std::vector<double>& times,
              Stepper&, double step);
// A plan on its own model; `signals` are those of the problem's inputs in the model's Feedforward.
Replay replay(const ServoProblem&, const Plan&, const std::vector<Signal>& signals, Stepper&, double step);

}  // namespace davit::inverse_dynamics

namespace davit {
extern template class ControllerOf<inverse_dynamics::Feedforward>;
}  // namespace davit
