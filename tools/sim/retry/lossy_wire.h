// LossyWire: a wire in slots that loses, damages, doubles and reorders items.
//
// Items are lost at random, independently or in bursts, and by list. Bursts follow Gilbert and
// Elliott: in a bad state all items are lost. The bad state lasts `burst` slots on average, and is
// as frequent as `loss`, the share of lost items, requires. A lost item arrives damaged, like a
// frame with a wrong FCS, or not at all. A doubled item arrives again one slot later. An item out
// of order arrives in the slot of the next item, after it.
// Bound: the cost of a slot does not depend on the delay. Time is an argument: the caller takes
// each slot once.
// E. N. Gilbert, Capacity of a burst-noise channel (1960); E. O. Elliott, Estimates of error rates
// for codes on burst-noise channels (1963).
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "dataplane/types/random.h"

namespace sluice::sim {

struct WireFaults {
    double loss = 0;             // share of lost items, from 0 to below 1
    double burst = 1;            // mean slots of a burst; 1 means independent losses
    double doubled = 0;          // share of doubled items
    double out_of_order = 0;     // share of reordered items
    bool is_damage_seen = true;  // lost items arrive damaged; otherwise they do not arrive
    std::vector<uint64_t> list;  // further losses: numbers of sent items, from 0, in rising order
};

template <class Item>
class LossyWire {
  public:
    struct Arrival {
        Item item;
        bool is_damaged = false;
    };

    // `delay`: slots, at least 1.
    LossyWire(unsigned delay, const WireFaults& faults, uint64_t seed)
        : faults_(faults), random_(seed), slots_(delay + 2) {}

    // Sends an item. Call it at most once in a slot.
    void put(uint64_t slot, const Item& item) {
        const bool is_lost = loses(slot);
        const uint64_t arrives = slot + slots_.size() - 2;
        if (is_lost && !faults_.is_damage_seen) return;
        const bool is_late = happens(faults_.out_of_order);
        at(arrives + (is_late ? 1 : 0)).push_back({item, is_lost});
        if (is_late) behind_ = arrives + 1;
        if (happens(faults_.doubled)) at(arrives + 1).push_back({item, is_lost});
    }
    // Returns the arrivals of this slot; valid until the next call.
    const std::vector<Arrival>& take(uint64_t slot) {
        // A late item was stored before the item that it has to follow.
        if (slot == behind_ && at(slot).size() > 1) std::swap(at(slot).front(), at(slot).back());
        taken_.clear();
        taken_.swap(at(slot));
        return taken_;
    }
    [[nodiscard]] uint64_t lost() const { return lost_; }

  private:
    std::vector<Arrival>& at(uint64_t slot) { return slots_[slot % slots_.size()]; }
    // Returns a random number in [0, 1) with 53 bits.
    double chance() {
        const uint64_t high = random_.next() >> 5;
        return std::ldexp(static_cast<double>(high << 26 | random_.next() >> 6), -53);
    }
    bool happens(double share) { return share > 0 && chance() < share; }
    bool loses(uint64_t slot) {
        bool is_lost = in_bursts(slot);
        const uint64_t number = put_++;
        if (listed_ < faults_.list.size() && faults_.list[listed_] == number) {
            ++listed_;
            is_lost = true;
        }
        lost_ += is_lost ? 1 : 0;
        return is_lost;
    }
    // Returns whether an item that is sent in `slot` is lost at random. The state of bursts
    // advances in every slot, also in slots without an item.
    bool in_bursts(uint64_t slot) {
        if (faults_.burst <= 1 || faults_.loss <= 0) return happens(faults_.loss);
        const double to_bad = faults_.loss / (1 - faults_.loss) / faults_.burst;
        for (; state_at_ <= slot; ++state_at_) {
            is_bad_ = is_bad_ ? !happens(1 / faults_.burst) : happens(to_bad);
        }
        return is_bad_;
    }

    WireFaults faults_;
    Random random_;
    std::vector<std::vector<Arrival>> slots_;
    std::vector<Arrival> taken_;
    uint64_t put_ = 0;
    std::size_t listed_ = 0;
    uint64_t lost_ = 0;
    uint64_t behind_ = UINT64_MAX;
    uint64_t state_at_ = 0;
    bool is_bad_ = false;
};

}  // namespace sluice::sim
