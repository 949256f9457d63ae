// Fits of the radiation memory are kept (cache.hpp) by all that they are made of: a vessel that was run before is not
// fitted again. The numbers come back with the same bits.
#pragma once

#include "davit/radiation/memory_fit.hpp"

namespace davit::radiation {

// Raised whenever fit_memory would give other numbers.
inline constexpr int fit_version = 3;

// As fit_memory.
MemoryFit kept_memory_fit(const hydro::Database& database, int body, double tolerance);

}  // namespace davit::radiation
