#include "davit/hydro/text_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "davit/hydro/hydro_error.hpp"
#include "davit/io/read_file.hpp"

namespace davit::hydro {
namespace {

constexpr std::uintmax_t largest_text = 500'000'000;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == '\v' || c == '\f'; }

// One word as a number, as Fortran writes it too: 1.5D+03.
std::optional<double> number_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  std::string fortran;
  if (const auto d = word.find_first_of("dD"); d != word.npos) {
    fortran = word;
    fortran[d] = 'e';
    word = fortran;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string> text_of(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::nullopt;
  try {
    return io::read_file(file, largest_text);
  } catch (const io::FileError& error) {
    throw DatabaseError(file.string(), error.message, error.remedy);
  }
}

bool TextFile::next_line() {
  while (!rest_.empty()) {
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    numbers_.clear();
    bool words = false;
    for (size_t at = 0; at < line_.size();) {
      if (is_blank(line_[at])) {
        ++at;
        continue;
      }
      size_t stop = at;
      while (stop < line_.size() && !is_blank(line_[stop])) ++stop;
      words = true;
      const auto value = number_of(line_.substr(at, stop - at));
      if (!value) break;
      numbers_.push_back(*value);
      at = stop;
    }
    next_ = numbers_.size();
    if (words) return true;
  }
  line_ = {};
  numbers_.clear();
  next_ = 0;
  return false;
}

int TextFile::whole(size_t place, int low, int high) const {
  if (place >= numbers_.size()) fail("a number is missing", "the file is damaged: write it again");
  const double value = numbers_[place];
  if (!(value >= low && value <= high) || value != std::floor(value))
    fail(fmt::format("{} is not a whole number between {} and {}", value, low, high),
         "the file is damaged or of another kind");
  return static_cast<int>(value);
}

double TextFile::next_number() {
  while (next_ >= numbers_.size()) {
    if (!next_line()) fail("the file ends in the middle of a table", "write it again: it was cut off");
    if (numbers_.empty()) fail("a number was expected", "the file is damaged or of another kind");
    next_ = 0;
  }
  return numbers_[next_++];
}

const std::vector<double>& TextFile::expect(size_t count, const char* what) {
  if (!next_line()) fail(fmt::format("the file ends before {}", what), "write it again: it was cut off");
  if (numbers_.size() < count)
    fail(fmt::format("{} was expected here: {}", what, count == 1 ? "a number" : fmt::format("{} numbers", count)),
         "the file is damaged or of another kind");
  return numbers_;
}

void TextFile::fail(const std::string& message, const std::string& remedy) const {
  throw DatabaseError(name_, number_, message, remedy);
}

}  // namespace davit::hydro
