// JSON Schema (draft 2020-12) for editors and markdown for the docs, both made from records alone.
// The schema is what an editor can check while typing. It is weaker than the reader: it does not know dimensions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "davit/input/record_info.hpp"

namespace davit::input {

// The record and all that it contains, in "$defs" by their names.
// Throws std::logic_error when two different records have one name.
nlohmann::json json_schema(const RecordInfo& root, const std::string& title = "");

// key, type, default, meaning
std::string markdown_table(const RecordInfo& record);

// A heading, the help and the table of the record and of all that it contains, in order of first mention.
std::string markdown(const RecordInfo& root);

}  // namespace davit::input
