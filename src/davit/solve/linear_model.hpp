// The linear model of any model about an instant, from chosen inputs to chosen outputs: ẋ = A x + B u, y = C x + D u in
// as few states as the constraints leave.
//
// States are the independent ones of the coordinates and of the speeds, as deviations from the instant (of turns in
// space: small rotations), the auxiliary states of elements, and what signals need (below). With f the motion of all
// coordinates x = (d, u, z), and C δx = 0 what constraints g = 0, ġ = 0 leave, δx = T y with y some of the numbers of
// δx: A = L (∂f/∂x) T, where L takes these numbers out. That is exact also where the model is not at rest; it is then
// the linear model of that instant alone.
//
// Inputs are ports and signals. A port is what an actuator reads: in a closed loop the input is added to what the
// controller commands, in an open one controllers are cut off and the port is the input's. A signal comes with value,
// rate and acceleration, which are not independent: the highest of them that the equations read is the input, and those
// below it are states that integrate it.
#pragma once

#include "davit/linear/state_space.hpp"
#include "davit/model/channel.hpp"
#include "davit/solve/equation_point.hpp"

namespace davit {

struct PortSelection {
  Loop loop = Loop::closed;
  std::vector<int> inputs;   // ports, by number
  std::vector<int> signals;  // by number; those that the equations do not read are left out
  std::vector<Channel> outputs;
};

struct LinearModel {
  linear::StateSpace space;
  int mechanical_states = 0;  // coordinates and speeds: the first of all states
  EquationPoint point;
  struct InputInfo {
    bool signal = false;
    int index = 0;          // of the port or signal
    int derivative = 0;     // of the signal that is the input: 0 its value, 1 its rate, 2 its acceleration
    double value = 0;       // at the instant
    bool at_limit = false;  // the port has no more to give
  };
  std::vector<InputInfo> inputs;
  struct OutputInfo {
    bool exact = true;  // otherwise by differences …
    double error = 0;   // … with this estimated error, beside the largest derivative of the output
    double value = 0;   // at the instant
  };
  std::vector<OutputInfo> outputs;
  std::vector<std::string> unread_signals;  // of the chosen ones
  // Largest speed, acceleration and rate of an auxiliary state at the instant: zero at rest.
  double speed = 0, acceleration = 0, rate = 0;
  bool at_rest() const { return speed < 1e-6 && acceleration < 1e-6; }
};

// At a state that meets the constraints. Throws std::invalid_argument for models with contacts, which open and close,
// std::domain_error for an output without a finite derivative, and std::runtime_error when a motion has no inertia or
// there are no accelerations.
LinearModel linear_model(System&, const State&, const PortSelection&);

// Outputs of a model whose derivatives are exact: those that it has, and coordinates and speeds by the names of their
// channels.
std::vector<Output> exact_outputs(const Model&);

}  // namespace davit
