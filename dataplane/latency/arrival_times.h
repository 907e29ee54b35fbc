// ArrivalTimes: when the frames came that a worker times, by their buffers.
//
// A place belongs to whoever has its frame: the worker that received it writes it, the one that
// sends it gives it back, and between them the frame has passed by a queue. A frame that was let go
// of elsewhere leaves its place taken; where a set of four is full the oldest makes room, so that
// costs at most a sample that waits for very long, and is counted.
// Bound: 4096 places, 64 KiB, of which a frame that is timed touches a line of 64 octets, and no
// other frame any.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "dataplane/counters.h"
#include "dataplane/units.h"

namespace sluice {

class ArrivalTimes {
  public:
    ArrivalTimes() = default;
    ArrivalTimes(const ArrivalTimes&) = delete;
    ArrivalTimes& operator=(const ArrivalTimes&) = delete;

    // By the worker that received it.
    void note(const void* buffer, Nanos now) {
        Place& place = place_for(buffer);
        place.since.store(now.count(), std::memory_order_relaxed);
        place.buffer.store(buffer, std::memory_order_release);
    }
    // By who sends it, or lets go of it. Nothing: its place was given to another.
    std::optional<Nanos> take(const void* buffer) {
        for (Place& place : set_of(buffer)) {
            if (place.buffer.load(std::memory_order_acquire) != buffer) continue;
            const Nanos since(place.since.load(std::memory_order_relaxed));
            place.buffer.store(nullptr, std::memory_order_relaxed);
            return since;
        }
        return {};
    }
    // How many lost their place.
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
    Place& place_for(const void* buffer) {
        Set& set = set_of(buffer);
        const auto age = [&](const Place& place) {
            const void* const whose = place.buffer.load(std::memory_order_relaxed);
            if (whose == buffer) return std::numeric_limits<int64_t>::min();
            if (whose == nullptr) return std::numeric_limits<int64_t>::min() + 1;
            return place.since.load(std::memory_order_relaxed);
        };
        Place& oldest = *std::ranges::min_element(set, {}, age);
        const void* const whose = oldest.buffer.load(std::memory_order_relaxed);
        if (whose != nullptr && whose != buffer) lost_.add(1);
        return oldest;
    }

    std::array<Set, sets> sets_;
    Counter lost_;
};

}  // namespace sluice
