#include <CLI/CLI.hpp>

#include "config/yaml/values.h"
#include "tools/sluice/calc/calc.h"
#include "tools/sluice/calc/link.h"
#include "tools/sluice/calc/words.h"

namespace sluice::cli {

namespace {

constexpr int64_t most_senders = 4096;

struct IncastWords {
    int64_t ports = 0;
    int64_t speed = 0;
    int64_t burst = 0;
};

void add_words(CLI::App& command, IncastWords& words) {
    add_count(command, "ports", "Ports that send to one output at once", "8", most_senders,
              words.ports);
    add_speed(command, "Speed of each port and of the output", "100G", words.speed);
    add_time(command, "burst", "Time that the ports send", "10us", words.burst);
}

Answer compute(const IncastWords& words) {
    return {.name = "incast",
            .formula = "incast = (ports - 1) x speed x burst / 8",
            .inputs = {{"ports", std::to_string(words.ports), "ports", words.ports},
                       {"speed", config::format_rate(words.speed), "speed_bps", words.speed},
                       {"burst", config::format_time(words.burst), "burst_ns", words.burst}},
            .result = octets_in(words.burst, (words.ports - 1) * words.speed),
            .unit = "bytes",
            .source = "What enters less what leaves; RFC 8239 section 4 measures it"};
}

}  // namespace

Compute incast(CLI::App& command) { return calculation<IncastWords>(command, add_words, compute); }

}  // namespace sluice::cli
