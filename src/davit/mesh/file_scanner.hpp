// Reads the bytes of a mesh file one word or one binary number after the other, and knows where it stands, so that
// every mistake is named with its line or byte.
#pragma once

#include <bit>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "davit/mesh/mesh_file.hpp"

namespace davit {

class FileScanner {
 public:
  FileScanner(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  std::string_view bytes() const { return bytes_; }
  size_t offset() const { return offset_; }
  size_t remaining() const { return bytes_.size() - offset_; }
  void move_to(size_t offset) { offset_ = offset; }

  [[noreturn]] void fail_at_line(const std::string& message, const std::string& remedy) const {
    throw MeshFileError(name_, "line " + std::to_string(line_) + ": " + message, remedy);
  }
  [[noreturn]] void fail_at_byte(const std::string& message, const std::string& remedy) const {
    throw MeshFileError(name_, "byte " + std::to_string(offset_) + ": " + message, remedy);
  }
  [[noreturn]] void fail(const std::string& message, const std::string& remedy) const {
    throw MeshFileError(name_, message, remedy);
  }

  // ---- text

  // The rest of the line, without its end; false at the end of the file.
  bool next_line(std::string_view& line) {
    if (remaining() == 0) return false;
    const size_t end = std::min(bytes_.find('\n', offset_), bytes_.size());
    line = bytes_.substr(offset_, end - offset_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    offset_ = std::min(end + 1, bytes_.size());
    ++line_;
    return true;
  }

  // The next word of the whole text, on this line or a later one; empty at the end of the file.
  std::string_view next_word() {
    while (offset_ < bytes_.size() && is_space(bytes_[offset_])) {
      if (bytes_[offset_] == '\n') ++line_;
      ++offset_;
    }
    const size_t begin = offset_;
    while (offset_ < bytes_.size() && !is_space(bytes_[offset_])) ++offset_;
    return bytes_.substr(begin, offset_ - begin);
  }
  // From reading lines to reading words: the line that comes next is the one of the next word.
  void start_words() { ++line_; }

  // The first word of a line, which is taken off it.
  static std::string_view take_word(std::string_view& line) {
    size_t begin = 0;
    while (begin < line.size() && is_space(line[begin])) ++begin;
    size_t end = begin;
    while (end < line.size() && !is_space(line[end])) ++end;
    const std::string_view word = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return word;
  }

  template <class Number>
  Number number(std::string_view word) const {
    std::string_view digits = word;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    Number x{};
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
    if (word.empty()) fail_at_line("a number is missing", "complete the line, or export the mesh again");
    if (code == std::errc::invalid_argument || end != digits.data() + digits.size())
      fail_at_line("'" + shown(word) + "' is not a number", "write a plain number such as 12.5 or 1e-3");
    if (code == std::errc::result_out_of_range)
      fail_at_line("'" + shown(word) + "' is out of range", "check the units and the export of this mesh");
    return x;
  }

  static std::string shown(std::string_view word) {
    std::string out;
    for (const char c : word.substr(0, 40)) out += (c >= 32 && c < 127) ? c : '?';
    return word.size() > 40 ? out + "..." : out;
  }

  // ---- binary

  template <class Number>
  Number binary(std::endian order) {
    if (remaining() < sizeof(Number))
      fail_at_byte("the file ends in the middle of its data", "export or copy it again: it is cut off");
    char raw[sizeof(Number)];
    std::memcpy(raw, bytes_.data() + offset_, sizeof(Number));
    offset_ += sizeof(Number);
    if (order != std::endian::native)
      for (size_t i = 0; i < sizeof(Number) / 2; ++i) std::swap(raw[i], raw[sizeof(Number) - 1 - i]);
    Number x;
    std::memcpy(&x, raw, sizeof(Number));
    return x;
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

  std::string_view bytes_;
  std::string name_;
  size_t offset_ = 0;
  int line_ = 0;
};

// One reader per format; each throws MeshFileError.
TriangleMesh read_stl(FileScanner& file);
TriangleMesh read_obj(FileScanner& file);
TriangleMesh read_ply(FileScanner& file);

// A polygon of points of the mesh, as triangles.
void add_polygon(TriangleMesh& mesh, const std::vector<int>& polygon, const FileScanner& file);

}  // namespace davit
