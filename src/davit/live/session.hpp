// A live run between two threads: the simulation asks for commands at every tick and shows what it has; the server
// hands in what clients want. Keeps time with the clock on the wall, waits for a controller in lock-step, records what
// was done with the levers.
//
// Solves: everything that both threads touch is here, behind one lock.
// Does not: know sockets (server.hpp) or how a run is made (run/run.hpp).
#pragma once

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>

#include "davit/live/messages.hpp"
#include "davit/operation/levers.hpp"
#include "davit/run/run.hpp"
#include "davit/simulation/sink.hpp"

namespace davit::live {

// Who hears of a run. Called from the thread of the simulation; must not wait.
class Broadcaster {
 public:
  virtual ~Broadcaster() = default;
  virtual void tell(const std::string& text) = 0;  // all pages
  virtual void show(std::shared_ptr<const std::string> bytes) = 0;
  virtual void tell_controller(const std::string& text) = 0;
};

struct SessionOptions {
  double factor = 1;     // of real time; 0: as fast as it can
  double patience = 10;  // s, for a controller in lock-step
  std::function<bool()> interrupted = {};
};

class Session final : public operation::CommandSource, public Sink {
 public:
  // The scenario has levers. Both must outlive the session.
  Session(const Scenario& scenario, Broadcaster& broadcaster, SessionOptions options);

  // By the thread of the simulation: a run begins, goes, and is over.
  void begin(int run, const std::filesystem::path& folder, const RunSettings::Beginning& beginning);
  std::vector<operation::LeverCommand> at_tick(std::int64_t tick, const State&, const Workspace&, EventSink*) override;
  bool goes_on() const;
  void finish(const RunOutcome& outcome) override;
  bool wants_shapes() const override { return true; }
  bool wants_shapes_at(double t) const override;
  bool wants_every_step() const override { return true; }
  void record(const Snapshot&) override {}
  void watch(const Snapshot& now) override;
  void event(double t, std::string_view element, std::string_view key, std::string_view text,
             std::span<const double> values) override;
  // Whether another run shall follow: waits for that as long as a page looks on. Forgets it.
  bool take_reset();

  // By the thread of the server. Clients have numbers. Requests that cannot be met throw BadMessage.
  std::string meta() const;
  std::string meshes() const;
  struct Latest {
    std::string began;
    std::shared_ptr<const std::string> frame, row;  // null: none yet
  };
  Latest page_came();
  void page_left(int client);
  void request(int client, const Request& request);
  // Returns what to greet it with.
  std::string controller_came(const Hello& hello);
  void controller_left();

 private:
  using Clock = std::chrono::steady_clock;
  struct Controller {
    Hello hello;
    ChannelReader reader;
    std::vector<double> values;
    std::int64_t asked = -1, answered = -1;
    Clock::time_point sent{};
    long missed = 0, silent = 0;  // ticks; one after the other
    double round_trip = 0;        // s, the last
  };

  bool over() const;
  void note_state(const State&);
  bool wait_for_turn(std::unique_lock<std::mutex>&, double t);
  void ask_controller(std::int64_t tick, const State&, const Workspace&);
  void wait_for_answer(std::unique_lock<std::mutex>&, double t, EventSink*);
  void look_for_answer(double t, EventSink*);
  void report();
  void keep(std::int64_t tick, const std::vector<operation::LeverCommand>& commands);
  void let_go();
  void check_room_for(const std::vector<operation::LeverCommand>& commands) const;

  const Scenario& scenario_;
  Broadcaster& broadcaster_;
  SessionOptions options_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string meta_, meshes_;
  std::vector<operation::LeverCommand> waiting_;
  std::unique_ptr<Controller> controller_;
  int pages_ = 0, driver_ = -1;  // who moved a lever last
  bool anybody_ = false, reset_ = false, end_ = false;
  std::int64_t ticks_ = 0;
  // Time of the run and on the wall at which counting began.
  std::optional<std::pair<double, Clock::time_point>> origin_;

  LiveState state_;  // at the last tick; behind: most since the last report

  Clock::time_point next_report_{}, next_frame_{}, next_row_{};
  std::pair<double, Clock::time_point> reported_{};
  std::shared_ptr<const std::string> frame_bytes_, row_bytes_;
  std::optional<result::FrameShape> shape_;
  result::Frame frame_;
  std::ofstream record_;
  int run_ = 0;
  std::string folder_;
};

}  // namespace davit::live
