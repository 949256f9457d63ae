// Data of other projects that some cases compare with. It is not part of Davit: where it is absent, the case is named
// and left out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace davit::verify {

// A folder of the data, looked for where $DAVIT_SHARED says or in ../shared/data beside the source; says so when it is
// absent.
std::optional<std::filesystem::path> third_party_data(const std::string& folder);

}  // namespace davit::verify
