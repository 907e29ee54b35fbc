// Pause bits: converts between the bits of PFC frames, which are priorities on the wire, and the
// priorities of the switch's queues (PauseBits, settings.h).
//
// Sent frames: an XOFF has all bits that the peer's frames of a priority may have; an XON omits
// bits that another priority still pauses. Received frames: bit n pauses every priority whose
// frames may be sent with PCP n, if any of these priorities is lossless. That includes lossy ones,
// as the peer would otherwise receive their frames during its pause. A priority that several bits
// pause resumes when the last of these pauses ends.
// Bound: no work if each bit is the priority of its number; else some steps for each pause frame.
// Not done here: computing the maps (config). Follows 802.1Q 36.1.3.3, and SAI's maps from PFC
// priority to queue and to priority group.
#pragma once

#include <algorithm>
#include <array>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

// Returns the bits of pause frames that stand for `priorities`.
[[nodiscard]] inline PrioritySet named_bits(const PauseBits& bits, PrioritySet priorities) {
    PrioritySet named = 0;
    for_each_priority(priorities, [&](Priority priority) { named |= bits.sent[priority]; });
    return named;
}

// Returns the frame for the peer. `pausing`: priorities that stay paused.
[[nodiscard]] inline PauseFrame to_bits(const PauseFrame& pause, const PauseBits& bits,
                                        PrioritySet pausing, Quanta time) {
    PauseFrame named = pause;
    named.enabled = named_bits(bits, pause.enabled);
    const PrioritySet held = named_bits(bits, pausing);
    for (Priority bit = 0; bit < max_priorities; ++bit) {
        const bool is_held = (named.enabled & held & only_priority(bit)) != 0;
        named.time[bit] = is_held ? static_cast<uint16_t>(time.count()) : uint16_t{0};
    }
    return named;
}

// Converts the bits of the peer's pause frames to the priorities of one port.
class HeldBits {
  public:
    void configure(const PfcSettings& pfc, BitsPerSecond speed) {
        speed_ = speed;
        translates_ = pfc.bits.received != PauseBits::own_numbers;
        bits_of_.fill(0);
        const PrioritySet own = pfc.asymmetric ? PrioritySet{0xFF} : pfc.lossless;
        obeying_ = own;
        for (Priority bit = 0; bit < max_priorities; ++bit) {
            const PrioritySet held = pfc.bits.received[bit];
            held_by_[bit] = (held & own) != 0 ? held : PrioritySet{0};
            obeying_ |= held_by_[bit];
            for_each_priority(held_by_[bit],
                              [&](Priority priority) { bits_of_[priority] |= only_priority(bit); });
        }
        if (!translates_) obeying_ = own;
    }
    // Returns the priorities that a pause may hold: the lossless priorities, and those that share a
    // bit with a lossless one; all priorities of an asymmetric port.
    [[nodiscard]] PrioritySet obeying() const { return obeying_; }
    [[nodiscard]] bool translates() const { return translates_; }

    // Returns the pause by priority. A frame of 802.3x, and a frame that enables no class, stay
    // unchanged.
    [[nodiscard]] PauseFrame to_priorities(const PauseFrame& pause, Nanos now) const {
        if (pause.whole_link || pause.enabled == 0) return pause;
        PauseFrame held = pause;
        held.enabled = 0;
        held.time.fill(0);
        for_each_priority(pause.enabled, [&](Priority bit) { held.enabled |= held_by_[bit]; });
        for_each_priority(held.enabled, [&](Priority priority) {
            for_each_priority(bits_of_[priority], [&](Priority bit) {
                const bool is_named = (pause.enabled & only_priority(bit)) != 0;
                const uint16_t time = is_named ? pause.time[bit] : left_of(bit, now);
                held.time[priority] = std::max(held.time[priority], time);
            });
        });
        return held;
    }
    // Applies the pause. If the frame is `beyond` the limit of frames a second, only the ends of
    // pauses apply.
    void take(const PauseFrame& pause, Nanos now, bool beyond) {
        if (pause.whole_link) return;
        for_each_priority(pause.enabled, [&](Priority bit) {
            if (beyond && pause.time[bit] != 0) return;
            until_[bit] = now + pause_time(Quanta(pause.time[bit]), speed_);
        });
    }

  private:
    // Returns the remaining time of the pause of `bit`, in quanta, rounded up.
    [[nodiscard]] uint16_t left_of(Priority bit, Nanos now) const {
        const Nanos left = until_[bit] - now;
        if (left <= Nanos(0)) return 0;
        const Nanos longest = pause_time(Quanta(UINT16_MAX), speed_);
        const int64_t quanta = left.count() * UINT16_MAX / std::max<int64_t>(1, longest.count());
        return static_cast<uint16_t>(std::clamp<int64_t>(quanta + 1, 1, UINT16_MAX));
    }

    bool translates_ = false;
    PrioritySet obeying_ = 0;
    BitsPerSecond speed_{1};
    std::array<PrioritySet, max_priorities> held_by_{};  // priorities that each bit pauses
    std::array<PrioritySet, max_priorities> bits_of_{};  // bits that pause each priority
    std::array<Nanos, max_priorities> until_;            // end of each bit's pause
};

}  // namespace sluice
