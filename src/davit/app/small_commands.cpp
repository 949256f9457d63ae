// check, schema and export.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "davit/app/commands.hpp"
#include "davit/app/terminal.hpp"
#include "davit/input/schema.hpp"
#include "davit/result/csv.hpp"
#include "davit/result/error.hpp"
#include "davit/result/rewrite.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit::app {

int check_command(const CheckArguments& arguments) {
  input::Problems problems;
  const auto scenario = load_scenario(arguments.file, arguments.settings, problems);
  fmt::print("{}", problems.to_text());
  if (!scenario) {
    fmt::print("{}: {} {}\n", arguments.file, problems.error_count(), problems.error_count() == 1 ? "error" : "errors");
    return exit_bad_input;
  }
  if (arguments.channels) {
    Table table({"channel", "unit", "meaning"});
    for (const Channel& c : scenario->model->channels()) table.add({c.name, c.unit, c.description});
    fmt::print("{}", table.text(9));
  }
  fmt::print("{}: good: {} bodies, {} degrees of freedom, {} channels, {} limits\n", arguments.file,
             scenario->tree->bodies_of_tree().size(), scenario->model->nu(), scenario->model->channels().size(),
             scenario->limits.size());
  return exit_ok;
}

int schema_command(bool markdown) {
  if (markdown) {
    fmt::print("{}", input::markdown(Specification::record()));
    return exit_ok;
  }
  nlohmann::json schema = input::json_schema(Specification::record(), "Davit scenario");
  fmt::print("{}\n", schema.dump(2));
  return exit_ok;
}

int export_command(const ExportArguments& arguments) {
  try {
    if (arguments.plain) {
      const bool rewritten = result::rewrite_plain(arguments.result);
      fmt::print(stderr, "{}: {}\n", arguments.result,
                 rewritten ? "rewritten as a plain HDF5 file" : "is a plain HDF5 file already");
    }
    if (arguments.csv.empty()) return exit_ok;
    const auto file = result::Result::open(arguments.result);
    if (arguments.csv == "-") {
      result::export_csv(file, std::cout, arguments.channels);
    } else {
      result::export_csv(file, std::filesystem::path(arguments.csv), arguments.channels);
      fmt::print(stderr, "{}: {} rows\n", arguments.csv, file.rows());
    }
    return exit_ok;
  } catch (const result::ResultError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return exit_bad_input;
  }
}

}  // namespace davit::app
