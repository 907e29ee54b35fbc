// IngressPriorityGroup: counts the buffer that one (input, priority) uses, and detects the levels
// at which it pauses its peer. The input's worker writes it; any thread may read.
//
// This is SONiC's priority group: ingress accounting by (port, priority). Frames for outputs where
// the priority is lossless too are charged to the group's reserve first, then to the shared pool,
// then to the group's headroom. A frame that leaves is released in the opposite order, whatever it
// was charged to. XOFF is reached when reserve and pool hold the level of buffer/pause_levels.h, or
// the pool is used up. The frame that reaches XOFF is still charged to the pool, so a group may
// exceed its level, or the pool its size, by one frame (`set_aside_for` includes it). Later frames
// are charged to the headroom. XON is reached when the headroom is empty and at most the XON level
// is used; since XON <= XOFF, the group does not flap. Frames for outputs where the priority is
// lossy are accounted for by their VOQs, and pause no peer.
// If a port has several lanes, each lane has a group of its own, and the levels are compared with
// the sum over the lanes. A lane reads the other lanes only before each burst, so each lane but one
// may exceed a level by its burst (`frames_beyond_levels` of dynamic_threshold.h counts that).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>

#include "dataplane/buffer/pause_levels.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/enum_count.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class IngressPriorityGroup {
  public:
    enum class Part : uint8_t { reserve, pool, headroom, last = headroom };

    void charge(Part part, Bytes amount) {
        add(part, amount);
        if (part == Part::headroom) {
            headroom_max_.raise_to(static_cast<uint64_t>(of_all_lanes(Part::headroom).count()));
        }
        charge_lossy(amount);
    }
    // Returns the octets that are released to the pool.
    Bytes release(Bytes amount) {
        assert(amount <= used() + headroom());
        release_lossy(amount);
        const Bytes from_headroom = std::min(amount, headroom());
        const Bytes from_pool = std::min(amount - from_headroom, of(Part::pool));
        subtract(Part::headroom, from_headroom);
        subtract(Part::pool, from_pool);
        subtract(Part::reserve, amount - from_headroom - from_pool);
        assert(used() + headroom() <= occupancy());
        return from_pool;
    }
    // Called by the writer to read the use of the other lanes: first `forget_others`, then `see`
    // for each lane.
    void forget_others() { others_ = {}; }
    void see(const IngressPriorityGroup& other) {
        for (std::size_t part = 0; part < others_.size(); ++part) {
            others_[part] += other.of(static_cast<Part>(part));
        }
    }
    // Count frames for lossy outputs, which use no part of the group.
    void charge_lossy(Bytes amount) { all_.add(static_cast<uint64_t>(amount.count())); }
    void release_lossy(Bytes amount) {
        assert(amount <= occupancy());
        all_.subtract(static_cast<uint64_t>(amount.count()));
    }

    [[nodiscard]] bool fits_reserve(Bytes amount, const PfcSettings& pfc) const {
        return of_all_lanes(Part::reserve) + amount <= pfc.reserved;
    }
    // Returns whether a frame of `amount` fits below XOFF while the peer is paused. No frame fits
    // while the headroom is in use, since the headroom has to become empty first.
    [[nodiscard]] bool fits_below_xoff(Bytes amount, const PfcSettings& pfc, Bytes free) const {
        const bool has_place = amount <= free || fits_reserve(amount, pfc);
        return of_all_lanes(Part::headroom).count() == 0 && has_place &&
               (has_no_levels(pfc) || used_by_all_lanes() + amount <= xoff_level(pfc, free));
    }
    [[nodiscard]] bool fits_headroom(Bytes amount, const PfcSettings& pfc) const {
        return of_all_lanes(Part::headroom) + amount <= pfc.headroom;
    }
    // Returns whether the group would be at XOFF with `more` octets added.
    [[nodiscard]] bool at_xoff(const PfcSettings& pfc, Bytes free, Bytes more = Bytes(0)) const {
        const Bytes used = used_by_all_lanes() + more;
        const bool pool_is_gone = free.count() <= 0 && used >= pfc.reserved;
        return pool_is_gone || (!has_no_levels(pfc) && used >= xoff_level(pfc, free));
    }
    // Returns whether the pause of the peer may end. If the pool and the group's reserve are used
    // up, only an empty group resumes: any other would take a frame beyond the pool each time, and
    // pause again.
    [[nodiscard]] bool at_xon(const PfcSettings& pfc, Bytes free) const {
        const Bytes used = used_by_all_lanes();
        const bool has_place = free.count() > 0 || used < pfc.reserved;
        const bool is_low = has_place && (has_no_levels(pfc) || used <= xon_level(pfc, free));
        return of_all_lanes(Part::headroom).count() == 0 && (used.count() == 0 || is_low);
    }

    // Returns the octets in reserve and pool, which XOFF and XON are compared with. This function
    // and the next ones count one lane only.
    [[nodiscard]] Bytes used() const { return of(Part::reserve) + of(Part::pool); }
    [[nodiscard]] Bytes headroom() const { return of(Part::headroom); }
    // Returns the octets of all frames of the input in this priority, including lossy copies.
    [[nodiscard]] Bytes occupancy() const { return Bytes(static_cast<int64_t>(all_.value())); }
    [[nodiscard]] uint64_t max() const { return all_.peak(); }
    // Returns the sum over all lanes; for the writer only.
    [[nodiscard]] Bytes used_by_all_lanes() const {
        return of_all_lanes(Part::reserve) + of_all_lanes(Part::pool);
    }
    [[nodiscard]] Bytes headroom_of_all_lanes() const { return of_all_lanes(Part::headroom); }
    // Returns the high-water mark of the sum over all lanes.
    [[nodiscard]] uint64_t headroom_max() const { return headroom_max_.value(); }
    // Restarts both watermarks at the present use of the group.
    void clear_watermarks() {
        all_.clear_peak();
        headroom_max_.set(static_cast<uint64_t>(of_all_lanes(Part::headroom).count()));
    }

  private:
    // Whether the levels belong to outputs (egress/egress.h) instead of groups.
    static bool has_no_levels(const PfcSettings& pfc) {
        return pfc.trigger == PauseTrigger::egress;
    }
    [[nodiscard]] Bytes of(Part part) const {
        return Bytes(static_cast<int64_t>(parts_[static_cast<std::size_t>(part)].value()));
    }
    [[nodiscard]] Bytes of_all_lanes(Part part) const {
        return of(part) + others_[static_cast<std::size_t>(part)];
    }
    void add(Part part, Bytes amount) {
        parts_[static_cast<std::size_t>(part)].add(static_cast<uint64_t>(amount.count()));
    }
    void subtract(Part part, Bytes amount) {
        if (amount.count() == 0) return;
        parts_[static_cast<std::size_t>(part)].subtract(static_cast<uint64_t>(amount.count()));
    }

    std::array<Counter, count_of<Part>> parts_;
    std::array<Bytes, count_of<Part>> others_;  // use of the other lanes; for the writer only
    Gauge all_;
    Counter headroom_max_;
};

}  // namespace sluice
