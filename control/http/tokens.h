// Tokens: parses HTTP fields (RFC 9110 5.6): case-insensitive names, white space around words,
// parts between separators. No allocation; results are views into the argument.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace sluice::control::http {

constexpr char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

constexpr bool same_name(std::string_view one, std::string_view other) {
    return std::ranges::equal(one, other, {}, lower, lower);
}

constexpr std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Removes everything up to and including `mark` from the front of `rest`; returns the text before
// `mark`.
constexpr std::string_view next_until(std::string_view& rest, std::string_view mark) {
    const std::size_t end = std::min(rest.find(mark), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + mark.size(), rest.size()));
    return part;
}

}  // namespace sluice::control::http
