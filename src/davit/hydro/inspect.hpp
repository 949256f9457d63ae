// Looks at a database as an experienced reader would, before anything is run with it: are the numbers possible, do they
// belong together, are there enough of them? Every finding says what was measured and where, what it would do to a run,
// and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "davit/hydro/database.hpp"

namespace davit::hydro {

enum class Severity { ok, note, warning, error };
std::string_view name_of(Severity severity);

struct Finding {
  Severity severity = Severity::ok;
  std::string subject{};   // what was looked at
  std::string measured{};  // figures, and where: mode, frequency
  std::string effect{};    // what it would do to a run; empty when all is well
  std::string remedy{};
};

// The worst first.
std::vector<Finding> inspect(const Database& database);
Severity worst(const std::vector<Finding>& findings);

// Of one mode by itself, about the centre of gravity: period 2π √((M + A)/C) with A at that period, and the damping of
// the waves it radiates as a part of critical. Only for modes with a restoring force and a known inertia.
struct NaturalPeriod {
  int mode = 0;
  double period = 0, damping = 0;
};
std::vector<NaturalPeriod> natural_periods(const Database& database);

}  // namespace davit::hydro
