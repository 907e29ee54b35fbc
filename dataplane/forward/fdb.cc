#include "dataplane/forward/fdb.h"

#include <bit>
#include <cassert>

namespace sluice {
namespace {

constexpr std::size_t buckets_a_call = 16;
constexpr std::size_t slots_a_step = 4;  // slots of the direct table that count as a bucket

}  // namespace

// Twice as many slots as entries, so that first buckets are seldom full.
Fdb::Fdb(uint32_t capacity, uint64_t hash_seed, std::span<const DirectTable::Page> pages)
    : capacity_(capacity),
      seed_(hash_seed),
      bucket_mask_(std::bit_ceil(capacity * 2 / static_cast<uint32_t>(slots)) - 1),
      table_(bucket_count()),
      direct_(pages) {
    buckets_ = table_.data();
}

std::optional<FdbEntry> Fdb::entry(const Bucket& bucket, std::size_t slot) const {
    const Scope scope = scope_now();
    const uint64_t key = bucket.keys[slot].load(std::memory_order_acquire);
    const PackedEntry entry = key == 0 ? PackedEntry{} : read(bucket, slot, Key{key}, scope);
    if (!entry) return {};
    return FdbEntry{.family = static_cast<FormatFamily>(key >> 60),
                    .vlan = static_cast<VlanId>(key >> 48 & 0xFFF),
                    .address = {key & 0xFFFF'FFFF'FFFF},
                    .port = entry.port(),
                    .kind = entry.kind(),
                    .epoch = entry.epoch()};
}

FdbEntry Fdb::direct_entry(std::size_t slot, PackedEntry entry) const {
    return {.family = direct_.page_at(slot).family,
            .vlan = direct_.page_at(slot).vlan,
            .address = {slot % DirectTable::ids},
            .port = entry.port(),
            .kind = entry.kind(),
            .epoch = entry.epoch()};
}

void Fdb::write_direct(std::size_t slot, PackedEntry entry) {
    const bool was_there{direct_.read(slot)};
    if (entry && !was_there) direct_size_.add(1);
    if (!entry && was_there) direct_size_.subtract(1);
    direct_.write(slot, entry);
}

std::optional<Fdb::Place> Fdb::place_of(const Probe& probe) {
    for (const std::size_t index : {first_of(probe), second_of(probe)}) {
        Bucket& bucket = buckets_[index];
        if (const unsigned found = holders(bucket, probe.key)) {
            return Place{&bucket, slot_in(found)};
        }
    }
    return {};
}

// An outdated slot, left behind by a forgotten port or VLAN, counts as free and is preferred to an
// empty slot: a full table can reuse an outdated slot but not take another empty one.
std::optional<Fdb::Place> Fdb::free_slot(Bucket& bucket) const {
    std::optional<Place> free;
    for (std::size_t slot = 0; slot < slots; ++slot) {
        if (occupant(bucket, slot)) continue;
        if (bucket.keys[slot].load(std::memory_order_relaxed) != 0) return Place{&bucket, slot};
        free = Place{&bucket, slot};
    }
    return free;
}

std::optional<Fdb::Place> Fdb::free_place(const Probe& probe) {
    for (const std::size_t index : {first_of(probe), second_of(probe)}) {
        if (const auto place = free_slot(buckets_[index])) return place;
    }
    for (const std::size_t index : {first_of(probe), second_of(probe)}) {
        if (const auto place = displace(index)) return place;
    }
    return {};
}

// Returns the place of a learned entry, which a static or remote entry replaces.
std::optional<Fdb::Place> Fdb::learned_place(const Probe& probe) {
    for (const std::size_t index : {first_of(probe), second_of(probe)}) {
        Bucket& bucket = buckets_[index];
        for (std::size_t slot = 0; slot < slots; ++slot) {
            const PackedEntry entry = occupant(bucket, slot);
            if (entry && entry.kind() == EntryKind::learned) return Place{&bucket, slot};
        }
    }
    return {};
}

// Frees a slot of a full bucket by moving one of the entries to the entry's other bucket: the copy
// is written before the original is removed.
std::optional<Fdb::Place> Fdb::displace(std::size_t index) {
    Bucket& bucket = buckets_[index];
    for (std::size_t slot = 0; slot < slots; ++slot) {
        const uint64_t key = bucket.keys[slot].load(std::memory_order_relaxed);
        const Probe other = probe(Key{key});
        const std::size_t elsewhere = first_of(other) == index ? second_of(other) : first_of(other);
        const auto target = free_slot(buckets_[elsewhere]);
        if (!target) continue;
        assert(elsewhere != index && target->bucket != &bucket);
        erase(*target);
        target->bucket->entries[target->slot].store(
            bucket.entries[slot].load(std::memory_order_relaxed), std::memory_order_release);
        target->bucket->keys[target->slot].store(key, std::memory_order_release);
        bucket.keys[slot].store(0, std::memory_order_release);
        return Place{&bucket, slot};
    }
    return {};
}

void Fdb::erase(Place place) {
    if (place.bucket->keys[place.slot].load(std::memory_order_relaxed) == 0) return;
    place.bucket->keys[place.slot].store(0, std::memory_order_release);
    size_.subtract(1);
}

bool Fdb::write(const Probe& probe, PackedEntry entry) {
    if (const std::size_t slot = slot_of(probe.key); slot != DirectTable::no_slot) {
        write_direct(slot, entry);
        return true;
    }
    if (const auto place = place_of(probe)) {
        place->bucket->entries[place->slot].store(entry.bits(), std::memory_order_release);
        return true;
    }
    auto place = free_place(probe);
    const bool is_static = entry.kind() == EntryKind::fixed;
    // A full table accepts entries that replace outdated ones, and static entries, which are few
    // and explicitly configured.
    const bool grows = place && place->bucket->keys[place->slot].load() == 0;
    if (grows && !is_static && size_.value() >= capacity_) place.reset();
    if (!place && entry.kind() != EntryKind::learned) place = learned_place(probe);
    if (!place) {
        full_.add(1);
        return false;
    }
    erase(*place);
    place->bucket->entries[place->slot].store(entry.bits(), std::memory_order_release);
    place->bucket->keys[place->slot].store(static_cast<uint64_t>(probe.key),
                                           std::memory_order_release);
    size_.add(1);
    assert(size_.value() <= bucket_count() * slots);
    return true;
}

bool Fdb::has_place(const Probe& probe) const {
    if (slot_of(probe.key) != DirectTable::no_slot || size_.value() < capacity_) return true;
    for (const std::size_t index : {first_of(probe), second_of(probe)}) {
        const Bucket& bucket = buckets_[index];
        for (std::size_t slot = 0; slot < slots; ++slot) {
            const bool outdated =
                bucket.keys[slot].load(std::memory_order_relaxed) != 0 && !occupant(bucket, slot);
            if (outdated) return true;
        }
    }
    return false;
}

bool Fdb::learn(const Probe& probe, PortIndex port, uint32_t epoch) {
    if (const PackedEntry known = find_either(probe)) {
        if (known.kind() == EntryKind::fixed) return known.port() == port;
        if (known.port() != port) moves_.add(1);
    }
    const uint16_t generation = generation_of(port, vlan_of(probe.key));
    return write(probe, PackedEntry(port, EntryKind::learned, generation, epoch));
}

bool Fdb::add_static(Key key, PortIndex port) {
    const uint16_t generation = generation_of(PackedEntry::fixed_owner | port, vlan_of(key));
    return write(probe(key), PackedEntry(port, EntryKind::fixed, generation, 0));
}

bool Fdb::bind_remote(const Probe& probe, PortIndex port) {
    if (const PackedEntry known = find_either(probe)) {
        if (known.kind() == EntryKind::fixed) return false;
        if (known.port() != port) moves_.add(1);
    }
    const uint8_t owner = PackedEntry::owner_of(port, EntryKind::remote);
    const uint16_t generation = generation_of(owner, vlan_of(probe.key));
    return write(probe, PackedEntry(port, EntryKind::remote, generation, 0));
}

void Fdb::forget(const Probe& probe, bool even_learned) {
    const PackedEntry known = find_either(probe);
    if (!known || known.kind() == EntryKind::fixed) return;
    if (known.kind() == EntryKind::learned && !even_learned) return;
    if (const std::size_t slot = slot_of(probe.key); slot != DirectTable::no_slot) {
        return write_direct(slot, PackedEntry{});
    }
    if (const auto place = place_of(probe)) erase(*place);
}

void Fdb::forget_static() {
    for (PortIndex port = 0; port < max_ports; ++port) {
        advance(generation_[PackedEntry::fixed_owner | port]);
    }
}

void Fdb::forget_port(PortIndex port) {
    assert(port < max_ports);
    advance(generation_[port]);
}

void Fdb::forget_vlan(VlanId vlan) {
    assert(0 < vlan && vlan < max_vlans);
    advance(vlan_generation_[vlan]);
}

void Fdb::advance(std::atomic<uint16_t>& generation) {
    holds_outdated_.store(true, std::memory_order_release);
    const uint16_t before = generation.load(std::memory_order_relaxed);
    generation.store(static_cast<uint16_t>(before + 1), std::memory_order_release);
    outdated_ = true;
}

void Fdb::age(Nanos now, Nanos ageing, PortSet sticky) {
    const uint32_t epoch = epoch_of(now);
    if (!is_to_age(now)) return;
    if (ageing_at_ == 0) outdated_ = false;
    aged_epoch_ = epoch;
    const std::size_t steps = bucket_count() + direct_.slots() / slots_a_step;
    assert(ageing_at_ < steps);
    const std::size_t end = std::min(ageing_at_ + buckets_a_call, steps);
    const AgedOut aged_out{now, ageing, sticky};
    for (; ageing_at_ < end; ++ageing_at_) {
        if (ageing_at_ < bucket_count()) {
            age_bucket(buckets_[ageing_at_], aged_out);
        } else {
            age_direct((ageing_at_ - bucket_count()) * slots_a_step, aged_out);
        }
    }
    if (ageing_at_ < steps) return;
    ageing_at_ = 0;
    if (!outdated_) holds_outdated_.store(false, std::memory_order_release);
}

void Fdb::age_bucket(Bucket& bucket, const AgedOut& aged_out) {
    for (std::size_t slot = 0; slot < slots; ++slot) {
        const PackedEntry entry = occupant(bucket, slot);
        if (!entry || aged_out(entry)) erase({&bucket, slot});
    }
}

void Fdb::age_direct(std::size_t first, const AgedOut& aged_out) {
    for (std::size_t slot = first; slot < first + slots_a_step; ++slot) {
        const PackedEntry entry = read_direct(slot, direct_.page_at(slot).vlan);
        if (!entry || aged_out(entry)) write_direct(slot, PackedEntry{});
    }
}

}  // namespace sluice
