// A text of numbers, line by line, that knows where it stands: every mistake is named with its file and line.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace davit::hydro {

// The text of a file; nothing where there is none. Throws a DatabaseError for one that cannot be read.
std::optional<std::string> text_of(const std::filesystem::path& file);

// The files of one database, by the part of their name that tells them apart. A reader gets all at once, so that it can
// be tested without files.
using Texts = std::map<std::string, std::string>;

class TextFile {
 public:
  // The text must outlive this.
  TextFile(std::string name, std::string_view text) : name_(std::move(name)), rest_(text) {}

  // To the next line that is not empty; false at the end.
  bool next_line();
  std::string_view line() const { return line_; }
  // The numbers that the line begins with; what follows them is a remark.
  const std::vector<double>& numbers() const { return numbers_; }
  // The number at a place in the line that must be whole and in low … high.
  int whole(size_t place, int low, int high) const;

  // The next number, on this line or a later one: for tables that are broken into lines at will. Begins after the
  // current line.
  double next_number();
  // To the next line, which must begin with at least `count` numbers.
  const std::vector<double>& expect(size_t count, const char* what);

  [[noreturn]] void fail(const std::string& message, const std::string& remedy) const;

 private:
  std::string name_;
  std::string_view rest_, line_;
  std::vector<double> numbers_;
  size_t next_ = 0;  // the next of numbers_ for next_number
  int number_ = 0;
};

}  // namespace davit::hydro
