#include "davit/input/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace davit::input {

namespace {
constexpr std::size_t most_kept = 1000;
constexpr std::size_t most_shown = 100;

auto order(const Problem& p) {
  return std::tie(p.where.file, p.where.line, p.where.column, p.where.path, p.where.instance, p.severity, p.message,
                  p.remedy);
}
}  // namespace

void Problems::error(Where where, std::string message, std::string remedy) {
  add({Problem::error, std::move(where), std::move(message), std::move(remedy)});
}

void Problems::warning(Where where, std::string message, std::string remedy) {
  add({Problem::warning, std::move(where), std::move(message), std::move(remedy)});
}

void Problems::add(Problem problem) {
  ++count_;
  if (problem.severity == Problem::error) ++error_count_;
  if (kept_.size() < most_kept) kept_.push_back(std::move(problem));
}

void Problems::add(const Problems& others) {
  const std::size_t room = most_kept - std::min(most_kept, kept_.size());
  const auto count = static_cast<std::ptrdiff_t>(std::min(room, others.kept_.size()));
  kept_.insert(kept_.end(), others.kept_.begin(), others.kept_.begin() + count);
  unreadable_.insert(others.unreadable_.begin(), others.unreadable_.end());
  count_ += others.count_;
  error_count_ += others.error_count_;
}

std::vector<Problem> Problems::all() const {
  std::vector<Problem> sorted = kept_;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return order(a) < order(b); });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

std::string Problems::to_text() const {
  const std::vector<Problem> sorted = all();
  const std::size_t shown = std::min(sorted.size(), most_shown);
  std::string text;
  auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < shown; ++i) {
    const Problem& p = sorted[i];
    text += p.where.file;
    if (p.where.line > 0) fmt::format_to(out, ":{}:{}", p.where.line, p.where.column);
    text += p.severity == Problem::error ? ": error: " : ": warning: ";
    if (!p.where.path.empty()) fmt::format_to(out, "{}: ", p.where.path);
    text += p.message;
    if (!p.where.instance.empty()) fmt::format_to(out, " (in part {})", p.where.instance);
    text += '\n';
    const bool said_again = i + 1 < shown && sorted[i + 1].remedy == p.remedy;
    if (!p.remedy.empty() && !said_again) fmt::format_to(out, "    remedy: {}\n", p.remedy);
  }
  const std::size_t rest = sorted.size() - shown + (count_ - kept_.size());
  if (rest > 0) fmt::format_to(out, "... and {} more\n", rest);
  return text;
}

}  // namespace davit::input
