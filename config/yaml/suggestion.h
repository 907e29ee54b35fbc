// Suggestion: finds the known word that an unknown word probably is, with a typing error.
//
// Counts the letters to insert, remove, replace or swap (restricted Damerau-Levenshtein). A word is
// suggested if at most a third of its letters, and at most 3, are wrong. Bound: words longer than
// 32 octets get no suggestion.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace sluice::config {

// Returns the first of the candidates with the fewest wrong letters.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);

}  // namespace sluice::config
