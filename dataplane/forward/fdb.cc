#include "dataplane/forward/fdb.h"

#include <algorithm>
#include <bit>

namespace sluice {
namespace {

constexpr std::size_t buckets_a_call = 16;

constexpr PortIndex port_of(uint64_t value) { return static_cast<PortIndex>(value >> 56); }
constexpr EntryKind kind_of(uint64_t value) {
    return static_cast<EntryKind>(static_cast<uint8_t>(value >> 48));
}
constexpr uint16_t generation_in(uint64_t value) { return static_cast<uint16_t>(value >> 32); }

}  // namespace

// Twice as many slots as entries: with two choices hardly any address then finds no place.
Fdb::Fdb(uint32_t capacity, uint64_t hash_seed)
    : capacity_(capacity),
      seed_(hash_seed),
      bucket_mask_(std::bit_ceil(std::size_t{capacity} * 2 / slots) - 1),
      buckets_(std::make_unique<Bucket[]>(bucket_mask_ + 1)) {}

std::optional<FdbEntry> Fdb::read(const Bucket& bucket, std::size_t slot) const {
    const uint64_t key = bucket.keys[slot].load(std::memory_order_acquire);
    if (key == 0) return {};
    const uint64_t value = bucket.values[slot].load(std::memory_order_acquire);
    // The writer clears a key before it gives the slot to another.
    if (bucket.keys[slot].load(std::memory_order_relaxed) != key) return {};
    if (generation_in(value) != generation_of(port_of(value), kind_of(value))) return {};
    return FdbEntry{.vlan = static_cast<VlanId>(key >> 48),
                    .address = {key & 0xFFFF'FFFF'FFFF},
                    .port = port_of(value),
                    .kind = kind_of(value),
                    .epoch = static_cast<uint32_t>(value)};
}

std::optional<FdbEntry> Fdb::find(Key key) const {
    for (const std::size_t index : {first_bucket(key), second_bucket(key)}) {
        const Bucket& bucket = buckets_[index];
        for (std::size_t slot = 0; slot < slots; ++slot) {
            if (bucket.keys[slot].load(std::memory_order_relaxed) == static_cast<uint64_t>(key)) {
                return read(bucket, slot);
            }
        }
    }
    return {};
}

std::optional<Fdb::Place> Fdb::place_of(Key key) {
    for (const std::size_t index : {first_bucket(key), second_bucket(key)}) {
        Bucket& bucket = buckets_[index];
        for (std::size_t slot = 0; slot < slots; ++slot) {
            if (bucket.keys[slot].load(std::memory_order_relaxed) == static_cast<uint64_t>(key)) {
                return Place{&bucket, slot};
            }
        }
    }
    return {};
}

// The emptier of the two buckets gets the new entry. What a forgotten port left counts as empty.
std::optional<Fdb::Place> Fdb::free_place(Key key) {
    std::optional<Place> best;
    std::size_t most_free = 0;
    for (const std::size_t index : {first_bucket(key), second_bucket(key)}) {
        Bucket& bucket = buckets_[index];
        std::size_t free = 0;
        std::size_t last = 0;
        for (std::size_t slot = 0; slot < slots; ++slot) {
            if (read(bucket, slot)) continue;
            ++free;
            last = slot;
        }
        if (free > most_free) {
            most_free = free;
            best = Place{&bucket, last};
        }
    }
    return best;
}

void Fdb::erase(Place place) {
    if (place.bucket->keys[place.slot].load(std::memory_order_relaxed) == 0) return;
    place.bucket->keys[place.slot].store(0, std::memory_order_release);
    size_.subtract(1);
}

bool Fdb::write(Key key, PortIndex port, EntryKind kind, uint32_t epoch) {
    if (const auto place = place_of(key)) {
        place->bucket->values[place->slot].store(pack(port, kind, epoch),
                                                 std::memory_order_release);
        return true;
    }
    const auto place = size_.value() < capacity_ ? free_place(key) : std::nullopt;
    if (!place) {
        full_.add(1);
        return false;
    }
    erase(*place);
    place->bucket->values[place->slot].store(pack(port, kind, epoch), std::memory_order_release);
    place->bucket->keys[place->slot].store(static_cast<uint64_t>(key), std::memory_order_release);
    size_.add(1);
    return true;
}

bool Fdb::learn(Key key, PortIndex port, uint32_t epoch) {
    if (const auto known = find(key)) {
        if (known->kind == EntryKind::fixed) return known->port == port;
        if (known->port != port) moves_.add(1);
    }
    return write(key, port, EntryKind::learned, epoch);
}

bool Fdb::add_static(Key key, PortIndex port) { return write(key, port, EntryKind::fixed, 0); }

void Fdb::forget_port(PortIndex port) {
    const uint16_t generation = generation_[port].load(std::memory_order_relaxed);
    generation_[port].store(static_cast<uint16_t>(generation + 1), std::memory_order_release);
}

void Fdb::forget_learned() {
    for (PortIndex port = 0; port < max_ports; ++port) forget_port(port);
}

void Fdb::age(Nanos now, Nanos ageing) {
    const uint32_t epoch = epoch_of(now);
    if (ageing_at_ == 0 && aged_epoch_ == epoch) return;
    aged_epoch_ = epoch;
    const std::size_t end = std::min(ageing_at_ + buckets_a_call, bucket_count());
    for (; ageing_at_ < end; ++ageing_at_) {
        Bucket& bucket = buckets_[ageing_at_];
        for (std::size_t slot = 0; slot < slots; ++slot) {
            const auto entry = read(bucket, slot);
            const bool stays = entry && (entry->kind == EntryKind::fixed || ageing.count() == 0 ||
                                         age_of(entry->epoch, now) < ageing);
            if (!stays) erase({&bucket, slot});
        }
    }
    if (ageing_at_ == bucket_count()) ageing_at_ = 0;
}

}  // namespace sluice
