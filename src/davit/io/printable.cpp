#include "davit/io/printable.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace davit::io {
namespace {

struct Character {
  std::uint32_t code;
  std::size_t bytes;
};

// The first character of a text; none of its bytes where they are not UTF-8.
Character first_of(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = at(0);
  const std::size_t bytes = lead < 0x80                   ? 1
                            : lead >= 0xC2 && lead < 0xE0 ? 2
                            : lead >= 0xE0 && lead < 0xF0 ? 3
                            : lead >= 0xF0 && lead < 0xF5 ? 4
                                                          : 0;
  if (bytes == 0 || bytes > text.size()) return {0, 0};
  std::uint32_t code = bytes == 1 ? lead : lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xC0u) != 0x80) return {0, 0};
    code = code << 6u | (at(i) & 0x3Fu);
  }
  return {code, bytes};
}

bool is_control(std::uint32_t code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0x2028 || code == 0x2029;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_of(text);
    const std::size_t bytes = c.bytes > 0 ? c.bytes : 1;
    if (c.bytes > 0 && !is_control(c.code))
      out += text.substr(0, bytes);
    else
      for (const char byte : text.substr(0, bytes))
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(byte));
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace davit::io
