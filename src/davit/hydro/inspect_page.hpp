// The findings of an inspection and the curves of the database on one self-contained HTML page.
#pragma once

#include <filesystem>
#include <string>

#include "davit/hydro/inspect.hpp"

namespace davit::hydro {

std::string inspect_page(const Database& database, const std::vector<Finding>& findings);
// Throws a DatabaseError.
void write_inspect_page(const Database& database, const std::vector<Finding>& findings,
                        const std::filesystem::path& file);

}  // namespace davit::hydro
