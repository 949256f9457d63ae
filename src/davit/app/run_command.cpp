// `davit run`: the banner, the run and its results in the terminal; stops in order at Ctrl-C.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "davit/app/commands.hpp"
#include "davit/app/run_files.hpp"
#include "davit/app/terminal.hpp"
#include "davit/result/result_error.hpp"
#include "davit/run/run.hpp"
#include "davit/scene/description.hpp"
#include "davit/simulation/simulation.hpp"
#include "davit/view/replay_figure.hpp"

namespace davit::app {

namespace {

std::atomic<bool> stop_requested = false;
// The first time the run ends in order; who asks again wants it to end at once.
void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

void print_banner(const Scenario& s, const std::string& directory) {
  const auto stepper = s.make_stepper();
  say("davit {}  {}\n", version(), s.specification.title);
  const std::vector<Constraint> constraints = s.named_constraints();
  say("  model   {}, {}, {}{}, {}\n", counted(s.bodies.size(), "body", "bodies"),
      counted(static_cast<size_t>(s.degrees_of_freedom), "degree of freedom", "degrees of freedom"),
      !constraints.empty() ? counted(constraints.size(), "constraint") + ", " : "",
      counted(s.model->forces().size() + s.model->reaction_forces().size(), "force"),
      counted(s.model->controllers().size() + s.model->servos().size(), "controller"));
  for (const std::string& note : s.notes) say("          {}\n", note);
  for (const Scenario::Weather& w : s.weather) say("          {}: {}\n", w.of, w.given);
  for (const Constraint& c : constraints) say("          {}: constraint, {}\n", c.name, c.geometry->summary());
  for (const Contact& c : s.model->contacts())
    say("          {}: contact, friction {}, restitution {}\n", c.name, number(c.friction), number(c.restitution));
  const auto describe = [&](const Named& element) {
    say("          {}: {}\n", element.name(), description(element, s.specification.run.units));
  };
  for (const auto& f : s.model->forces()) describe(*f.element);
  for (const auto& f : s.model->reaction_forces()) describe(*f);
  for (const auto& c : s.model->controllers()) describe(*c.element);
  for (const auto& c : s.model->servos()) describe(*c.element);
  if (!s.operation.empty()) {
    std::string names;
    for (const auto& phase : s.operation.phases()) names += (names.empty() ? "" : ", ") + phase.name;
    say("  does    {}: {}\n", counted(s.operation.phases().size(), "phase"), names);
  }
  say("  method  {} ({})\n", stepper->summary(), s.method_reason);
  say("  run     {} s, {} {} s, {} channels every {} s into {}\n", number(s.options.end),
      stepper->adaptive() ? "steps up to" : "step", number(s.options.step),
      s.channels.size() + channels_of_every_run().size(), number(s.options.output), directory);
  std::fflush(stdout);
}

void print_ropes(const result::RunSummary& summary) {
  double most = 0;
  bool skew = false;
  for (const result::RopeUse& rope : summary.ropes) {
    most = std::max(most, rope.largest);
    skew = skew || rope.skew_factor;
  }
  const html::DisplayUnit unit = html::display_unit("N", most, summary.units);
  const auto shown = [](const std::optional<double>& x) { return x ? number(*x) : "-"; };
  const auto force = [&](const std::optional<double>& x) { return x ? number(*x * unit.scale) : "-"; };
  std::vector<std::string> header{
      "rope", "static " + unit.name, "largest " + unit.name, "DAF", "MBL " + unit.name, "used", "safety"};
  if (skew) header.push_back("skew");
  Table table(header);
  for (const result::RopeUse& rope : summary.ropes) {
    const auto use = rope.utilisation();
    std::vector<std::string> row{rope.name,
                                 force(rope.at_rest),
                                 force(rope.largest),
                                 shown(rope.dynamic_factor()),
                                 force(rope.mbl),
                                 use ? fmt::format("{:.1f} %", 100 * *use) : "-",
                                 shown(rope.safety_factor())};
    if (skew) row.push_back(shown(rope.skew_factor));
    table.add(std::move(row));
  }
  if (!table.empty()) say("\n{}", table.text(1));
}

void print_results(const RunReport& report) {
  const result::NoiseFloor floor(report.summary.channels);
  const html::DisplayUnits units = result::units_of(report.summary);
  Table extremes({"channel", "unit", "min", "at s", "max", "at s", "mean"});
  for (const auto& c : report.summary.channels) {
    if (!c.channel.main || c.channel.group == "energy") continue;
    const html::DisplayUnit unit = units.of(result::compared_with(c.channel), c.channel.unit);
    const auto shown = [&](double x) { return number(floor.clean(c.channel, x) * unit.scale); };
    extremes.add({c.channel.name, unit.name, shown(c.statistics.min), number(c.statistics.min_time),
                  shown(c.statistics.max), number(c.statistics.max_time), shown(c.statistics.mean)});
  }
  if (!extremes.empty()) say("\n{}", extremes.text(2));
  const auto word = [](result::Verdict verdict) {
    return verdict == result::Verdict::passed ? "pass" : verdict == result::Verdict::undecided ? "undecided" : "FAIL";
  };
  Table limits({"limit", "", "bound", "worst", "unit", "at s", "used", "", ""});
  for (const auto& l : report.summary.limits) {
    const html::DisplayUnit unit = result::unit_of(l, report.summary.units);
    const auto shown = [&](const std::optional<double>& x) { return x ? number(*x * unit.scale) : "-"; };
    const auto& use = l.result.utilisation;
    limits.add({l.limit.channel, std::string(name_of(l.limit.side)), shown(l.result.bound), shown(l.result.worst),
                unit.name, l.result.worst_time ? number(*l.result.worst_time) : "-",
                use && std::isfinite(*use) ? fmt::format("{:.0f} %", 100 * *use) : "-", word(result::verdict(l.result)),
                result::window_text(l.limit)});
  }
  if (!limits.empty()) say("\n{}", limits.text(2));
  Table phases({"phase", "begins s", "ends s", ""});
  for (const auto& p : report.summary.phases)
    phases.add({p.name, p.begun ? number(*p.begun) : "-", p.ended ? number(*p.ended) : "-", p.status});
  if (!phases.empty()) say("\n{}", phases.text(2));
  print_ropes(report.summary);
  Table modes({"mode", "Hz", "period s", "damping", "shape"});
  int index = 0;
  for (const auto& m : report.summary.modes)
    modes.add({std::to_string(++index), number(m.frequency), number(m.period),
               fmt::format("{:.1f} %", std::abs(m.damping_ratio) < 5e-4 ? 0.0 : 100 * m.damping_ratio), m.shape});
  if (!modes.empty()) say("\n{}", modes.text(9));
  if (!report.summary.modes_left_out.empty()) say("  left out: {}\n", report.summary.modes_left_out);
  for (const std::string& warning : report.summary.warnings) say("\n  warning: {}\n", warning);
}

std::filesystem::path directory_of(const RunArguments& arguments) {
  if (!arguments.goes_on.empty()) return result_file(arguments.goes_on).parent_path();
  if (!arguments.directory.empty()) return arguments.directory;
  const auto own = results_folder("", std::filesystem::path(arguments.file).stem().string());
  return arguments.case_name.empty() ? own : own / arguments.case_name;
}

// That of the file, or of the result that goes on.
std::optional<Scenario> scenario_of(const RunArguments& arguments, input::Problems& problems) {
  if (!arguments.file.empty()) return load(arguments, problems);
  try {
    const auto result = result::Result::open(result_file(arguments.goes_on));
    return load_again(result.header().scenario, result.header().scenario_file, arguments.settings, problems,
                      solve_new_hulls());
  } catch (const result::ResultError& error) {
    problems.error({}, error.what(), "name the folder of a run, or its result.h5");
    return std::nullopt;
  }
}

int run_one(const RunArguments& arguments) {
  RunSettings settings;  // from here on the user waits
  input::Problems problems;
  const auto scenario = scenario_of(arguments, problems);
  if (!scenario) {
    complain("{}", problems.to_text());
    return exit_bad_input;
  }
  settings.directory = directory_of(arguments);
  settings.goes_on = !arguments.goes_on.empty();
  settings.created = time_now();
  settings.warnings = warnings_of(problems);
  print_banner(*scenario, settings.directory.string());

  Progress progress(scenario->options.end, isatty(STDERR_FILENO) != 0);
  settings.proceed = [&](double t) {
    progress.update(t);
    return !stop_requested;
  };
  // A terminal that closes asks for the same as Ctrl-C; nohup has it ignored, and that stays. Before the first step
  // there is nothing to keep: a search for equilibrium ends at once.
  settings.begins = [](const RunSettings::Beginning&) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      if (std::signal(signal, request_stop) == SIG_IGN) std::signal(signal, SIG_IGN);
  };
  settings.replay = [](const result::Result& result) { return view::replay_figure(result); };
  RunReport report;
  try {
    report = run_scenario(*scenario, settings);
  } catch (const result::ResultError& error) {
    complain("\nerror: {}\n", error.what());
    return exit_bad_input;
  } catch (const BadSave& bad) {
    complain("\nerror: {}\n", bad.what());
    return exit_bad_input;
  } catch (const std::filesystem::filesystem_error& error) {
    complain("\nerror: cannot write to {}: {}\nremedy: choose another folder with -o\n", settings.directory.string(),
             error.code().message());
    return exit_bad_input;
  }
  progress.finish();
  print_results(report);
  const RunOutcome& outcome = report.outcome;
  say("\n  {} s in {:.3g} s ({:.3g} x real time), {}", number(outcome.t), report.summary.wall_time,
      report.summary.real_time_factor, counted(static_cast<size_t>(outcome.counts.steps), "step"));
  if (outcome.counts.rejected > 0) say(", {} rejected", outcome.counts.rejected);
  say("\n");
  if (!report.summary.step_advice.empty()) say("  {}\n", report.summary.step_advice);
  const bool good = report.summary.quality.good(), limited = !report.summary.limits.empty();
  if (!good)
    say("  {}numerical quality POOR: {}\n", limited && report.limits_kept ? "limits kept, but " : "",
        result::quality_text(report.summary.quality));
  else if (limited)
    say("  numerical quality good\n");
  if (limited)
    for (const std::string& remark : report.summary.quality.remarks) say("  note: {}\n", remark);
  int code = !report.limits_kept ? exit_limit : !good ? exit_poor : exit_ok;
  if (outcome.status == RunStatus::interrupted) {
    say("\n  interrupted at {} s: all up to here is in the result\n", number(outcome.t));
    code = exit_interrupted;
  }
  if (outcome.status == RunStatus::stopped) {
    std::fflush(stdout);
    complain(
        "\nerror: the operation stopped in phase {}: {}\n       everything was brought to rest by {} s, and all of it "
        "is in the result\n",
        outcome.element, outcome.why, number(outcome.t));
    code = exit_broken;
  }
  if (outcome.status == RunStatus::broken) {
    std::fflush(stdout);
    complain("\nerror: the run broke at {} s{}: {}\n       all up to the last good step is in the result\n",
             number(outcome.t), outcome.element.empty() ? "" : " in " + outcome.element, outcome.why);
    code = exit_broken;
  }
  say("\n  report  {}\n", (settings.directory / "report.html").string());
  return code;
}

const char* verdict_of(int code) {
  switch (code) {
    case exit_ok:
      return "good";
    case exit_limit:
      return "LIMIT EXCEEDED";
    case exit_broken:
      return "BROKEN";
    case exit_poor:
      return "limits kept, numerical quality POOR";
    case exit_interrupted:
      return "interrupted";
    default:
      return "NOT RUN";
  }
}

// The worst comes first: what is no run, what broke, a limit, poor quality.
int worse_of(int a, int b) {
  constexpr int order[] = {exit_interrupted, exit_bad_input, exit_broken, exit_limit, exit_poor};
  for (const int code : order)
    if (a == code || b == code) return code;
  return exit_ok;
}

int run_cases(const RunArguments& arguments) {
  input::Problems problems;
  const std::vector<std::string> names = cases_of(arguments.file, problems);
  if (names.empty()) {
    if (problems.has_errors())
      complain("{}", problems.to_text());
    else
      complain("error: {} has no 'cases'\nremedy: write e.g. cases: {{storm: {{run.seed: 3}}}}\n", arguments.file);
    return exit_bad_input;
  }
  Table table({"case", "verdict", "folder"});
  int worst = exit_ok;
  for (const std::string& name : names) {
    RunArguments one = arguments;
    one.case_name = name;
    one.directory =
        (arguments.directory.empty() ? directory_of(one) : arguments.directory / std::filesystem::path(name)).string();
    say("\ncase {}\n", name);
    const int code = run_one(one);
    worst = worse_of(worst, code);
    table.add({name, verdict_of(code), one.directory});
    if (code == exit_interrupted) break;
  }
  say("\n{}", table.text(3));
  return worst;
}

}  // namespace

int run_command(const RunArguments& arguments) {
  if (arguments.file.empty() && arguments.goes_on.empty()) {
    complain(
        "error: nothing to run\nremedy: name a scenario, or a result to go on with --continue; see davit run --help\n");
    return exit_bad_input;
  }
  if (arguments.all_cases && !arguments.goes_on.empty()) {
    complain("error: --continue is about one run\nremedy: name the folder of a case, without --cases\n");
    return exit_bad_input;
  }
  return arguments.all_cases ? run_cases(arguments) : run_one(arguments);
}

}  // namespace davit::app
