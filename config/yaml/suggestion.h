// Suggestion: the word that was probably meant.
//
// Counts letters to insert, remove, replace or swap (restricted Damerau-Levenshtein); a word is
// suggested if at most a third of it, and at most 3 letters, are wrong. Bound: words longer than 32
// octets get no suggestion.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace sluice::config {

// The first of the nearest.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);

}  // namespace sluice::config
