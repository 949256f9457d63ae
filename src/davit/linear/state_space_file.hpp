// State spaces as files: JSON, comma-separated values, MATLAB's .mat (level 5). All in SI.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "davit/io/file_error.hpp"
#include "davit/linear/state_space.hpp"

namespace davit::linear {

nlohmann::ordered_json to_json(const Complex&);  // {"re": …, "im": …}
// A, B, C, D as lists of rows; states, inputs and outputs with name and unit.
nlohmann::ordered_json to_json(const StateSpace&);

// One matrix as a table: a row of names of columns, then each row with its name.
std::string to_csv(const MatX&, const std::vector<Variable>& rows, const std::vector<Variable>& columns);

// Further matrices of a .mat file.
struct NamedMatrix {
  std::string name;
  MatXc values;  // written as real where nothing is imaginary
};
// A, B, C, D and cell arrays StateName, StateUnit, InputName, …, as MATLAB's ss takes them. Throws a FileError when it
// cannot be written.
void write_mat(const std::filesystem::path&, const StateSpace&, const std::vector<NamedMatrix>& further = {});

}  // namespace davit::linear
