// `davit plan`: inputs that make the load go where it should.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "davit/app/commands.hpp"
#include "davit/app/plan_feedback_text.hpp"
#include "davit/app/plan_output.hpp"
#include "davit/app/run_files.hpp"
#include "davit/app/terminal.hpp"
#include "davit/io/write_file.hpp"
#include "davit/planning/planning.hpp"
#include "davit/run/run.hpp"

namespace davit::app {

namespace {

using inverse_dynamics::Analysis;
using inverse_dynamics::Instant;

std::string list(const std::vector<int>& numbers) {
  std::string out;
  for (const int n : numbers) out += (out.empty() ? "" : ", ") + std::to_string(n);
  return out;
}

void print_analysis(const PlanResult& r) {
  const Analysis& a = r.analysis;
  say("  model:   {}, {}, {} of freedom{}; {} and {}\n", counted(static_cast<size_t>(a.speeds), "speed"),
      counted(static_cast<size_t>(a.independent_constraints), "constraint"),
      counted(static_cast<size_t>(a.degrees_of_freedom), "degree", "degrees"),
      a.massless_motions > 0 ? fmt::format(" ({} without mass)", a.massless_motions) : "",
      counted(static_cast<size_t>(a.inputs), "input"), counted(static_cast<size_t>(a.outputs), "output row"));
  if (!a.index) return;
  say("  problem: index {}, {} realisation (rank {} of {}), relative degrees {}\n", *a.index, name_of(a.realisation),
      a.coupling_rank, a.outputs, list(a.relative_degrees));
  if (a.flat) {
    say("           flat: motion and inputs follow from the desired motion and {} of its derivatives\n",
        a.derivatives());
  } else {
    say("           not flat: {} of internal dynamics, poles",
        counted(static_cast<size_t>(a.internal_states), "state"));
    say(" {} 1/s\n", poles_text(a.internal_poles));
  }
}

void print_plan(const PlanResult& r, html::UnitSystem units) {
  const auto shown = [&](double x, const std::string& unit) { return html::with_unit(x, unit, units); };
  say("  motion:  {:.4g} s{}, {} derivatives continuous; by {}, {} points\n", r.over,
      r.shortest ? " (the shortest that keeps all limits)" : "", r.smoothness, r.method, r.plan.points.size());
  Table table({"input", "least", "largest", "travel", "fastest"});
  for (size_t i = 0; i < r.model.inputs.size(); ++i) {
    const PlannedInput& input = r.model.inputs[i];
    const auto k = static_cast<Eigen::Index>(i);
    double least = 1e300, most = -1e300, fastest = 0;
    for (const Instant& at : r.plan.points) {
      least = std::min(least, at.w[k]);
      most = std::max(most, at.w[k]);
      fastest = std::max(fastest, std::abs(input.ratio * at.u[input.at.u]));
    }
    const bool turns = input.angle && !input.winch;
    const double travel = input.ratio * (r.plan.points.back().q[input.at.q] - r.plan.points.front().q[input.at.q]);
    table.add({input.name, shown(least, input.unit), shown(most, input.unit), shown(travel, turns ? "rad" : "m"),
               shown(fastest, turns ? "rad/s" : "m/s")});
  }
  say("\n{}", table.text(1));
  if (!r.model.ropes.empty()) {
    Table ropes({"rope", "least tension", "largest tension"});
    for (const rope::BuiltRope& rope : r.model.ropes) {
      double least = 1e300, most = -1e300;
      for (const Instant& at : r.plan.points) {
        least = std::min(least, -at.lambda[rope.row]);
        most = std::max(most, -at.lambda[rope.row]);
      }
      ropes.add({rope.name, shown(least, "N"), shown(most, "N")});
    }
    say("\n{}", ropes.text(1));
  }
}

void print_uses(const PlanResult& r, html::UnitSystem units) {
  if (r.uses.empty()) return;
  Table table({"limit", "bound", "reached", "at", ""});
  for (const PlanUse& use : r.uses)
    table.add({use.what, (use.below ? "" : "at least ") + html::with_unit(use.bound, use.unit, units),
               html::with_unit(use.largest, use.unit, units), number(use.at) + " s", use.kept() ? "kept" : "EXCEEDED"});
  say("\n{}", table.text(1));
}

void print_replay(const PlanResult& r) {
  const auto show = [&](const char* what, const std::optional<inverse_dynamics::Replay>& replay,
                        const std::string& method, const inverse_dynamics::ServoProblem& problem) {
    if (!replay) return;
    if (!replay->complete) {
      say("  played back with {}: did not come to its end: {}\n", what, replay->why);
      return;
    }
    std::string errors;
    for (Eigen::Index i = 0; i < replay->largest.size(); ++i)
      errors +=
          fmt::format("{}{} {:.2g}", i == 0 ? "" : "; ", problem.row_name(static_cast<int>(i)), replay->largest[i]);
    say("  played back with {} ({}): largest errors {} (m, rad)\n", what, method, errors);
  };
  say("\n");
  show("rigid ropes, inputs as forces", r.rigid, r.rigid_method, r.model.problem);
  show("elastic ropes, drives as planned", r.elastic, r.elastic_method, r.model.problem);
}

void print_warnings(const PlanResult& r) {
  for (const std::string& note : r.model.notes) say("  note: {}\n", note);
  for (const std::string& warning : warnings_of(r)) say("  warning: {}\n", warning);
}

}  // namespace

int plan_command(const PlanArguments& arguments) {
  input::Problems problems;
  const auto scenario = load(arguments, problems);
  if (scenario && !scenario->specification.plan)
    problems.error(scenario->specification.where, "the scenario has no plan",
                   "add a section 'plan' with inputs, outputs and a time: see docs/plans.md");
  std::optional<PlanResult> result;
  if (scenario && !problems.has_errors()) result = plan_scenario(*scenario, problems);
  complain("{}", problems.to_text());
  if (!result || problems.has_errors()) return exit_bad_input;
  const html::UnitSystem units = scenario->specification.run.units;
  say("{}\n", arguments.file);
  print_analysis(*result);
  if (!result->plan.complete) {
    print_warnings(*result);
    complain("error: {}\nremedy: keep the desired motion inside what the crane can reach, or make it slower\n",
             result->plan.why);
    return exit_broken;
  }
  print_plan(*result, units);
  print_uses(*result, units);
  print_replay(*result);
  print_warnings(*result);
  std::optional<PlanFeedback> feedback;
  if (scenario->specification.plan->feedback) {
    input::Problems of_feedback;
    feedback = play_with_feedback(*scenario, *result, of_feedback);
    complain("{}", of_feedback.to_text());
    if (!feedback) return exit_bad_input;
    print_feedback(*feedback, *result);
  }
  const auto folder =
      results_folder(arguments.directory, std::filesystem::path(arguments.file).stem().string() + "_plan");
  try {
    std::filesystem::create_directories(folder);
    io::write_file(folder / "plan.csv", csv_of(*result));
    nlohmann::json described = json_of(*result, problems);
    if (feedback) {
      described["feedback"] = json_of(*feedback, *result);
      io::write_file(folder / "feedback.csv", feedback_csv(*feedback, *result));
    }
    io::write_file(folder / "plan.json", described.dump(2) + "\n");
    auto playback = playback_scenario(*scenario, *result, problems);
    if (playback) {
      RunSettings settings;
      settings.directory = folder;
      settings.created = time_now();
      run_scenario(*playback, settings);
    }
  } catch (const std::exception& error) {
    complain("error: cannot write to {}: {}\nremedy: choose another folder with -o\n", folder.string(), error.what());
    return exit_bad_input;
  }
  say("\n  plan.csv, plan.json and the run with elastic ropes (report.html) are in {}\n", folder.string());
  return why_not_as_asked(*result).empty() ? exit_ok : exit_limit;
}

}  // namespace davit::app
