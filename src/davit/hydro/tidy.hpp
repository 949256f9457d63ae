// What every reader does last and every writer first: bring a database into the order that database.hpp promises, and
// refuse one whose parts do not fit together.
#pragma once

#include <string>

#include "davit/hydro/database.hpp"

namespace davit::hydro {

// Sorts frequencies and headings, brings headings into (−π, π] and drops those that are there twice.
void sort(Database& database);

// Throws a DatabaseError about `file` for parts of unequal size and numbers that are not finite. Drift alone may have
// gaps.
void check(const Database& database, const std::string& file);

inline void tidy(Database& database, const std::string& file) {
  check(database, file);
  sort(database);
}

}  // namespace davit::hydro
