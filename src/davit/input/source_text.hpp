// The text of a file made ready for the YAML parser: checked to be UTF-8, one kind of line end, no byte-order mark; and
// the parser's byte positions turned into lines and columns of characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace davit::input {

struct Position {
  int line = 0;
  int column = 0;
};

class SourceText {
 public:
  SourceText(std::string_view raw, int first_column);

  const std::string& text() const { return text_; }

  // Where the first byte stands that is not UTF-8 or is a control character (the parser takes 0x04 for the end).
  std::optional<Position> first_bad_byte() const;

  // Where more than `most` brackets are open at once, those in text and comments counted. The parser scans ahead of
  // what it reports until a bracket is closed: megabytes of open ones would cost it gigabytes.
  std::optional<Position> first_bracket_beyond(int most) const;

  // Line and column counted in bytes from 0, as the parser does, `offset` being the byte's place in the text.
  Position position(std::size_t offset, int line, int byte_column) const;

  // Whether the white space that begins this line (from 1) has a tab in it.
  bool is_indented_by_tab(int line) const;

 private:
  Position position(std::size_t offset) const;

  std::string text_;
  std::vector<std::uint32_t> inside_characters_;  // offsets of bytes that continue a character
  int first_column_;
};

}  // namespace davit::input
