#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "config/yaml/values.h"
#include "dataplane/buffer/headroom.h"
#include "tools/sluice/calc/calc.h"
#include "tools/sluice/calc/words.h"

namespace sluice::cli {

namespace {

using config::Kind;

constexpr int64_t whole_overhead = 128;  // a cell overhead of 1, in units of 1/128

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
    std::string plot;
    CLI::Option* port_mtu_given = nullptr;
    CLI::Option* response_given = nullptr;
    CLI::Option* quanta_given = nullptr;
    CLI::Option* cell_given = nullptr;
    CLI::Option* plot_given = nullptr;
};

void add_words(CLI::App& command, HeadroomWords& words) {
    add_speed(command, "Speed of the link", "", words.speed);
    add_length(command, "cable", "Length of the cable to the peer", "5m", words.cable);
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
                                         .help = "Time from XOFF until the peer stops",
                                         .worked_out = "limit of the standard for hardware",
                                         .highest = one_second},
                                        words.response);
    words.quanta_given = add_quantity(command,
                                      {.name = "quanta",
                                       .kind = Kind::whole,
                                       .help = "Response time in quanta of 512 bit times",
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
                      .help = "Cell size in octets: calculate as this switch does, with the worst "
                              "overhead, the last frame in whole cells, and the pause frame",
                      .lowest = 1,
                      .highest = longest_frame,
                      .power_of_two = true},
                     words.cell)
            ->excludes(overhead);
    words.plot_given = command
                           .add_option("--plot", words.plot,
                                       "Draw the headroom over length and rate as an HTML page")
                           ->type_name("FILE");
}

struct Reckoned {
    HeadroomNeeds needs;
    std::optional<Quanta> quanta;  // the response, if it is given in quanta
    Nanos response;
};

// Calculates the headroom of a link at the given speed and length, with the user's other arguments.
Reckoned reckon(const HeadroomWords& words, int64_t speed, int64_t cable) {
    Reckoned at{.needs = {.speed = BitsPerSecond(speed),
                          .cable_millimetres = cable,
                          .mtu = Bytes(words.mtu),
                          .port_mtu = Bytes(*words.port_mtu_given ? words.port_mtu : words.mtu),
                          .mac_phy = Bytes(words.mac_phy),
                          .response = Nanos(words.response),
                          .cell_overhead_128 = words.cell_overhead},
                .quanta = {},
                .response = Nanos(words.response)};
    if (!*words.response_given) {
        at.quanta = *words.quanta_given ? Quanta(words.quanta) : hardware_quanta(at.needs.speed);
        at.response = pause_time(*at.quanta, at.needs.speed);
        // The response is added in octets, since at many speeds a quantum is not a whole number of
        // nanoseconds.
        at.needs.mac_phy += Bytes(at.quanta->count() * octets_of_quantum);
    }
    if (*words.cell_given) at.needs = in_cells(at.needs, Bytes(words.cell));
    return at;
}

constexpr auto drawn_speeds = std::to_array<int64_t>(
    {1'000'000'000, 10'000'000'000, 25'000'000'000, 40'000'000'000, 100'000'000'000,
     200'000'000'000, 400'000'000'000, 800'000'000'000, 1'600'000'000'000});
constexpr auto drawn_lengths = std::to_array<int64_t>(  // in mm
    {1'000, 2'000, 5'000, 10'000, 20'000, 40'000, 100'000, 300'000, 1'000'000, 2'000'000, 5'000'000,
     10'000'000, 20'000'000, 40'000'000, 80'000'000, 100'000'000});

// Returns a row for each speed and length, including those of the arguments.
Json drawn(const HeadroomWords& words) {
    std::set<int64_t> speeds(drawn_speeds.begin(), drawn_speeds.end());
    std::set<int64_t> lengths(drawn_lengths.begin(), drawn_lengths.end());
    speeds.insert(words.speed);
    if (words.cable > 0) lengths.insert(words.cable);
    Json rows = Json::array();
    for (const int64_t speed : speeds) {
        for (const int64_t length : lengths) {
            rows.push_back(
                {{"speed", config::format_rate(speed)},
                 {"speed_bps", speed},
                 {"cable", config::format_length(length)},
                 {"cable_mm", length},
                 {"headroom_bytes", headroom_for(reckon(words, speed, length).needs).count()}});
        }
    }
    return {{"kind", "headroom"}, {"rows", std::move(rows)}};
}

Answer compute(const HeadroomWords& words) {
    if (*words.port_mtu_given && words.port_mtu < words.mtu) {
        throw CLI::ValidationError(
            "--port-mtu",
            fmt::format("{} is below the {} of --mtu; write that or more",
                        config::format_size(words.port_mtu), config::format_size(words.mtu)));
    }
    const auto [reckoned, quanta, response] = reckon(words, words.speed, words.cable);
    HeadroomNeeds needs = reckoned;
    std::string written = config::format_time(response.count());
    if (quanta) written = fmt::format("{} quanta, {}", quanta->count(), written);
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
    if (quanta) {
        answer.inputs.push_back(
            {"quanta", fmt::format("{}", quanta->count()), "quanta", quanta->count()});
    }
    if (*words.plot_given) {
        answer.page = drawn(words);
        answer.page["speed"] = config::format_rate(words.speed);
        answer.page["cable"] = config::format_length(words.cable);
        answer.page["inputs"] = Json::array();
        for (const Figure& input : answer.inputs) {
            answer.page["inputs"].push_back({{"name", input.name}, {"value", input.shown}});
        }
        answer.page["headroom_bytes"] = answer.result;
        answer.page_file = words.plot;
    }
    // Annex N counts the pause frame; SONiC's tables, which the result reproduces, do not.
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
    return calculation<HeadroomWords>(command, add_words, compute);
}

}  // namespace sluice::cli
