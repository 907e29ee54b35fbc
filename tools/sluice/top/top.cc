#include "tools/sluice/top/top.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "config/yaml/fault.h"
#include "tools/common/quantities.h"
#include "tools/sluice/client.h"
#include "tools/sluice/interrupt.h"
#include "tools/sluice/top/screen.h"
#include "tools/sluice/top/state.h"

namespace sluice::cli::top {

namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds longest_wait{100};  // most time until a signal is noticed

constexpr std::string_view keys =
    "q quit  1-4 view  < > sort  r reverse  + - interval  space hold  ? help";
const std::vector<std::string> help = {
    "1 ports   2 queues   3 pauses   4 buffer",
    "< >       sort by the next column to the left or right, whose title is marked;",
    "          after the last column: in the order of the switch",
    "r         reverse the order",
    "+ -       refresh half or twice as often",
    "space     pause and resume the display",
    "arrows, page up, page down   scroll",
    "q         quit",
    "",
    "A rate is the average since the last refresh; - until there is one.",
};

struct Look {
    Json ports;
    Json workers;
    Json buffer;
    Json rows;  // rows of the view
    std::size_t view = 0;
    steady_clock::time_point at;
};

tl::expected<Look, Failure> look(Client& client, std::size_t view) {
    Look look;
    look.view = view;
    const std::pair<std::string_view, Json*> wanted[] = {{"ports", &look.ports},
                                                         {"workers", &look.workers},
                                                         {"buffer", &look.buffer},
                                                         {views()[view].noun, &look.rows}};
    for (const auto& [noun, place] : wanted) {
        auto answer = client.ask({{"show", noun}});
        if (!answer) return tl::unexpected(answer.error());
        *place = std::move(*answer);
    }
    look.at = steady_clock::now();
    return look;
}

std::string summary(const Look& look) {
    std::size_t up = 0;
    for (const Json& port : look.ports) {
        if (port.at("link") == "up") ++up;
    }
    double busiest = 0;
    for (const Json& worker : look.workers) {
        const Json& share = worker.at("busy_share");
        if (share.is_number()) busiest = std::max(busiest, share.get<double>());
    }
    const Json& pool = look.buffer.at("pool");
    return fmt::format("{} of {} ports up   buffer {} of {}   busiest worker {}", up,
                       look.ports.size(), show_cell(pool.at("used_bytes"), Format::size),
                       show_cell(pool.at("size_bytes"), Format::size), show_share(busiest));
}

std::string tabs(const State& state) {
    std::string text;
    for (std::size_t n = 0; n < views().size(); ++n) {
        const auto tab = fmt::format("{} {}", n + 1, views()[n].name);
        text += n == state.view ? '[' + tab + "] " : ' ' + tab + "  ";
    }
    return text + fmt::format("  every {:.3g} s{}", state.every, state.is_held ? ", held" : "");
}

// Lines of the screen that are not rows.
constexpr std::size_t lines_around = 6;

State::Seen draw(Screen& screen, const State& state, const Look& before, const Look& now) {
    const View& view = views()[state.view];
    const bool same = before.view == now.view && before.at < now.at;
    const double seconds = same ? duration<double>(now.at - before.at).count() : 1;
    std::vector<Row> rows = rows_of(view, same ? before.rows : Json(), now.rows, seconds);
    sort(rows, state.order);
    const Page page = lay_out(view, rows, state.order, screen.columns());
    const std::size_t shown =
        screen.rows() > lines_around ? screen.rows() - lines_around : std::size_t{1};

    std::vector<Line> lines = {{summary(now), Style::bold},
                               {tabs(state)},
                               {std::string(view.what)},
                               {},
                               {page.titles, Style::reverse}};
    if (state.shows_help) {
        for (const std::string& line : help) lines.push_back({line});
    } else if (page.lines.empty()) {
        lines.push_back({"nothing to show"});
    } else {
        const std::size_t end = std::min(state.first + shown, page.lines.size());
        for (std::size_t n = std::min(state.first, end); n < end; ++n) {
            lines.push_back({page.lines[n]});
        }
    }
    lines.resize(std::max(screen.rows(), std::size_t{1}));
    lines.back() = {std::string(keys)};
    screen.draw(lines);
    return {.columns = page.columns, .lines = page.lines.size(), .shown = shown};
}

std::optional<Failure> watch(Client& client, Screen& screen, double every) {
    const Interrupt interrupt;
    State state;
    state.every = every;
    Look before;
    auto first = look(client, state.view);
    if (!first) return first.error();
    Look now = std::move(*first);
    before.view = now.view;
    State::Seen seen = draw(screen, state, before, now);
    while (!state.ends && !Interrupt::came()) {
        const auto due = now.at + duration<double>(state.every);
        const auto left = std::chrono::ceil<milliseconds>(due - steady_clock::now());
        const bool is_due = !state.is_held && left.count() <= 0;
        if (is_due || state.view != now.view) {
            auto next = look(client, state.view);
            if (!next) return next.error();
            before = std::move(now);
            now = std::move(*next);
        } else {
            const auto wait = state.is_held ? longest_wait : std::min(left, longest_wait);
            const int key = screen.wait_for_key(wait);
            if (key == key_none) continue;
            state.handle_key(key, seen);
            if (state.view != now.view) continue;
        }
        seen = draw(screen, state, before, now);
    }
    return {};
}

}  // namespace

std::optional<int> run(const TopOptions& options) {
    auto client = Client::connect(options.socket);
    std::unique_ptr<Screen> screen = client ? Screen::open() : nullptr;
    if (!screen) return {};
    std::optional<Failure> failure;
    try {
        failure = watch(*client, *screen, options.every);
    } catch (...) {
        screen.reset();
        throw;
    }
    screen.reset();
    if (!failure) return 0;
    for (const std::string& line : failure->lines) {
        fmt::print(stderr, "{}\n", config::escaped(line));
    }
    return failure->status;
}

}  // namespace sluice::cli::top
