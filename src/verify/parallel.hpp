// Groups of verification in processes of their own, several at a time.
#pragma once

#include "verify/verify.hpp"

namespace davit::verify {

// The rows of each group, in the order of the groups; `done` is called in that order as soon as a group and all before
// it are through. Throws std::runtime_error with the group's name where one could not be computed. Not for programs
// with threads: it forks.
void run_groups(const std::vector<const Group*>& groups, int jobs,
                const std::function<void(const Group&, const std::vector<Comparison>&)>& done);

}  // namespace davit::verify
