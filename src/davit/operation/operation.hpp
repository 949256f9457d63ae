// The operation of a lift: phases that begin by time, one after the other or on a condition, and move signals while
// they last. An Operation is what was planned, a constant; how far it is stands in State::operation, so a State still
// continues bit for bit. An OperationRun decides after every step what comes next.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "davit/model/channel.hpp"
#include "davit/model/model.hpp"
#include "davit/solve/run_loop.hpp"

namespace davit::operation {

constexpr double never = std::numeric_limits<double>::infinity();

// A channel within bounds; to reach a bound is to be within.
struct Comparison {
  Channel channel;
  double above = -never, below = never;
};

// Holds when all of the first and, if there are any, one of the second hold.
struct Condition {
  std::vector<Comparison> all, any;
  double lasting = 0;  // s, for which it must hold without a break
  std::string text;    // for people: "hoist.tension above 100 kN for 2 s"
};

// What a phase does to one signal.
struct SignalMove {
  enum class Kind { to, by, follow, jump };
  Signal signal{};
  Kind kind = Kind::to;
  double value = 0;            // in the unit of the signal; of `to`, `by` and `jump`
  std::optional<double> over;  // s; none: as fast as the limits let it
  DriveLimits limits{};
  Profile profile{};
  Motion table{};          // of `follow`, from the beginning of the phase
  bool scheduled = false;  // its time was known before the run, and the signal has it from the start
};

struct Phase {
  std::string name;
  // Begins when all these have ended, a time has come, a time has passed since then, and a condition holds.
  std::vector<int> after;
  double at = -never;
  double delay = 0;
  std::optional<Condition> when;
  std::vector<SignalMove> moves;
  double hold = 0;  // s, that it lasts at least
  // Ends when its moves are over; with a condition when that holds, and its moves are brought to rest.
  std::optional<Condition> until;
  double timeout = never;            // s, for which it waits for a condition
  bool continue_on_timeout = false;  // … after which the operation goes on, or else stops
};

enum class Status { waiting, running, stopping, done, failed };

// What became of a phase.
struct PhaseReport {
  std::string name;
  Status status = Status::waiting;
  std::optional<double> begun, ended;
};

class Operation {
 public:
  Operation() = default;
  explicit Operation(std::vector<Phase> phases) : phases_(std::move(phases)) {}

  bool empty() const { return phases_.empty(); }
  const std::vector<Phase>& phases() const { return phases_; }
  std::optional<int> find(const std::string& name) const;

  // Nothing has begun. By hand: nothing begins by itself.
  std::vector<double> beginning(bool automatic = true) const;
  // Phases begin as planned, or only when they are told to.
  void set_automatic(State&, bool automatic) const;
  bool is_automatic(const State&) const;
  Status status(const State&, int phase) const;
  bool is_under_way(const State& state, int phase) const {
    const Status now = status(state, phase);
    return now == Status::running || now == Status::stopping;
  }
  std::vector<PhaseReport> report(const State&) const;

 private:
  std::vector<Phase> phases_;
};

// What a signal follows from here on. True where it does not go on smoothly, so that equations change at this instant.
bool follow_from_here(State&, int signal, Motion);

// Carries out an operation in a run.
class OperationRun final : public Supervisor {
 public:
  // `events`: told of phases that begin and end; may be null.
  OperationRun(const Operation&, const Model&, EventSink* events);
  double next_time(const State&) const override;
  bool waits(const State&) const override;
  bool has_come(const State&, const Workspace&) override;
  Decision decide(State&, const Workspace&) override;

  // Begins a phase that waits, whatever it waits for.
  void begin_now(int phase, State&);
  // Somebody else moves a signal from here on: phases that move it are brought to rest, and none begins by itself.
  void take_over(int signal, State&);

  // All else is in the State.
  template <class A>
  void archive(A& a) {
    a(why_);
  }

 private:
  bool advance(int phase, State&);
  bool wait(int phase, State&);
  bool go_on(int phase, State&);
  void begin(int phase, State&);
  void give(int signal, Motion motion, State& state) {
    jumped_ = follow_from_here(state, signal, std::move(motion)) || jumped_;
  }
  void end(int phase, State&, const char* how);
  void come_to_rest(int phase, State&);
  // Everything is brought to rest, and the run ends there.
  void fail(int phase, State&, const std::string& why);
  bool moves_are_over(int phase, const State&) const;
  bool holds(const Condition&, size_t first_value) const;
  // Whether it has held for long enough; keeps since when in the record.
  bool has_held(const Condition&, size_t first_value, double t, double& since) const;
  void read_values(const State&, const Workspace&);
  // The condition that a phase waits for now, with the place of its first value; or nullptr.
  const Condition* awaited(int phase, const State&, size_t& first_value) const;
  void tell(double t, const std::string& element, const char* what, const std::string& text = {}) const;

  const Operation& operation_;
  const Model& model_;
  EventSink* events_;
  struct Place {
    size_t when = 0, until = 0;  // of the first value of its conditions
  };
  std::vector<Place> places_;  // by phase
  ChannelReader reader_;
  std::vector<double> values_;
  bool jumped_ = false;  // some signal, since the last decision
  std::string why_;      // it stopped
};

}  // namespace davit::operation
