// The JSON Schema of scenario files: that of the specification, and for files that vary a base the same with nothing
// required.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace davit {

nlohmann::json scenario_schema();
// All keys in words: docs/scenario_reference.md.
std::string scenario_reference();

}  // namespace davit
