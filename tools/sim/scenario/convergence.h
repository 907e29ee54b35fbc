// Convergence: decides whether a network carries the load of a flow.
//
// It does not if the backlog at the flow's senders (due and not sent) grows throughout the measured
// time: it is larger after each quarter of that time than after the one before (after the first
// quarter at least as large as at the start), and at the end larger by more than 1 % of the octets
// sent in that time and by more than one longest frame of each sender, which may be due just then;
// for random transfers, by more than one longest transfer of each sender. The time is from the
// warm-up, or the flow's start, until the flow or the hosts stop. With periodic requests or pulses,
// quarters are whole numbers of periods, so that all see the same part of one. Whole numbers only,
// so every machine decides the same. An all-reduce offers no new data before its data has arrived,
// and fewer than 5 requests or pulses are too few to judge: both count as carried. Octets in
// buffers of switches, or lost there, have left their sender: a run so short that buffers only fill
// counts as carried. Not done here: finding the cause (pauses, rate control, a slow cable).
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
        Bytes about_to_leave{0};  // the most octets that may be due just now, of all its senders
    };

    std::vector<Look> looks_;  // by time
    std::size_t next_ = 0;
    std::vector<Seen> flows_;
};

}  // namespace sluice::sim
