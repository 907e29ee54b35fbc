// Fdb: the forwarding database, (family, VLAN, address) -> port.
//
// A bucket of 64 octets holds four entries. A key is stored in its first bucket, or in its second
// one if the first is full, so most lookups read one cache line. If both are full, one of their
// entries moves to its other bucket. One writer, any number of readers: a reader sees a whole entry
// or none, and may for a moment miss an entry that moves (the frame is then flooded).
// An entry is valid only while its generation is the sum of its port's and its VLAN's generations,
// so forgetting a port, a VLAN, or all entries, is O(1). The generation of a static or remote entry
// is that of its port. Generations only grow, modulo 2^16. Invalid entries are swept at once, long
// before a sum recurs. A lookup in the buckets compares generations only while invalid entries may
// exist; a lookup in the direct table always does. An entry stores the epoch of its last frame; an
// epoch is 134 ms. 16-bit ids whose VLAN has a page are in a table of their own (direct_table.h).
// Bound: `find` reads at most two buckets, `learn` ten. An address that finds no place is counted
// and not learned; its frames are flooded, and existing entries stay. A static or a remote entry
// replaces a learned one if there is no place, since no frame would make the FDB learn it again.
// Follows 802.1Q 8.8 (learning, ageing, static entries before learned ones).
#pragma once

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/forward/direct_table.h"
#include "dataplane/forward/hash.h"
#include "dataplane/forward/packed_entry.h"
#include "dataplane/types/address.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/hot_memory.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

struct FdbEntry {
    FormatFamily family;
    VlanId vlan;
    MacAddress address;
    PortIndex port;
    EntryKind kind;
    uint32_t epoch;  // epoch of the last frame from the address
};

// An address that was learned before a restart.
struct RememberedAddress {
    FormatFamily family = FormatFamily::ethernet;
    VlanId vlan = 0;
    MacAddress address;
    PortIndex port = 0;  // any member of the address's bridge port
    Nanos age;           // time since the last frame from the address
};

class Fdb {
  public:
    // Family, VLAN and address. Not 0 unless the VLAN is 0.
    enum class Key : uint64_t {};

    static constexpr Key key_of(FormatFamily family, VlanId vlan, MacAddress address) {
        return Key{uint64_t{static_cast<uint8_t>(family)} << 60 | uint64_t{vlan} << 48 |
                   address.bits};
    }
    static constexpr Key key_of(VlanId vlan, MacAddress address) {
        return key_of(FormatFamily::ethernet, vlan, address);
    }
    static constexpr MacAddress address_of(Key key) {
        return {static_cast<uint64_t>(key) & 0xFFFF'FFFF'FFFF};
    }
    static constexpr int epoch_shift = 27;
    static constexpr uint32_t epoch_of(Nanos now) {
        return static_cast<uint32_t>(now.count() >> epoch_shift);
    }
    // Returns the age at `now` of an entry. It is negative if another worker learned the entry and
    // its clock was already in the next epoch.
    static constexpr Nanos age_of(uint32_t epoch, Nanos now) {
        return Nanos(static_cast<int32_t>(epoch_of(now) - epoch) * (int64_t{1} << epoch_shift));
    }

    // A key and its hash. Keys of the direct table do not use the hash.
    struct Probe {
        Key key;
        uint64_t hash;
    };
    using PackedEntry = sluice::PackedEntry;

    Fdb(uint32_t capacity, uint64_t hash_seed, std::span<const DirectTable::Page> pages = {});

    // --- any worker -----------------------------------------------------------------------------
    [[nodiscard]] Probe probe(Key key) const {
        return {key, hash_of(static_cast<uint64_t>(key), seed_)};
    }
    void prefetch(const Probe& probe) const { __builtin_prefetch(&buckets_[first_of(probe)]); }
    [[nodiscard]] PackedEntry find(const Probe& probe) const {
        const Scope scope = scope_now();
        const Bucket& first = buckets_[first_of(probe)];
        if (const unsigned found = holders(first, probe.key)) [[likely]] {
            return read(first, slot_in(found), probe.key, scope);
        }
        const Bucket& second = buckets_[second_of(probe)];
        const unsigned found = holders(second, probe.key);
        return found != 0 ? read(second, slot_in(found), probe.key, scope) : PackedEntry{};
    }
    // `probe`, `prefetch` and `find` for a key that may be in the direct table.
    [[nodiscard]] Probe probe_either(Key key) const {
        return slot_of(key) == DirectTable::no_slot ? probe(key) : Probe{key, 0};
    }
    void prefetch_either(const Probe& probe) const {
        const std::size_t slot = slot_of(probe.key);
        slot == DirectTable::no_slot ? prefetch(probe) : direct_.prefetch(slot);
    }
    [[nodiscard]] PackedEntry find_either(const Probe& probe) const {
        const std::size_t slot = slot_of(probe.key);
        return slot == DirectTable::no_slot ? find(probe) : read_direct(slot, vlan_of(probe.key));
    }
    // `probe`, `prefetch` and `find` where the caller knows at compile time whether keys may be in
    // the direct table.
    enum class Where : uint8_t { hashed, either };
    template <Where where>
    [[nodiscard]] Probe probe_in(Key key) const {
        if constexpr (where == Where::either) return probe_either(key);
        return probe(key);
    }
    template <Where where>
    void prefetch_in(const Probe& probe) const {
        where == Where::either ? prefetch_either(probe) : prefetch(probe);
    }
    template <Where where>
    [[nodiscard]] PackedEntry find_in(const Probe& probe) const {
        if constexpr (where == Where::either) return find_either(probe);
        return find(probe);
    }

    // Whether the table has a place for an address that is not in it.
    [[nodiscard]] bool has_place(const Probe& probe) const;

    // --- the writer -----------------------------------------------------------------------------
    // Binds the address to `port`, or moves it there. Returns false if there is no place, or if the
    // address has a static entry.
    bool learn(const Probe& probe, PortIndex port, uint32_t epoch);
    bool add_static(Key key, PortIndex port);
    void forget_static();
    // Binds an address of EVPN to the tunnel `port`, even if it was learned at another port.
    // Returns false if the address has a static entry, or if there is no place.
    bool bind_remote(const Probe& probe, PortIndex port);
    // Removes a remote entry; `even_learned`: removes a learned entry as well.
    void forget(const Probe& probe, bool even_learned);
    void forget_port(PortIndex port);
    void forget_vlan(VlanId vlan);
    // Sweeps a few buckets, beginning where the last call stopped: removes invalid entries, and
    // those whose last frame is older than `ageing` (0: none), except at the ports `sticky`. The
    // calls sweep the table once an epoch, and once after a port or VLAN was forgotten.
    void age(Nanos now, Nanos ageing, PortSet sticky = 0);
    // Whether `age` has buckets to sweep: a round has begun, or one is due.
    [[nodiscard]] bool is_to_age(Nanos now) const {
        return ageing_at_ != 0 || outdated_ || aged_epoch_ != epoch_of(now);
    }

    // --- state for readers ----------------------------------------------------------------------
    [[nodiscard]] std::size_t bucket_count() const { return std::size_t{bucket_mask_} + 1; }
    [[nodiscard]] uint32_t capacity() const { return capacity_; }
    [[nodiscard]] uint64_t size() const { return size_.value() + direct_size_.value(); }
    [[nodiscard]] uint64_t moves() const { return moves_.value(); }
    [[nodiscard]] uint64_t full() const { return full_.value(); }  // addresses without a place
    // Visits the entries in `count` buckets from `first` on, without the direct table. A caller
    // that reads a few buckets at a time may miss an entry that moves between calls.
    template <class Visit>
    void for_each_in(std::size_t first, std::size_t count, Visit visit) const {
        for (std::size_t bucket = first; bucket < std::min(first + count, bucket_count());
             ++bucket) {
            for (std::size_t slot = 0; slot < slots; ++slot) {
                if (const auto found = entry(buckets_[bucket], slot)) visit(*found);
            }
        }
    }
    template <class Visit>
    void for_each(Visit visit) const {
        for_each_in(0, bucket_count(), visit);
        for (std::size_t slot = 0; slot < direct_.slots(); ++slot) {
            const PackedEntry entry = read_direct(slot, direct_.page_at(slot).vlan);
            if (entry) visit(direct_entry(slot, entry));
        }
    }

  private:
    static constexpr std::size_t slots = 4;
    struct alignas(64) Bucket {
        std::array<std::atomic<uint64_t>, slots> keys{};
        std::array<std::atomic<uint64_t>, slots> entries{};
    };
    static_assert(sizeof(Bucket) == 64);
    struct Place {
        Bucket* bucket;
        std::size_t slot;
    };

    [[nodiscard]] std::size_t first_of(const Probe& probe) const {
        return probe.hash >> 40 & bucket_mask_;
    }
    // Returns the second bucket of the key. It differs from the first unless there is only one
    // bucket.
    [[nodiscard]] std::size_t second_of(const Probe& probe) const {
        return first_of(probe) ^ ((probe.hash >> 16 | 1) & bucket_mask_);
    }
    // Returns a bit for the slot of `bucket` that holds `key`, or 0. The loop has no branches, as
    // they could not be predicted.
    static unsigned holders(const Bucket& bucket, Key key) {
        static_assert(slots == 4);
#ifdef __AVX2__
        // One aligned load of four words; the processor reads each word atomically.
        const __m256i held =
            _mm256_load_si256(reinterpret_cast<const __m256i*>(bucket.keys.data()));
        const __m256i sought = _mm256_set1_epi64x(static_cast<long long>(key));
        const __m256d equal = _mm256_castsi256_pd(_mm256_cmpeq_epi64(held, sought));
        return static_cast<unsigned>(_mm256_movemask_pd(equal));
#else
        unsigned found = 0;
        for (unsigned slot = 0; slot < slots; ++slot) {
            const uint64_t held = bucket.keys[slot].load(std::memory_order_relaxed);
            found |= static_cast<unsigned>(held == static_cast<uint64_t>(key)) << slot;
        }
        return found;
#endif
    }
    static std::size_t slot_in(unsigned holders) {
        assert(std::has_single_bit(holders) && "a key is in one slot");
        return static_cast<std::size_t>(__builtin_ctz(holders));
    }
    // Which entries of the hashed part a lookup finds: `all` if no generation has advanced since
    // the last whole sweep, else `counted`: only valid ones. A lookup reads the scope before the
    // keys. If the scope is `all`, a key that the lookup then finds was written after the key's
    // slot was swept.
    enum class Scope : uint8_t { all, counted };
    [[nodiscard]] Scope scope_now() const {
        return holds_outdated_.load(std::memory_order_acquire) ? Scope::counted : Scope::all;
    }
    // Returns the entry in a slot if the slot holds `key` and the entry is in `scope`, else none.
    [[nodiscard]] PackedEntry read(const Bucket& bucket, std::size_t slot, Key key,
                                   Scope scope) const {
        std::atomic_thread_fence(std::memory_order_acquire);
        const PackedEntry entry(bucket.entries[slot].load(std::memory_order_acquire));
        // The writer clears a key before it writes another key to the slot.
        const uint64_t held = bucket.keys[slot].load(std::memory_order_relaxed);
        if (held != static_cast<uint64_t>(key)) return {};
        return scope == Scope::all || counts(entry, vlan_of(key)) ? entry : PackedEntry{};
    }
    static VlanId vlan_of(Key key) {
        return static_cast<VlanId>(static_cast<uint64_t>(key) >> 48 & 0xFFF);
    }
    // Returns the generation of valid entries. Static and remote entries count with VLAN 0, which
    // is never forgotten.
    [[nodiscard]] uint16_t generation_of(uint8_t owner, VlanId vlan) const {
        constexpr uint8_t not_learned = PackedEntry::fixed_owner | PackedEntry::remote_owner;
        const VlanId counted = (owner & not_learned) != 0 ? VlanId{0} : vlan;
        return static_cast<uint16_t>(generation_[owner].load(std::memory_order_relaxed) +
                                     vlan_generation_[counted].load(std::memory_order_relaxed));
    }
    [[nodiscard]] bool counts(PackedEntry entry, VlanId vlan) const {
        return entry.generation() == generation_of(entry.owner(), vlan);
    }
    [[nodiscard]] PackedEntry occupant(const Bucket& bucket, std::size_t slot) const {
        const Scope scope = scope_now();
        const Key key{bucket.keys[slot].load(std::memory_order_acquire)};
        return key == Key{} ? PackedEntry{} : read(bucket, slot, key, scope);
    }
    [[nodiscard]] std::size_t slot_of(Key key) const {
        const auto bits = static_cast<uint64_t>(key);
        return direct_.slot_of(static_cast<FormatFamily>(bits >> 60), bits >> 48 & 0xFFF,
                               bits & 0xFFFF'FFFF'FFFF);
    }
    [[nodiscard]] PackedEntry read_direct(std::size_t slot, VlanId vlan) const {
        const PackedEntry entry = direct_.read(slot);
        return counts(entry, vlan) ? entry : PackedEntry{};
    }
    [[nodiscard]] FdbEntry direct_entry(std::size_t slot, PackedEntry entry) const;
    void write_direct(std::size_t slot, PackedEntry entry);
    // Whether an entry has aged out, and its port is not sticky.
    struct AgedOut {
        Nanos now;
        Nanos ageing;
        PortSet sticky;

        [[nodiscard]] bool operator()(PackedEntry entry) const {
            return entry.kind() == EntryKind::learned && ageing.count() != 0 &&
                   age_of(entry.epoch(), now) >= ageing && (sticky & only(entry.port())) == 0;
        }
    };
    void age_bucket(Bucket& bucket, const AgedOut& aged_out);
    void age_direct(std::size_t first, const AgedOut& aged_out);
    [[nodiscard]] std::optional<FdbEntry> entry(const Bucket& bucket, std::size_t slot) const;

    [[nodiscard]] std::optional<Place> place_of(const Probe& probe);
    [[nodiscard]] std::optional<Place> free_slot(Bucket& bucket) const;
    [[nodiscard]] std::optional<Place> free_place(const Probe& probe);
    [[nodiscard]] std::optional<Place> learned_place(const Probe& probe);
    [[nodiscard]] std::optional<Place> displace(std::size_t index);
    bool write(const Probe& probe, PackedEntry entry);
    void erase(Place place);
    // Advances a port's or a VLAN's generation, which makes its entries invalid.
    void advance(std::atomic<uint16_t>& generation);

    uint32_t capacity_;
    uint64_t seed_;
    uint32_t bucket_mask_;
    Bucket* buckets_;  // first bucket of `table_`, in the cache line of the members above
    // Whether the hashed part may have invalid entries: no whole round has swept it since a
    // generation advanced.
    std::atomic<bool> holds_outdated_{false};
    // Generations by owner (PackedEntry).
    std::array<std::atomic<uint16_t>, 256> generation_{};
    std::array<std::atomic<uint16_t>, max_vlans> vlan_generation_{};
    HotVector<Bucket> table_;
    DirectTable direct_;
    std::size_t ageing_at_ = 0;  // next bucket of the round; the direct table follows the buckets
    uint32_t aged_epoch_ = 0;    // epoch of the last sweep
    bool outdated_ = false;      // whether a generation has advanced since the round began
    Counter size_;               // entries of the hashed part
    Counter direct_size_;
    Counter moves_;
    Counter full_;
};

}  // namespace sluice
