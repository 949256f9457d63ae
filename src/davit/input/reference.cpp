#include "davit/input/reference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/input/wording.hpp"

namespace davit::input {

namespace {

bool is_plain_name(std::string_view text) {
  const auto starts = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto goes_on = [&](char c) { return starts(c) || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && starts(text.front()) && std::all_of(text.begin(), text.end(), goes_on);
}

}  // namespace

bool is_name(std::string_view text) {
  for (std::size_t slash = text.find('/'); slash != std::string_view::npos; slash = text.find('/')) {
    if (!is_plain_name(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  return is_plain_name(text);
}

void unknown_name(const Reference& reference, std::string_view what, const std::vector<std::string>& candidates,
                  Problems& problems) {
  problems.error(reference.where, fmt::format("there is no {} {}", what, shown(reference.name)),
                 suggestion(reference.name, plural(what), candidates));
}

}  // namespace davit::input
