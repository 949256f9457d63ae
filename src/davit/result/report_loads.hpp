// Sections of a report about what was carried and how things moved: rigging, hook loads, lugs, reactions, contacts,
// clearances, motions, floating condition. Each is empty where there is nothing to say.
#pragma once

#include <string>

#include "davit/result/summary.hpp"

namespace davit::result {

std::string rigging_section(const RunSummary& summary);
std::string reactions_section(const RunSummary& summary);
std::string contacts_section(const RunSummary& summary);
std::string motions_section(const RunSummary& summary);
std::string floating_section(const RunSummary& summary);

}  // namespace davit::result
