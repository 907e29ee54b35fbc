#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "config/yaml/values.h"
#include "dataplane/types/units.h"
#include "tools/common/quantities.h"
#include "tools/sluice/calc/calc.h"
#include "tools/sluice/calc/words.h"

namespace sluice::cli {

namespace {

constexpr int64_t all_ports_of_a_chassis = 10'000'000'000'000'000;
constexpr int64_t most_side_by_side = 64;

struct PipelinesWords {
    int64_t rate = 0;
    int64_t frame = 0;
    int64_t overhead = 0;
    int64_t clock = 0;
    int64_t width = 0;
    int64_t per_clock = 0;
};

void add_words(CLI::App& command, PipelinesWords& words) {
    add_rate(command, "rate", "Of all ports together", "25.6T", slowest_link,
             all_ports_of_a_chassis, words.rate);
    add_octets(command, "frame", "Shortest frame to be processed at that rate", "64", 1,
               words.frame);
    add_octets(command, "overhead", "On the wire beside it: preamble and gap", "20", 0,
               words.overhead);
    add_rate(command, "clock", "Cycles a second of a pipeline", "1.2G", 1'000'000, fastest_clock,
             words.clock);
    add_octets(command, "width", "Of its data path: octets a cycle", "256", 1, words.width);
    add_count(command, "per-clock", "Frames that it takes side by side", "1", most_side_by_side,
              words.per_clock);
}

Answer compute(const PipelinesWords& words) {
    const int64_t octets = words.frame + words.overhead;
    const int64_t cycles = (octets + words.width - 1) / words.width;
    const Wide needed = Wide{words.rate} * cycles;
    const Wide one_takes = Wide{8} * octets * words.clock * words.per_clock;
    const double arrive = static_cast<double>(words.rate) / static_cast<double>(8 * octets);
    const double taken =
        static_cast<double>(words.clock * words.per_clock) / static_cast<double>(cycles);
    return {
        .name = "pipelines",
        .formula =
            "pipelines = rate / (8 x (frame + overhead)) / (clock x per_clock / cycles), "
            "rounded up; cycles = (frame + overhead) / width, rounded up",
        .inputs = {{"rate", config::format_rate(words.rate), "rate_bps", words.rate},
                   {"frame", config::format_size(words.frame), "frame_bytes", words.frame},
                   {"overhead", config::format_size(words.overhead), "overhead_bytes",
                    words.overhead},
                   {"clock", fmt::format("{}Hz", config::format_rate(words.clock)), "clock_hz",
                    words.clock},
                   {"width", config::format_size(words.width), "width_bytes", words.width},
                   {"per_clock", std::to_string(words.per_clock), "per_clock", words.per_clock}},
        .result = static_cast<int64_t>((needed + one_takes - 1) / one_takes),
        .unit = "pipelines",
        .also = {{"not rounded", fmt::format("{:.4g}", arrive / taken), "exact", arrive / taken},
                 {"frames that arrive", show_per_second(arrive), "frames_per_second", arrive},
                 {"a pipeline takes", show_per_second(taken), "pipeline_frames_per_second", taken},
                 {"cycles a frame", std::to_string(cycles), "cycles", cycles}},
        .source =
            "IEEE 802.3 for what a frame takes of the wire; a pipeline takes frames of a "
            "cycle's width each cycle"};
}

}  // namespace

Compute pipelines(CLI::App& command) {
    return calculation<PipelinesWords>(command, add_words, compute);
}

}  // namespace sluice::cli
