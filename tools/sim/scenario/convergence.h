// Convergence: whether a network carries what a flow offers it.
//
// It does not where the backlog at the flow's senders, what is due and has not left, grows all
// through the time that is measured: it is more at each quarter of that time than at the one
// before, after the first no less, and at the end by more than 1 % of what left meanwhile and by
// more than a longest frame of each sender, which may just be about to leave; of transfers, which
// come by chance, more than a longest of those of each. The time is from the
// warm-up, or from when the flow starts, until it stops or hosts do. Where requests or pulses come
// again and again, quarters are whole numbers of them, so that all find the same part of one.
// Whole numbers only: every machine says the same.
// An all-reduce offers no more before what it offered has arrived, and fewer than 5 requests or
// pulses are too few to judge by: both count as carried. What buffers of switches still take, or
// lose, has left its sender: a run so short that they only fill says that all is carried.
// Not found out here: why it is not (pauses, rate control, a slow cable).
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

    // Of the next look at some flow; Schedule::never: all have been.
    [[nodiscard]] Picos due() const {
        return next_ == looks_.size() ? Schedule::never : looks_[next_].at;
    }
    // At `due`.
    void look(const Traffic& traffic);
    // `left`: octets that left the flow's senders in the measured time. Empty: the time is not over
    // yet.
    [[nodiscard]] std::optional<bool> carries(std::size_t flow, Bytes left) const;

  private:
    struct Look {
        Picos at;
        std::size_t flow;
    };
    struct Seen {
        std::size_t wanted = 0;
        std::vector<Bytes> backlogs{};
        Bytes about_to_leave{0};  // at the most, of all its senders
    };

    std::vector<Look> looks_;  // by time
    std::size_t next_ = 0;
    std::vector<Seen> flows_;
};

}  // namespace sluice::sim
