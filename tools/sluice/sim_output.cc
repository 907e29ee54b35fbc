#include "tools/sluice/sim_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace sluice::cli {

void print_json(const Json& document) { fmt::print("{}\n", document.dump(2)); }

void print_csv(const Json& rows) {
    if (rows.empty()) return;
    std::string titles;
    for (const auto& item : rows[0].items()) {
        titles += (titles.empty() ? "" : ",") + item.key();
    }
    fmt::print("{}\n", titles);
    for (const Json& row : rows) {
        std::string line;
        for (const Json& value : row) {
            if (!line.empty()) line += ',';
            line += value.dump();  // a text in quotes, since it may hold commas
        }
        fmt::print("{}\n", line);
    }
}

void show_progress(std::string_view text, bool last) {
    static const bool terminal = isatty(STDERR_FILENO) == 1;
    if (!terminal) return;
    fmt::print(stderr, "\r{}{}", text, last ? "\n" : "");
    std::fflush(stderr);
}

void show_done(std::size_t finished, std::size_t count) {
    if (count > 1) show_progress(fmt::format("{} of {} done", finished, count), finished == count);
}

}  // namespace sluice::cli
