#include "config/terminal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace sluice::config {

namespace {

constexpr std::size_t usual_width = 80;  // columns of a terminal that does not report its width
constexpr std::size_t least_room = 24;   // the narrowest column in which text is wrapped

// Returns where the last column of a line begins.
std::size_t last_column_of(std::string_view line) {
    const std::size_t gap = line.rfind("  ");
    return gap == std::string_view::npos ? 0 : gap + 2;
}

void hang(std::string& all, std::string_view line, std::size_t width) {
    std::size_t column = last_column_of(line);
    if (column + least_room > width) column = std::min(line.find_first_not_of(' '), line.size());
    if (line.size() <= width || column + least_room > width) {
        all += line;
        return;
    }
    const auto pieces = pieces_of(line.substr(column), width - column);
    all += line.substr(0, column);
    all += fmt::format("{}", fmt::join(pieces, '\n' + std::string(column, ' ')));
}

}  // namespace

std::size_t width_of_output() {
    const char* const said = std::getenv("COLUMNS");
    std::size_t columns = 0;
    if (said != nullptr) {
        const std::string_view text(said);
        std::from_chars(text.data(), text.data() + text.size(), columns);
    }
    if (::isatty(STDOUT_FILENO) != 1) return columns > 0 ? columns : unlimited_width;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return columns > 0 ? columns : usual_width;
}

std::vector<std::string> pieces_of(std::string_view text, std::size_t width) {
    std::vector<std::string> pieces;
    while (text.size() > width) {
        std::size_t end = text.rfind(' ', width);
        if (end == std::string_view::npos || end == 0) {
            end = width;
            // Keep the octets of a UTF-8 character together.
            while (end > 1 && (text[end] & 0xC0) == 0x80) --end;
        }
        pieces.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    }
    pieces.emplace_back(text);
    return pieces;
}

std::string hanging(std::string_view text, std::size_t width) {
    std::string all;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        hang(all, text.substr(0, end), width);
        if (end < text.size()) all += '\n';
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return all;
}

}  // namespace sluice::config
