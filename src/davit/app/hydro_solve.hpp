// davit hydro solve and davit hydro statics: from a hull to its hydrodynamics and hydrostatics.
#pragma once

#include <CLI/CLI.hpp>

namespace davit::app {

void add_hydro_solve(CLI::App& hydro, int& code);

}  // namespace davit::app
