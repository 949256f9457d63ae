#include "davit/run/sinks.hpp"

#include <fmt/format.h>

namespace davit {

std::string status_text(const RunOutcome& outcome) {
  switch (outcome.status) {
    case RunStatus::complete:
      return "complete";
    case RunStatus::interrupted:
      return "interrupted";
    default:
      return fmt::format("broken: at {:.6g} s{}: {}", outcome.t, outcome.element.empty() ? "" : ", " + outcome.element,
                         outcome.why);
  }
}

}  // namespace davit
