// The options of the commands that are about lifts and results.
#include "davit/app/options.hpp"

namespace davit::app {

// One value each time it is given.
void add_settings(CLI::App& app, std::vector<std::string>& settings, const std::string& help) {
  app.add_option_function<std::string>(
         "--set", [&](const std::string& setting) { settings.push_back(setting); },
         help + "; again for another; a path with nothing after = takes the value away")
      ->type_name("PATH=VALUE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->trigger_on_parse();
}

namespace {

// The scenario, its settings and which of its cases.
CLI::Option* add_scenario(CLI::App& app, ScenarioArguments& to, const std::string& settings) {
  auto* file = app.add_option("FILE", to.file, "scenario");
  add_settings(app, to.settings, settings);
  app.add_option("--case", to.case_name, "one of the file's cases");
  return file;
}

// Of what people read: `--units si` is `--set run.units=si`.
void add_units(CLI::App& app, std::vector<std::string>& settings) {
  app.add_option_function<std::string>(
         "--units", [&](const std::string& units) { settings.push_back("run.units=" + units); },
         "units of tables and the report: engineering (deg, t, kN, MN by magnitude) or si")
      ->check(CLI::IsMember({"engineering", "si"}));
}

void add_run(CLI::App& program, RunArguments& to, int& code) {
  auto* app = program.add_subcommand("run", "run a scenario and write result.h5, summary.json and report.html");
  add_scenario(*app, to, "change a value, e.g. run.step=5ms")
      ->description("scenario (with --continue: that of the result if not given)");
  auto* output = app->add_option("-o,--output", to.directory, "folder for the results (default: results/NAME)");
  app->add_option("--continue", to.goes_on,
                  "a run that was interrupted, killed, or is to last longer (--set run.duration=...) goes on into its "
                  "result")
      ->type_name("RESULT")
      ->excludes(output);
  app->add_flag("--cases", to.all_cases, "run all cases of the file, each into a folder of its name")
      ->excludes(app->get_option("--case"));
  add_units(*app, to.settings);
  app->callback([&] { code = run_command(to); });
}

void add_check(CLI::App& program, CheckArguments& to, int& code) {
  auto* app = program.add_subcommand("check", "say everything that is wrong with a scenario");
  add_scenario(*app, to, "change a value, e.g. run.step=5ms")->required();
  app->add_flag("--channels", to.channels, "list the channels that can be recorded and limited");
  app->add_flag("--no-solve", to.no_solve,
                "solve no hull, which can take minutes: all but its forces is checked, and said what is not");
  add_units(*app, to.settings);
  app->callback([&] { code = check_command(to); });
}

void add_statics(CLI::App& program, SystemStaticsArguments& to, int& code) {
  auto* app = program.add_subcommand(
      "statics", "the lift at rest, phase by phase: ropes, lugs, hook loads, skew; mooring and stiffness");
  add_scenario(*app, to, "change a value, e.g. forces.bow.mooring_line.tension=300kN")->required();
  app->add_option("--vessel", to.vessel, "which vessel is held (default: the first)");
  app->add_option("--offset", to.reach, "restoring curve from minus to plus this offset, m")
      ->check(CLI::Range(1e-3, 1e4));
  app->add_option("--heading", to.heading, "of positive offsets, deg: 0 along x, 90 along y (default 0)")
      ->check(CLI::Range(-360.0, 360.0));
  app->add_option("--points", to.points, "of the curve (default 21)")->check(CLI::Range(3, 1001));
  app->add_option("--csv", to.csv, "write ropes and their ends, or the curve, as comma-separated values, in SI");
  app->add_option("--json", to.json, "write everything as JSON, in SI");
  app->add_flag("--no-solve", to.no_solve, "leave hulls that were not solved before without their waves");
  app->add_option("--patience", to.patience, "seconds after which no further rest is looked for (default 20)")
      ->check(CLI::Range(0.0, 1e6));
  app->callback([&] { code = system_statics_command(to); });
}

void add_plan(CLI::App& program, PlanArguments& to, int& code) {
  auto* app =
      program.add_subcommand("plan", "find the inputs that make the load go where it should, and play them back");
  add_scenario(*app, to, "change a value, e.g. plan.over=30s")
      ->required()
      ->description("scenario with a section 'plan'");
  app->add_option("-o,--output", to.directory, "folder for the results (default: results/NAME_plan)");
  add_units(*app, to.settings);
  app->callback([&] { code = plan_command(to); });
}

void add_parts(CLI::App& program, PartsArguments& to, int& code) {
  auto* app = program.add_subcommand("parts", "list the parts that come with the program, or what one of them is");
  app->add_option("PART", to.part, "one of them, or a file: its parameters, their ranges, what it exports");
  app->callback([&] { code = parts_command(to); });
}

void add_schema(CLI::App& program, SchemaArguments& to, int& code) {
  auto* app = program.add_subcommand("schema", "print the JSON Schema of scenarios, for editors");
  auto* markdown = app->add_flag("--markdown", to.markdown, "print the reference of all keys instead");
  app->add_flag("--summary", to.summary, "print that of the summary.json of runs instead")->excludes(markdown);
  app->callback([&] { code = schema_command(to); });
}

void add_export(CLI::App& program, ExportArguments& to, int& code) {
  auto* app = program.add_subcommand("export", "take channels out of a result");
  app->add_option("RESULT", to.result, "result.h5")->required();
  app->add_option("--csv", to.csv, "write comma-separated values: a file, or nothing for the terminal")
      ->expected(0, 1)
      ->default_str("-");
  app->add_option("--channels", to.channels, "which channels, with * and ?");
  app->add_option("--gltf", to.gltf, "write the lift in motion as binary glTF (.glb), for Blender and slides");
  app->add_flag("--plain", to.plain, "mend the file of a killed run so that every HDF5 reader opens it");
  app->callback([&to, &code, app] {
    if (app->count("--csv") > 0 && to.csv.empty()) to.csv = "-";
    if (to.csv.empty() && to.gltf.empty() && !to.plain)
      throw CLI::ValidationError("export", "say what to write: --csv [FILE], --gltf FILE or --plain");
    code = export_command(to);
  });
}

void add_view(CLI::App& program, ViewArguments& to, int& code) {
  auto* app = program.add_subcommand("view", "look at a result in a browser: the lift in motion, and every curve");
  app->add_option("RESULT", to.result, "result.h5, or the folder that a run wrote")->required();
  app->add_option("--compare", to.other, "another result beside it: a ghost in the scene, dashed in the plots");
  app->add_option("--html", to.html, "write one page with everything in it, to be mailed and opened offline");
  app->add_option("--port", to.port, "to serve on, of this machine only (default: any that is free)")
      ->check(CLI::Range(0, 65535));
  app->add_flag("--no-browser", to.stay_here, "only print the address");
  app->callback([&] { code = view_command(to); });
}

void add_live(CLI::App& program, LiveArguments& to, int& code) {
  auto* app = program.add_subcommand(
      "live", "drive a lift while it runs: from a page with levers, or from a program over a socket");
  add_scenario(*app, to, "change a value, e.g. run.step=5ms")->required();
  app->add_option("-o,--output", to.directory, "folder for the results (default: results/NAME/live-1, -2 …)");
  app->add_option("--port", to.port, "of the page, on this machine only (default: any that is free)")
      ->check(CLI::Range(0, 65535));
  app->add_option("--controller", to.controller, "port for a controller that speaks lines of JSON; 0: any")
      ->check(CLI::Range(0, 65535));
  app->add_option("--factor", to.factor, "of real time; 0: as fast as it can (default 1)")
      ->check(CLI::Range(0.0, 1000.0));
  app->add_option("--duration", to.duration, "s, after which the run ends (default 3600)")->check(CLI::Range(0.1, 1e6));
  app->add_flag("--no-browser", to.stay_here, "only print the address");
  app->callback([&] { code = live_command(to); });
}

void add_report(CLI::App& program, ReportArguments& to, int& code) {
  auto* app =
      program.add_subcommand("report", "make the report of a result again, or one that compares several results");
  app->add_option("RESULT", to.results, "folders that runs wrote, or result.h5 beside summary.json")
      ->required()
      ->expected(1, -1);
  app->add_option("-o,--output", to.out,
                  "page to write (default: to.html in the folder of one, comparison.html of several)");
  app->callback([&] { code = report_command(to); });
}

void add_linearise(CLI::App& program, LineariseArguments& to, int& code) {
  auto* app = program.add_subcommand(
      "linearise", "the linear model A, B, C, D of a scenario: poles, zeros, which modes inputs reach and outputs see");
  add_scenario(*app, to, "change a value, e.g. bodies.load.mass=40t")->required();
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
  app->add_flag("--no-solve", to.no_solve, "solve no hull, which can take minutes: say so instead");
  add_units(*app, to.settings);
  app->callback([&] { code = linearise_command(to); });
}

}  // namespace

void add_commands(CLI::App& program, Arguments& to, int& code) {
  add_run(program, to.run, code);
  add_check(program, to.check, code);
  add_statics(program, to.statics, code);
  add_plan(program, to.plan, code);
  add_linearise(program, to.linearise, code);
  add_parts(program, to.parts, code);
  add_schema(program, to.schema, code);
  // Handed on to a program of its own before options are looked at; here for the list of commands.
  program.add_subcommand("verify", "rerun the published experiments and compare (a program of its own: davit-verify)");
  add_export(program, to.exports, code);
  add_view(program, to.view, code);
  add_live(program, to.live, code);
  add_report(program, to.report, code);
  add_hydro_commands(program, to.hydro, code);
}

}  // namespace davit::app
