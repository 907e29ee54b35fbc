// ReceiveBuffer: holds received frames until the host takes them, at its own rate and in order of
// arrival, and has the watermarks at which the host pauses its switch.
//
// A priority that holds `high` octets, or has refused a frame, is at XOFF until it holds `low` or
// less; pause frames and refreshes are sent as from a switch's port (dataplane/pfc/pause_sender.h).
// Frames that do not fit into `size` are lost. Priorities that may not pause the switch are never
// at XOFF.
// The defaults are those of an RC Link (scenario/receive_buffers.h).
// Bound: an entry for each frame that waits.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <optional>
#include <vector>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/pause_sender.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

struct ReceiveSettings {
    BitsPerSecond rate{0};  // rate at which frames leave, with FCS; 0 means at once
    Bytes size{0};          // for each priority
    Bytes high{0};
    Bytes low{0};
    // Number of longest frames between `low` and `high`, if `high` has to be computed.
    int64_t frames_above_low = 32;
    PrioritySet pauses = 0;  // priorities that may pause the switch
};

class ReceiveBuffer {
    struct Waiting {
        Priority priority;
        Bytes octets;
        Picos taken_at;
    };

  public:
    // `speed`: the speed of the cable, which determines the time of a pause.
    ReceiveBuffer(const ReceiveSettings& settings, BitsPerSecond speed)
        : settings_(settings), again_(picos(pause_time(longest_pause, speed) / 2)) {
        pause_sender_.configure(longest_pause, speed, 0);
    }

    // Puts a received frame, with its FCS, into the buffer. Returns false if it does not fit, and
    // is lost.
    bool put(Priority priority, Bytes octets, Picos now) {
        Bytes& held = held_[priority];
        const bool fits = held + octets <= settings_.size;
        if (fits) {
            held += octets;
            most_ = std::max(most_, held);
            free_at_ = std::max(free_at_, now) + time_at(settings_.rate, octets);
            assert(first_ == waiting_.size() || waiting_.back().taken_at <= free_at_);
            waiting_.push_back({priority, octets, free_at_});
        }
        const bool may_pause = (settings_.pauses & only_priority(priority)) != 0;
        if (may_pause && (!fits || held >= settings_.high)) pause_sender_.pause(priority);
        return fits;
    }
    // Returns when all waiting frames have left: the frame that was put last is the last.
    [[nodiscard]] Picos taken_at() const { return free_at_; }
    // Releases the frames that have left until now.
    void take(Picos now) {
        for (; first_ < waiting_.size() && waiting_[first_].taken_at <= now; ++first_) {
            const auto& [priority, octets, taken_at] = waiting_[first_];
            assert(octets <= held_[priority]);
            held_[priority] -= octets;
            if (held_[priority] <= settings_.low) pause_sender_.resume(priority);
        }
        // Erases released frames once they are half of the vector, so that its memory
        // stays bounded.
        if (first_ * 2 < waiting_.size()) return;
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }
    // Returns the pause frame that is due by now, if any, and counts it as sent.
    std::optional<PauseFrame> pause_frame(Picos now) {
        if (!pause_sender_.due(nanos(now))) return {};
        const PauseFrame frame = pause_sender_.frame();
        pause_sender_.sent(nanos(now));
        advertised_at_ = now;
        return frame;
    }
    // Returns when the buffer next needs a call; Schedule::never if it needs none before another
    // frame arrives.
    [[nodiscard]] Picos next() const {
        const Picos taken = first_ == waiting_.size() ? Schedule::never : waiting_[first_].taken_at;
        return pause_sender_.at_rest() ? taken : std::min(taken, advertised_at_ + again_);
    }
    // Returns the most octets that a priority held.
    [[nodiscard]] Bytes most() const { return most_; }
    [[nodiscard]] const ReceiveSettings& settings() const { return settings_; }

    // Returns the memory for a buffer of this size, filled by the shortest frames.
    static constexpr std::size_t memory_for(Bytes size) {
        return sizeof(ReceiveBuffer) +
               static_cast<std::size_t>(size.count() / 64) * sizeof(Waiting) * max_priorities;
    }

  private:
    static constexpr Quanta longest_pause{65535};

    ReceiveSettings settings_;
    Picos again_;
    PauseSender pause_sender_;
    Picos advertised_at_;
    Picos free_at_;                 // when all waiting frames have left
    std::vector<Waiting> waiting_;  // valid from first_ on
    std::size_t first_ = 0;
    std::array<Bytes, max_priorities> held_{};
    Bytes most_{0};
};

}  // namespace sluice::sim
