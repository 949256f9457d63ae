#include "davit/app/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "davit/html/display_unit.hpp"
#include "davit/io/printable.hpp"

namespace davit::app {

namespace {

// Characters, not bytes: UTF-8 continuation bytes do not count.
size_t width(const std::string& s) {
  return static_cast<size_t>(std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

void say_text(std::FILE* to, const std::string& text) {
  const std::string shown = io::printable(text);
  std::fwrite(shown.data(), 1, shown.size(), to);  // main looks whether stdout took all of it
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  const long s = std::lround(seconds);
  if (s < 100) return fmt::format("{} s", s);
  if (s < 6000) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s / 60 % 60);
}

std::string number(double x) {
  if (!std::isfinite(x)) return "-";
  if (x == 0) return "0";
  return html::readable(x);
}

std::string counted(size_t n, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", n, n == 1 ? one : many.empty() ? one + "s" : many);
}

std::string Table::text(size_t right) const {
  std::vector<size_t> widths;
  for (const auto& row : rows_)
    for (size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], width(row[i]));
    }
  std::string out;
  for (size_t r = 0; r < rows_.size(); ++r) {
    std::string line = " ";
    for (size_t i = 0; i < rows_[r].size(); ++i) {
      const std::string pad(widths[i] - width(rows_[r][i]), ' ');
      line += " " + (i >= right ? pad + rows_[r][i] : rows_[r][i] + pad) + " ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

Progress::Progress(double end, bool terminal)
    : end_(end), terminal_(terminal), begin_(std::chrono::steady_clock::now()), last_(begin_) {}

void Progress::update(double t) {
  const auto now = std::chrono::steady_clock::now();
  // A bar moves; a log must not fill with lines.
  if (now - last_ < (terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000))) return;
  last_ = now;
  show(t);
}

void Progress::show(double t) {
  shown_ = true;
  const double wall = std::chrono::duration<double>(last_ - begin_).count(), done = std::clamp(t / end_, 0.0, 1.0);
  const std::string facts = fmt::format("{:.4g} of {:.4g} s, {:.3g} x real time, {} left", t, end_, t / wall,
                                        duration(wall * (1 - done) / std::max(done, 1e-9)));
  if (terminal_) {
    const int filled = static_cast<int>(std::lround(30 * done));
    fmt::print(stderr, "\r  [{}{}] {:3.0f} %  {}\033[K", std::string(static_cast<size_t>(filled), '#'),
               std::string(static_cast<size_t>(30 - filled), '.'), 100 * done, facts);
  } else {
    fmt::print(stderr, "  {:3.0f} %  {}\n", 100 * done, facts);
  }
  std::fflush(stderr);
}

void Progress::finish() {
  if (terminal_ && shown_) fmt::print(stderr, "\r\033[K");
}

}  // namespace davit::app
