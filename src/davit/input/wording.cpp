#include "davit/input/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace davit::input {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string result = "'";
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool inside_character = (c & 0xC0u) == 0x80u;
    if (i >= most && !inside_character) break;
    if (c < 0x20 || c == 0x7F)
      result += fmt::format("\\x{:02x}", c);
    else
      result += text[i];
  }
  if (i < text.size()) result += "...";
  return result + "'";
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::string result;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    if (i > 0) result += ", ";
    result += names[i];
  }
  if (names.size() > most) result += fmt::format(" and {} more", names.size() - most);
  return result;
}

std::string plural(std::string_view noun) {
  const auto ends = [&](std::string_view tail) { return noun.ends_with(tail); };
  if (ends("y") && !ends("ay") && !ends("ey") && !ends("oy"))
    return std::string(noun.substr(0, noun.size() - 1)) + "ies";
  if (ends("s") || ends("x") || ends("ch") || ends("sh")) return std::string(noun) + "es";
  return std::string(noun) + "s";
}

namespace {

// What others call it.
struct Synonym {
  std::string_view said, meant;
};
constexpr Synonym synonyms[] = {{"ball", "spherical"},   {"hinge", "revolute"},   {"pin", "revolute"},
                                {"rotary", "revolute"},  {"slider", "prismatic"}, {"linear", "prismatic"},
                                {"weld", "fixed"},       {"rigid", "fixed"},      {"6dof", "free"},
                                {"cardan", "universal"}, {"gimbal", "universal"}, {"rpy", "roll_pitch_yaw"}};

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  for (const Synonym& synonym : synonyms)
    if (lower(word) == synonym.said &&
        std::find(candidates.begin(), candidates.end(), synonym.meant) != candidates.end())
      return std::string(synonym.meant);
  constexpr std::size_t longest = 64;  // the table is quadratic, and nobody mistypes a name longer than this
  if (word.empty() || word.size() > longest) return std::nullopt;
  const std::string lowered = lower(word);
  const std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  std::size_t best_with_case = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > word.size() + allowed || word.size() > candidate.size() + allowed) continue;
    const std::size_t d = distance(lowered, lower(candidate));
    if (d > allowed || d >= std::max(word.size(), candidate.size())) continue;
    const std::size_t with_case = distance(word, candidate);
    if (!best || d < best_distance || (d == best_distance && with_case < best_with_case)) {
      best = candidate;
      best_distance = d;
      best_with_case = with_case;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::string_view plural_noun,
                       const std::vector<std::string>& candidates) {
  if (candidates.empty()) return fmt::format("there are no {}", plural_noun);
  std::string text;
  if (const auto near = nearest(word, candidates)) text = fmt::format("did you mean '{}'? ", *near);
  return text + fmt::format("{} are: {}", plural_noun, listed(candidates));
}

}  // namespace davit::input
