// Collects the mistakes of a user, so that one run shows all of them and not only the first.
// It decides nothing: whoever started the reading asks has_errors() when the reading is over.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "davit/input/where.hpp"
#include "davit/math/export.hpp"

namespace davit::input {

struct Problem {
  enum Severity { error, warning };
  Severity severity = error;
  Where where;
  std::string message;
  std::string remedy;

  friend bool operator==(const Problem&, const Problem&) = default;
};

class DAVIT_API Problems {
 public:
  void error(Where where, std::string message, std::string remedy);
  void warning(Where where, std::string message, std::string remedy);
  // All of another's, e.g. of a part that must know whether it had mistakes itself.
  void add(const Problems& others);

  bool has_errors() const { return error_count_ > 0; }
  // How many were reported, also those that were not kept; it only grows, so that a reader can tell whether a part of
  // the file had mistakes.
  std::size_t error_count() const { return error_count_; }
  std::size_t count() const { return count_; }

  // What a file names and could not describe without mistakes: its values mean nothing, and nothing is built of it.
  // However its name is written and however many problems there are.
  void add_unreadable(const std::string& name) { unreadable_.insert(name); }
  const std::set<std::string>& unreadable() const { return unreadable_; }

  // Those kept, sorted by place, each once. A hostile file can hold a million mistakes: past the first thousand they
  // are only counted.
  std::vector<Problem> all() const;
  // A remedy that the next one has too is said once, after the last.
  std::string to_text() const;

 private:
  void add(Problem problem);

  std::vector<Problem> kept_;
  std::set<std::string> unreadable_;
  std::size_t count_ = 0;
  std::size_t error_count_ = 0;
};

}  // namespace davit::input
