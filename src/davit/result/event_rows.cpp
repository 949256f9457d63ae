#include "davit/result/event_rows.hpp"

#include <algorithm>
#include <cstring>

namespace davit::result {
namespace {

// Moves as much of `rest` as fits into `field`, without cutting a UTF-8 character in two.
template <std::size_t size>
void take(std::string_view& rest, std::array<char, size>& field) {
  std::size_t count = std::min(rest.size(), size);
  if (count < rest.size()) {
    const auto inside_character = [&](std::size_t at) { return (static_cast<unsigned char>(rest[at]) & 0xC0) == 0x80; };
    std::size_t whole = count;
    while (whole > 0 && inside_character(whole)) --whole;
    if (whole > 0) count = whole;  // else not UTF-8 at all: cut anywhere
  }
  if (count > 0) std::memcpy(field.data(), rest.data(), count);
  rest.remove_prefix(count);
}

}  // namespace

layout::EventRow EventSplitter::next() {
  layout::EventRow row;
  row.time = time_;
  row.continues = first_ ? 0 : 1;
  first_ = false;
  take(element_, row.element);
  take(key_, row.key);
  take(text_, row.text);
  const std::size_t count = std::min(values_.size(), row.values.size());
  std::copy_n(values_.begin(), count, row.values.begin());
  row.value_count = static_cast<std::uint32_t>(count);
  values_ = values_.subspan(count);
  return row;
}

std::vector<Event> join_events(std::span<const layout::EventRow> rows) {
  const auto append = [](std::string& text, const auto& field) {
    text.append(field.begin(), std::find(field.begin(), field.end(), '\0'));
  };
  std::vector<Event> events;
  for (const layout::EventRow& row : rows) {
    if (!row.continues || events.empty()) events.emplace_back().time = row.time;
    Event& event = events.back();
    append(event.element, row.element);
    append(event.key, row.key);
    append(event.text, row.text);
    const std::size_t count = std::min<std::size_t>(row.value_count, row.values.size());
    event.values.insert(event.values.end(), row.values.data(), row.values.data() + count);
  }
  return events;
}

}  // namespace davit::result
