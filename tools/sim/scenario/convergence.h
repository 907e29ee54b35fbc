// Convergence: decides whether a network carries the load of a flow.
//
// A network does not carry the load if the backlog at the flow's senders (octets due and not sent)
// grows throughout the measured time, which has four quarters:
//   - After the first quarter the backlog is at least as large as at the start.
//   - After each later quarter it is larger than after the quarter before.
//   - At the end it is larger than at the start, by more than 1 % of the octets sent in that time
//     and by more than one longest frame of each sender, which may be due just then. For random
//     transfers a longest transfer replaces the longest frame.
// The measured time is from the warm-up, or the flow's start, until the flow or the hosts stop.
// With periodic requests or pulses, quarters are whole numbers of periods, so that all end in the
// same part of a period. Whole numbers only, so every machine decides the same.
// An all-reduce offers no new data before its data has arrived, and fewer than 5 requests or pulses
// are too few to judge: both count as carried. Octets in buffers of switches, or lost there, have
// left their sender: a run so short that buffers only fill counts as carried. Not done here:
// finding the cause (pauses, rate control, a slow cable).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tools/sim/network/picos.h"
#include "tools/sim/scenario/scenario.h"
#include "tools/sim/scenario/traffic.h"

namespace sluice::sim {

class Convergence {
  public:
    static constexpr std::size_t quarters = 4;

    explicit Convergence(const NetworkScenario& scenario);

    // Returns when the next look at a flow is due; Schedule::never if there are no more.
    [[nodiscard]] Picos due() const {
        return next_ == looks_.size() ? Schedule::never : looks_[next_].at;
    }
    // Called at `due`.
    void look(const Traffic& traffic);
    // Returns whether the network carries the flow; nothing before the measured time is over.
    // `left`: octets that left the flow's senders in the measured time.
    [[nodiscard]] std::optional<bool> carries(std::size_t flow, Bytes left) const;

  private:
    struct Look {
        Picos at;
        std::size_t flow;
    };
    struct Seen {
        std::size_t wanted = 0;
        std::vector<Bytes> backlogs{};
        // Octets that may be due and unsent although the load is carried: one longest frame, or one
        // longest transfer, of each of the flow's senders.
        Bytes about_to_leave{0};
    };

    std::vector<Look> looks_;  // by time
    std::size_t next_ = 0;
    std::vector<Seen> flows_;
};

}  // namespace sluice::sim
