// Screen: the full-screen terminal of `sluice top`, by ncurses; the destructor restores the
// terminal.
//
// It shows lines, one of them marked, and reads keys.
// Bound: one object at a time. Lines that do not fit are cut.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sluice::cli::top {

enum class Style : uint8_t { plain, bold, reverse };

struct Line {
    std::string text;
    Style style = Style::plain;
};

// Keys that are not characters.
enum Key : int { key_none = -1, key_up = 0x1000, key_down, key_page_up, key_page_down, key_resize };

class Screen {
  public:
    // Returns null if standard output is not a terminal, or one of an unknown type.
    static std::unique_ptr<Screen> open();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;
    ~Screen();

    [[nodiscard]] std::size_t rows() const;
    [[nodiscard]] std::size_t columns() const;
    void draw(const std::vector<Line>& lines);
    // Returns a character or a Key; key_none after `longest` without a key, or after a signal.
    int wait_for_key(std::chrono::milliseconds longest);

  private:
    Screen() = default;
};

}  // namespace sluice::cli::top
