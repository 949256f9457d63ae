// Solved jobs are kept by content (io/content_cache.hpp), so that a hull named in a scenario is solved once: the
// same words, the same mesh bytes and the same version of the solver find the same file.
#pragma once

#include <optional>

#include "davit/hydro/database.hpp"
#include "davit/panel/solve_job.hpp"

namespace davit::panel {

// Raised whenever the solver would give other numbers for the same job.
inline constexpr int solver_version = 4;

// Nothing where the job was not solved before, or where what is there cannot be read.
std::optional<hydro::Database> find_in_cache(const JobSpec& job);
// A cache that cannot be written is no mistake: the next run solves again.
void keep_in_cache(const JobSpec& job, const hydro::Database& database);

}  // namespace davit::panel
