// Fdb: the forwarding database, (family, VLAN, address) -> port.
//
// Buckets of 64 octets hold four entries. A key lives in its first bucket, or in its second when
// the first is full, so that nearly every lookup touches one cache line; when both are full, an
// entry in them moves to its own other bucket. One writer, any readers: a reader sees an entry
// whole or not at all, and may for an instant miss an entry that moves (its frame is then flooded).
// An entry is valid only while its generation is the sum of its port's and its VLAN's, so
// forgetting a port, a VLAN, or all entries, is O(1). The generation of a static or remote entry is
// its port's alone. Generations only grow, modulo 2^16. Invalid entries are swept at once, long
// before a sum recurs. A lookup compares generations only until they are swept; in the direct table
// it always does. The age of an entry is an epoch of 134 ms, written at most once an epoch. 16-bit
// ids whose VLAN has a page are in a table of their own (direct_table.h).
// Bound: find is two buckets of four, learn at most ten. An address that finds no place is not
// learned (but counted), its frames are flooded, and existing entries stay. A static entry takes
// the place of a learned one, and so does a remote entry, since no frame would teach it again.
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
    uint32_t epoch;  // of the last frame from it
};

// An address that was learned before a restart.
struct RememberedAddress {
    FormatFamily family = FormatFamily::ethernet;
    VlanId vlan = 0;
    MacAddress address;
    PortIndex port = 0;  // any of its bridge port
    Nanos age;           // since the last frame from it
};

class Fdb {
  public:
    // Family, VLAN and address; never 0 for a VLAN of 1 and more.
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
    // Below 0 for an entry that another worker learned when its clock had already reached the next
    // epoch.
    static constexpr Nanos age_of(uint32_t epoch, Nanos now) {
        return Nanos(static_cast<int32_t>(epoch_of(now) - epoch) * (int64_t{1} << epoch_shift));
    }

    // A key, hashed once. The hash is not used for keys in the direct table.
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

    // Whether an address that is not in the table would find a place.
    [[nodiscard]] bool has_place(const Probe& probe) const;

    // --- the writer -----------------------------------------------------------------------------
    // Binds `key` to `port`, or moves it there. False: there is no place, or `key` has a static
    // entry.
    bool learn(const Probe& probe, PortIndex port, uint32_t epoch);
    bool add_static(Key key, PortIndex port);
    void forget_static();
    // Binds an address of EVPN to the tunnel `port`, wherever it was learned. False: the address
    // has a static entry, or there is no place.
    bool bind_remote(const Probe& probe, PortIndex port);
    // Removes a remote entry; `even_learned`: removes a learned entry as well.
    void forget(const Probe& probe, bool even_learned);
    void forget_port(PortIndex port);
    void forget_vlan(VlanId vlan);
    // Looks at a few buckets, from where the last call stopped, and removes entries from which no
    // frame came for `ageing` (0: never), except at the ports `sticky`. One round an epoch, and one
    // after something was forgotten.
    void age(Nanos now, Nanos ageing, PortSet sticky = 0);
    // Whether `age` looks at anything: a round is under way, or one is due.
    [[nodiscard]] bool is_to_age(Nanos now) const {
        return ageing_at_ != 0 || outdated_ || aged_epoch_ != epoch_of(now);
    }

    // --- state for readers ----------------------------------------------------------------------
    [[nodiscard]] std::size_t bucket_count() const { return std::size_t{bucket_mask_} + 1; }
    [[nodiscard]] uint32_t capacity() const { return capacity_; }
    [[nodiscard]] uint64_t size() const { return size_.value() + direct_size_.value(); }
    [[nodiscard]] uint64_t moves() const { return moves_.value(); }
    [[nodiscard]] uint64_t full() const { return full_.value(); }  // addresses it had no place for
    // The entries in `count` buckets from `first` on, without the direct table. A caller that reads
    // some buckets at a time may miss an entry that moves meanwhile.
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
    // The second bucket of the key: different from the first, if there is more than one.
    [[nodiscard]] std::size_t second_of(const Probe& probe) const {
        return first_of(probe) ^ ((probe.hash >> 16 | 1) & bucket_mask_);
    }
    // The slots of `bucket` that hold `key`: at most one. Without branches, which could not be
    // predicted.
    static unsigned holders(const Bucket& bucket, Key key) {
        static_assert(slots == 4);
#ifdef __AVX2__
        // One aligned load of four words, each of which the hardware reads whole.
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
    // Which entries of the hashed part a lookup finds: `all`, if no generation has advanced since
    // the last whole sweep; else only valid ones. To be read before the keys: a key that is found
    // after the answer `all` was written, with its entry, after its slot was swept.
    enum class Scope : uint8_t { all, counted };
    [[nodiscard]] Scope scope_now() const {
        return holds_outdated_.load(std::memory_order_acquire) ? Scope::counted : Scope::all;
    }
    // The entry in a slot if the slot holds `key`; empty if the entry is outside `scope`.
    [[nodiscard]] PackedEntry read(const Bucket& bucket, std::size_t slot, Key key,
                                   Scope scope) const {
        std::atomic_thread_fence(std::memory_order_acquire);
        const PackedEntry entry(bucket.entries[slot].load(std::memory_order_acquire));
        // The writer clears a key before it gives its slot to another.
        const uint64_t held = bucket.keys[slot].load(std::memory_order_relaxed);
        if (held != static_cast<uint64_t>(key)) return {};
        return scope == Scope::all || counts(entry, vlan_of(key)) ? entry : PackedEntry{};
    }
    static VlanId vlan_of(Key key) {
        return static_cast<VlanId>(static_cast<uint64_t>(key) >> 48 & 0xFFF);
    }
    // VLAN 0 stands for no VLAN, and is never forgotten.
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
    // Advances a generation that is part of the generation of entries.
    void advance(std::atomic<uint16_t>& generation);

    uint32_t capacity_;
    uint64_t seed_;
    uint32_t bucket_mask_;
    Bucket* buckets_;  // of `table_`: beside what is read with it
    // The hashed part may have invalid entries, as no whole round has swept since a generation
    // advanced. (`outdated_`: one has advanced since the round began, so another round is due.)
    std::atomic<bool> holds_outdated_{false};
    // By owner: for learned entries by port, then for remote and for static entries.
    std::array<std::atomic<uint16_t>, 256> generation_{};
    std::array<std::atomic<uint16_t>, max_vlans> vlan_generation_{};
    HotVector<Bucket> table_;
    DirectTable direct_;
    std::size_t ageing_at_ = 0;  // next bucket of the round, the direct table's behind the others
    uint32_t aged_epoch_ = 0;    // of the last whole round
    bool outdated_ = false;      // something since that round began
    Counter size_;               // of the hashed part
    Counter direct_size_;
    Counter moves_;
    Counter full_;
};

}  // namespace sluice
