// Demo phases: the phases of the demo, one after the other, and their results.
//
//   uniform               all ports to all ports, as fast as the switch accepts it: no loss
//   uniform_paced         the same at four fifths of that rate, so that queues are short: no loss
//   many_to_one_lossless  all to port 0 on the lossless priority. The station at port 0 is slow: at
//                         first it just leaves frames on its ring, in the second half it pauses
//                         the switch by PFC. The switch pauses the senders, who obey: no loss
//   many_to_one_lossy     the same on priority 0: what Dynamic Threshold refuses is lost, counted
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
    Nanos duration{3'000'000'000};  // of each phase, uniform_paced apart: half of it
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
    // Port 0 takes half of the share that it had in `flat_out`, so that even two senders overload
    // it on any machine.
    PhaseResult many_to_one(bool lossless, const PhaseResult& flat_out, const Look& look);

  private:
    PhasePlan plan(std::string name, std::string title, Shape shape, PrioritySet priorities);
    // Ports of the switch that are no station's are the ends of a trunk.
    [[nodiscard]] bool shares_a_trunk() const;
    [[nodiscard]] PrioritySet uniform_priorities() const;
    // Whether a station that is too slow pauses by full queues instead of pause frames.
    [[nodiscard]] bool pauses_by_queue() const;

    DemoSwitch& demo_;
    const DemoSettings settings_;
    ProbeStyle style_;
    uint16_t next_run_ = 1;
};

}  // namespace sluice::gen
