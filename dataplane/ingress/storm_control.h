// StormControl: how much of what a port would flood, or send to a group, is let in: broadcasts,
// unicast to stations that nobody knows, and multicast, each at a rate of its own in frames or in
// bits a second (octets of the frame, FCS counted).
//
// Bound: O(1) a frame. A token bucket holds a hundredth of a second's worth and at least one frame
// of the longest, so in any time t no more than rate x (t + 10 ms) and one frame get in.
// Not done here: telling whether a station is known (forward/forwarding.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "dataplane/drops.h"
#include "dataplane/settings.h"
#include "dataplane/units.h"

namespace sluice {

class StormControl {
  public:
    void configure(const StormSettings& settings) {
        limits_ = false;
        const bool same_unit = in_frames_ == settings.in_frames;
        in_frames_ = settings.in_frames;
        for (std::size_t kind = 0; kind < storm_kinds; ++kind) {
            const int64_t rate = settings.rate[kind];
            limits_ |= rate != 0;
            if (same_unit && buckets_[kind].rate == rate) continue;
            const int64_t longest = (in_frames_ ? 1 : bits_of(longest_frame)) * units_a_token;
            buckets_[kind] = {.rate = rate, .most = std::max(rate * full_after, longest)};
        }
    }
    [[nodiscard]] bool limits() const { return limits_; }

    // Drop::none, or why this one is too many.
    [[nodiscard]] Drop admit(StormKind kind, Bytes size, Nanos now) {
        Bucket& bucket = buckets_[static_cast<std::size_t>(kind)];
        if (bucket.rate == 0) return Drop::none;
        const int64_t cost = (in_frames_ ? 1 : bits_of(size)) * units_a_token;
        const Wide earned = static_cast<Wide>(bucket.rate) * (now - bucket.last).count();
        bucket.credit = static_cast<int64_t>(std::min<Wide>(bucket.most, bucket.credit + earned));
        bucket.last = now;
        if (bucket.credit < cost) return drops[static_cast<std::size_t>(kind)];
        bucket.credit -= cost;
        return Drop::none;
    }

  private:
    // What a rate of one a second gives in a nanosecond is a unit.
    static constexpr int64_t units_a_token = 1'000'000'000;
    static constexpr int64_t full_after = 10'000'000;  // ns
    static constexpr Bytes longest_frame{9728};
    static constexpr int64_t bits_of(Bytes size) {
        constexpr int64_t fcs = 4;
        return 8 * (size.count() + fcs);
    }
    static constexpr std::array<Drop, storm_kinds> drops = {
        Drop::storm_broadcast, Drop::storm_unknown_unicast, Drop::storm_multicast};

    struct Bucket {
        int64_t rate = 0;  // a second; 0: no limit
        int64_t most = 0;
        int64_t credit = 0;
        Nanos last{};
    };

    std::array<Bucket, storm_kinds> buckets_;
    bool in_frames_ = false;
    bool limits_ = false;
};

}  // namespace sluice
