#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>

#include "config/yaml/values.h"
#include "tools/sluice/calc/calc.h"
#include "tools/sluice/calc/link.h"
#include "tools/sluice/calc/md1_queue.h"
#include "tools/sluice/calc/words.h"

namespace sluice::cli {

namespace {

using config::Kind;

constexpr int64_t most_hops = 64;
constexpr std::array<std::string_view, 2> modes = {"cut-through", "store-and-forward"};
constexpr int64_t store_and_forward = 1;

struct LatencyWords {
    int64_t hops = 0;
    int64_t cable = 0;
    int64_t fixed = 0;
    int64_t mode = 0;
    int64_t frame = 0;
    int64_t speed = 0;
    double load = 0;
};

void add_words(CLI::App& command, LatencyWords& words) {
    add_count(command, "hops", "Switches on the path, each after its cable", "2", most_hops,
              words.hops);
    add_length(command, "cable", "To each of them", "5m", words.cable);
    add_time(command, "fixed", "What a switch takes for any frame", "500ns", words.fixed);
    add_quantity(command,
                 {.name = "mode",
                  .kind = Kind::choice,
                  .help = "cut-through or store-and-forward",
                  .fallback = modes.front(),
                  .choices = modes},
                 words.mode);
    add_octets(command, "frame", "With its FCS", "1518", 1, words.frame);
    add_speed(command, "Of every link", "100G", words.speed);
    add_number(command,
               {"load", "Of each output, by Poisson arrivals of such frames", "0", 0, 0.999},
               words.load);
}

Answer compute(const LatencyWords& words) {
    const auto hops = static_cast<double>(words.hops);
    const double propagation = propagation_over(words.cable);
    const double serialisation = serialisation_of(words.frame, words.speed);
    const double queueing = md1_mean_wait(words.load) * serialisation;
    const double stored = words.mode == store_and_forward ? serialisation : 0;
    const double hop = propagation + static_cast<double>(words.fixed) + queueing + stored;
    const double latency = hops * hop + serialisation;
    const auto shown = [](double nanoseconds) { return fmt::format("{:.6g} ns", nanoseconds); };
    return {.name = "latency",
            .formula =
                "latency = hops x (propagation + fixed + queueing + stored) + serialisation; "
                "propagation = cable / 1.98e8 m/s; serialisation = 8 x frame / speed; queueing "
                "= load / (2 x (1 - load)) x serialisation; stored = serialisation where frames "
                "are stored before they are forwarded, else 0",
            .inputs = {{"hops", std::to_string(words.hops), "hops", words.hops},
                       {"cable", config::format_length(words.cable), "cable_mm", words.cable},
                       {"fixed", config::format_time(words.fixed), "fixed_ns", words.fixed},
                       {"mode", std::string(modes[static_cast<std::size_t>(words.mode)]), "mode",
                        modes[static_cast<std::size_t>(words.mode)]},
                       {"frame", config::format_size(words.frame), "frame_bytes", words.frame},
                       {"speed", config::format_rate(words.speed), "speed_bps", words.speed},
                       {"load", fmt::format("{}", words.load), "load", words.load}},
            .result = latency,
            .unit = "ns",
            .also = {{"propagation", shown(propagation), "propagation_ns", propagation},
                     {"serialisation", shown(serialisation), "serialisation_ns", serialisation},
                     {"queueing", shown(queueing), "queueing_ns", queueing},
                     {"a hop", shown(hop), "hop_ns", hop},
                     {"to a host after a last cable", shown(latency + propagation), "to_host_ns",
                      latency + propagation}},
            .source =
                "Sum over the hops; Pollaczek and Khinchine for what a frame waits; RFC 1242 "
                "for the two ways to forward"};
}

}  // namespace

Compute latency(CLI::App& command) {
    return calculation<LatencyWords>(command, add_words, compute);
}

}  // namespace sluice::cli
