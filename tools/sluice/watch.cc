// `sluice watch`: requests the events after the last one that it printed, ten times a second, so
// that no event is lost by a slow terminal or a short time without an answer.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/sluice/commands.h"
#include "tools/sluice/json_text.h"

namespace sluice::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto period = 100ms;

std::string line_of(const Json& event) {
    const auto text = [&](const char* key) {
        return config::escaped(event.at(key).get<std::string>());
    };
    const std::string port = text("port");
    return fmt::format("{} {} {} {}{}{}", event.at("number").get<uint64_t>(), text("at"),
                       text("kind"), port, port.empty() ? "" : ": ", text("text"));
}

// Reports missing event numbers on standard error.
void report_gap(uint64_t last, uint64_t next) {
    if (next <= last) {
        fmt::print(stderr,
                   "sluice: sluiced was restarted after event {}; printing from its first event\n",
                   last);
    } else if (next > last + 1) {
        fmt::print(stderr,
                   "sluice: events {} to {} are lost: sluiced keeps only the latest events\n",
                   last + 1, next - 1);
    }
}

}  // namespace

int watch(const WatchOptions& options) {
    auto client = Client::connect(options.socket);
    if (!client) return print_failure(client.error());
    uint64_t last = options.since.value_or(0);
    if (!options.since) {
        const auto so_far = client->ask({{"show", "events"}});
        if (!so_far) return print_failure(so_far.error());
        if (!so_far->empty()) last = so_far->back().at("number").get<uint64_t>();
    }
    for (uint64_t printed = 0;;) {
        const auto events = client->ask({{"show", "events"}, {"since", last}});
        if (!events) return print_failure(events.error());
        for (const Json& event : *events) {
            const auto number = event.at("number").get<uint64_t>();
            report_gap(last, number);
            last = number;
            fmt::print("{}\n", options.json ? json_text(event, -1) : line_of(event));
            if (++printed == options.times) return 0;
        }
        if (std::fflush(stdout) != 0) return 1;  // main.cc prints the reason
        std::this_thread::sleep_for(period);
    }
}

}  // namespace sluice::cli
