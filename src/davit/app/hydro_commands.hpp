// davit hydro …: what is done with hydrodynamic databases before a run.
#pragma once

#include <CLI/CLI.hpp>

namespace davit::app {

// Adds the command to the program; what it returns goes to `code` when it is called.
void add_hydro_commands(CLI::App& program, int& code);

}  // namespace davit::app
