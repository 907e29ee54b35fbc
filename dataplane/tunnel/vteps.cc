#include "dataplane/tunnel/vteps.h"

#include <algorithm>

namespace sluice {

// An AddressMap has two places for each entry of its capacity. The capacity of `sources_` is twice
// the number of VTEPs, so that the source of each VTEP finds one of four places.
Vteps::Vteps(const VlanVni& network, std::size_t stations, bool learns, uint64_t seed)
    : network_(network), learns_(learns), sources_(2 * most, seed), stations_(stations, seed) {
    for (std::size_t slot = 0; slot < most; ++slot) {
        slots_[slot].state.store(static_cast<uint32_t>(slot), std::memory_order_relaxed);
        free_[slot] = static_cast<uint16_t>(slot);
    }
}

std::optional<VtepId> Vteps::add(Ipv4Address remote) {
    if (const auto there = sources_.find(remote.bits)) return there;
    if (count_ == most) return std::nullopt;
    const uint16_t place = free_[first_free_];
    Slot& slot = slots_[place];
    // The next identifier of this slot.
    const auto id = static_cast<VtepId>((slot.id() + most) & name_bits);
    if (!sources_.set(remote.bits, id)) return std::nullopt;
    first_free_ = (first_free_ + 1) % most;
    ++count_;
    before_[place] = counted(place);
    slot.remote.store(remote.bits, std::memory_order_relaxed);
    const uint64_t number = added_.load(std::memory_order_relaxed) + 1;
    slot.added.store(number, std::memory_order_relaxed);
    added_.store(number, std::memory_order_release);
    slot.state.store(Slot::is_taken | id, std::memory_order_release);
    return id;
}

void Vteps::remove(VtepId id) {
    Slot& slot = slots_[slot_of(id)];
    if (!slot.is(id)) return;
    set_flooded(id, false);
    set_next_hop(id, {});
    slot.state.store(id, std::memory_order_release);
    sources_.remove(slot.remote.load(std::memory_order_relaxed));
    free_[(first_free_ + most - count_) % most] = static_cast<uint16_t>(slot_of(id));
    --count_;
}

void Vteps::set_next_hop(VtepId id, MacAddress address) {
    slots_[slot_of(id)].next_hop.store(address.bits, std::memory_order_release);
}

void Vteps::set_flooded(VtepId id, bool flooded) {
    std::atomic<uint64_t>& word = flooded_[slot_of(id) / 64];
    const uint64_t bit = uint64_t{1} << slot_of(id) % 64;
    const uint64_t before = word.load(std::memory_order_relaxed);
    word.store(flooded ? before | bit : before & ~bit, std::memory_order_release);
}

bool Vteps::bind(MacAddress station, VtepId id) {
    if (stations_.set(station.bits, id)) return true;
    left_out_.add(1);
    return false;
}

void Vteps::learn(MacAddress station, VtepId id) {
    const uint16_t value = id | is_fresh;
    if (station.bits == 0 || station.is_group() || stations_.find(station.bits) == value) return;
    if (stations_.set(station.bits, value)) return;
    stations_.displace(station.bits, value);
    displaced_.add(1);
}

// Begins a round if one was ordered. A round that forgets has precedence, and replaces one that has
// begun.
void Vteps::begin_round() {
    if (const uint64_t wanted = flushes_wanted_.value(); flushes_begun_ != wanted) {
        flushes_begun_ = wanted;
        round_ = Round::forgetting;
        round_at_ = 0;
    } else if (const uint64_t rounds = rounds_wanted_.value();
               round_ == Round::none && rounds_begun_ != rounds) {
        rounds_begun_ = rounds;
        round_ = Round::ageing;
    }
}

void Vteps::age_some() {
    begin_round();
    if (round_ == Round::none) return;
    const auto aged = [this](uint16_t value) -> std::optional<uint16_t> {
        if (round_ == Round::forgetting || (value & is_fresh) == 0) return std::nullopt;
        return static_cast<uint16_t>(value & name_bits);
    };
    round_at_ = stations_.review(round_at_, buckets_a_poll, aged);
    if (round_at_ == 0) round_ = Round::none;
}

// The acquire load of a VTEP's bit makes visible what was written before the bit was set.
std::size_t Vteps::next_flooded(std::size_t slot, uint64_t by_then) const {
    while (slot < most) {
        const uint64_t rest = flooded_[slot / 64].load(std::memory_order_acquire) >> slot % 64;
        if (rest == 0) {
            slot = (slot / 64 + 1) * 64;
            continue;
        }
        slot += static_cast<std::size_t>(std::countr_zero(rest));
        if (slots_[slot].added.load(std::memory_order_relaxed) <= by_then) return slot;
        ++slot;
    }
    return none;
}

Vteps::Passed Vteps::counted(std::size_t slot) const {
    const Counts& counts = slots_[slot].counts;
    return {.sent = counts.sent.value(),
            .sent_octets = counts.sent_octets.value(),
            .received = counts.received.value(),
            .received_octets = counts.received_octets.value(),
            .dropped = counts.dropped.value()};
}

Vteps::Passed Vteps::passed(VtepId id) const {
    const Passed now = counted(slot_of(id));
    const Passed& then = before_[slot_of(id)];
    return {.sent = now.sent - then.sent,
            .sent_octets = now.sent_octets - then.sent_octets,
            .received = now.received - then.received,
            .received_octets = now.received_octets - then.received_octets,
            .dropped = now.dropped - then.dropped};
}

}  // namespace sluice
