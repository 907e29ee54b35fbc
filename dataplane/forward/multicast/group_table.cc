#include "dataplane/forward/multicast/group_table.h"

#include <bit>
#include <cassert>

namespace sluice {

// There are twice as many chains as entries, so that most chains have at most one entry.
GroupTable::GroupTable(uint32_t capacity, uint64_t hash_seed)
    : capacity_(capacity),
      seed_(hash_seed),
      chain_mask_(std::bit_ceil(capacity * 2) - 1),
      heads_(std::make_unique<std::atomic<Number>[]>(std::size_t{chain_mask_} + 1)),
      entries_(std::make_unique<Entry[]>(capacity)) {
    for (std::size_t chain = 0; chain <= chain_mask_; ++chain) {
        heads_[chain].store(none, std::memory_order_relaxed);
    }
    free_.reserve(capacity);
    for (Number number = capacity; number > 0; --number) free_.push_back(number - 1);
}

GroupTable::Number GroupTable::number_of(Key key) const {
    Number at = heads_[chain_of(key)].load(std::memory_order_relaxed);
    while (at != none && key_at(at) != key) at = entries_[at].next.load(std::memory_order_relaxed);
    return at;
}

GroupTable::Number GroupTable::add(Key key, PortSet ports, PortSet fixed) {
    assert(key != Key{} && number_of(key) == none);
    if (free_.empty()) return none;
    const Number number = free_.back();
    free_.pop_back();
    Entry& entry = entries_[number];
    std::atomic<Number>& head = heads_[chain_of(key)];
    set_last_report(number, Nanos(0));
    set_ports(number, ports, fixed);
    entry.next.store(head.load(std::memory_order_relaxed), std::memory_order_release);
    entry.key.store(key, std::memory_order_release);
    head.store(number, std::memory_order_release);
    size_.add(1);
    return number;
}

void GroupTable::remove(Number number) {
    assert(key_at(number) != Key{} && "a group is removed once");
    Entry& entry = entries_[number];
    std::atomic<Number>* link = &heads_[chain_of(key_at(number))];
    while (link->load(std::memory_order_relaxed) != number) {
        assert(link->load(std::memory_order_relaxed) != none);
        link = &entries_[link->load(std::memory_order_relaxed)].next;
    }
    link->store(entry.next.load(std::memory_order_relaxed), std::memory_order_release);
    entry.key.store(Key{}, std::memory_order_release);
    free_.push_back(number);
    size_.subtract(1);
    assert(size_.value() + free_.size() == capacity_);
}

std::optional<GroupEntry> GroupTable::entry(const Entry& entry) {
    const Key key = entry.key.load(std::memory_order_acquire);
    const auto bits = static_cast<uint64_t>(key);
    const GroupEntry found{.family = static_cast<FormatFamily>(bits >> 60),
                           .vlan = static_cast<VlanId>(bits >> 48 & 0xFFF),
                           .address = {bits & 0xFFFF'FFFF'FFFF},
                           .ports = entry.ports.load(std::memory_order_acquire),
                           .fixed = entry.fixed.load(std::memory_order_relaxed),
                           .last_report = Nanos(entry.last_report.load(std::memory_order_relaxed))};
    const bool still = key != Key{} && entry.key.load(std::memory_order_relaxed) == key;
    return still ? std::optional(found) : std::nullopt;
}

}  // namespace sluice
