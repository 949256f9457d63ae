// Events as rows of fixed size, and back, private to this module.
//
// Solves: a text of any length and any number of values fit a table of fixed columns: they go on in the next row.
// Does not: touch the file.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "davit/result/layout.hpp"
#include "davit/result/reader.hpp"

namespace davit::result {

// Allocates nothing; next() until done().
class EventSplitter {
 public:
  EventSplitter(double time, std::string_view element, std::string_view key, std::string_view text,
                std::span<const double> values)
      : time_(time), element_(element), key_(key), text_(text), values_(values) {}

  layout::EventRow next();
  bool done() const { return element_.empty() && key_.empty() && text_.empty() && values_.empty(); }

 private:
  double time_;
  std::string_view element_;
  std::string_view key_;
  std::string_view text_;
  std::span<const double> values_;
  bool first_ = true;
};

std::vector<Event> join_events(std::span<const layout::EventRow> rows);

}  // namespace davit::result
