// Words on the terminal: what may be shown of files, a table with aligned columns, and a progress line that becomes
// plain lines where there is no terminal.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace davit::app {

// To stdout and stderr. Control characters in what comes from files are made visible (file/printable.hpp).
void say_text(std::FILE* to, const std::string& text);
template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  say_text(stdout, fmt::format(format, std::forward<T>(values)...));
}
template <class... T>
void complain(fmt::format_string<T...> format, T&&... values) {
  say_text(stderr, fmt::format(format, std::forward<T>(values)...));
}

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }
  // The first columns left, the others (from `right`) right-aligned.
  std::string text(size_t right) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// Four digits for people.
std::string number(double x);
// "40 s", "2 min 5 s", "3 h 20 min".
std::string duration(double seconds);
// "1 force", "2 forces"; with a plural of its own "2 bodies".
std::string counted(size_t n, const std::string& one, const std::string& many = {});

class Progress {
 public:
  Progress(double end, bool terminal);
  void update(double t);
  void finish();

 private:
  void show(double t);

  double end_;
  bool terminal_, shown_ = false;
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace davit::app
