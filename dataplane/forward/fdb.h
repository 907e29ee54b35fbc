// Fdb: the forwarding database, (VLAN, address) -> port.
//
// Buckets of 64 octets hold four entries; a key has two buckets to be in (two-choice hashing), so a
// lookup touches at most two cache lines and `prefetch` asks for both. One writer, any readers: a
// reader sees an entry whole or not at all. An entry counts only while its generation is its
// port's, so forgetting a port, or all, is O(1); the age of an entry is an epoch of 134 ms, written
// at most once an epoch.
// Bound: find is two buckets of four. Nothing is moved about: when both buckets are full the oldest
// thing that may go is not looked for, the address is simply not learned (counted) and its frames
// are flooded.
// Follows 802.1Q 8.8 (learning, ageing, static entries before learned ones).
#pragma once

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
    VlanId vlan = 0;
    MacAddress address;
    PortIndex port = 0;
    EntryKind kind = EntryKind::learned;
    uint32_t epoch = 0;  // of the last frame from it
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
    static constexpr Nanos age_of(uint32_t epoch, Nanos now) {
        return Nanos(int64_t{epoch_of(now) - epoch} << epoch_shift);
    }

    Fdb(uint32_t capacity, uint64_t hash_seed);

    // --- any worker -----------------------------------------------------------------------------
    void prefetch(Key key) const {
        __builtin_prefetch(&buckets_[first_bucket(key)]);
        __builtin_prefetch(&buckets_[second_bucket(key)]);
    }
    [[nodiscard]] std::optional<FdbEntry> find(Key key) const;

    // --- the writer -----------------------------------------------------------------------------
    // Binds `key` to `port`, or moves it there. False: no place, or a static entry is in the way.
    bool learn(Key key, PortIndex port, uint32_t epoch);
    bool add_static(Key key, PortIndex port);
    void forget_port(PortIndex port);
    void forget_learned();
    // Looks at a few buckets and drops what was not heard for `ageing` (0: never), going on where
    // the last call stopped, one round an epoch at the most.
    void age(Nanos now, Nanos ageing);

    // --- what can be seen -----------------------------------------------------------------------
    [[nodiscard]] std::size_t bucket_count() const { return bucket_mask_ + 1; }
    [[nodiscard]] uint32_t capacity() const { return capacity_; }
    [[nodiscard]] uint64_t size() const { return size_.value(); }
    [[nodiscard]] uint64_t moves() const { return moves_.value(); }
    [[nodiscard]] uint64_t full() const { return full_.value(); }  // addresses it had no place for
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t bucket = 0; bucket < bucket_count(); ++bucket) {
            for (std::size_t slot = 0; slot < slots; ++slot) {
                if (const auto entry = read(buckets_[bucket], slot)) visit(*entry);
            }
        }
    }

  private:
    static constexpr std::size_t slots = 4;
    struct alignas(64) Bucket {
        std::array<std::atomic<uint64_t>, slots> keys{};
        // port (8), kind (8), generation (16), epoch (32), from the top
        std::array<std::atomic<uint64_t>, slots> values{};
    };
    struct Place {
        Bucket* bucket;
        std::size_t slot;
    };

    [[nodiscard]] uint64_t mix(Key key) const {
        uint64_t hash = (static_cast<uint64_t>(key) ^ seed_) * 0x9E37'79B9'7F4A'7C15;
        hash ^= hash >> 32;
        return hash * 0xD6E8'FEB8'6659'FD93;
    }
    [[nodiscard]] std::size_t first_bucket(Key key) const { return mix(key) >> 40 & bucket_mask_; }
    [[nodiscard]] std::size_t second_bucket(Key key) const { return mix(key) >> 16 & bucket_mask_; }
    [[nodiscard]] uint16_t generation_of(PortIndex port, EntryKind kind) const {
        return kind == EntryKind::fixed ? uint16_t{0}
                                        : generation_[port].load(std::memory_order_relaxed);
    }
    [[nodiscard]] uint64_t pack(PortIndex port, EntryKind kind, uint32_t epoch) const {
        return uint64_t{port} << 56 | uint64_t{static_cast<uint8_t>(kind)} << 48 |
               uint64_t{generation_of(port, kind)} << 32 | epoch;
    }
    [[nodiscard]] std::optional<FdbEntry> read(const Bucket& bucket, std::size_t slot) const;
    [[nodiscard]] std::optional<Place> place_of(Key key);
    [[nodiscard]] std::optional<Place> free_place(Key key);
    bool write(Key key, PortIndex port, EntryKind kind, uint32_t epoch);
    void erase(Place place);

    uint32_t capacity_;
    uint64_t seed_;
    std::size_t bucket_mask_;
    std::unique_ptr<Bucket[]> buckets_;
    std::array<std::atomic<uint16_t>, max_ports> generation_{};
    std::size_t ageing_at_ = 0;  // next bucket of the round
    uint32_t aged_epoch_ = 0;    // of the last whole round
    Counter size_;
    Counter moves_;
    Counter full_;
};

}  // namespace sluice
