#include "davit/scenario/invalid_elements.hpp"

#include "davit/scenario/kinds.hpp"

namespace davit {

InvalidElements::InvalidElements(const input::Problems& problems) : names(problems.unreadable()) {
  for (const auto& p : problems.all()) {
    if (p.severity != input::Problem::error) continue;
    const std::string& path = p.where.path;
    const std::string top = path.substr(0, path.find_first_of(".["));
    run = run || top == "run";
    if (top != "bodies" && !registry().find(top)) continue;
    elements = true;
    section = section || path == top;
    if (path == top) continue;
    // A name may hold what else ends it: every beginning counts.
    const std::string rest = path.substr(top.size() + 1);
    for (size_t end = rest.find_first_of(".["); end != std::string::npos; end = rest.find_first_of(".[", end + 1))
      names.insert(rest.substr(0, end));
    names.insert(rest);
  }
}

}  // namespace davit
