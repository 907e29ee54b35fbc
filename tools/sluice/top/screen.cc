#include "tools/sluice/top/screen.h"

#define NCURSES_NOMACROS
#include <curses.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace sluice::cli::top {

std::unique_ptr<Screen> Screen::open() {
    if (::isatty(STDOUT_FILENO) != 1 || ::isatty(STDIN_FILENO) != 1) return nullptr;
    SCREEN* const made = ::newterm(nullptr, stdout, stdin);
    if (made == nullptr) return nullptr;
    ::set_term(made);
    ::cbreak();
    ::noecho();
    ::curs_set(0);
    ::keypad(stdscr, true);
    return std::unique_ptr<Screen>(new Screen);
}

Screen::~Screen() { ::endwin(); }

std::size_t Screen::rows() const { return static_cast<std::size_t>(std::max(LINES, 1)); }

std::size_t Screen::columns() const { return static_cast<std::size_t>(std::max(COLS, 1)); }

void Screen::draw(const std::vector<Line>& lines) {
    ::werase(stdscr);
    const std::size_t shown = std::min(lines.size(), rows());
    for (std::size_t row = 0; row < shown; ++row) {
        const Line& line = lines[row];
        const auto style = line.style == Style::bold      ? A_BOLD
                           : line.style == Style::reverse ? A_REVERSE
                                                          : A_NORMAL;
        ::wattrset(stdscr, static_cast<int>(style));
        ::mvwaddnstr(stdscr, static_cast<int>(row), 0, line.text.c_str(),
                     static_cast<int>(columns()));
    }
    ::wrefresh(stdscr);
}

int Screen::wait_for_key(std::chrono::milliseconds longest) {
    ::wtimeout(stdscr, static_cast<int>(longest.count()));
    const int key = ::wgetch(stdscr);
    switch (key) {
        case ERR:
            return key_none;
        case KEY_UP:
            return key_up;
        case KEY_DOWN:
            return key_down;
        case KEY_PPAGE:
            return key_page_up;
        case KEY_NPAGE:
            return key_page_down;
        case KEY_RESIZE:
            return key_resize;
        default:
            return key;
    }
}

}  // namespace sluice::cli::top
