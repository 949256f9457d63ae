// Levers: what a person, or a program outside, moves while a run goes. At every tick of a clock commands come from a
// source (a page in a browser, a controller over a socket, a record of an earlier run) and change what signals follow.
// Steps land on ticks whether or not something comes, so a run with recorded commands is the same, bit for bit.
#pragma once

#include <optional>

#include "davit/operation/lever_record.hpp"
#include "davit/operation/operation.hpp"

namespace davit::operation {

struct Lever {
  // Driven: a speed that lasts as long as the lever is held. Set: a value that it goes to.
  enum class Kind { driven, set, switched };
  std::string name, unit;
  Signal signal{};
  Kind kind = Kind::driven;
  DriveLimits limits{};  // finite, but for switches
  double least = -never, most = never;
};

struct Levers {
  double tick = 0;  // s
  bool automatic = false;
  std::vector<Lever> levers{};
  std::vector<RecordedCommand> recorded{};
  std::optional<int> find(const std::string& name) const;
};

// Why a command cannot be carried out, in words; empty if it can.
std::string mistake_in(const LeverCommand&, const Levers&, const Operation&);

class CommandSource {
 public:
  virtual ~CommandSource() = default;
  // What takes effect at a tick, with a workspace evaluated there. May wait, and tell of events (or null).
  virtual std::vector<LeverCommand> at_tick(std::int64_t tick, const State&, const Workspace&, EventSink* events) = 0;
};

class RecordedCommands final : public CommandSource {
 public:
  explicit RecordedCommands(const std::vector<RecordedCommand>& recorded) : recorded_(recorded) {}
  std::vector<LeverCommand> at_tick(std::int64_t tick, const State&, const Workspace&, EventSink*) override;

 private:
  const std::vector<RecordedCommand>& recorded_;  // in the order of ticks
};

// Carries out commands, and the operation beside them. A lever takes what it moves out of the hands of a phase.
class LeverRun final : public Supervisor {
 public:
  LeverRun(const Levers&, CommandSource&, const Operation&, const Model&, EventSink* events);
  double next_time(const State&) const override;
  bool waits(const State& state) const override { return phases_ && phases_->waits(state); }
  bool has_come(const State& state, const Workspace& work) override {
    return phases_ && phases_->has_come(state, work);
  }
  Decision decide(State&, const Workspace&) override;
  // Somebody else moves a signal from here on.
  void take_over(int signal, State&);
  template <class A>
  void archive(A& a) {
    if (phases_) a(*phases_);
  }

 private:
  void carry_out(const LeverCommand&, State&);
  void set_speed(const Lever&, double speed, State&);
  void go_to(const Lever&, double value, State&);
  void stop_at_ends(State&);
  void give(const Lever&, Motion, State&);
  void tell(double t, const std::string& element, const char* what, const std::string& text = {}) const;

  const Levers& levers_;
  CommandSource& source_;
  const Operation& operation_;
  EventSink* events_;
  std::optional<OperationRun> phases_;
  bool jumped_ = false;
};

}  // namespace davit::operation
