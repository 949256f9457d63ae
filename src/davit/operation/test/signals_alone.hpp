// Signals without mechanics: channels are functions of time or show a signal, and the clock goes from decision to
// decision as a run would.
#pragma once

#include <fmt/format.h>

#include "davit/operation/operation.hpp"

namespace davit::operation::test {

struct Told final : EventSink {
  std::vector<std::string> events;
  void event(double, std::string_view element, std::string_view key, std::string_view,
             std::span<const double>) override {
    events.push_back(fmt::format("{} {}", element, key));
  }
};

class SignalsAlone {
 public:
  Signal add(const std::string& name, double start, const DriveLimits& limits = {}, const std::string& unit = "m") {
    return parts_.add(SignalInfo{name, unit, Motion(start), limits});
  }
  void add_channel(const std::string& name, std::function<double(double)> of_time) {
    parts_.observables.add_scalar({name, "N", "", name, name},
                                  [of_time](const State& s, const Workspace&) { return of_time(s.t); });
  }
  void add_channel(const std::string& name, Signal signal) {
    parts_.observables.add_scalar({name, "m", "", name, name}, [signal](const State& s, const Workspace&) {
      return s.discrete.signals[signal.index()].value(s.t);
    });
  }
  Model model() const { return Model(parts_); }

 private:
  ModelParts parts_;
};

inline Channel channel(const Model& model, const std::string& name) {
  for (const Channel& c : model.channels())
    if (c.name == name) return c;
  throw std::out_of_range(name);
}

inline double at(const State& state, Signal signal, int derivative = 0) {
  return state.discrete.signals[signal.index()].derivative(derivative, state.t);
}

// Decides at the start, then at every step and whenever the supervisor wants to, until it stops or the end has come.
inline Supervisor::Decision decide_until(double end, Supervisor& supervisor, State& state, const Workspace& work,
                                         const std::function<void()>& after_each = {}) {
  constexpr double step = 0.01;
  Supervisor::Decision decision = supervisor.decide(state, work);
  while (!decision.stop && state.t < end) {
    if (after_each) after_each();
    const double next = (std::floor(state.t / step + 0.5e-6) + 1) * step;
    state.t = std::min({next, supervisor.next_time(state), end});
    decision = supervisor.decide(state, work);
  }
  return decision;
}

// An operation that is carried out on such a model.
struct Trial {
  const Model model;
  const Operation operation;
  Told told{};
  OperationRun run{operation, model, &told};
  Workspace work = model.make_workspace();
  State state = model.initial_state();

  Trial(const SignalsAlone& signals, std::vector<Phase> phases, bool automatic = true)
      : model(signals.model()), operation(std::move(phases)) {
    state.operation = operation.beginning(automatic);
  }
  Supervisor::Decision until(double end, const std::function<void()>& after_each = {}) {
    return decide_until(end, run, state, work, after_each);
  }
  PhaseReport of(int phase) const { return operation.report(state)[static_cast<size_t>(phase)]; }
};

inline Phase pause(const std::string& name, double hold, std::vector<int> after = {}) {
  Phase out;
  out.name = name;
  out.hold = hold;
  out.after = std::move(after);
  return out;
}

inline SignalMove to(Signal signal, double value, const DriveLimits& limits) {
  SignalMove out;
  out.signal = signal;
  out.value = value;
  out.limits = limits;
  return out;
}

inline Condition above(const Channel& channel, double bound, double lasting = 0) {
  Condition out;
  out.all = {{channel, bound, never}};
  out.lasting = lasting;
  out.text = "it is above the bound";
  return out;
}

}  // namespace davit::operation::test
