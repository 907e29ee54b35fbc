// ArrivalTimes: keeps the arrival times of the frames that a worker times, by buffer.
//
// A slot with a buffer belongs to the worker that has the frame: the receiving worker writes the
// slot, and the worker that sends or drops the frame clears it. The frame passes through a queue
// between the two. A slot is never taken away from a frame: if all four slots of a buffer are in
// use, the frame is not timed, and is counted (`lost`).
// Bound: 4096 slots, 64 KiB. A timed frame touches one cache line of 64 octets, other frames none.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dataplane/types/counters.h"
#include "dataplane/types/units.h"

namespace sluice {

class ArrivalTimes {
  public:
    ArrivalTimes() = default;
    ArrivalTimes(const ArrivalTimes&) = delete;
    ArrivalTimes& operator=(const ArrivalTimes&) = delete;

    // Called by the worker that received the frame. Returns false if there is no free slot.
    bool note(const void* buffer, Nanos now) {
        Place* const place = place_for(buffer);
        if (place == nullptr) {
            lost_.add(1);
            return false;
        }
        place->since.store(now.count(), std::memory_order_relaxed);
        place->buffer.store(buffer, std::memory_order_release);
        return true;
    }
    // Returns the arrival time of the frame in `buffer`, and clears its slot; empty if the buffer
    // has no slot here. Called by the worker that sends or drops the frame.
    std::optional<Nanos> take(const void* buffer) {
        for (Place& place : set_of(buffer)) {
            if (place.buffer.load(std::memory_order_acquire) != buffer) continue;
            const Nanos since(place.since.load(std::memory_order_relaxed));
            place.buffer.store(nullptr, std::memory_order_release);
            return since;
        }
        return {};
    }
    // Returns the number of frames that found no slot.
    [[nodiscard]] uint64_t lost() const { return lost_.value(); }

  private:
    struct Place {
        std::atomic<const void*> buffer{nullptr};
        std::atomic<int64_t> since{0};
    };
    struct alignas(64) Set : std::array<Place, 4> {};
    static constexpr std::size_t sets = 1024;

    Set& set_of(const void* buffer) {
        constexpr uint64_t golden = 0x9E37'79B9'7F4A'7C15;  // Knuth's multiplicative hash
        constexpr int bits = std::countr_zero(sets);
        return sets_[std::bit_cast<uintptr_t>(buffer) * golden >> (64 - bits)];
    }
    // Returns the slot that the buffer has already, or a free one; null: all four are in use.
    Place* place_for(const void* buffer) {
        Place* free = nullptr;
        for (Place& place : set_of(buffer)) {
            const void* const whose = place.buffer.load(std::memory_order_acquire);
            if (whose == buffer) return &place;
            if (whose == nullptr) free = &place;
        }
        return free;
    }

    std::array<Set, sets> sets_;
    Counter lost_;
};

}  // namespace sluice
