#include "davit/input/source_text.hpp"

#include <algorithm>

namespace davit::input {

namespace {

// Length of the UTF-8 character that begins at `at`; 0 when there is none (also for overlong forms and surrogates).
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(at);
  const unsigned second = byte(at + 1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !continues(at + 1)) return 0;
  if (first < 0xE0) return 2;
  if (!continues(at + 2)) return 0;
  if (first < 0xF0) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = first == 0xF0 && second < 0x90;
  const bool past_unicode = first == 0xF4 && second >= 0x90;
  return overlong || past_unicode || !continues(at + 3) ? 0 : 4;
}

}  // namespace

SourceText::SourceText(std::string_view raw, int first_column) : first_column_(first_column) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (raw.starts_with(byte_order_mark)) raw.remove_prefix(byte_order_mark.size());
  text_.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\r') {
      if (i + 1 < raw.size() && raw[i + 1] == '\n') continue;
      text_ += '\n';
      continue;
    }
    if ((static_cast<unsigned char>(raw[i]) & 0xC0u) == 0x80u)
      inside_characters_.push_back(static_cast<std::uint32_t>(text_.size()));
    text_ += raw[i];
  }
}

std::optional<Position> SourceText::first_bad_byte() const {
  for (std::size_t at = 0; at < text_.size();) {
    const auto c = static_cast<unsigned char>(text_[at]);
    const std::size_t length = character_length(text_, at);
    const bool control = (c < 0x20 && c != '\t' && c != '\n') || c == 0x7F;
    if (length == 0 || control) return position(at);
    at += length;
  }
  return std::nullopt;
}

std::optional<Position> SourceText::first_bracket_beyond(int most) const {
  int open = 0;
  for (std::size_t at = 0; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c == '[' || c == '{') ++open;
    if ((c == ']' || c == '}') && open > 0) --open;
    if (open > most) return position(at);
  }
  return std::nullopt;
}

Position SourceText::position(std::size_t offset) const {
  const auto here = text_.begin() + static_cast<std::ptrdiff_t>(offset);
  const auto line = std::count(text_.begin(), here, '\n');
  const std::size_t line_begin = offset == 0 ? 0 : text_.rfind('\n', offset - 1) + 1;  // npos + 1 is 0
  return position(offset, static_cast<int>(line), static_cast<int>(offset - line_begin));
}

Position SourceText::position(std::size_t offset, int line, int byte_column) const {
  const std::size_t line_begin = offset - std::min(offset, static_cast<std::size_t>(std::max(byte_column, 0)));
  const auto before = [&](std::size_t end) {
    return std::lower_bound(inside_characters_.begin(), inside_characters_.end(), end);
  };
  const auto extra_bytes = static_cast<int>(before(offset) - before(line_begin));
  return {line + 1, byte_column - extra_bytes + (line == 0 ? first_column_ : 1)};
}

bool SourceText::is_indented_by_tab(int line) const {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    begin = text_.find('\n', begin);
    if (begin == std::string::npos) return false;
    ++begin;
  }
  const std::size_t tab = text_.find_first_not_of(' ', begin);
  return tab != std::string::npos && text_[tab] == '\t';
}

}  // namespace davit::input
