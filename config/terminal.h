// Terminal: the width of the output, and texts that fit it, so that the terminal breaks no words.
//
// Widths are in octets. Bound: a word longer than the width is cut, never in a letter of UTF-8.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

inline constexpr std::size_t unlimited_width = std::numeric_limits<std::size_t>::max();

// The width of the terminal. If standard output is no terminal, `COLUMNS`; else unlimited, as
// readers of a file or a pipe want whole lines.
std::size_t width_of_output();

// Pieces of at most `width`, between words where there are any. No blanks at their ends.
std::vector<std::string> pieces_of(std::string_view text, std::size_t width);

// Breaks lines longer than `width`. The rest continues below the line's last column (text after two
// or more blanks), or below the first column if the last has no room.
std::string hanging(std::string_view text, std::size_t width);

}  // namespace sluice::config
