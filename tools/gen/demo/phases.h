// Demo phases: the phases of the demo, one after the other, and their results.
//
//   uniform               all ports to all ports, as fast as the switch accepts it: no loss
//   uniform_paced         as uniform, at four fifths of its rate, so that queues are short: no
//                         loss
//   many_to_one_lossless  all to port 0 on the lossless priority. The station at port 0 is slow: at
//                         first it leaves frames on its ring, in the second half it pauses the
//                         switch by PFC. The switch pauses the senders, which obey: no loss
//   many_to_one_lossy     as many_to_one_lossless, on priority 0: frames over the Dynamic Threshold
//                         are dropped and counted
//
// phase.h runs a phase and counts its frames.
#pragma once

#include <string>
#include <string_view>

#include "tools/gen/demo/phase.h"

namespace sluice::gen {

struct DemoSettings {
    std::size_t ports = 4;
    uint16_t frame_octets = 64;
    Nanos duration{3'000'000'000};  // duration of each phase; uniform_paced takes half of it
    uint64_t seed = 1;
};

// A share of a rate.
struct Share {
    double part;
    std::string_view name;
};
inline constexpr Share four_fifths{0.8, "four fifths"};
inline constexpr Share one_half{0.5, "half"};

class DemoPhases {
  public:
    DemoPhases(DemoSwitch& demo, const DemoSettings& settings);

    bool introduce() { return gen::introduce(demo_, style_.family); }
    PhaseResult uniform(const Look& look);
    PhaseResult uniform_paced(const PhaseResult& flat_out, const Share& share, const Look& look);
    // Runs a many_to_one phase. Port 0 accepts half of the rate that it had in `flat_out`, so that
    // even two senders overload it on any machine.
    PhaseResult many_to_one(bool lossless, const PhaseResult& flat_out, const Look& look);

  private:
    PhasePlan plan(std::string name, std::string title, Shape shape, PrioritySet priorities);
    // Whether the switch has a trunk: two ports that are not connected to stations.
    [[nodiscard]] bool shares_a_trunk() const;
    [[nodiscard]] PrioritySet uniform_priorities() const;
    // Whether a slow station pauses the switch by full queues instead of pause frames.
    [[nodiscard]] bool pauses_by_queue() const;

    DemoSwitch& demo_;
    const DemoSettings settings_;
    ProbeStyle style_;
    uint16_t next_run_ = 1;
};

}  // namespace sluice::gen
