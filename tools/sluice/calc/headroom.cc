#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "config/yaml/values.h"
#include "dataplane/buffer/headroom.h"
#include "tools/sluice/calc/calc.h"
#include "tools/sluice/calc/words.h"

namespace sluice::cli {

namespace {

using config::Kind;

constexpr int64_t whole_overhead = 128;  // a cell overhead of 1

constexpr int64_t octets_of_quantum = 64;  // 512 bit times

constexpr auto formula =
    "headroom = mtu + cell_overhead x (port_mtu + 2 x cable x speed / (8 x 1.98e8 m/s) + mac_phy "
    "+ response x speed / 8), rounded up to whole KiB";

struct HeadroomWords {
    int64_t speed = 0;
    int64_t cable = 0;
    int64_t mtu = 0;
    int64_t port_mtu = 0;
    int64_t mac_phy = 0;
    int64_t cell_overhead = 0;
    int64_t cell = 0;
    int64_t response = 0;
    int64_t quanta = 0;
    CLI::Option* port_mtu_given = nullptr;
    CLI::Option* response_given = nullptr;
    CLI::Option* quanta_given = nullptr;
    CLI::Option* cell_given = nullptr;
};

void add_words(CLI::App& command, HeadroomWords& words) {
    add_speed(command, "Of the link", "", words.speed);
    add_quantity(command,
                 {.name = "cable",
                  .kind = Kind::length,
                  .help = "To the peer",
                  .fallback = "5m",
                  .highest = round_the_earth},
                 words.cable);
    add_octets(command, "mtu", "Longest frame of the lossless priority", "1500", 1, words.mtu);
    words.port_mtu_given = add_quantity(command,
                                        {.name = "port-mtu",
                                         .kind = Kind::size,
                                         .help = "Longest frame of any priority",
                                         .worked_out = "that of --mtu",
                                         .lowest = 1,
                                         .highest = longest_frame},
                                        words.port_mtu);
    words.response_given = add_quantity(command,
                                        {.name = "response",
                                         .kind = Kind::time,
                                         .help = "From the XOFF until the peer is silent",
                                         .worked_out = "what the standard gives hardware",
                                         .highest = one_second},
                                        words.response);
    words.quanta_given = add_quantity(command,
                                      {.name = "quanta",
                                       .kind = Kind::whole,
                                       .help = "The same in quanta of 512 bit times",
                                       .highest = 65535},
                                      words.quanta)
                             ->excludes(words.response_given);
    add_octets(command, "mac-phy", "Delay of the MACs and PHYs, in octets at that speed", "0", 0,
               words.mac_phy);
    CLI::Option* const overhead =
        add_quantity(command,
                     {.name = "cell-overhead",
                      .kind = Kind::share,
                      .help = "Octets of buffer that an octet on the wire costs",
                      .fallback = "1",
                      .lowest = whole_overhead,
                      .highest = whole_overhead * 256},
                     words.cell_overhead);
    words.cell_given =
        add_quantity(command,
                     {.name = "cell",
                      .kind = Kind::size,
                      .help = "As this switch reckons with cells of so many octets: the worst "
                              "overhead, the last frame in whole cells, and the pause frame",
                      .lowest = 1,
                      .highest = longest_frame,
                      .power_of_two = true},
                     words.cell)
            ->excludes(overhead);
}

Answer compute(const HeadroomWords& words) {
    HeadroomNeeds needs{.speed = BitsPerSecond(words.speed),
                        .cable_millimetres = words.cable,
                        .mtu = Bytes(words.mtu),
                        .port_mtu = Bytes(*words.port_mtu_given ? words.port_mtu : words.mtu),
                        .mac_phy = Bytes(words.mac_phy),
                        .response = Nanos(words.response),
                        .cell_overhead_128 = words.cell_overhead};
    if (needs.port_mtu < needs.mtu) {
        throw CLI::ValidationError(
            "--port-mtu",
            fmt::format("{} is below the {} of --mtu; write that or more",
                        config::format_size(words.port_mtu), config::format_size(words.mtu)));
    }
    std::string written = config::format_time(words.response);
    Nanos response = needs.response;
    Json in_quanta;
    if (!*words.response_given) {
        const Quanta quanta =
            *words.quanta_given ? Quanta(words.quanta) : hardware_quanta(needs.speed);
        response = pause_time(quanta, needs.speed);
        in_quanta = quanta.count();
        written =
            fmt::format("{} quanta, {}", quanta.count(), config::format_time(response.count()));
        // As octets, since at most speeds a quantum takes no whole number of nanoseconds.
        needs.mac_phy += Bytes(quanta.count() * octets_of_quantum);
    }
    if (*words.cell_given) needs = in_cells(needs, Bytes(words.cell));
    const Bytes mac_phy(words.mac_phy + (*words.cell_given ? pause_frame_on_wire.count() : 0));
    const double overhead = static_cast<double>(needs.cell_overhead_128) / whole_overhead;
    const auto size = [](Bytes octets) { return config::format_size(octets.count()); };
    Answer answer{
        .name = "headroom",
        .formula = formula,
        .inputs = {{"speed", config::format_rate(words.speed), "speed_bps", words.speed},
                   {"cable", config::format_length(words.cable), "cable_mm", words.cable},
                   {"mtu", size(needs.mtu), "mtu_bytes", needs.mtu.count()},
                   {"port_mtu", size(needs.port_mtu), "port_mtu_bytes", needs.port_mtu.count()},
                   {"response", written, "response_ns", response.count()},
                   {"mac_phy", size(mac_phy), "mac_phy_bytes", mac_phy.count()},
                   {"cell_overhead", fmt::format("{:.4g}", overhead), "cell_overhead", overhead}},
        .result = headroom_for(needs).count(),
        .unit = "bytes",
        .source = "IEEE 802.1Q annex N; SONiC's buffer model; responses of hardware by 802.1Q"};
    if (!in_quanta.is_null()) {
        answer.inputs.push_back({"quanta", in_quanta.dump(), "quanta", in_quanta});
    }
    // Annex N counts it; SONiC's tables, which the result reproduces, do not.
    if (!*words.cell_given) {
        needs.mac_phy += pause_frame_on_wire;
        const int64_t with_pause = headroom_for(needs).count();
        answer.also = {{"with the pause frame on the wire", fmt::format("{} bytes", with_pause),
                        "with_pause_frame_bytes", with_pause}};
    }
    return answer;
}

}  // namespace

Compute headroom(CLI::App& command) {
    const auto words = std::make_shared<HeadroomWords>();
    add_words(command, *words);
    return [words] { return compute(*words); };
}

}  // namespace sluice::cli
