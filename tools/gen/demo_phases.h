// Demo phases: what the demo shows, one after the other, and what came of it.
//
//   uniform               everybody to everybody, as fast as the switch takes it: no loss
//   uniform_paced         the same at four fifths of that rate, so that queues are short: no loss
//   many_to_one_lossless  all to port 0 on the lossless priority. The station at port 0 is slow: at
//                         first it just leaves frames on its ring, in the second half it pauses
//                         the switch by PFC. The switch pauses the senders, who obey: no loss
//   many_to_one_lossy     the same on priority 0: what Dynamic Threshold refuses is lost, counted
//
// Each phase ends when the switch is empty and every frame that left one side has reached the
// other, so its counts are exact.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "dataplane/drops.h"
#include "dataplane/ledger.h"
#include "dataplane/units.h"
#include "tools/gen/demo_switch.h"
#include "tools/gen/generator.h"

namespace sluice::gen {

// Of the whole switch, at one moment or between two.
struct Tally {
    uint64_t received = 0;
    uint64_t sent = 0;
    uint64_t pauses_sent = 0;                    // PFC frames
    uint64_t pauses_heard = 0;                   // PFC frames
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
    bool quiesced = false;  // else the counts are not exact
    bool balanced = false;  // the switch's ledger, at the end

    // Whether what had to hold held.
    [[nodiscard]] bool right() const;
};

struct DemoSettings {
    std::size_t ports = 4;
    uint16_t frame_octets = 64;
    Nanos duration{3'000'000'000};  // of each phase, uniform_paced apart: half of it
    uint64_t seed = 1;
};

class DemoPhases {
  public:
    // `look` is called a few times a second while a phase sends; false: enough.
    using Look = std::function<bool(const PhasePlan&, const Generator&)>;

    DemoPhases(DemoSwitch& demo, const DemoSettings& settings);

    // Lets the switch learn where the stations are. False: it did not within a second.
    bool introduce();
    PhaseResult uniform(const Look& look);
    PhaseResult uniform_paced(const PhaseResult& flat_out, const Look& look);
    // Port 0 takes half of the share that it had in `flat_out`, so that two senders alone are too
    // much for it on any machine.
    PhaseResult many_to_one(bool lossless, const PhaseResult& flat_out, const Look& look);

  private:
    PhaseResult run(PhasePlan plan, const Look& look);
    PhasePlan plan(std::string name, std::string title, Shape shape, PrioritySet priorities);
    // Of what one port carried in `phase`, in frames a second.
    [[nodiscard]] Rate share_of_port(const PhaseResult& phase, double share) const;
    bool wait_until_quiet(const Generator& generator, const Tally& before) const;
    [[nodiscard]] Tally tally() const { return tally_of(demo_.fabric(), stations_); }
    [[nodiscard]] bool cables_are_empty() const;
    // Ports of the switch that are no station's are the ends of a trunk.
    [[nodiscard]] bool shares_a_trunk() const;
    [[nodiscard]] PrioritySet uniform_priorities() const;

    DemoSwitch& demo_;
    const DemoSettings settings_;
    PortSet stations_ = 0;
    ProbeStyle style_;
    uint16_t next_run_ = 1;
};

}  // namespace sluice::gen
