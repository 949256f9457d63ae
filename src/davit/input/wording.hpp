// The small pieces of language that messages share: showing a user's text safely, lists, plurals, the nearest name.
// It knows nothing of files or units.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace davit::input {

// The text in single quotes, cut short when long, control characters made visible (they could drive a terminal).
std::string shown(std::string_view text);

// "a, b, c", cut short after twenty.
std::string listed(const std::vector<std::string>& names);

// body -> bodies, winch -> winches, rope -> ropes.
std::string plural(std::string_view noun);

// The candidate that is close enough to be what was meant: what others call so (a ball joint is spherical), or
// Damerau-Levenshtein distance (optimal string alignment) of at most a third of the word. Case counts only between
// equals.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

// "did you mean 'king'? bodies are: ship, king", without the question when nothing is near.
std::string suggestion(std::string_view word, std::string_view plural_noun, const std::vector<std::string>& candidates);

}  // namespace davit::input
