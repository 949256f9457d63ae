// Where the source and the build are, for tests, verification and benchmarks, which read files that lie there.
// Functions and not macros: what was compiled in one clone then serves another (cmake/launch-compiler).
#pragma once

#include <string>

namespace davit {

std::string in_source(const std::string& path);  // an absolute path from one below the source folder
std::string in_build(const std::string& path);

}  // namespace davit
