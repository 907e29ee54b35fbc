#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "config/yaml/values.h"
#include "tools/sluice/calc/calc.h"
#include "tools/sluice/calc/link.h"
#include "tools/sluice/calc/md1_queue.h"
#include "tools/sluice/calc/words.h"

namespace sluice::cli {

namespace {

struct Md1Words {
    double load = 0;
    double tail = 0;
    int64_t frame = 0;
    int64_t speed = 0;
};

void add_words(CLI::App& command, Md1Words& words) {
    add_number(command, {"load", "Offered load as a share of the speed", "0.9", 0.001, 0.999},
               words.load);
    add_number(command, {"tail", "How rarely the queue may be longer", "1e-6", 1e-12, 0.5},
               words.tail);
    add_octets(command, "frame", "All of one length, or cells", "256B", 1, words.frame);
    add_speed(command, "Of what sends them", "100G", words.speed);
}

Answer compute(const Md1Words& words) {
    const Md1Queue queue(words.load, words.tail);
    const int64_t frames = queue.quantile(words.tail);
    const double reached = queue.beyond(static_cast<std::size_t>(frames));
    const int64_t room = queue.room_for_loss(words.tail);
    const double waiting = md1_mean_waiting(words.load);
    const double wait = md1_mean_wait(words.load) * serialisation_of(words.frame, words.speed);
    const auto quoted =
        static_cast<int64_t>(std::ceil(md1_quoted_quantile(words.load, words.tail)));
    const double quoted_tail = queue.beyond(static_cast<std::size_t>(quoted));
    const int64_t drawn = mm1_quantile(words.load, words.tail);
    const int64_t drawn_room = mm1_room_for_loss(words.load, words.tail);
    const double drawn_wait =
        mm1_mean_wait(words.load) * serialisation_of(words.frame, words.speed);
    return {.name = "queue",
            .formula =
                "queue = fewest frames N with P(Q > N) <= tail, exactly, from the chain at "
                "departures; mean wait = load / (2 x (1 - load)) x 8 x frame / speed; "
                "mean waiting = load^2 / (2 x (1 - load)); "
                "M/M/1, of lengths drawn with that mean: P(Q > N) = load^(N + 1), "
                "mean wait = load / (1 - load) x 8 x frame / speed",
            .inputs = {{"load", fmt::format("{}", words.load), "load", words.load},
                       {"tail", fmt::format("{}", words.tail), "tail", words.tail},
                       {"frame", config::format_size(words.frame), "frame_bytes", words.frame},
                       {"speed", config::format_rate(words.speed), "speed_bps", words.speed}},
            .result = frames,
            .unit = "frames",
            .also = {{"in octets", fmt::format("{} bytes", frames * words.frame), "queue_bytes",
                      frames * words.frame},
                     {"P(Q > queue)", fmt::format("{:.3g}", reached), "probability", reached},
                     {"buffer", fmt::format("{} frames lose at most {} of all", room, words.tail),
                      "buffer_frames", room},
                     {"mean wait", fmt::format("{:.6g} ns", wait), "mean_wait_ns", wait},
                     {"mean waiting", fmt::format("{:.6g} frames", waiting), "mean_waiting_frames",
                      waiting},
                     {"often quoted",
                      fmt::format("{} frames, by C e^(-theta N) with C = (1 - load) / (load + "
                                  "e^-theta); P(Q > {}) is {:.3g}",
                                  quoted, quoted, quoted_tail),
                      "quoted_frames", quoted},
                     {"M/M/1", fmt::format("{} frames", drawn), "mm1_frames", drawn},
                     {"M/M/1 buffer",
                      fmt::format("{} frames lose at most {} of all", drawn_room, words.tail),
                      "mm1_buffer_frames", drawn_room},
                     {"M/M/1 mean wait", fmt::format("{:.6g} ns", drawn_wait), "mm1_mean_wait_ns",
                      drawn_wait}},
            .source =
                "Kleinrock, Queueing Systems, volume 1, chapter 5; Pollaczek and Khinchine for "
                "the means; Keilson 1966 for the buffer"};
}

}  // namespace

Compute md1(CLI::App& command) { return calculation<Md1Words>(command, add_words, compute); }

}  // namespace sluice::cli
