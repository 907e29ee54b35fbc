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

constexpr int64_t ack_on_wire = 84;  // the shortest frame, with preamble and gap

struct RetryWords {
    int64_t speed = 0;
    int64_t cable = 0;
    int64_t delay = 0;
    int64_t round_trip = 0;
    int64_t frame = 0;
    int64_t ack_every = 0;
    int64_t response = 0;
    double loss = 0;
    CLI::Option* delay_given = nullptr;
    CLI::Option* round_trip_given = nullptr;
};

void add_words(CLI::App& command, RetryWords& words) {
    add_speed(command, "Speed of the link", "100G", words.speed);
    CLI::Option* cable =
        add_length(command, "cable", "Length of the cable to the peer", "5m", words.cable);
    words.delay_given = add_quantity(command,
                                     {.name = "delay",
                                      .kind = Kind::time,
                                      .help = "One way",
                                      .worked_out = "cable / 1.98e8 m/s",
                                      .highest = one_second},
                                     words.delay)
                            ->excludes(cable);
    words.round_trip_given = add_quantity(command,
                                          {.name = "round-trip",
                                           .kind = Kind::time,
                                           .help = "Round-trip time, for example of a WAN by ping",
                                           .worked_out = "2 x delay",
                                           .highest = one_second},
                                          words.round_trip)
                                 ->excludes(cable)
                                 ->excludes(words.delay_given);
    add_octets(command, "frame", "Longest frame, with preamble and gap", "1542B", 1, words.frame);
    add_octets(command, "ack-every", "Octets received between two ACKs", "2KiB", 1,
               words.ack_every);
    add_time(command, "response",
             "Delay of both ends together, from a frame to its ACK and from an ACK to freed frames",
             "1us", words.response);
    add_number(command, {"loss", "Share of frames that are lost or damaged", "1e-6", 0, 0.5},
               words.loss);
}

Answer compute(const RetryWords& words) {
    const bool has_cable = !*words.delay_given && !*words.round_trip_given;
    const int64_t delay = has_cable ? static_cast<int64_t>(std::ceil(propagation_over(words.cable)))
                          : *words.delay_given ? words.delay
                                               : (words.round_trip + 1) / 2;
    const int64_t under_way = octets_in(2 * delay + words.response, words.speed);
    const int64_t buffer = 2 * words.frame + words.ack_every + ack_on_wire + under_way;
    // With go-back-N each loss costs a loop, in which no frame is accepted. With selective retry a
    // loss costs only the frame, but later frames are kept for one more loop.
    const int64_t loop = words.frame + ack_on_wire + under_way;
    const double lost_a_frame = words.loss / (1 - words.loss) * static_cast<double>(loop);
    const double by_go_back_n =
        static_cast<double>(words.frame) / (static_cast<double>(words.frame) + lost_a_frame);
    const auto longest_wait =
        static_cast<int64_t>(std::ceil(serialisation_of(buffer, words.speed)));
    Answer answer{
        .name = "replay_buffer",
        .formula =
            "replay_buffer = 2 x frame + ack_every + ack + (2 x delay + response) x speed / 8; "
            "loop = frame + ack + (2 x delay + response) x speed / 8; with_losses = replay_buffer "
            "+ "
            "loop; goodput = 1 - loss; by go-back-N frame / (frame + loss / (1 - loss) x loop)",
        .inputs = {{"speed", config::format_rate(words.speed), "speed_bps", words.speed},
                   {"delay", config::format_time(delay), "delay_ns", delay},
                   {"frame", config::format_size(words.frame), "frame_bytes", words.frame},
                   {"ack_every", config::format_size(words.ack_every), "ack_every_bytes",
                    words.ack_every},
                   {"ack", config::format_size(ack_on_wire), "ack_bytes", ack_on_wire},
                   {"response", config::format_time(words.response), "response_ns", words.response},
                   {"loss", fmt::format("{:g}", words.loss), "loss", words.loss}},
        .result = buffer,
        .unit = "bytes",
        .also = {{"replay timer", fmt::format("above {}", config::format_time(longest_wait)),
                  "replay_timer_ns", longest_wait},
                 {"with losses", config::format_size(buffer + loop), "with_losses_bytes",
                  buffer + loop},
                 {"goodput", fmt::format("{:.4g} of the link", 1 - words.loss), "goodput",
                  1 - words.loss},
                 {"by go-back-N", fmt::format("{:.4g} of the link", by_go_back_n),
                  "goodput_go_back_n", by_go_back_n}},
        .source = "selective repeat; go-back-N with one NACK a gap, as SAI's doc/LLR has it"};
    if (has_cable) {
        answer.inputs.push_back(
            {"cable", config::format_length(words.cable), "cable_mm", words.cable});
    }
    return answer;
}

}  // namespace

Compute retry(CLI::App& command) { return calculation<RetryWords>(command, add_words, compute); }

}  // namespace sluice::cli
