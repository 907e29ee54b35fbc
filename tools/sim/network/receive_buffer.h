// ReceiveBuffer: where what a host received waits until the host takes it, at a rate of its own and
// in the order in which it came; and the watermarks at which it pauses its switch.
//
// A priority that holds `high` octets is at XOFF until it holds `low` or less; what it owes its
// switch then, and when that is told again, is as with a switch's port (dataplane/pfc/xoff.h). What
// does not fit into `size` is lost. A priority in which it may not pause is never at XOFF.
// Watermarks that lose nothing and leave nobody idle are those of RC Link, by default: a number of
// frames and what comes in a round trip, that round trip, and another one above the higher.
// Bound: an entry a frame that waits.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

#include "dataplane/limits.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/xoff.h"
#include "dataplane/units.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

struct ReceiveSettings {
    BitsPerSecond rate{0};  // at which frames with FCS are taken; 0: at once, and nothing waits
    Bytes size{0};          // of each priority
    Bytes high{0};
    Bytes low{0};
    PrioritySet pauses = 0;  // in which it may pause its switch
};

class ReceiveBuffer {
  public:
    // `speed`: of the cable; it gives a pause its length.
    ReceiveBuffer(const ReceiveSettings& settings, BitsPerSecond speed)
        : settings_(settings), again_(picos(pause_time(longest_pause, speed) / 2)) {
        xoff_.configure(longest_pause, speed, 0);
    }

    // A frame with its FCS has come. False: it finds no room, and is lost.
    bool put(Priority priority, Bytes octets, Picos now) {
        Bytes& held = held_[priority];
        if (held + octets > settings_.size) return false;
        held += octets;
        most_ = std::max(most_, held);
        free_at_ = std::max(free_at_, now) + time_at(settings_.rate, octets);
        waiting_.push_back({priority, octets, free_at_});
        const bool may_pause = (settings_.pauses & only_priority(priority)) != 0;
        if (may_pause && held >= settings_.high) xoff_.pause(priority);
        return true;
    }
    // Lets go of what is taken by now.
    void take(Picos now) {
        while (!waiting_.empty() && waiting_.front().taken_at <= now) {
            const auto& [priority, octets, taken_at] = waiting_.front();
            held_[priority] -= octets;
            if (held_[priority] <= settings_.low) xoff_.resume(priority);
            waiting_.pop_front();
        }
    }
    // The frame that its switch is to be told by now, if any; it counts as sent.
    std::optional<PauseFrame> pause_frame(Picos now) {
        if (!xoff_.due(nanos(now))) return {};
        const PauseFrame frame = xoff_.frame();
        xoff_.sent(nanos(now));
        told_at_ = now;
        return frame;
    }
    // When there may be something to do again; never: not before a frame comes.
    [[nodiscard]] Picos next() const {
        const Picos taken = waiting_.empty() ? Schedule::never : waiting_.front().taken_at;
        return xoff_.at_rest() ? taken : std::min(taken, told_at_ + again_);
    }
    // The most that a priority held.
    [[nodiscard]] Bytes most() const { return most_; }
    [[nodiscard]] const ReceiveSettings& settings() const { return settings_; }

  private:
    static constexpr Quanta longest_pause{65535};

    struct Waiting {
        Priority priority;
        Bytes octets;
        Picos taken_at;
    };

    ReceiveSettings settings_;
    Picos again_;
    Xoff xoff_;
    Picos told_at_;
    Picos free_at_;  // all that waits is taken by then
    std::deque<Waiting> waiting_;
    std::array<Bytes, max_priorities> held_{};
    Bytes most_{0};
};

}  // namespace sluice::sim
