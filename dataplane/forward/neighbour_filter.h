// NeighbourFilter: selects the ARP and neighbour discovery packets for control: requests for the IP
// addresses that control answers (ARP and ND suppression, RFC 9161), and packets from stations that
// control does not know yet.
//
// Control writes, any worker reads, and neither waits; each entry is one word. A word is the hash
// of (VLAN, IP address) for an address that control answers, or of (VLAN, IP address, MAC address,
// router or not) for a station that control knows. Two entries with the same word cannot be
// distinguished: one pair in 2^63. To find such a pair on purpose is as hard as to find addresses
// that collide in the FDB.
// Bound: a lookup reads two cache lines. The constructor allocates all memory: two places for each
// of `capacity` entries. A word that finds no place in its two buckets is refused.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dataplane/forward/hash.h"
#include "dataplane/types/ip_address.h"
#include "dataplane/types/limits.h"

namespace sluice {

class NeighbourFilter {
  public:
    NeighbourFilter(std::size_t capacity, uint64_t seed)
        : seed_(seed), buckets_(capacity == 0 ? 0 : std::bit_ceil(2 * capacity) / width + 1) {}

    [[nodiscard]] bool is_on() const { return !buckets_.empty(); }

    // Return the word of an address that control answers, and of a known station; never 0.
    [[nodiscard]] uint64_t answered(VlanId vlan, const IpAddress& ip) const {
        return word_of(vlan, ip) | 1;
    }
    [[nodiscard]] uint64_t known(VlanId vlan, const IpAddress& ip, MacAddress mac,
                                 bool router) const {
        return mixed(word_of(vlan, ip), mac.bits << 1 | (router ? 1U : 0U)) | 1;
    }

    [[nodiscard]] bool has(uint64_t word) const {
        return holds(buckets_[first(word)], word) || holds(buckets_[second(word)], word);
    }
    // Adds a word; returns false if there is no place. The caller must not add a word twice. Called
    // by control, as `remove` is.
    bool add(uint64_t word) {
        Bucket& one = buckets_[first(word)];
        Bucket& other = buckets_[second(word)];
        return replace(held(other) < held(one) ? other : one, 0, word);
    }
    void remove(uint64_t word) {
        if (!replace(buckets_[first(word)], word, 0)) replace(buckets_[second(word)], word, 0);
    }

  private:
    static constexpr std::size_t width = 8;  // words of a cache line
    using Place = std::atomic<uint64_t>;
    struct alignas(64) Bucket {
        std::array<Place, width> places{};
    };

    static bool holds(const Bucket& bucket, uint64_t word) {
        for (const Place& place : bucket.places) {
            if (place.load(std::memory_order_relaxed) == word) return true;
        }
        return false;
    }
    static std::ptrdiff_t held(const Bucket& bucket) {
        return std::ranges::count_if(bucket.places, [](const Place& place) {
            return place.load(std::memory_order_relaxed) != 0;
        });
    }
    static bool replace(Bucket& bucket, uint64_t word, uint64_t by) {
        for (Place& place : bucket.places) {
            if (place.load(std::memory_order_relaxed) != word) continue;
            place.store(by, std::memory_order_relaxed);
            return true;
        }
        return false;
    }
    [[nodiscard]] uint64_t word_of(VlanId vlan, const IpAddress& ip) const {
        uint64_t sum = hash_of(uint64_t{vlan} << 48, seed_);
        if (const auto* const ipv4 = std::get_if<Ipv4Address>(&ip)) {
            return hash_of(ipv4->bits, sum);
        }
        const auto& octets = std::get_if<Ipv6Address>(&ip)->octets;
        for (std::size_t at = 0; at < octets.size(); at += 4) {
            sum = mixed(sum, read_32(&octets[at]));
        }
        return hash_of(octets.size(), sum);
    }
    [[nodiscard]] std::size_t first(uint64_t word) const {
        return hash_of(word, seed_) % buckets_.size();
    }
    [[nodiscard]] std::size_t second(uint64_t word) const {
        return hash_of(word, ~seed_) % buckets_.size();
    }

    uint64_t seed_;
    std::vector<Bucket> buckets_;
};

}  // namespace sluice
