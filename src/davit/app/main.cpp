// The program davit.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "davit/app/commands.hpp"
#include "davit/app/hydro_commands.hpp"
#include "davit/app/terminal.hpp"
#include "davit/run/run.hpp"

namespace {

using namespace davit::app;

// `davit FILE.yaml …` is `davit run FILE.yaml …`.
std::vector<std::string> with_command(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && (words[0].ends_with(".yaml") || words[0].ends_with(".yml"))) words.insert(words.begin(), "run");
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  return words;
}

struct HydroArguments {
  SolveArguments solve;
  StaticsArguments statics;
  InspectArguments inspect;
  ConvertArguments convert;
};

// One value each time it is given.
void add_settings(CLI::App& app, std::vector<std::string>& settings, const std::string& help) {
  app.add_option_function<std::string>(
         "--set", [&](const std::string& setting) { settings.push_back(setting); },
         help + "; again for another; a path with nothing after = takes the value away")
      ->type_name("PATH=VALUE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->trigger_on_parse();
}

void add_value(CLI::App& app, HullArguments& to, const std::string& option, const std::string& key,
               const std::string& help) {
  to.values.emplace_back(key, "");
  app.add_option(option, to.values.back().second, help);
}

void add_hull(CLI::App& app, HullArguments& to) {
  app.add_option("HULL", to.hull,
                 "a shape such as 'barge: 110 x 46 x 7.5 m', a mesh (GDF, NEMOH .dat, STL, OBJ, PLY), or a job (.yaml)")
      ->required();
  add_value(app, to, "--draft", "bodies.hull.draft", "depth of the lowest point under water, e.g. 3.63m");
  add_value(app, to, "--mass", "bodies.hull.mass", "mass, e.g. 18851t; without a draft the hull floats where it will");
  add_value(app, to, "--centre", "bodies.hull.centre", "centre of gravity '[x, y, z]', z above the lowest point");
  add_value(app, to, "--kg", "bodies.hull.kg", "height of the centre of gravity above the lowest point");
  add_value(app, to, "--density", "water.density", "of the water (default 1025 kg/m^3)");
  add_value(app, to, "--depth", "water.depth", "of the water (default: deep)");
  add_settings(app, to.settings, "any other value, e.g. bodies.hull.gyration='[17, 27, 28]'");
}

void add_database(CLI::App& app, DatabaseArguments& to) {
  app.add_option("DB", to.path,
                 "Davit's .h5, Capytaine's .nc, .mat of MSS, stem of a WAMIT run or folder of a NEMOH run")
      ->required();
  app.add_option("--density", to.density, "of the water, kg/m³, where the files do not say it")
      ->check(CLI::PositiveNumber);
  app.add_option("--gravity", to.gravity, "m/s², where the files do not say it")->check(CLI::PositiveNumber);
  app.add_option("--depth", to.depth, "of the water, m, where the files do not say it")->check(CLI::PositiveNumber);
  app.add_option("--about", to.about, "x,y,z: the point that rotations in a Capytaine file are about")
      ->delimiter(',')
      ->expected(3);
  app.add_option("--highest", to.highest, "leave out frequencies above this, rad/s")->check(CLI::PositiveNumber);
}

void add_hydro_commands(CLI::App& program, HydroArguments& to, int& code) {
  auto* hydro = program.add_subcommand("hydro", "hydrodynamics of hulls: solve, inspect, convert");
  hydro->require_subcommand(1);

  auto* solve = hydro->add_subcommand("solve", "radiation and diffraction of a hull, by panels");
  add_hull(*solve, to.solve.hull);
  add_value(*solve, to.solve.hull, "--to", "frequencies.to", "highest frequency, rad/s");
  add_value(*solve, to.solve.hull, "--count", "frequencies.count", "how many frequencies (default 60)");
  add_value(*solve, to.solve.hull, "--headings", "heading_step", "step between headings, e.g. 10deg (default 15deg)");
  add_value(*solve, to.solve.hull, "--panel-size", "bodies.hull.panel_size", "sides of panels of a shape");
  solve->add_option("-o,--out", to.solve.out, "database to write")->capture_default_str();
  solve->add_option("--page", to.solve.page, "inspection page to write (default: beside the database)");
  solve->add_option("--threads", to.solve.threads, "how many (default: all)")->check(CLI::PositiveNumber);
  solve->add_flag("--plan", to.solve.plan_only, "only say what it would do and need");
  solve->add_flag("--fresh", to.solve.fresh, "solve again what the cache has");
  solve->callback([&] { code = solve_command(to.solve); });

  auto* statics = hydro->add_subcommand("statics", "hydrostatics, equilibrium and righting arms of a hull");
  add_hull(*statics, to.statics.hull);
  statics->add_flag("--gz", to.statics.righting_arms, "righting arms up to 90 degrees");
  statics->callback([&] { code = statics_command(to.statics); });

  auto* inspect = hydro->add_subcommand("inspect", "say what is wrong with a database and what that does to a run");
  add_database(*inspect, to.inspect.source);
  inspect->add_option("-o,--output", to.inspect.page, "also write a page with the curves (.html)");
  inspect->callback([&] { code = inspect_command(to.inspect); });

  auto* convert = hydro->add_subcommand("convert", "write a database as Davit's .h5 or as WAMIT files");
  add_database(*convert, to.convert.source);
  convert->add_option("OUT", to.convert.out, "file that ends in .h5, or a stem with --wamit")->required();
  convert->add_flag("--wamit", to.convert.wamit, "write OUT.1, .3, .hst, .8 and the inputs that carry their units");
  convert->add_option("--reference", to.convert.reference, "x,y,z: move the reference point there first")
      ->delimiter(',')
      ->expected(3);
  convert->callback([&] { code = convert_command(to.convert); });
}

// Of what people read: `--units si` is `--set run.units=si`.
void add_units(CLI::App& app, std::vector<std::string>& settings) {
  app.add_option_function<std::string>(
         "--units", [&](const std::string& units) { settings.push_back("run.units=" + units); },
         "units of tables and the report: engineering (deg, t, kN, MN by magnitude) or si")
      ->check(CLI::IsMember({"engineering", "si"}));
}

void add_linearise(CLI::App& program, LineariseArguments& to, int& code) {
  auto* app = program.add_subcommand(
      "linearise", "the linear model A, B, C, D of a scenario: poles, zeros, which modes inputs reach and outputs see");
  app->add_option("FILE", to.file, "scenario")->required();
  app->add_option("--at", to.at, "about the state that a run has come to at this time, s (default: the start)");
  app->add_flag("--open-loop", to.open_loop, "cut controllers off: their ports are free inputs");
  app->add_option("--input", to.inputs, "which inputs, ports and signals, with * and ? (default: all)")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option("--output", to.outputs,
                  "which outputs, of all channels, with * and ? (default: coordinates and named points)")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option("--json", to.json, "write everything as JSON, in SI");
  app->add_option("--csv", to.csv, "write PREFIX_A.csv, _B, _C, _D and _poles, in SI")->type_name("PREFIX");
  app->add_option("--mat", to.mat, "write a MATLAB file with A, B, C, D and names");
  app->add_option("--case", to.case_name, "one of the file's cases");
  add_settings(*app, to.settings, "change a value, e.g. bodies.load.mass=40t");
  app->add_flag("--no-solve", to.no_solve, "solve no hull, which can take minutes: say so instead");
  add_units(*app, to.settings);
  app->callback([&] { code = linearise_command(to); });
}

int dispatch(int argc, char** argv) {
  CLI::App program{"Simulates, checks and automates crane lifts on ships, on barges and in shipyards"};
  program.set_version_flag("--version", davit::version());
  program.require_subcommand(1);
  int code = exit_ok;

  RunArguments run;
  auto* run_app = program.add_subcommand("run", "run a scenario and write result.h5, summary.json and report.html");
  run_app->add_option("FILE", run.file, "scenario (with --continue: that of the result if not given)");
  auto* output = run_app->add_option("-o,--output", run.directory, "folder for the results (default: results/NAME)");
  run_app
      ->add_option("--continue", run.goes_on,
                   "a run that was interrupted, killed, or is to last longer (--set run.duration=...) goes on into its "
                   "result")
      ->type_name("RESULT")
      ->excludes(output);
  add_settings(*run_app, run.settings, "change a value, e.g. run.step=5ms");
  auto* one_case = run_app->add_option("--case", run.case_name, "run one of the file's cases");
  run_app->add_flag("--cases", run.all_cases, "run all cases of the file, each into a folder of its name")
      ->excludes(one_case);
  add_units(*run_app, run.settings);
  run_app->callback([&] { code = run_command(run); });

  CheckArguments check;
  auto* check_app = program.add_subcommand("check", "say everything that is wrong with a scenario");
  check_app->add_option("FILE", check.file, "scenario")->required();
  add_settings(*check_app, check.settings, "change a value, e.g. run.step=5ms");
  check_app->add_flag("--channels", check.channels, "list the channels that can be recorded and limited");
  check_app->add_flag("--no-solve", check.no_solve,
                      "solve no hull, which can take minutes: all but its forces is checked, and said what is not");
  add_units(*check_app, check.settings);
  check_app->callback([&] { code = check_command(check); });

  SystemStaticsArguments statics;
  auto* statics_app = program.add_subcommand(
      "statics", "the lift at rest, phase by phase: ropes, lugs, hook loads, skew; mooring and stiffness");
  statics_app->add_option("FILE", statics.file, "scenario")->required();
  add_settings(*statics_app, statics.settings, "change a value, e.g. forces.bow.mooring_line.tension=300kN");
  statics_app->add_option("--vessel", statics.vessel, "which vessel is held (default: the first)");
  statics_app->add_option("--offset", statics.reach, "restoring curve from minus to plus this offset, m")
      ->check(CLI::Range(1e-3, 1e4));
  statics_app->add_option("--heading", statics.heading, "of positive offsets, deg: 0 along x, 90 along y (default 0)")
      ->check(CLI::Range(-360.0, 360.0));
  statics_app->add_option("--points", statics.points, "of the curve (default 21)")->check(CLI::Range(3, 1001));
  statics_app->add_option("--csv", statics.csv,
                          "write ropes and their ends, or the curve, as comma-separated values, in SI");
  statics_app->add_option("--json", statics.json, "write everything as JSON, in SI");
  statics_app->add_flag("--no-solve", statics.no_solve, "leave hulls that were not solved before without their waves");
  statics_app
      ->add_option("--patience", statics.patience, "seconds after which no further rest is looked for (default 60)")
      ->check(CLI::Range(0.0, 1e6));
  statics_app->callback([&] { code = system_statics_command(statics); });

  PlanArguments plan;
  auto* plan_app =
      program.add_subcommand("plan", "find the inputs that make the load go where it should, and play them back");
  plan_app->add_option("FILE", plan.file, "scenario with a section 'plan'")->required();
  plan_app->add_option("-o,--output", plan.directory, "folder for the results (default: results/NAME_plan)");
  add_settings(*plan_app, plan.settings, "change a value, e.g. plan.over=30s");
  add_units(*plan_app, plan.settings);
  plan_app->callback([&] { code = plan_command(plan); });

  LineariseArguments linearise;
  add_linearise(program, linearise, code);

  PartsArguments parts;
  auto* parts_app =
      program.add_subcommand("parts", "list the parts that come with the program, or what one of them is");
  parts_app->add_option("PART", parts.part, "one of them, or a file: its parameters, their ranges, what it exports");
  parts_app->callback([&] { code = parts_command(parts); });

  SchemaArguments schema;
  auto* schema_app = program.add_subcommand("schema", "print the JSON Schema of scenarios, for editors");
  auto* markdown = schema_app->add_flag("--markdown", schema.markdown, "print the reference of all keys instead");
  schema_app->add_flag("--summary", schema.summary, "print that of the summary.json of runs instead")
      ->excludes(markdown);
  schema_app->callback([&] { code = schema_command(schema); });

  // Handed on to a program of its own before options are looked at; here for the list of commands.
  program.add_subcommand("verify", "rerun the published experiments and compare (a program of its own: davit-verify)");

  ExportArguments exports;
  auto* export_app = program.add_subcommand("export", "take channels out of a result");
  export_app->add_option("RESULT", exports.result, "result.h5")->required();
  export_app->add_option("--csv", exports.csv, "write comma-separated values: a file, or nothing for the terminal")
      ->expected(0, 1)
      ->default_str("-");
  export_app->add_option("--channels", exports.channels, "which channels, with * and ?");
  export_app->add_option("--gltf", exports.gltf,
                         "write the lift in motion as binary glTF (.glb), for Blender and slides");
  export_app->add_flag("--plain", exports.plain, "mend the file of a killed run so that every HDF5 reader opens it");
  export_app->callback([&] {
    if (export_app->count("--csv") > 0 && exports.csv.empty()) exports.csv = "-";
    if (exports.csv.empty() && exports.gltf.empty() && !exports.plain)
      throw CLI::ValidationError("export", "say what to write: --csv [FILE], --gltf FILE or --plain");
    code = export_command(exports);
  });

  ViewArguments view;
  auto* view_app = program.add_subcommand("view", "look at a result in a browser: the lift in motion, and every curve");
  view_app->add_option("RESULT", view.result, "result.h5, or the folder that a run wrote")->required();
  view_app->add_option("--compare", view.other, "another result beside it: a ghost in the scene, dashed in the plots");
  view_app->add_option("--html", view.html, "write one page with everything in it, to be mailed and opened offline");
  view_app->add_option("--port", view.port, "to serve on, of this machine only (default: any that is free)")
      ->check(CLI::Range(0, 65535));
  view_app->add_flag("--no-browser", view.stay_here, "only print the address");
  view_app->callback([&] { code = view_command(view); });

  LiveArguments live;
  auto* live_app = program.add_subcommand(
      "live", "drive a lift while it runs: from a page with levers, or from a program over a socket");
  live_app->add_option("FILE", live.file, "scenario")->required();
  live_app->add_option("-o,--output", live.directory, "folder for the results (default: results/NAME/live-1, -2 …)");
  add_settings(*live_app, live.settings, "change a value, e.g. run.step=5ms");
  live_app->add_option("--port", live.port, "of the page, on this machine only (default: any that is free)")
      ->check(CLI::Range(0, 65535));
  live_app->add_option("--controller", live.controller, "port for a controller that speaks lines of JSON; 0: any")
      ->check(CLI::Range(0, 65535));
  live_app->add_option("--factor", live.factor, "of real time; 0: as fast as it can (default 1)")
      ->check(CLI::Range(0.0, 1000.0));
  live_app->add_option("--duration", live.duration, "s, after which the run ends (default 3600)")
      ->check(CLI::Range(0.1, 1e6));
  live_app->add_flag("--no-browser", live.stay_here, "only print the address");
  live_app->callback([&] { code = live_command(live); });

  ReportArguments report;
  auto* report_app =
      program.add_subcommand("report", "make the report of a result again, or one that compares several results");
  report_app->add_option("RESULT", report.results, "folders that runs wrote, or result.h5 beside summary.json")
      ->required()
      ->expected(1, -1);
  report_app->add_option("-o,--output", report.out,
                         "page to write (default: report.html in the folder of one, comparison.html of several)");
  report_app->callback([&] { code = report_command(report); });

  HydroArguments hydro;
  add_hydro_commands(program, hydro, code);

  std::vector<std::string> words = with_command(argc, argv);
  if (!words.empty() && words.back() == "verify") return verify_command({words.rbegin() + 1, words.rend()});
  if (!words.empty() && !words.back().starts_with('-')) {
    std::string commands;
    bool known = false;
    for (const CLI::App* command : program.get_subcommands({})) {
      commands += (commands.empty() ? "" : ", ") + command->get_name();
      known = known || command->get_name() == words.back();
    }
    if (!known) {
      complain("there is no command '{}': commands are {}\nRun with --help for more information.\n", words.back(),
               commands);
      return exit_bad_input;
    }
  }
  try {
    program.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    const int result = program.exit(error);
    return result == 0 ? exit_ok : exit_bad_input;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = dispatch(argc, argv);
    // What was said must have arrived: a full disk shows only now.
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    complain("error: not all of the output could be written: {}\n", std::strerror(errno));
    return code == exit_ok ? exit_broken : code;
  } catch (const std::exception& error) {
    complain("error: {}\n", error.what());
    return exit_broken;
  }
}
