#include "config/yaml/suggestion.h"

#include <algorithm>
#include <array>

namespace sluice::config {

namespace {

constexpr std::size_t longest_word = 32;

using Row = std::array<std::size_t, longest_word + 1>;

std::size_t distance(std::string_view a, std::string_view b) {
    Row before_last{};
    Row last{};
    for (std::size_t column = 0; column <= b.size(); ++column) last[column] = column;
    for (std::size_t row = 1; row <= a.size(); ++row) {
        Row current{};
        current[0] = row;
        for (std::size_t column = 1; column <= b.size(); ++column) {
            const std::size_t replaced = last[column - 1] + (a[row - 1] == b[column - 1] ? 0 : 1);
            current[column] = std::min({last[column] + 1, current[column - 1] + 1, replaced});
            const bool swapped =
                row > 1 && column > 1 && a[row - 1] == b[column - 2] && a[row - 2] == b[column - 1];
            if (swapped) {
                current[column] = std::min(current[column], before_last[column - 2] + 1);
            }
        }
        before_last = last;
        last = current;
    }
    return last[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
    if (word.size() > longest_word) return std::nullopt;
    std::optional<std::string_view> best;
    std::size_t best_distance = std::min<std::size_t>(3, (word.size() + 1) / 3) + 1;
    for (const std::string_view candidate : candidates) {
        if (candidate.size() > longest_word) continue;
        const std::size_t wrong = distance(word, candidate);
        if (wrong >= best_distance) continue;
        best = candidate;
        best_distance = wrong;
    }
    return best;
}

}  // namespace sluice::config
