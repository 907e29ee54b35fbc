// AddressMap: maps addresses of up to 48 bits to values of 16 bits: a station, or an underlay
// address, to its VTEP (vteps.h).
//
// One thread writes and any may read. An entry is one word, so a reader sees all of it or none, and
// no thread waits. An address is stored in one of two buckets of a cache line each, the one that
// had more room; entries do not move.
// Bound: a lookup reads two cache lines. The constructor allocates all memory: two places for each
// of `capacity` entries. If both buckets of an address are full, `set` returns false.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dataplane/forward/hash.h"

namespace sluice {

class AddressMap {
  public:
    AddressMap(std::size_t capacity, uint64_t seed)
        : seed_(seed), buckets_(std::bit_ceil(std::max(2 * capacity, width)) / width) {}

    // --- any thread -----------------------------------------------------------------------------
    // Returns the value of an address, if there is one. Address 0 is invalid; it marks free places.
    [[nodiscard]] std::optional<uint16_t> find(uint64_t address) const {
        if (address == 0) return std::nullopt;
        const uint64_t hash = hash_of(address, seed_);
        for (const Bucket* bucket : {&buckets_[first(hash)], &buckets_[second(hash)]}) {
            for (const Place& place : bucket->places) {
                const uint64_t word = place.load(std::memory_order_acquire);
                if (word >> value_bits == address) return static_cast<uint16_t>(word);
            }
        }
        return std::nullopt;
    }
    // Calls visit(address, value) for each entry.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Bucket& bucket : buckets_) {
            for (const Place& place : bucket.places) {
                const uint64_t word = place.load(std::memory_order_acquire);
                if (word != 0) visit(word >> value_bits, static_cast<uint16_t>(word));
            }
        }
    }

    // --- the writer -----------------------------------------------------------------------------
    // Sets the value of an address. Returns false, without a change, if there is no place for it.
    bool set(uint64_t address, uint16_t value) {
        if (address == 0) return false;
        Place* place = place_of(address);
        if (place == nullptr) place = free_place(address);
        if (place == nullptr) return false;
        place->store(address << value_bits | value, std::memory_order_release);
        return true;
    }
    // Replaces an entry in the address's first bucket, each time the one in the next place.
    void displace(uint64_t address, uint16_t value) {
        Place& place = buckets_[first(hash_of(address, seed_))].places[hand_++ % width];
        place.store(address << value_bits | value, std::memory_order_release);
    }
    // Reviews `count` buckets from `from` on: visit(value) returns the new value of an address, or
    // none to remove it. Returns the next bucket; 0 after the last.
    template <class Visit>
    std::size_t review(std::size_t from, std::size_t count, Visit visit) {
        const std::size_t end = std::min(from + count, buckets_.size());
        for (std::size_t bucket = from; bucket < end; ++bucket) {
            for (Place& place : buckets_[bucket].places) {
                const uint64_t word = place.load(std::memory_order_relaxed);
                if (word == 0) continue;
                const std::optional<uint16_t> next = visit(static_cast<uint16_t>(word));
                const uint64_t new_word = next ? word >> value_bits << value_bits | *next : 0;
                if (new_word != word) place.store(new_word, std::memory_order_release);
            }
        }
        return end == buckets_.size() ? 0 : end;
    }
    void remove(uint64_t address) {
        if (Place* const place = place_of(address)) place->store(0, std::memory_order_release);
    }

  private:
    static constexpr std::size_t width = 8;  // words of a cache line
    static constexpr unsigned value_bits = 16;
    using Place = std::atomic<uint64_t>;
    struct alignas(64) Bucket {
        std::array<Place, width> places{};
    };

    [[nodiscard]] std::size_t first(uint64_t hash) const {
        return hash >> 40 & (buckets_.size() - 1);
    }
    [[nodiscard]] std::size_t second(uint64_t hash) const {
        return hash >> 16 & (buckets_.size() - 1);
    }
    Place* place_of(uint64_t address) {
        const uint64_t hash = hash_of(address, seed_);
        for (Bucket* bucket : {&buckets_[first(hash)], &buckets_[second(hash)]}) {
            for (Place& place : bucket->places) {
                if (place.load(std::memory_order_relaxed) >> value_bits == address) return &place;
            }
        }
        return nullptr;
    }
    // Returns a free place in the bucket that has more of them; null if neither has any.
    Place* free_place(uint64_t address) {
        const uint64_t hash = hash_of(address, seed_);
        Place* found = nullptr;
        std::size_t most = 0;
        for (Bucket* bucket : {&buckets_[first(hash)], &buckets_[second(hash)]}) {
            std::size_t free = 0;
            Place* one = nullptr;
            for (Place& place : bucket->places) {
                if (place.load(std::memory_order_relaxed) != 0) continue;
                ++free;
                one = &place;
            }
            if (free <= most) continue;
            most = free;
            found = one;
        }
        return found;
    }

    uint64_t seed_;
    std::vector<Bucket> buckets_;
    std::size_t hand_ = 0;
};

}  // namespace sluice
