// saturation: the whole switch in an open loop (tests/support/full_ports.h): inputs at which a full
// burst of 32 always waits and outputs that take everything, in memory. Frames of 64 to 9,216
// octets (FCS counted) and IMIX, alike to all other ports, 2 to 64 of them, one worker and two.
// `lost` is what the switch dropped, `bypass_share` what took no VOQ, `cycles_per_frame` what all
// workers and the wires take for one, of rounds that nobody disturbed (pace.h). Two workers have
// their polls in turn, on one core: so none is ahead of the other, and what it takes to carry a
// frame between cores is not in the figure (workers_scaling has that).
// Exits with 1 where anything was lost.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/bypass_share.h"
#include "tests/bench/pace.h"
#include "tests/bench/report.h"
#include "tests/support/full_ports.h"

namespace {

using namespace sluice;

constexpr std::size_t burst = 32;
constexpr uint16_t fcs = 4;

struct Case {
    std::size_t ports;
    uint8_t workers;
    std::string frame_bytes;  // as it is told
    test::FullMix mix;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const uint8_t workers : std::to_array<uint8_t>({1, 2})) {
        for (const std::size_t ports : {2U, 4U, 8U, 16U, 64U}) {
            for (const auto octets :
                 std::to_array<uint16_t>({64, 128, 256, 512, 1024, 1518, 9000, 9216})) {
                const auto length = static_cast<uint16_t>(octets - fcs);
                all.push_back({ports, workers, std::to_string(octets), {.lengths = {length}}});
            }
            all.push_back({ports, workers, "imix", {.lengths = test::imix()}});
        }
    }
    return all;
}

// Returns the frames lost.
uint64_t measure(bench::Report& report, const Case& with) {
    const Settings settings = test::FullPorts::settings_of(with.ports, with.workers, with.mix);
    const auto saturated = std::make_unique<test::Saturated>(settings, with.mix, burst);
    const auto before = bench::count_bypass(saturated->dataplane);
    bench::Rounds rounds;
    for (int round = 0; round < 100; ++round) {
        rounds.add([&] {
            const uint64_t received = saturated->ports.received();
            const uint64_t start = bench::cycles();
            for (std::size_t poll = 0; poll < 1 + 256 / with.ports; ++poll) saturated->poll();
            return static_cast<double>(bench::cycles() - start) /
                   static_cast<double>(saturated->ports.received() - received);
        });
    }
    const double share = bench::count_bypass(saturated->dataplane).since(before).share();
    saturated->drain();
    const uint64_t lost = saturated->ports.received() - saturated->ports.sent();
    nlohmann::ordered_json fields = {{"ports", with.ports}};
    if (with.frame_bytes == "imix") {
        fields["frame_bytes"] = with.frame_bytes;
    } else {
        fields["frame_bytes"] = std::stoi(with.frame_bytes);
    }
    fields["workers"] = with.workers;
    fields["lost"] = lost;
    fields["frames"] = saturated->ports.received();
    fields["cycles_per_frame"] = rounds.figure();
    fields["bypass_share"] = share;
    rounds.tell(fields);
    report.add("saturation", std::move(fields));
    return lost;
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    uint64_t lost = 0;
    for (const Case& with : cases()) lost += measure(report, with);
    return lost == 0 ? 0 : 1;
}
