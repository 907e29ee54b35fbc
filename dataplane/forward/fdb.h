// Fdb: the forwarding database, (VLAN, address) -> port.
//
// Buckets of 64 octets hold four entries. A key lives in its first bucket, or in its second when
// the first is full, so that nearly every lookup touches one cache line; when both are full an
// entry of theirs moves to its other bucket. One writer, any readers: a reader sees an entry whole
// or not at all, and may for an instant miss one that moves (its frame is then flooded). An entry
// counts only while its generation is its port's, so forgetting a port, or all, is O(1). The age of
// an entry is an epoch of 134 ms, written at most once an epoch.
// Bound: find is two buckets of four, learn at most ten. What finds no place is not learned
// (counted), its frames are flooded, and the entries that exist stay; but a static one takes the
// place of a learned one.
// Follows 802.1Q 8.8 (learning, ageing, static entries before learned ones).
#pragma once

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "dataplane/address.h"
#include "dataplane/counters.h"
#include "dataplane/limits.h"
#include "dataplane/settings.h"
#include "dataplane/units.h"

namespace sluice {

enum class EntryKind : uint8_t { learned, fixed };

struct FdbEntry {
    VlanId vlan;
    MacAddress address;
    PortIndex port;
    EntryKind kind;
    uint32_t epoch;  // of the last frame from it
};

class Fdb {
  public:
    enum class Key : uint64_t {};  // VLAN and address; never 0 for a VLAN of 1 and more

    static constexpr Key key_of(VlanId vlan, MacAddress address) {
        return Key{uint64_t{vlan} << 48 | address.bits};
    }
    static constexpr int epoch_shift = 27;
    static constexpr uint32_t epoch_of(Nanos now) {
        return static_cast<uint32_t>(now.count() >> epoch_shift);
    }
    // Below 0 for what another worker heard when its clock had already reached the next epoch.
    static constexpr Nanos age_of(uint32_t epoch, Nanos now) {
        return Nanos(static_cast<int32_t>(epoch_of(now) - epoch) * (int64_t{1} << epoch_shift));
    }

    // A key, hashed once.
    struct Probe {
        Key key;
        uint64_t hash;
    };
    // What a key is bound to: whose it is (port, and the top bit for a static entry), the
    // generation of that owner, and the epoch of the last frame. Never 0 when there is one, since
    // generations are not.
    class Binding {
      public:
        Binding() = default;  // to nothing
        explicit Binding(uint64_t bits) : bits_(bits) {}
        Binding(PortIndex port, EntryKind kind, uint16_t generation, uint32_t epoch)
            : bits_(uint64_t{kind == EntryKind::fixed} << 63 | uint64_t{port} << 56 |
                    uint64_t{generation} << 32 | epoch) {}

        explicit operator bool() const { return bits_ != 0; }
        [[nodiscard]] PortIndex port() const { return owner() & 0x7F; }
        [[nodiscard]] EntryKind kind() const {
            return bits_ >> 63 != 0 ? EntryKind::fixed : EntryKind::learned;
        }
        [[nodiscard]] uint8_t owner() const { return static_cast<uint8_t>(bits_ >> 56); }
        [[nodiscard]] uint16_t generation() const { return static_cast<uint16_t>(bits_ >> 32); }
        [[nodiscard]] uint32_t epoch() const { return static_cast<uint32_t>(bits_); }
        [[nodiscard]] uint64_t bits() const { return bits_; }
        // What a frame from `port` in `epoch` would bind to: nothing to write if it is this.
        [[nodiscard]] bool is_fresh(PortIndex port, uint32_t epoch) const {
            return bits_ != 0 && owner() == port && static_cast<uint32_t>(bits_) == epoch;
        }

      private:
        uint64_t bits_ = 0;
    };

    Fdb(uint32_t capacity, uint64_t hash_seed);

    // --- any worker -----------------------------------------------------------------------------
    [[nodiscard]] Probe probe(Key key) const {
        uint64_t hash = (static_cast<uint64_t>(key) ^ seed_) * 0x9E37'79B9'7F4A'7C15;
        return {key, (hash ^ hash >> 32) * 0xD6E8'FEB8'6659'FD93};
    }
    void prefetch(const Probe& probe) const { __builtin_prefetch(&buckets_[first_of(probe)]); }
    [[nodiscard]] Binding find(const Probe& probe) const {
        const Bucket& first = buckets_[first_of(probe)];
        if (const unsigned found = holders(first, probe.key)) [[likely]] {
            return read(first, slot_in(found), probe.key);
        }
        const Bucket& second = buckets_[second_of(probe)];
        const unsigned found = holders(second, probe.key);
        return found != 0 ? read(second, slot_in(found), probe.key) : Binding{};
    }

    // --- the writer -----------------------------------------------------------------------------
    // Binds `key` to `port`, or moves it there. False: no place, or a static entry is in the way.
    bool learn(const Probe& probe, PortIndex port, uint32_t epoch);
    bool add_static(Key key, PortIndex port);
    void forget_static();
    void forget_port(PortIndex port);
    void forget_learned();
    // Looks at a few buckets and drops what was not heard for `ageing` (0: never), going on where
    // the last call stopped, one round an epoch at the most.
    void age(Nanos now, Nanos ageing);

    // --- what can be seen -----------------------------------------------------------------------
    [[nodiscard]] std::size_t bucket_count() const { return std::size_t{bucket_mask_} + 1; }
    [[nodiscard]] uint32_t capacity() const { return capacity_; }
    [[nodiscard]] uint64_t size() const { return size_.value(); }
    [[nodiscard]] uint64_t moves() const { return moves_.value(); }
    [[nodiscard]] uint64_t full() const { return full_.value(); }  // addresses it had no place for
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t bucket = 0; bucket < bucket_count(); ++bucket) {
            for (std::size_t slot = 0; slot < slots; ++slot) {
                if (const auto found = entry(buckets_[bucket], slot)) visit(*found);
            }
        }
    }

  private:
    static constexpr std::size_t slots = 4;
    struct alignas(64) Bucket {
        std::array<std::atomic<uint64_t>, slots> keys{};
        std::array<std::atomic<uint64_t>, slots> bindings{};
    };
    static_assert(sizeof(Bucket) == 64);
    struct Place {
        Bucket* bucket;
        std::size_t slot;
    };

    [[nodiscard]] std::size_t first_of(const Probe& probe) const {
        return probe.hash >> 40 & bucket_mask_;
    }
    [[nodiscard]] std::size_t second_of(const Probe& probe) const {
        return probe.hash >> 16 & bucket_mask_;
    }
    // The slots of `bucket` that hold `key`: at most one. Without branches, since which it is
    // cannot be foreseen.
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
        return static_cast<std::size_t>(__builtin_ctz(holders));
    }
    // The binding in a slot while it holds `key`; nothing if it is of a generation gone by.
    [[nodiscard]] Binding read(const Bucket& bucket, std::size_t slot, Key key) const {
        std::atomic_thread_fence(std::memory_order_acquire);
        const Binding binding(bucket.bindings[slot].load(std::memory_order_acquire));
        // The writer clears a key before it gives its slot to another.
        const uint64_t held = bucket.keys[slot].load(std::memory_order_relaxed);
        const bool current =
            held == static_cast<uint64_t>(key) && binding.generation() == generation_of(binding);
        return current ? binding : Binding{};
    }
    [[nodiscard]] uint16_t generation_of(Binding binding) const {
        return generation_[binding.owner()].load(std::memory_order_relaxed);
    }
    [[nodiscard]] Binding occupant(const Bucket& bucket, std::size_t slot) const {
        const Key key{bucket.keys[slot].load(std::memory_order_acquire)};
        return key == Key{} ? Binding{} : read(bucket, slot, key);
    }
    [[nodiscard]] std::optional<FdbEntry> entry(const Bucket& bucket, std::size_t slot) const;

    [[nodiscard]] std::optional<Place> place_of(const Probe& probe);
    [[nodiscard]] std::optional<Place> free_slot(Bucket& bucket) const;
    [[nodiscard]] std::optional<Place> free_place(const Probe& probe);
    [[nodiscard]] std::optional<Place> learned_place(const Probe& probe);
    [[nodiscard]] std::optional<Place> displace(std::size_t index);
    bool write(const Probe& probe, Binding binding);
    void erase(Place place);
    void outdate(uint8_t owner);

    uint32_t capacity_;
    uint64_t seed_;
    uint32_t bucket_mask_;
    std::unique_ptr<Bucket[]> buckets_;
    // Of each owner, from 1: of learned entries by port, then of static ones.
    std::array<std::atomic<uint16_t>, 256> generation_;
    std::size_t ageing_at_ = 0;  // next bucket of the round
    uint32_t aged_epoch_ = 0;    // of the last whole round
    Counter size_;
    Counter moves_;
    Counter full_;
};

}  // namespace sluice
