// The options of each command, as the user types them: each function adds one command to the program, fills its
// arguments when it is parsed, and puts the exit code where it is told.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "davit/app/commands.hpp"
#include "davit/app/hydro_commands.hpp"

namespace davit::app {

struct HydroArguments {
  SolveArguments solve;
  StaticsArguments statics;
  InspectArguments inspect;
  ConvertArguments convert;
};

// Of all commands: they live as long as the program parses.
struct Arguments {
  RunArguments run;
  CheckArguments check;
  SystemStaticsArguments statics;
  PlanArguments plan;
  LineariseArguments linearise;
  PartsArguments parts;
  SchemaArguments schema;
  ExportArguments exports;
  ViewArguments view;
  LiveArguments live;
  ReportArguments report;
  HydroArguments hydro;
};

// --set: each time it is given one value more.
void add_settings(CLI::App& app, std::vector<std::string>& settings, const std::string& help);

void add_commands(CLI::App& program, Arguments& to, int& code);
void add_hydro_commands(CLI::App& program, HydroArguments& to, int& code);

}  // namespace davit::app
