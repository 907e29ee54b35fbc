#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "config/yaml/values.h"
#include "tools/sluice/calc/calc.h"
#include "tools/sluice/calc/link.h"
#include "tools/sluice/calc/words.h"

namespace sluice::cli {

namespace {

using config::Kind;

struct WanHeadroomWords {
    int64_t arrival = 0;
    int64_t departure = 0;
    int64_t distance = 0;
    int64_t delay = 0;
    CLI::Option* delay_given = nullptr;
};

void add_words(CLI::App& command, WanHeadroomWords& words) {
    add_rate(command, "arrival", "Mean rate of the priority from the WAN", "100G", 0, fastest_link,
             words.arrival);
    add_rate(command, "departure", "Mean rate of the priority into the data centre", "0", 0,
             fastest_link, words.departure);
    CLI::Option* distance = add_length(
        command, "distance", "Length of fibre between the two gateways", "1000km", words.distance);
    words.delay_given = add_quantity(command,
                                     {.name = "delay",
                                      .kind = Kind::time,
                                      .help = "Delay of the pause frame to the source",
                                      .worked_out = "distance / 1.98e8 m/s",
                                      .highest = one_second},
                                     words.delay)
                            ->excludes(distance);
}

Answer compute(const WanHeadroomWords& words) {
    if (words.departure > words.arrival) {
        throw CLI::ValidationError(
            "--departure",
            fmt::format("{} is above the {} of --arrival, so nothing gathers; write "
                        "that or less",
                        config::format_rate(words.departure), config::format_rate(words.arrival)));
    }
    const int64_t delay = *words.delay_given
                              ? words.delay
                              : static_cast<int64_t>(std::ceil(propagation_over(words.distance)));
    const int64_t gathering = words.arrival - words.departure;
    // The source sends for one delay until the pause reaches it, and these frames travel for
    // another delay.
    const int64_t both_ways = octets_in(2 * delay, gathering);
    Answer answer{
        .name = "bound",
        .formula = "wan_headroom > bound = (arrival - departure) x delay / 8",
        .inputs = {{"arrival", config::format_rate(words.arrival), "arrival_bps", words.arrival},
                   {"departure", config::format_rate(words.departure), "departure_bps",
                    words.departure},
                   {"delay", config::format_time(delay), "delay_ns", delay}},
        .result = octets_in(delay, gathering),
        .unit = "bytes",
        .also = {{"both ways",
                  fmt::format("{} bytes, with what left before the pause came to the source and "
                              "takes the delay again",
                              both_ways),
                  "both_ways_bytes", both_ways}},
        .source = "draft-he-rtgwg-wan-pfc-00, section 3.2"};
    if (!*words.delay_given) {
        answer.inputs.push_back(
            {"distance", config::format_length(words.distance), "distance_mm", words.distance});
    }
    return answer;
}

}  // namespace

Compute wan_headroom(CLI::App& command) {
    return calculation<WanHeadroomWords>(command, add_words, compute);
}

}  // namespace sluice::cli
