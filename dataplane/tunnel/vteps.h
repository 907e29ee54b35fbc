// Vteps: holds the other ends (VTEPs) of a tunnel to many VTEPs, in one virtual network: their
// addresses and next hops, whether frames are flooded to them, the stations behind each, and
// counters.
//
// Control writes the VTEPs. One thread writes the stations: control, if a routing daemon knows them
// (EVPN), or the tunnel's worker, which learns them from received frames. Both threads read all
// data, word by word, and neither waits. A frame for a station whose VTEP is unknown is copied to
// all flooded VTEPs (head-end replication, RFC 8365 8.3.1); pmd_glue/tunnels.h makes the copies. A
// VTEP is identified by its slot and the number of times that the slot was assigned, so that frames
// for a station behind a removed VTEP are not sent to the next VTEP of that slot. A slot that
// became free is reassigned only after all other free slots.
// Bound: `most` VTEPs, and places for `stations` stations; a flood visits each slot once. If
// control binds a station that finds no place, the station is counted and its frames are flooded. A
// learned station that finds no place replaces another, which is counted. A learned station without
// frames between two calls of `age` is forgotten after the second. The worker visits
// `buckets_a_poll` buckets of stations a poll to age or forget them.
// A flood reaches the VTEPs that existed when it began: a VTEP that is added later, or removed and
// added again, gets the next flood.
// Not here: VTEPs of IPv6. In one network an address is behind one VTEP, for all VLANs; VLANs with
// a network each are in a Bundle (bundle.h).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dataplane/tunnel/address_map.h"
#include "dataplane/types/address.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"

namespace sluice {

// A virtual network, and the VLAN whose frames it carries; VLAN 0: frames of any VLAN, unchanged.
struct VlanVni {
    VlanId vlan = 0;
    uint32_t vni = 0;

    friend constexpr bool operator==(const VlanVni&, const VlanVni&) = default;
};

// The destination of a frame in the network below, and the virtual network of the frame.
struct VtepWay {
    Ipv4Address remote;
    uint32_t vni = 0;
    MacAddress next_hop = {};  // 0: unknown
};

using VtepId = uint16_t;

class Vteps {
  public:
    static constexpr std::size_t most = 1024;
    static constexpr std::size_t none = most;  // no slot
    static constexpr std::size_t buckets_a_poll = 8;

    // `learns`: whether the worker writes the stations.
    Vteps(const VlanVni& network, std::size_t stations, bool learns, uint64_t seed);

    [[nodiscard]] const VlanVni& network() const { return network_; }

    static constexpr std::size_t slot_of(VtepId id) { return id % most; }

    // --- control --------------------------------------------------------------------------------
    // Returns the identifier of a new or existing VTEP; none if all slots are taken.
    std::optional<VtepId> add(Ipv4Address remote);
    void remove(VtepId id);
    void set_next_hop(VtepId id, MacAddress address);  // `address` 0: unknown
    void set_flooded(VtepId id, bool flooded);
    // Add and remove a station, if the worker does not learn. `bind` returns false if there is no
    // place.
    bool bind(MacAddress station, VtepId id);
    void unbind(MacAddress station) { stations_.remove(station.bits); }
    // Order the worker, if it learns, to age the stations, or to forget all of them.
    void age() { rounds_wanted_.add(1); }
    void forget_stations() { flushes_wanted_.add(1); }
    [[nodiscard]] std::size_t count() const { return count_; }

    // --- the worker -----------------------------------------------------------------------------
    [[nodiscard]] bool learns() const { return learns_; }
    // Returns the VTEP that has this source address.
    [[nodiscard]] std::optional<VtepId> from(Ipv4Address source) const {
        return sources_.find(source.bits);
    }
    void learn(MacAddress station, VtepId id);
    // Ages or forgets some stations, as ordered. Called once a poll.
    void age_some();
    // Whether a round of ageing has begun or is due.
    [[nodiscard]] bool is_to_age() const {
        return round_ != Round::none || rounds_begun_ != rounds_wanted_.value() ||
               flushes_begun_ != flushes_wanted_.value();
    }
    // Returns how many VTEPs were ever added, which identifies the moment at which a flood begins.
    [[nodiscard]] uint64_t added() const { return added_.load(std::memory_order_acquire); }
    // Returns the slot of the next flooded VTEP, from `slot` on, that existed when `added` was
    // `by_then`; `none` if there is none.
    [[nodiscard]] std::size_t next_flooded(std::size_t slot, uint64_t by_then) const;

    // --- any thread -----------------------------------------------------------------------------
    // Returns the VTEP of a station, if that VTEP still exists.
    [[nodiscard]] std::optional<VtepId> behind(MacAddress station) const {
        const auto value = stations_.find(station.bits);
        if (!value) return std::nullopt;
        const VtepId id = *value & name_bits;
        return slots_[slot_of(id)].is(id) ? std::optional(id) : std::nullopt;
    }
    [[nodiscard]] VtepWay way(std::size_t slot) const {
        const Slot& at = slots_[slot];
        const MacAddress next_hop{at.next_hop.load(std::memory_order_acquire)};
        return {{at.remote.load(std::memory_order_relaxed)}, network_.vni, next_hop};
    }
    [[nodiscard]] bool is_flooded(std::size_t slot) const {
        return (flooded_[slot / 64].load(std::memory_order_relaxed) >> slot % 64 & 1) != 0;
    }
    // Carried frames and their octets since the start, of all VTEPs that had the slot. Written by
    // the worker.
    struct Counts {
        Counter sent;
        Counter sent_octets;
        Counter received;
        Counter received_octets;
        Counter dropped;  // frames not sent: unknown next hop, or too long
    };
    [[nodiscard]] Counts& counts(std::size_t slot) { return slots_[slot].counts; }
    [[nodiscard]] uint64_t left_out() const { return left_out_.value(); }
    [[nodiscard]] uint64_t displaced() const { return displaced_.value(); }

    // Calls visit(id, way) for each VTEP, by slot. Called by control.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t slot = 0; slot < most; ++slot) {
            if (slots_[slot].taken()) visit(slots_[slot].id(), way(slot));
        }
    }
    // Calls visit(station, id) for each station.
    template <class Visit>
    void for_each_station(Visit visit) const {
        stations_.for_each([&](uint64_t address, uint16_t value) {
            const VtepId id = value & name_bits;
            if (slots_[slot_of(id)].is(id)) visit(MacAddress{address}, id);
        });
    }
    // The counts of one VTEP, without those of earlier VTEPs in its slot.
    struct Passed {
        uint64_t sent = 0;
        uint64_t sent_octets = 0;
        uint64_t received = 0;
        uint64_t received_octets = 0;
        uint64_t dropped = 0;
    };
    [[nodiscard]] Passed passed(VtepId id) const;

  private:
    struct alignas(64) Slot {
        std::atomic<uint32_t> remote{0};
        std::atomic<uint32_t> state{0};  // the VTEP's identifier, and `is_taken`
        std::atomic<uint64_t> next_hop{0};
        std::atomic<uint64_t> added{0};  // value of `added_` when the VTEP was added
        Counts counts;

        static constexpr uint32_t is_taken = 1U << 16;
        [[nodiscard]] bool taken() const {
            return (state.load(std::memory_order_acquire) & is_taken) != 0;
        }
        [[nodiscard]] VtepId id() const {
            return static_cast<VtepId>(state.load(std::memory_order_relaxed));
        }
        [[nodiscard]] bool is(VtepId id) const {
            return state.load(std::memory_order_acquire) == (is_taken | id);
        }
    };
    static_assert(sizeof(Slot) == 64);

    // Bit of a station's value: a frame of the station was received in this round of ageing.
    static constexpr uint16_t is_fresh = 1U << 15;
    static constexpr uint16_t name_bits = is_fresh - 1;

    [[nodiscard]] Passed counted(std::size_t slot) const;

    // The purpose of a pass over the stations.
    enum class Round : uint8_t { none, ageing, forgetting };
    void begin_round();

    const VlanVni network_;
    const bool learns_;
    std::array<Slot, most> slots_;
    std::array<std::atomic<uint64_t>, most / 64> flooded_{};
    AddressMap sources_;
    AddressMap stations_;
    Counter left_out_;
    Counter displaced_;
    Counter rounds_wanted_;
    Counter flushes_wanted_;
    std::atomic<uint64_t> added_{0};
    // Used by the worker only: how many rounds of each purpose it has begun, the round in progress,
    // and the position in that round.
    uint64_t rounds_begun_ = 0;
    uint64_t flushes_begun_ = 0;
    Round round_ = Round::none;
    std::size_t round_at_ = 0;
    // Used by control only: the free slots, in the order in which they became free; the number of
    // slots in use; and the counts of each slot when the slot was last assigned.
    std::array<uint16_t, most> free_{};
    std::size_t first_free_ = 0;
    std::size_t count_ = 0;  // slots in use
    std::array<Passed, most> before_{};
};

}  // namespace sluice
