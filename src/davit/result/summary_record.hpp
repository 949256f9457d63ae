// What summary.json says, described once: its writer, its reader and its JSON Schema come from here.
#pragma once

#include "davit/result/output_record.hpp"
#include "davit/result/summary.hpp"

namespace davit::result {

template <>
OutputRecord<RunSummary> describe();

}  // namespace davit::result
