// The closed loop: a plant that is not quite the plan's model, started beside the plan, with inputs held from sample to
// sample; and the linear closed loop about the end of the plan, with its poles.
#pragma once

#include <random>

#include "davit/inverse_dynamics/error_dynamics.hpp"
#include "davit/inverse_dynamics/feedback_law.hpp"
#include "davit/inverse_dynamics/replay.hpp"

namespace davit::inverse_dynamics {

// How the state is measured: late by so many samples, with white noise on places and speeds (m or rad, per second)
// whose part that the constraints rule out is taken out again.
struct StateSensor {
  int delay = 0;
  double place_noise = 0, speed_noise = 0;  // standard deviations
  unsigned seed = 1;
};

struct LoopOptions {
  VecX signal_factors;  // signals by inputs; empty: they are the inputs
  double sample_time = 0.02, step = 0.01;
  VecX least, most;         // of inputs; empty: any
  bool anti_windup = true;  // integrals wait while an input is at its limit
  StateSensor sensor;
  double end = 0;
};

struct LoopResult {
  std::vector<double> times;  // of samples
  std::vector<VecX> errors, inputs;
  std::vector<State> states;         // at these times
  VecX largest, rms, last;           // errors of the output rows
  long saturated = 0, unsolved = 0;  // samples
  bool complete = false;
  std::string why;
};

// `plant` has the coordinates, inputs and outputs of the law's problem; `signals` are those of its inputs. Without a
// law the plan's inputs alone.
LoopResult run_loop(const ServoProblem& plant, const State& start, const std::vector<Signal>& signals, const PlanTrack&,
                    FeedbackLaw*, const LoopOptions&, Stepper&);

// The linear closed loop about the planned motion at a time.
struct LinearLoop {
  MatX A, B, C;  // of the model, states ζ
  FeedbackGains gains;
  bool integrates = false;
  // With inputs that follow at once.
  Poles poles() const;
  // The largest |z| of the sampled loop with held inputs and measurements late by so many samples, and all of them as
  // poles ln z/h.
  double largest_multiplier(double sample_time, int delay) const;
};
LinearLoop linear_loop(const ServoProblem&, const PlanTrack&, FeedbackLaw&, double t);

// The state nearest to the start of a problem, with its driven coordinates where they are, in which a point is moved by
// so much, as far as the constraints let it.
State moved_start(const ServoProblem&, const State& start, const Frame& point, const Vec3& by);

}  // namespace davit::inverse_dynamics
