// StormControl: limits the broadcasts, the unknown unicast and the multicast that a port receives,
// each to a rate of its own, in frames or in bits a second (of frames with FCS).
//
// Bound: O(1) a frame. A token bucket holds 10 ms of the rate, and at least one frame of the
// longest size, so in any time t at most rate x (t + 10 ms) and one frame are admitted. The lanes
// of a port share its rate: each lane has a bucket, and also subtracts the tokens that the other
// lanes used. The debt is limited to a full bucket, since workers adopt a new unit (bits or frames)
// one after the other. So with n lanes the 10 ms may become n x 10 ms.
// Not here: whether a station is known (forward/forwarding.h).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "dataplane/types/counters.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/token_bucket.h"
#include "dataplane/types/units.h"

namespace sluice {

class StormControl {
  public:
    StormControl() = default;
    explicit StormControl(const StormControlSettings& settings) { configure(settings); }
    void configure(const StormControlSettings& settings) {
        limits_ = false;
        const bool same_unit = in_frames_ == settings.in_frames;
        in_frames_ = settings.in_frames;
        for (std::size_t kind = 0; kind < storm_control_kinds; ++kind) {
            const int64_t rate = settings.rate[kind];
            limits_ |= rate != 0;
            if (same_unit && buckets_[kind].rate_per_nano() == rate) continue;
            const int64_t longest = (in_frames_ ? 1 : bits_of(longest_frame)) * units_a_token;
            buckets_[kind] = TokenBucket(rate, std::max(rate * full_after, longest), 0);
            seen_[kind] = admitted_by_others(kind);
        }
    }
    // Adds another lane of the same port. Called at start.
    void add_lane(const StormControl& other) { others_.push_back(&other); }
    [[nodiscard]] bool limits() const { return limits_; }

    // Returns Drop::none, or the reason to drop this frame.
    [[nodiscard]] Drop admit(StormControlKind kind, Bytes size, Nanos now) {
        const auto of = static_cast<std::size_t>(kind);
        TokenBucket& bucket = buckets_[of];
        if (bucket.rate_per_nano() == 0) return Drop::none;
        const int64_t tokens = in_frames_ ? 1 : bits_of(size);
        const int64_t by_others = others_.empty() ? 0 : taken_by_others(of);
        bucket.advance(now, static_cast<Wide>(by_others) * units_a_token);
        if (!bucket.affords(tokens * units_a_token)) return drops[of];
        let_in_[of].add(static_cast<uint64_t>(tokens));
        return Drop::none;
    }

  private:
    [[nodiscard]] uint64_t admitted_by_others(std::size_t kind) const {
        uint64_t sum = 0;
        for (const StormControl* other : others_) sum += other->let_in_[kind].value();
        return sum;
    }
    // Returns the tokens that other lanes used since the last call.
    int64_t taken_by_others(std::size_t kind) {
        const uint64_t now = admitted_by_others(kind);
        assert(now >= seen_[kind]);
        return static_cast<int64_t>(now - std::exchange(seen_[kind], now));
    }

    // A bucket counts in units: a rate of one token a second adds one unit a nanosecond.
    static constexpr int64_t units_a_token = 1'000'000'000;
    static constexpr int64_t full_after = 10'000'000;  // time in which a bucket fills, in ns
    static constexpr Bytes longest_frame{9728};
    static constexpr int64_t bits_of(Bytes size) {
        constexpr int64_t fcs = 4;
        return 8 * (size.count() + fcs);
    }
    static constexpr std::array drops = {Drop::storm_broadcast, Drop::storm_unknown_unicast,
                                         Drop::storm_multicast};
    static_assert(drops.size() == storm_control_kinds);

    std::array<TokenBucket, storm_control_kinds> buckets_;
    std::array<Counter, storm_control_kinds> let_in_;  // tokens used; the other lanes read them
    std::array<uint64_t, storm_control_kinds> seen_{};
    std::vector<const StormControl*> others_;
    bool in_frames_ = false;
    bool limits_ = false;
};

}  // namespace sluice
