// Terminal: the width of the output, and texts that fit it, so that the terminal breaks no words.
//
// Widths are in octets. Bound: a word longer than the width is broken between two characters of
// UTF-8.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

inline constexpr std::size_t unlimited_width = std::numeric_limits<std::size_t>::max();

// Returns the width of the terminal. If standard output is no terminal, returns `COLUMNS` or, if
// that is not set, no limit: readers of a file or a pipe want whole lines.
std::size_t width_of_output();

// Breaks the text between words into pieces of at most `width`, without blanks at their ends.
std::vector<std::string> pieces_of(std::string_view text, std::size_t width);

// Breaks lines longer than `width`. The next line begins below the line's last column (the text
// after two or more blanks), or below its first column if the last column is too narrow.
std::string hanging(std::string_view text, std::size_t width);

}  // namespace sluice::config
