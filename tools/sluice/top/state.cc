#include "tools/sluice/top/state.h"

#include <algorithm>

#include "tools/sluice/top/screen.h"

namespace sluice::cli::top {

namespace {

constexpr double shortest = 0.1;
constexpr double longest = 60;

// Returns no column, then each from the first to the last, then none again.
std::optional<std::size_t> next(const std::optional<std::size_t>& column, std::size_t columns) {
    if (!column) return columns > 0 ? std::optional<std::size_t>(0) : std::nullopt;
    return *column + 1 < columns ? std::optional(*column + 1) : std::nullopt;
}
std::optional<std::size_t> previous(const std::optional<std::size_t>& column, std::size_t columns) {
    if (!column) return columns > 0 ? std::optional(columns - 1) : std::nullopt;
    return *column > 0 ? std::optional(*column - 1) : std::nullopt;
}

}  // namespace

void State::handle_key(int key, const Seen& seen) {
    const std::size_t last = seen.lines > seen.shown ? seen.lines - seen.shown : 0;
    const auto number = static_cast<std::size_t>(key - '1');
    if (key >= '1' && number < views().size()) {
        view = number;
        order = {};
        first = 0;
        return;
    }
    switch (key) {
        case 'q':
            ends = true;
            break;
        case '?':
        case 'h':
            shows_help = !shows_help;
            break;
        case ' ':
            is_held = !is_held;
            break;
        case '>':
            order.column = next(order.column, seen.columns);
            break;
        case '<':
            order.column = previous(order.column, seen.columns);
            break;
        case 'r':
            order.reversed = !order.reversed;
            break;
        case '+':
            every = std::min(every * 2, longest);
            break;
        case '-':
            every = std::max(every / 2, shortest);
            break;
        case key_up:
            first -= first > 0 ? 1 : 0;
            break;
        case key_down:
            ++first;
            break;
        case key_page_up:
            first -= std::min(first, seen.shown);
            break;
        case key_page_down:
            first += seen.shown;
            break;
        default:
            break;
    }
    first = std::min(first, last);
}

}  // namespace sluice::cli::top
