#include "davit/live/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/io/write_file.hpp"
#include "davit/scene/scenario_scene.hpp"
#include "davit/view/content.hpp"

namespace davit::live {

namespace {

using operation::LeverCommand;
using operation::LeverVerb;
using namespace std::chrono_literals;

constexpr auto between_reports = 100ms, between_frames = 40ms, between_rows = 50ms, between_looks = 20ms;
constexpr double most_behind = 0.25;  // s, beyond which lost time is given up
// Of commands that wait for the next tick, which may be long in coming: a run that is paused has none.
constexpr std::size_t most_waiting = 10'000;
constexpr std::int64_t most_ticks_ahead = 1'000'000'000;
constexpr double longest_silence = 1;  // s, after which levers of a silent controller are let go

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

Session::Session(const Scenario& scenario, Broadcaster& broadcaster, SessionOptions options)
    : scenario_(scenario), broadcaster_(broadcaster), options_(std::move(options)), state_{.factor = options_.factor} {
  state_.levers.resize(scenario.levers->levers.size());
  state_.asked.resize(state_.levers.size());
}

void Session::begin(int run, const std::filesystem::path& folder, const RunSettings::Beginning& beginning) {
  const std::lock_guard lock(mutex_);
  run_ = run;
  folder_ = folder.string();
  std::filesystem::create_directories(folder);
  const std::filesystem::path record = folder / "levers.csv";
  io::Draft(record).keep();  // empty, and in the place of whatever was there
  record_ = std::ofstream(record, std::ios::binary | std::ios::app);
  record_ << operation::lever_record_head << '\n' << std::flush;
  const result::Scene* scene = beginning.scene ? &beginning.scene->scene : nullptr;
  shape_.reset();
  if (scene) shape_ = scene->frames;
  std::fill(state_.asked.begin(), state_.asked.end(), 0.0);
  for (size_t i = 0; i < state_.levers.size(); ++i) {
    const auto signal = static_cast<size_t>(scenario_.levers->levers[i].signal.index());
    state_.levers[i] = {scenario_.model->signals()[signal].motion.value(0), 0};
  }
  meta_ = view::live_meta_json(beginning.header, beginning.channels, scene, levers_text(scenario_, run_, state_));
  meshes_ = view::meshes(scene);
  waiting_.clear();
  frame_bytes_ = row_bytes_ = nullptr;
  origin_.reset();
  ticks_ = 0;
  reported_ = {0, Clock::now()};
  next_frame_ = next_row_ = next_report_ = Clock::now();
  state_.t = 0;
  broadcaster_.tell(began_text(run_, folder_, state_.t));
}

void Session::finish(const RunOutcome& outcome) {
  const std::lock_guard lock(mutex_);
  record_.close();
  broadcaster_.tell(ended_text(run_, folder_, outcome));
}

bool Session::over() const { return reset_ || end_ || (options_.interrupted && options_.interrupted()); }

bool Session::goes_on() const {
  const std::lock_guard lock(mutex_);
  return !over();
}

bool Session::take_reset() {
  std::unique_lock lock(mutex_);
  while (!over() && pages_ > 0) changed_.wait_for(lock, between_looks);
  const bool again = reset_ && !end_ && !(options_.interrupted && options_.interrupted());
  reset_ = false;
  return again;
}

void Session::note_state(const State& state) {
  state_.t = state.t;
  for (size_t i = 0; i < state_.levers.size(); ++i) {
    const Motion& motion = state.discrete.signals[scenario_.levers->levers[i].signal.index()];
    state_.levers[i] = {motion.value(state.t), motion.derivative(1, state.t)};
  }
  state_.phases.clear();
  for (const operation::PhaseReport& phase : scenario_.operation.report(state)) state_.phases.push_back(phase.status);
  state_.automatic = scenario_.operation.is_automatic(state);
}

std::vector<LeverCommand> Session::at_tick(std::int64_t tick, const State& state, const Workspace& work,
                                           EventSink* events) {
  std::unique_lock lock(mutex_);
  note_state(state);
  if (!wait_for_turn(lock, state.t)) return {};
  if (controller_) {
    look_for_answer(state.t, events);
    ask_controller(tick, state, work);
    if (controller_->hello.mode == Hello::Mode::lock_step) wait_for_answer(lock, state.t, events);
  }
  std::vector<LeverCommand> out = std::exchange(waiting_, {});
  keep(tick, out);
  report();
  return out;
}

// False when the run is over.
bool Session::wait_for_turn(std::unique_lock<std::mutex>& lock, double t) {
  while (!over()) {
    const Clock::time_point now = Clock::now();
    const bool waits = !anybody_ || (state_.paused && ticks_ == 0);
    if (!waits && state_.paused) {
      --ticks_;
      origin_.reset();
      return true;
    }
    const bool as_fast = state_.factor == 0 || (controller_ && controller_->hello.mode == Hello::Mode::lock_step);
    if (!waits && as_fast) {
      origin_.reset();
      return true;
    }
    Clock::time_point until = now + between_looks;
    if (waits) {
      origin_.reset();
    } else {
      if (!origin_) origin_ = {t, now};
      const auto due = origin_->second + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>((t - origin_->first) / state_.factor));
      if (now >= due) {
        const double late = seconds(now - due);
        state_.behind = std::max(state_.behind, late);
        if (late > most_behind) origin_ = {t, now};
        return true;
      }
      until = std::min(until, due);
    }
    report();
    changed_.wait_until(lock, until);
  }
  return false;
}

void Session::ask_controller(std::int64_t tick, const State& state, const Workspace& work) {
  Controller& c = *controller_;
  c.reader.read(state, work, c.values.data());
  c.asked = tick;
  c.sent = Clock::now();
  broadcaster_.tell_controller(tick_text(tick, state.t, c.values));
}

void Session::wait_for_answer(std::unique_lock<std::mutex>& lock, double t, EventSink* events) {
  const auto sent = controller_->sent;
  while (controller_ && controller_->answered < controller_->asked && !over()) {
    if (seconds(Clock::now() - sent) > options_.patience) {
      const std::string words =
          fmt::format("the controller has not answered tick {} for {:.3g} s: levers to zero, and the run pauses",
                      controller_->asked, options_.patience);
      if (events) events->event(t, "controller", "silent", words);
      broadcaster_.tell(error_text(words));
      broadcaster_.tell_controller(error_text(words));
      controller_->answered = controller_->asked;
      ++controller_->missed;
      let_go();
      state_.paused = true;
      return;
    }
    report();
    changed_.wait_for(lock, between_looks);
  }
}

// In real time: whether there was an answer to the last tick before this one comes.
void Session::look_for_answer(double t, EventSink* events) {
  Controller& c = *controller_;
  if (c.hello.mode != Hello::Mode::real_time || c.asked < 0 || c.answered >= c.asked) return;
  ++c.missed;
  ++c.silent;
  const double tick = scenario_.levers->tick;
  const bool first = c.silent == 1, given_up = c.silent == std::llround(longest_silence / tick);
  if (!first && !given_up) return;
  const std::string words =
      given_up ? fmt::format("the controller is silent for {:.3g} s: levers to zero", longest_silence)
               : fmt::format("the controller missed its deadline: no answer to tick {} within {:.3g} ms ({} missed)",
                             c.asked, 1e3 * c.hello.deadline.value_or(tick), c.missed);
  if (given_up) let_go();
  if (events) events->event(t, "controller", given_up ? "silent" : "late", words);
  broadcaster_.tell_controller(late_text(words));
}

void Session::keep(std::int64_t tick, const std::vector<LeverCommand>& commands) {
  for (const LeverCommand& command : commands) {
    record_ << operation::line_of({tick, command});
    if (command.verb == LeverVerb::stop) std::fill(state_.asked.begin(), state_.asked.end(), 0.0);
    if (const auto lever = scenario_.levers->find(command.name))
      state_.asked[static_cast<size_t>(*lever)] = command.verb == LeverVerb::speed ? command.value : 0;
  }
  if (commands.empty() || !record_) return;
  record_.flush();
  if (!record_)
    broadcaster_.tell(
        error_text("levers.csv cannot be written any more (is there room?): the run goes on, but what is done "
                   "with levers from now on cannot be done again"));
}

void Session::report() {
  const Clock::time_point now = Clock::now();
  if (now < next_report_) return;
  next_report_ = now + between_reports;
  const double wall = seconds(now - reported_.second);
  if (wall >= 0.5) {
    state_.achieved = (state_.t - reported_.first) / wall;
    reported_ = {state_.t, now};
  }
  state_.controller.reset();
  if (controller_) state_.controller = {controller_->hello.mode, controller_->missed, controller_->round_trip};
  broadcaster_.tell(state_text(state_));
  state_.behind = 0;
}

bool Session::wants_shapes_at(double) const { return Clock::now() >= next_frame_; }

void Session::watch(const Snapshot& now) {
  const Clock::time_point time = Clock::now();
  if (shape_ && !now.poses.empty() && time >= next_frame_) {
    fill_frame(now, frame_);
    const auto shared = std::make_shared<const std::string>(frame_bytes(*shape_, frame_));
    {
      const std::lock_guard lock(mutex_);
      frame_bytes_ = shared;
    }
    broadcaster_.show(shared);
    next_frame_ = time + between_frames;
  }
  if (time < next_row_) return;
  next_row_ = time + between_rows;
  const auto shared = std::make_shared<const std::string>(row_bytes(now.state.t, now.values));
  {
    const std::lock_guard lock(mutex_);
    row_bytes_ = shared;
  }
  broadcaster_.show(shared);
}

void Session::event(double t, std::string_view element, std::string_view key, std::string_view text,
                    std::span<const double>) {
  if (view::is_about_nodes(key)) return;
  broadcaster_.tell(event_text(t, element, key, text));
}

std::string Session::meta() const {
  const std::lock_guard lock(mutex_);
  return meta_;
}

std::string Session::meshes() const {
  const std::lock_guard lock(mutex_);
  return meshes_;
}

Session::Latest Session::page_came() {
  const std::lock_guard lock(mutex_);
  ++pages_;
  anybody_ = true;
  changed_.notify_all();
  return {began_text(run_, folder_, state_.t), frame_bytes_, row_bytes_};
}

// A lever that nobody holds any more is let go.
void Session::page_left(int client) {
  const std::lock_guard lock(mutex_);
  --pages_;
  if (client != driver_) return;
  driver_ = -1;
  let_go();
}

// All levers to zero; once is enough.
void Session::let_go() {
  if (waiting_.empty() || waiting_.back().verb != LeverVerb::stop) waiting_.push_back({LeverVerb::stop});
}

// What stops everything is always heard.
void Session::check_room_for(const std::vector<LeverCommand>& commands) const {
  const bool only_stops = std::all_of(commands.begin(), commands.end(),
                                      [](const LeverCommand& command) { return command.verb == LeverVerb::stop; });
  if (!only_stops && waiting_.size() + commands.size() > most_waiting)
    throw BadMessage(fmt::format("{} commands wait for the next tick already{}: 'stop' alone is heard until it comes",
                                 waiting_.size(), state_.paused ? ", and the run is paused" : ""));
}

void Session::request(int client, const Request& request) {
  const std::lock_guard lock(mutex_);
  for (const LeverCommand& command : request.commands)
    if (const std::string mistake = mistake_in(command, *scenario_.levers, scenario_.operation); !mistake.empty())
      throw BadMessage(mistake);
  check_room_for(request.commands);
  for (const LeverCommand& command : request.commands) {
    if (command.verb == LeverVerb::stop)
      let_go();
    else
      waiting_.push_back(command);
    if (command.verb == LeverVerb::speed && command.value != 0) driver_ = client;
  }
  if (request.pause) state_.paused = *request.pause;
  if (request.factor && state_.factor != *request.factor) {
    state_.factor = *request.factor;
    origin_.reset();
  }
  ticks_ = std::min(ticks_ + request.ticks, most_ticks_ahead);
  reset_ = reset_ || request.reset;
  end_ = end_ || request.end;
  if (request.tick && controller_) {
    Controller& c = *controller_;
    if (*request.tick > c.asked) throw BadMessage("that tick has not come yet");
    if (*request.tick == c.asked && c.answered < c.asked) {
      c.round_trip = seconds(Clock::now() - c.sent);
      const bool in_time =
          c.hello.mode == Hello::Mode::lock_step || c.round_trip <= c.hello.deadline.value_or(scenario_.levers->tick);
      if (in_time) {
        c.answered = c.asked;
        c.silent = 0;
      }
    }
  }
  next_report_ = Clock::now();
  changed_.notify_all();
}

std::string Session::controller_came(const Hello& hello) {
  const std::lock_guard lock(mutex_);
  if (controller_) throw BadMessage("another controller has the levers");
  std::vector<Channel> channels;
  for (const std::string& name : hello.channels) {
    const auto& all = scenario_.model->channels();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Channel& c) { return c.name == name; });
    if (found == all.end())
      throw BadMessage(fmt::format("there is no channel '{}': davit check --channels FILE lists them", name));
    channels.push_back(*found);
  }
  controller_ =
      std::make_unique<Controller>(Controller{hello, ChannelReader(channels), std::vector<double>(channels.size())});
  anybody_ = true;
  changed_.notify_all();
  return welcome_text(scenario_, run_, state_, channels);
}

void Session::controller_left() {
  const std::lock_guard lock(mutex_);
  if (!controller_) return;
  controller_.reset();
  let_go();
  broadcaster_.tell(error_text("the controller has gone: levers to zero"));
  changed_.notify_all();
}

}  // namespace davit::live
