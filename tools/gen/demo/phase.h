// Phase: one run of traffic through a DemoSwitch, from the first frame to the last, and its result.
//
// A phase ends when the switch is empty and every frame that left one side has reached the other,
// so its counts are exact.
// Not done here: which phases there are (phases.h, tests/bench/rfc2889).
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
    std::array<uint64_t, drop_reasons> drops{};  // of data: MAC control is in pauses_heard

    friend Tally operator-(Tally later, const Tally& earlier);
    [[nodiscard]] uint64_t dropped() const;
};
// Received and sent at the ports of `stations`, all else at all ports.
Tally tally_of(const Switch& fabric, PortSet stations = ~PortSet{0});

struct PhasePlan {
    std::string name;
    std::string title;  // for people
    Traffic traffic;
    Nanos duration;
    bool may_lose = false;
};

struct PhaseResult {
    PhasePlan plan;
    double seconds = 0;  // of sending
    double mpps = 0;     // delivered while sending
    Results results;
    Tally tally;
    Nanos longest_gap;      // from one poll of the stations to the next, while they sent
    bool quiesced = false;  // else the counts are not exact
    bool balanced = false;  // the switch's ledger, at the end

    // Returns the first requirement that was not met, in words; empty if all were met.
    [[nodiscard]] std::string fault() const;
    [[nodiscard]] bool right() const { return fault().empty(); }
    // Returns a share of the rate that one port carried, in frames a second.
    [[nodiscard]] Rate share_of_port(double share) const;
};

// Called a few times a second while a phase sends; false: enough.
using Look = std::function<bool(const PhasePlan&, const Generator&)>;

// Every station by `shape`, as fast as it can; the lossless priority obeys pauses.
Traffic demo_traffic(std::size_t ports, Shape shape, PrioritySet priorities, uint16_t frame_octets);

// Lets the switch learn where the stations are. False: it did not within ten seconds.
bool introduce(DemoSwitch& demo, FormatFamily family = FormatFamily::ethernet);
// Waits ten seconds for the last frame.
PhaseResult run_phase(DemoSwitch& demo, PhasePlan plan, const Look& look);

}  // namespace sluice::gen
