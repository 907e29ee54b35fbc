#include "tools/sluice/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "config/version.h"
#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/sluice/json_text.h"

namespace sluice::cli {

namespace {

// A switch answers this query at once; one that takes longer hangs.
constexpr std::chrono::seconds patience{2};

// Returns a value, or `unknown`: an older sluiced lacks some keys.
std::string said_of(const Json& about, const char* key) {
    return about.contains(key) ? show_cell(about.at(key), Format::text) : "unknown";
}

bool same(const Json& sluiced) {
    return said_of(sluiced, "version") == version() && said_of(sluiced, "commit") == commit();
}

// Returns `3 d 4 h`: the largest unit and the next.
std::string time_for_people(uint64_t seconds) {
    struct Unit {
        uint64_t seconds;
        std::string_view name;
    };
    constexpr auto units = std::to_array<Unit>({{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}});
    const auto* const first = std::ranges::find_if(
        units, [&](const Unit& unit) { return seconds >= unit.seconds || unit.seconds == 1; });
    std::string text = fmt::format("{} {}", seconds / first->seconds, first->name);
    const auto* const next = first + 1;
    if (next == units.end()) return text;
    const uint64_t rest = seconds % first->seconds / next->seconds;
    return rest == 0 ? text : fmt::format("{} {} {}", text, rest, next->name);
}

}  // namespace

std::string version_view(const Json& sluiced) {
    const auto text = [&](const char* key) { return said_of(sluiced, key); };
    std::string shown = fmt::format("sluiced {} (commit {})\n", text("version"), text("commit"));
    if (sluiced.contains("up_s") && sluiced.at("up_s").is_number_unsigned()) {
        std::string since = text("up_since").substr(0, 19);
        std::ranges::replace(since, 'T', ' ');
        shown += fmt::format("up since {} UTC, {}\n", since,
                             time_for_people(sluiced.at("up_s").get<uint64_t>()));
    }
    shown += fmt::format("built by {} for {}, with {}\n", text("compiler"), text("cpu_level"),
                         text("dpdk"));
    shown += fmt::format("runs on {}, {}; its CPU has {}\n", text("host"), text("kernel"),
                         text("cpu_supports"));
    if (same(sluiced)) return shown;
    return shown + fmt::format(
                       "They differ: this is {}.\nRestart the switch after an upgrade, or use the "
                       "sluice of the same version.\n",
                       version_of("sluice"));
}

int print_version(const std::string& socket, bool json) {
    auto client = Client::connect(socket, patience);
    const auto answer = client ? client->ask({{"show", "version"}})
                               : tl::expected<Json, Failure>(tl::unexpected(client.error()));
    if (json) {
        const Json about = {{"version", version()},
                            {"commit", commit()},
                            {"compiler", compiler()},
                            {"sluiced", answer ? *answer : Json()},
                            {"same", answer ? Json(same(*answer)) : Json()}};
        fmt::print("{}\n", json_text(about, -1));
        return 0;
    }
    fmt::print("{}, built by {}\n", version_of("sluice"), compiler());
    if (answer) {
        fmt::print("{}", version_view(*answer));
    } else {
        for (const std::string& line : answer.error().lines) {
            fmt::print("{}\n", config::escaped(line));
        }
    }
    return 0;
}

}  // namespace sluice::cli
