// GroupTable: maps (family, VLAN, group address) to the listening ports.
//
// The number of entries is fixed; each has a place of its own and is chained by hash. So an entry
// never moves, and further state of a group (memberships.h) is indexed by the entry's number. One
// writer, any readers: a reader sees an entry whole, with the present or the previous ports, or not
// at all. While entries are added and removed a reader may for an instant miss an entry, and its
// frame then goes where frames for unknown groups go. The table is apart from the FDB
// (forward/fdb.h), so that groups take no places of stations.
// Bound: a find follows one chain, half an entry long on average, and never more than there are
// entries; add and remove likewise. An entry that finds no place is refused; the caller counts it.
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
    PortSet ports;      // all that listen
    PortSet fixed;      // those of them that the operator named
    Nanos last_report;  // when a report was last received; of a static group 0
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
                // The writer clears a key before it gives its place to another.
                const bool still = entry.key.load(std::memory_order_relaxed) == key;
                return still ? std::optional(ports) : std::nullopt;
            }
            at = entry.next.load(std::memory_order_acquire);
        }
        return {};
    }

    // --- the writer -----------------------------------------------------------------------------
    [[nodiscard]] Number number_of(Key key) const;
    // For a key that is not in the table; `none`: there is no place.
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
    // Key{} if the entry is free.
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
