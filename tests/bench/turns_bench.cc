// The closed loop (closed_loop.h) of several switches in turns, so that what disturbs the machine
// disturbs all of them, and the ratio of each to the first. Which is said by name:
//
//   format_cost    four ports and untagged frames of each frame format
//   address_cost   two ports and 16 to 65,536 addresses, drawn at random
//   frame_cost     two ports and frames of 64 to 9000 octets
//   buffer_cost    two ports and a buffer of 1 MiB to 1 GiB, half of it full of frames that wait;
//                  each is charged what its buffer takes of memory. What takes more than half of
//                  the memory that is available is left out.
//   large_cost     four ports beside 64, those with 8 priorities, and with 65,536 addresses as well
//   idle_cost      four busy ports among 64 beside four of four
//
// The last two are on lanes, since DPDK has 32 ports in all; so the others have two ports where all
// of theirs would be more.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "pmd_glue/eal.h"
#include "pmd_glue/large_pages.h"
#include "tests/bench/closed_loop.h"
#include "tests/bench/crossed_lanes.h"
#include "tests/bench/pace.h"

namespace {

using namespace sluice;
using namespace sluice::literals;
using bench::CrossedLanes;
using bench::CrossedRings;
using bench::LoopCase;

// What is measured in turns with others, and what it is called in the results.
struct Contender {
    nlohmann::ordered_json fields;
    LoopCase with;
};
using Contenders = std::vector<Contender>;

// Short rounds in turns, of which those count that nobody disturbed (pace.h).
template <class Wires>
void measure_in_turns(bench::Report& report, pmd::Pool& pool, const std::string& bench,
                      const Contenders& contenders) {
    constexpr std::size_t rounds = 800;
    constexpr std::size_t polls = 1000;  // of a port: well below what a program gets at a time
    std::vector<std::unique_ptr<bench::ClosedLoop<Wires>>> loops;
    for (const Contender& contender : contenders) {
        loops.push_back(std::make_unique<bench::ClosedLoop<Wires>>(
            pool, contender.with, fmt::format("turn{}", loops.size())));
    }
    std::vector<bench::Rounds> costs(loops.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t n = 0; n < loops.size(); ++n) {
            const std::size_t share =
                polls / std::max<std::size_t>(4, contenders[n].with.busy_ports);
            loops[n]->round(share);  // with the caches as it leaves them
            costs[n].add([&] { return loops[n]->round(share).apart; });
        }
    }
    for (std::size_t n = 0; n < loops.size(); ++n) {
        const double figure = costs[n].figure();
        nlohmann::ordered_json fields = contenders[n].fields;
        fields["ports"] = contenders[n].with.ports;
        fields["frame_bytes"] = contenders[n].with.frames.octets + 4;
        fields["cycles_per_frame"] = figure;
        fields["ratio"] = figure / costs[0].figure();
        fields["bypass_share"] = loops[n]->share_of_bypass();
        fields["dropped"] = loops[n]->dropped();
        costs[n].tell(fields);
        report.add(bench, std::move(fields));
    }
}

Contenders formats() {
    Contenders contenders;
    for (std::size_t preset = 0; preset < presets.size(); ++preset) {
        contenders.push_back(
            {{{"format", preset_names[preset]}},
             {.ports = 4, .frames = {.format = presets[preset], .tagged = false}}});
    }
    return contenders;
}

Contenders addresses() {
    constexpr std::size_t ports = 2;
    Contenders contenders;
    for (const std::size_t addresses : {16U, 256U, 4096U, 16'384U, 65'536U}) {
        contenders.push_back(
            {{{"addresses", addresses}},
             {.ports = ports, .frames = {.addresses = addresses / ports}, .fdb_capacity = 65'536}});
    }
    return contenders;
}

constexpr Bytes longest{9000 - 4};

Contenders lengths() {
    Contenders contenders;
    for (const int64_t octets : {60L, 124L, 252L, 508L, 1020L, 1514L, longest.count()}) {
        contenders.push_back(
            {{}, {.ports = 2, .frames = {.octets = static_cast<uint16_t>(octets)}}});
    }
    return contenders;
}

Bytes available_memory() {
    std::ifstream lines("/proc/meminfo");
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("MemAvailable:")) return 1_KiB * std::stoll(line.substr(13));
    }
    return Bytes(0);
}

Contenders buffers() {
    constexpr std::size_t ports = 2;
    constexpr Bytes cell = 2_KiB;
    Contenders contenders;
    Bytes all;
    for (const Bytes size : {1_MiB, 16_MiB, 256_MiB, 1024_MiB}) {
        all += size;
        if (all > available_memory()) {
            fmt::print(stderr, "buffer_cost: left out {} MiB: too little memory\n",
                       size.count() / (1_MiB).count());
            break;
        }
        const auto frames = static_cast<std::size_t>(size.count() / cell.count()) / 2;
        contenders.push_back({{{"buffer_bytes", size.count()}, {"waiting", frames}},
                              {.ports = ports,
                               .frames_a_port = frames / ports,
                               .buffer = {.size = size, .cell = cell}}});
    }
    return contenders;
}

// One thing grows after the other.
Contenders large() {
    struct Size {
        std::size_t ports;
        std::size_t priorities;
        std::size_t addresses;
    };
    constexpr std::array<Size, 4> sizes = {{{4, 1, 4},
                                            {max_ports, 1, max_ports},
                                            {max_ports, max_priorities, max_ports},
                                            {max_ports, max_priorities, 65'536}}};
    Contenders contenders;
    for (const auto& [ports, priorities, addresses] : sizes) {
        contenders.push_back({{{"priorities", priorities}, {"addresses", addresses}},
                              {.ports = ports,
                               .frames = {.addresses = addresses / ports, .priorities = priorities},
                               .fdb_capacity = 65'536}});
    }
    return contenders;
}

Contenders idle() {
    Contenders contenders;
    for (const std::size_t ports : {std::size_t{4}, max_ports}) {
        contenders.push_back({{{"busy_ports", 4}}, {.ports = ports, .busy_ports = 4}});
    }
    return contenders;
}

struct Sweep {
    std::string_view name;
    Contenders (*contenders)();
    decltype(&measure_in_turns<CrossedRings>) measure;
};
constexpr std::array<Sweep, 6> sweeps = {
    {{"format_cost", formats, measure_in_turns<CrossedRings>},
     {"address_cost", addresses, measure_in_turns<CrossedRings>},
     {"frame_cost", lengths, measure_in_turns<CrossedRings>},
     {"buffer_cost", buffers, measure_in_turns<CrossedRings>},
     {"large_cost", large, measure_in_turns<CrossedLanes>},
     {"idle_cost", idle, measure_in_turns<CrossedLanes>}}};

// Room for all frames that go round, and for the caches.
pmd::PoolRequest room_for(const Contenders& contenders) {
    pmd::PoolRequest request{.buffers = 2048};
    for (const Contender& contender : contenders) {
        request.buffers += contender.with.frames_a_port * contender.with.busy_ports;
        request.max_frame = std::max(request.max_frame, Bytes(contender.with.frames.octets));
    }
    return request;
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    pmd::use_large_pages();
    const auto* const sweep = std::ranges::find(
        sweeps, count > 1 ? std::string_view(arguments[1]) : std::string_view(), &Sweep::name);
    if (sweep == sweeps.end()) {
        fmt::print(stderr, "turns_bench: first the name of a bench\n");
        return 2;
    }
    const Contenders contenders = sweep->contenders();
    const pmd::PoolRequest request = room_for(contenders);
    const auto eal = bench::require(pmd::Eal::start(
        {.worker_cpus = {pmd::usable_cpus().front()}, .memory = pmd::Pool::memory_for(request)}));
    const auto pool = bench::require(pmd::Pool::create(request));
    sweep->measure(report, *pool, std::string(sweep->name), contenders);
}
