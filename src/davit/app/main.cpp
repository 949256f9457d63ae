// The program davit.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "davit/app/commands.hpp"
#include "davit/app/hydro_commands.hpp"
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

int dispatch(int argc, char** argv) {
  CLI::App program{"Simulates, checks and automates crane lifts on ships, on barges and in shipyards"};
  program.set_version_flag("--version", davit::version());
  program.require_subcommand(1);
  int code = exit_ok;

  RunArguments run;
  auto* run_app = program.add_subcommand("run", "run a scenario and write result.h5, summary.json and report.html");
  run_app->add_option("FILE", run.file, "scenario")->required();
  run_app->add_option("-o,--output", run.directory, "folder for the results (default: results/NAME)");
  run_app->add_option("--set", run.settings, "change a value: path=value, e.g. run.step=5ms")->allow_extra_args(false);
  run_app->callback([&] { code = run_command(run); });

  CheckArguments check;
  auto* check_app = program.add_subcommand("check", "say everything that is wrong with a scenario");
  check_app->add_option("FILE", check.file, "scenario")->required();
  check_app->add_option("--set", check.settings, "change a value: path=value")->allow_extra_args(false);
  check_app->add_flag("--channels", check.channels, "list the channels that can be recorded and limited");
  check_app->callback([&] { code = check_command(check); });

  SchemaArguments schema;
  auto* schema_app = program.add_subcommand("schema", "print the JSON Schema of scenarios, for editors");
  schema_app->add_flag("--markdown", schema.markdown, "print the reference of all keys instead");
  schema_app->add_flag("--methods", schema.methods, "print which method takes which kind of model instead");
  schema_app->callback([&] { code = schema_command(schema); });

  VerifyArguments verify;
  auto* verify_app = program.add_subcommand("verify", "rerun the published experiments and compare");
  verify_app->add_option("GROUP", verify.groups, "groups to run (default: all)");
  verify_app->add_option("--json", verify.json, "write the rows to a file");
  verify_app->add_option("--markdown", verify.markdown, "write docs/verification.md");
  verify_app->add_option("--conditions", verify.conditions,
                         "write the condition numbers of Newton matrices against the step as CSV, and nothing else");
  verify_app->add_flag("--quick", verify.quick, "leave out what takes long");
  verify_app->add_flag("--list", verify.list, "list the groups");
  verify_app->callback([&] { code = verify_command(verify); });

  ExportArguments exports;
  auto* export_app = program.add_subcommand("export", "take channels out of a result");
  export_app->add_option("RESULT", exports.result, "result.h5")->required();
  export_app->add_option("--csv", exports.csv, "write comma-separated values: a file, or nothing for the terminal")
      ->expected(0, 1)
      ->default_str("-");
  export_app->add_option("--channels", exports.channels, "which channels, with * and ?");
  export_app->add_flag("--plain", exports.plain, "mend the file of a killed run so that every HDF5 reader opens it");
  export_app->callback([&] {
    if (export_app->count("--csv") > 0 && exports.csv.empty()) exports.csv = "-";
    if (exports.csv.empty() && !exports.plain)
      throw CLI::ValidationError("export", "say what to write: --csv [FILE] or --plain");
    code = export_command(exports);
  });

  add_hydro_commands(program, code);

  std::vector<std::string> words = with_command(argc, argv);
  if (!words.empty() && !words.back().starts_with('-')) {
    std::string commands;
    bool known = false;
    for (const CLI::App* command : program.get_subcommands({})) {
      commands += (commands.empty() ? "" : ", ") + command->get_name();
      known = known || command->get_name() == words.back();
    }
    if (!known) {
      fmt::print(stderr, "there is no command '{}': commands are {}\nRun with --help for more information.\n",
                 words.back(), commands);
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
    return dispatch(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return exit_broken;
  }
}
