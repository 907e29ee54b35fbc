#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>

#include "config/yaml/values.h"
#include "tools/sluice/calc/calc.h"
#include "tools/sluice/calc/link.h"
#include "tools/sluice/calc/words.h"

namespace sluice::cli {

namespace {

struct SerialisationWords {
    int64_t frame = 0;
    int64_t overhead = 0;
    int64_t speed = 0;
};

struct UsualSpeed {
    std::string_view name;
    std::string_view key;
    int64_t speed;
};
constexpr std::array usual_speeds = {
    UsualSpeed{"at 10G", "at_10g_ns", 10'000'000'000},
    UsualSpeed{"at 25G", "at_25g_ns", 25'000'000'000},
    UsualSpeed{"at 100G", "at_100g_ns", 100'000'000'000},
    UsualSpeed{"at 200G", "at_200g_ns", 200'000'000'000},
    UsualSpeed{"at 400G", "at_400g_ns", 400'000'000'000},
    UsualSpeed{"at 800G", "at_800g_ns", 800'000'000'000},
};

void add_words(CLI::App& command, SerialisationWords& words) {
    add_octets(command, "frame", "Frame length with FCS", "1518", 1, words.frame);
    add_octets(command, "overhead", "Octets on the wire besides the frame; preamble and gap: 20",
               "0", 0, words.overhead);
    add_speed(command, "Speed of the link", "100G", words.speed);
}

Answer compute(const SerialisationWords& words) {
    const int64_t octets = words.frame + words.overhead;
    Answer answer{
        .name = "serialisation",
        .formula = "serialisation = 8 x (frame + overhead) / speed",
        .inputs = {{"frame", config::format_size(words.frame), "frame_bytes", words.frame},
                   {"overhead", config::format_size(words.overhead), "overhead_bytes",
                    words.overhead},
                   {"speed", config::format_rate(words.speed), "speed_bps", words.speed}},
        .result = serialisation_of(octets, words.speed),
        .unit = "ns",
        .source = "IEEE 802.3: a bit takes the inverse of the speed"};
    for (const UsualSpeed& usual : usual_speeds) {
        const double time = serialisation_of(octets, usual.speed);
        answer.also.push_back({usual.name, fmt::format("{} ns", time), usual.key, time});
    }
    return answer;
}

}  // namespace

Compute serialisation(CLI::App& command) {
    return calculation<SerialisationWords>(command, add_words, compute);
}

}  // namespace sluice::cli
