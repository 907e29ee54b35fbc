// GroupTable: maps (family, VLAN, group address) to the listening ports.
//
// The number of entries is fixed. Entries are chained by hash and do not move, so their numbers
// index further state of groups (memberships.h). One writer, any number of readers: a reader sees a
// whole entry, with the present or the previous ports, or none. While entries are added and removed
// a reader may for a moment miss an entry; its frame is then forwarded as one for an unknown group.
// The table is not part of the FDB (forward/fdb.h), so that groups use no places of stations.
// Bound: `find`, `add` and `remove` follow one chain, which has half an entry on average and at
// most all entries. An entry that finds no place is refused; the caller counts it.
// Follows 802.1Q 8.8.4 (group registration entries) with the set of ports in one word.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "dataplane/forward/fdb.h"
#include "dataplane/types/address.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

struct GroupEntry {
    FormatFamily family;
    VlanId vlan;
    MacAddress address;
    PortSet ports;      // ports with listeners
    PortSet fixed;      // the ports that settings configure
    Nanos last_report;  // time of the last report; 0 for a static group
};

class GroupTable {
  public:
    using Key = Fdb::Key;
    using Number = uint32_t;
    static constexpr Number none = UINT32_MAX;

    GroupTable(uint32_t capacity, uint64_t hash_seed);

    // --- any worker -----------------------------------------------------------------------------
    [[nodiscard]] std::optional<PortSet> find(Key key) const {
        Number at = heads_[chain_of(key)].load(std::memory_order_acquire);
        for (uint32_t steps = 0; at != none && steps < capacity_; ++steps) {
            const Entry& entry = entries_[at];
            if (entry.key.load(std::memory_order_acquire) == key) {
                const PortSet ports = entry.ports.load(std::memory_order_acquire);
                // The writer clears a key before it writes another key to the entry.
                const bool still = entry.key.load(std::memory_order_relaxed) == key;
                return still ? std::optional(ports) : std::nullopt;
            }
            at = entry.next.load(std::memory_order_acquire);
        }
        return {};
    }

    // --- the writer -----------------------------------------------------------------------------
    [[nodiscard]] Number number_of(Key key) const;
    // Adds a key that is not in the table. Returns its number, or `none` if there is no place.
    Number add(Key key, PortSet ports, PortSet fixed);
    void remove(Number number);
    void set_ports(Number number, PortSet ports, PortSet fixed) {
        assert(number < capacity_ && (fixed & ~ports) == 0);
        entries_[number].fixed.store(fixed, std::memory_order_relaxed);
        entries_[number].ports.store(ports, std::memory_order_release);
    }
    void set_last_report(Number number, Nanos at) {
        entries_[number].last_report.store(at.count(), std::memory_order_relaxed);
    }
    // Returns the key of an entry; Key{} if the entry is free.
    [[nodiscard]] Key key_at(Number number) const {
        assert(number < capacity_);
        return entries_[number].key.load(std::memory_order_relaxed);
    }

    // --- state for readers ----------------------------------------------------------------------
    [[nodiscard]] uint32_t capacity() const { return capacity_; }
    [[nodiscard]] uint64_t size() const { return size_.value(); }
    template <class Visit>
    void for_each(Visit visit) const {
        for (Number number = 0; number < capacity_; ++number) {
            if (const auto found = entry(entries_[number])) visit(*found);
        }
    }

  private:
    struct alignas(64) Entry {
        std::atomic<Key> key{};
        std::atomic<PortSet> ports{0};
        std::atomic<PortSet> fixed{0};
        std::atomic<int64_t> last_report{0};
        std::atomic<Number> next{none};
    };

    [[nodiscard]] std::size_t chain_of(Key key) const {
        return hash_of(static_cast<uint64_t>(key), seed_) >> 32 & chain_mask_;
    }
    static std::optional<GroupEntry> entry(const Entry& entry);

    uint32_t capacity_;
    uint64_t seed_;
    uint32_t chain_mask_;
    std::unique_ptr<std::atomic<Number>[]> heads_;
    std::unique_ptr<Entry[]> entries_;
    std::vector<Number> free_;
    Counter size_;
};

}  // namespace sluice
