// Terminal: how wide the output is, and texts that fit it, so that no terminal breaks their words.
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

// Of the terminal; `COLUMNS` where standard output is none; else unlimited, as whoever reads a file
// or a pipe wants all of it.
std::size_t width_of_output();

// Pieces of at most `width`, between words where there are any. No blanks at their ends.
std::vector<std::string> pieces_of(std::string_view text, std::size_t width);

// Lines of at most `width`: what one has too much goes on below its last column, which two blanks
// or more are before; below its first where that one has no room.
std::string hanging(std::string_view text, std::size_t width);

}  // namespace sluice::config
