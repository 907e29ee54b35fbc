// Phase: one run of traffic through a DemoSwitch, from the first frame to the last, and its result.
//
// A phase ends when the switch is empty and every frame that left one side has reached the other,
// so its counts are exact.
// Not here: the list of phases (phases.h, tests/bench/rfc2889).
#pragma once

#include <array>
#include <functional>
#include <string>

#include "dataplane/ledger.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/units.h"
#include "tools/gen/demo/switch.h"
#include "tools/gen/generator.h"

namespace sluice::gen {

// Counts of the whole switch, at one moment or between two.
struct Tally {
    uint64_t received = 0;
    uint64_t sent = 0;
    uint64_t pauses_sent = 0;                    // PFC frames
    uint64_t pauses_received = 0;                // PFC frames
    std::array<uint64_t, drop_reasons> drops{};  // drops of data frames

    friend Tally operator-(Tally later, const Tally& earlier);
    [[nodiscard]] uint64_t dropped() const;
};
// Returns the counts: frames received and sent at the ports of `stations`, others at all ports.
Tally tally_of(const Switch& fabric, PortSet stations = ~PortSet{0});

struct PhasePlan {
    std::string name;
    std::string title;  // title in the output
    Traffic traffic;
    Nanos duration;
    bool may_lose = false;
};

struct PhaseResult {
    PhasePlan plan;
    double seconds = 0;  // time of sending
    double mpps = 0;     // rate delivered while sending
    Results results;
    Tally tally;
    Nanos longest_gap;      // longest time between two polls of the stations while they sent
    bool quiesced = false;  // whether all frames arrived, so that the counts are exact
    bool balanced = false;  // whether the switch's ledger balanced at the end

    // Returns the first requirement that was not met, in words; empty if all were met.
    [[nodiscard]] std::string fault() const;
    [[nodiscard]] bool right() const { return fault().empty(); }
    // Returns a share of the rate that one port carried, in frames a second.
    [[nodiscard]] Rate share_of_port(double share) const;
};

// Called a few times a second while a phase sends; returns false to end it.
using Look = std::function<bool(const PhasePlan&, const Generator&)>;

// Returns traffic in which every station sends by `shape` at an unlimited rate, and obeys pauses of
// the lossless priority.
Traffic demo_traffic(std::size_t ports, Shape shape, PrioritySet priorities, uint16_t frame_octets);

// Makes the switch learn the stations' addresses. Returns false if it did not within ten seconds.
bool introduce(DemoSwitch& demo, FormatFamily family = FormatFamily::ethernet);
// Runs a phase; waits at most ten seconds for the last frame.
PhaseResult run_phase(DemoSwitch& demo, PhasePlan plan, const Look& look);

}  // namespace sluice::gen
