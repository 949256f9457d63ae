// A live run as a scenario that does it again, bit for bit: the file that it was, with what was done at its levers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "davit/scenario/scenario.hpp"

namespace davit::live {

// Written into the folder of the run, beside levers.csv. `settings`, `case_name`: with which the scenario was loaded;
// `end`: when the run ended. Throws io::FileError.
void write_replay(const Scenario& scenario, const std::vector<std::string>& settings, const std::string& case_name,
                  double end, const std::filesystem::path& folder);

}  // namespace davit::live
