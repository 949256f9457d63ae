// davit live: a lift that somebody drives while it runs.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "davit/app/commands.hpp"
#include "davit/app/run_files.hpp"
#include "davit/app/terminal.hpp"
#include "davit/input/overlay.hpp"
#include "davit/live/live_server.hpp"
#include "davit/live/replay_file.hpp"
#include "davit/result/result_error.hpp"
#include "davit/view/replay_figure.hpp"

namespace davit::app {

namespace {

constexpr double usual_duration = 3600;  // s
constexpr int most_runs = 100'000;

volatile std::sig_atomic_t live_stopped = 0;

// Nothing of an earlier run is overwritten.
std::pair<int, std::filesystem::path> next_folder(const LiveArguments& arguments, int after) {
  const auto below = results_folder(arguments.directory, std::filesystem::path(arguments.file).stem().string());
  int number = after + 1;
  while (number < most_runs && std::filesystem::exists(below / fmt::format("live-{}", number))) ++number;
  return {number, below / fmt::format("live-{}", number)};
}

// Otherwise there are levers of everything that moves, as they come.
bool has_levers(const LiveArguments& arguments) {
  input::Problems ignored;  // load_scenario tells them
  auto root = input::load_with_base(arguments.file, ignored);
  if (root && root->is_map()) input::apply_case(*root, arguments.case_name, ignored);
  return root && root->is_map() && root->find("levers");
}

std::optional<Scenario> load_with_levers(const LiveArguments& arguments, std::vector<std::string>& warnings) {
  ScenarioArguments with_levers = arguments;
  if (!has_levers(arguments)) with_levers.settings.insert(with_levers.settings.begin(), "levers.automatic=false");
  input::Problems problems;
  auto scenario = load(with_levers, problems);
  if (!scenario) {
    complain("{}", problems.to_text());
    return std::nullopt;
  }
  warnings = warnings_of(problems);
  scenario->options.end = arguments.duration.value_or(usual_duration);
  // A result of an hour has room for what a tick shows.
  if (!scenario->specification.run.output && !method(scenario->method).fixed_step)
    scenario->options.output = scenario->levers->tick;
  return scenario;
}

void greet(const LiveArguments& arguments, const live::Server::Ports& ports) {
  const std::string address = fmt::format("http://127.0.0.1:{}/", ports.page);
  fmt::print("{}\n", address);
  if (ports.controller > 0) fmt::print("controller: 127.0.0.1 port {}\n", ports.controller);
  fmt::print("Ctrl-C ends it.\n");
  std::fflush(stdout);
  if (!arguments.stay_here) open_browser(address);
}

struct LiveRuns {
  const LiveArguments& arguments;
  const Scenario& scenario;
  const std::vector<std::string>& warnings;
  live::Server& server;
  live::Session& session;
  std::shared_ptr<const PreparedRun> prepared = std::make_shared<const PreparedRun>(prepare_run(scenario));
  bool serving = false;

  // One after the other, as long as somebody wants another.
  int run_all() {
    int code = exit_ok, number = 0;
    do {
      const auto [next, folder] = next_folder(arguments, number);
      number = next;
      code = run(number, folder);
    } while (session.take_reset());
    return code;
  }

  // Exit code of one run, from start to files.
  int run(int number, const std::filesystem::path& folder) {
    RunSettings settings;
    settings.directory = folder;
    settings.created = time_now();
    settings.warnings = warnings;
    settings.proceed = [&](double) { return session.goes_on(); };
    settings.replay = [](const result::Result& result) { return view::replay_figure(result); };
    settings.prepared = prepared;
    settings.commands = &session;
    settings.sinks = {&session};
    settings.begins = [&](const RunSettings::Beginning& beginning) {
      session.begin(number, folder, beginning);
      live::write_replay(scenario, arguments.settings, arguments.case_name, scenario.options.end, folder);
      if (serving) return;
      live::Server::Options options{static_cast<unsigned short>(arguments.port), {}};
      if (arguments.controller) options.controller_port = static_cast<unsigned short>(*arguments.controller);
      greet(arguments, server.start(session, options));
      serving = true;
    };
    const RunReport report = run_scenario(scenario, settings);
    live::write_replay(scenario, arguments.settings, arguments.case_name, report.outcome.t, folder);
    say("  run {}: {:.6g} s, {}\n  report  {}\n  again   davit run {}\n", number, report.outcome.t,
        report.outcome.status == RunStatus::interrupted ? "ended by hand" : report.summary.status,
        (folder / "report.html").string(), (folder / "replay.yaml").string());
    std::fflush(stdout);
    const bool bad = report.outcome.status == RunStatus::broken;
    if (bad)
      complain("error: the run broke{}: {}\n", report.outcome.element.empty() ? "" : " in " + report.outcome.element,
               report.outcome.why);
    return bad ? exit_broken : exit_ok;
  }
};

}  // namespace

int live_command(const LiveArguments& arguments) {
  std::vector<std::string> warnings;
  const auto scenario = load_with_levers(arguments, warnings);
  if (!scenario) return exit_bad_input;
  if (scenario->levers->levers.empty()) {
    complain(
        "error: nothing in {} can be driven\nremedy: give it a winch, or a joint a drive, e.g. constraints: {{drive: "
        "{{motion: {{joint: king}}}}}}\n",
        arguments.file);
    return exit_bad_input;
  }
  for (const std::string& warning : warnings) complain("warning: {}\n", warning);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, [](int) { live_stopped = 1; });
  live::Server server;
  live::Session session(*scenario, server,
                        {.factor = arguments.factor, .interrupted = [] { return live_stopped != 0; }});
  LiveRuns runs{arguments, *scenario, warnings, server, session};
  int code = exit_broken;
  try {
    code = runs.run_all();
  } catch (const result::ResultError& error) {
    complain("error: {}\n", error.what());
    code = exit_bad_input;
  } catch (const std::runtime_error& error) {
    complain("error: {}\n", error.what());
  }
  server.stop();  // before the session goes
  return code;
}

}  // namespace davit::app
