// check, schema and export.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "davit/app/commands.hpp"
#include "davit/app/run_files.hpp"
#include "davit/app/terminal.hpp"
#include "davit/planning/planning.hpp"
#include "davit/result/csv.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/rewrite.hpp"
#include "davit/result/summary.hpp"
#include "davit/run/run.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/scenario/scenario_schema.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/view/gltf.hpp"

namespace davit::app {

namespace {

// The cases of a file beside what it says without one; where one was asked for, no others.
int check_cases(const CheckArguments& arguments) {
  if (!arguments.case_name.empty()) return exit_ok;
  input::Problems unreadable;  // which the file's own check has said
  int code = exit_ok;
  for (const std::string& name : cases_of(arguments.file, unreadable)) {
    input::Problems problems;
    CheckArguments one = arguments;
    one.case_name = name;
    const auto scenario = load(one, problems, arguments.no_solve);
    say("{}", problems.to_text());
    if (scenario)
      say("{}: case '{}' is good\n", arguments.file, name);
    else
      say("{}: case '{}': {}\n", arguments.file, name, counted(problems.error_count(), "error"));
    if (!scenario) code = exit_bad_input;
  }
  return code;
}

}  // namespace

namespace {

// What `davit plan` would say before it makes the plan. False after a mistake.
bool check_plan(const CheckArguments& arguments, const Scenario& scenario) {
  if (!scenario.specification.plan) return true;
  input::Problems problems;
  const auto posed = pose_plan(scenario, problems);
  say("{}", problems.to_text());
  if (!posed || problems.has_errors()) {
    say("{}: {} in its plan\n", arguments.file, counted(problems.error_count(), "error"));
    return false;
  }
  for (const std::string& note : posed->model.notes) say("{}: note: {}\n", arguments.file, note);
  for (const std::string& warning : posed->warnings) say("{}: warning: {}\n", arguments.file, warning);
  return true;
}

}  // namespace

int check_command(const CheckArguments& arguments) {
  input::Problems problems;
  const auto scenario = load(arguments, problems, arguments.no_solve);
  say("{}", problems.to_text());
  if (!scenario) {
    say("{}: {}\n", arguments.file, counted(problems.error_count(), "error"));
    check_cases(arguments);
    return exit_bad_input;
  }
  for (const std::string& note : scenario->notes) say("{}\n", note);
  for (const Scenario::UnsolvedHull& hull : scenario->unsolved_hulls)
    say("{}: not checked: the hull of '{}' was not solved before and is not now ({}, --no-solve): its added mass, "
        "radiation, forces of waves and drift, and with them natural modes and the step they need\n",
        arguments.file, hull.vessel, hull.work);
  System system(*scenario->model);
  const Preparation prepared = prepare(*scenario, *scenario->make_stepper(), system);
  for (const std::string& warning : prepared.warnings) say("{}: warning: {}\n", arguments.file, warning);
  if (!check_plan(arguments, *scenario)) {
    check_cases(arguments);
    return exit_bad_input;
  }
  if (!scenario->limits.empty()) {
    Table table({"limit", "", "bound", "unit", "as asked", "window", "why"});
    for (const result::CheckedLimit& l : limits_at_start(*scenario, prepared.start)) {
      const html::DisplayUnit unit = result::unit_of(l, scenario->specification.run.units);
      table.add({l.limit.channel, std::string(name_of(l.limit.side)),
                 l.result.bound ? number(*l.result.bound * unit.scale) : "-", unit.name, l.limit.asked,
                 result::window_text(l.limit), l.limit.text});
    }
    say("{}", table.text(9));
  }
  if (arguments.channels) {
    Table table({"channel", "unit", "meaning"});
    for (const Channel& c : scenario->model->channels()) table.add({c.name, c.unit, c.description});
    for (const auto& c : channels_of_every_run()) table.add({c.name, c.unit, c.description});
    say("{}", table.text(9));
  }
  say("{}: {}: {}, {}, {}, {}\n", arguments.file, scenario->unsolved_hulls.empty() ? "good" : "good as far as checked",
      counted(scenario->bodies.size(), "body", "bodies"),
      counted(static_cast<size_t>(scenario->degrees_of_freedom), "degree of freedom", "degrees of freedom"),
      counted(scenario->model->channels().size() + channels_of_every_run().size(), "channel"),
      counted(scenario->limits.size(), "limit"));
  return check_cases(arguments);
}

int schema_command(const SchemaArguments& arguments) {
  if (arguments.markdown) {
    say("{}", scenario_reference());
    return exit_ok;
  }
  if (arguments.summary) {
    say("{}", result::summary_schema());
    return exit_ok;
  }
  say("{}\n", scenario_schema().dump(2));
  return exit_ok;
}

bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code absent;
  return std::filesystem::equivalent(one, other, absent);
}

int export_command(const ExportArguments& arguments) {
  try {
    if (arguments.plain) {
      const bool rewritten = result::rewrite_plain(arguments.result);
      complain("{}: {}\n", arguments.result,
               rewritten ? "rewritten as a plain HDF5 file" : "is a plain HDF5 file already");
    }
    if (arguments.csv.empty() && arguments.gltf.empty()) return exit_ok;
    const auto file = result::Result::open(arguments.result);
    for (const std::string& written : {arguments.csv, arguments.gltf})
      if (is_same_file(arguments.result, written)) {
        complain("error: {} is the result itself\nremedy: give the file another name\n", written);
        return exit_bad_input;
      }
    if (!arguments.gltf.empty()) {
      const view::WrittenGltf made = view::write_gltf(file, arguments.gltf);
      complain("{}: {} frames{}, {:.1f} MB\n", arguments.gltf, made.frames,
               made.stride > 1 ? fmt::format(" (every {}th)", made.stride) : "", static_cast<double>(made.bytes) / 1e6);
    }
    if (arguments.csv.empty()) return exit_ok;
    if (arguments.csv == "-") {
      result::export_csv(file, std::cout, arguments.channels);
      if (!std::cout.flush()) throw result::ResultError("cannot write the values: is the disk full?");
    } else {
      result::export_csv(file, std::filesystem::path(arguments.csv), arguments.channels);
      complain("{}: {} rows\n", arguments.csv, file.rows());
    }
    return exit_ok;
  } catch (const result::ResultError& error) {
    complain("error: {}\n", error.what());
    return exit_bad_input;
  }
}

}  // namespace davit::app
