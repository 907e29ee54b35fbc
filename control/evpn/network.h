// Network: one virtual network of EVPN. It synchronises three things: a bridge of the kernel, which
// a routing daemon reads and writes; the switch's FDB; and the list of tunnels that get floods.
// Pure: messages and time are arguments, and actions are returned.
//
// The bridge has two ports: a VXLAN device, and one for local addresses. The routing daemon (FRR's
// zebra) writes remote addresses and reads local ones there, as it does for the kernel's own VXLAN,
// so it needs no plugin. An address is
//
//   remote   while the bridge has it at the VXLAN device with a VTEP: it is bound to the tunnel to
//            that VTEP, even if the FDB had learned it at a port, as it has moved away then;
//   local    once the FDB has learned it at any other port, or has it as static: it is written at
//            the local device; if it was remote it has moved here, and the daemon advertises that
//            by a higher sequence number (RFC 7432 15). An address that ages out is removed there.
//
// Floods go to the VTEPs of the VXLAN device's entries for address 0 (routes of type 3).
//
// Orders to the FDB count as done once the worker has taken them, whatever the FDB has afterwards:
// a host that goes on sending is learned here again, which is a new event.
//
// Removal. An address that the daemon removes stays for `withdrawal_delay`, in which it may come
// again, and longer while more is being removed, up to `longest_withdrawal_delay`, since a BGP
// session that ends withdraws addresses before VTEPs. If no VTEP is left, addresses stay for the
// grace time. An address counts as removed only if two dumps in a row lack it: the kernel skips
// entries when others are removed during a dump.
// Restart. After the daemon was restarted (`daemon_began`), or if the first dump has remote
// entries, which may be of an earlier daemon, the bridge is dumped after the grace time, unless no
// daemon runs, and remote addresses that were written before the daemon began are removed: a daemon
// that starts writes all addresses again that it knows. No address is removed to find out: FRR from
// 10.3 on does not write one again that was removed. VTEPs of floods show no such age, and every
// daemon seen writes them again, so they are removed and kept in mind for `withdrawal_delay`.
// After a start of this switch local entries stay for the same time.
// Bound: as many addresses as a `Capacity` says, which networks share, and `most_vteps`; more are
// counted. A turn looks at `looked_at_a_turn` addresses, gives orders while there is room for them,
// and ends as many stale entries; a sweep goes on while fewer than `most_swept` are unconfirmed.
// Not done here: VLAN-aware bridges, next hop groups (multihoming), routes of type 5.
// Follows RFC 7432 (7.2, 11.1, 15.1) and RFC 8365 as far as a data plane does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "control/evpn/messages.h"
#include "dataplane/forward/remote_order.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::control::evpn {

// The kernel's interfaces; 0: not there.
struct KernelBridge {
    uint32_t device = 0;
    uint32_t local = 0;
    uint32_t bridge = 0;

    friend bool operator==(const KernelBridge&, const KernelBridge&) = default;
};

// The entry of an address in the FDB.
struct Known {
    enum class As : uint8_t { unknown, local, remote } as = As::unknown;
    bool sticky = false;  // a local one that does not move: static, or at a sticky port
    PortIndex port = 0;   // of a remote one

    friend bool operator==(const Known&, const Known&) = default;
};

class Network {
  public:
    static constexpr Nanos withdrawal_delay{1'000'000'000};
    static constexpr Nanos longest_withdrawal_delay{10'000'000'000};
    static constexpr Nanos write_interval{1'000'000'000};  // of one address, at the least
    static constexpr Nanos retry{5'000'000'000};  // until what found no place in the FDB is
    // Ages are in hundredths of a second, and two clocks tell when a daemon began.
    static constexpr Nanos age_is_off_by{100'000'000};
    static constexpr std::size_t most_vteps = 1024;
    static constexpr std::size_t looked_at_a_turn = 1024;
    static constexpr std::size_t swept_a_turn = 128;
    static constexpr std::size_t most_swept = 1024;
    static constexpr std::size_t most_unanswered = 1024;
    static constexpr uint32_t most_numbers = uint32_t{1} << 24;

    // The room for addresses, of all networks together. An eighth is reserved for local ones;
    // addresses that count as `local` take no room from remote ones, so both together may be nearly
    // twice `most`.
    struct Capacity {
        std::size_t most = 0;
        std::size_t used = 0;
        std::size_t local = 0;  // of these

        [[nodiscard]] bool has_room(bool for_local) const {
            return for_local ? used < most : used - local < most - most / 8;
        }
    };
    struct Options {
        std::map<Ipv4Address, PortIndex> tunnels;
        std::optional<PortIndex> to_many = {};  // in place of these: a tunnel to all VTEPs
        Nanos grace{0};
        Capacity* capacity = nullptr;
        uint32_t numbers = 0;  // of its requests: these and the next `most_numbers`
    };
    // The caller's side of it.
    struct Effects {
        std::function<Known(MacAddress)> look_up;
        // The order's number, which rises; none: not now.
        std::function<std::optional<uint64_t>(MacAddress, RemoteOrder)> order;
        // For a point-to-multipoint tunnel, before an order: sets the VTEP that the address is
        // behind, if any.
        std::function<void(MacAddress, std::optional<Ipv4Address>)> place_behind = {};
        // Up to which number the worker has taken them.
        std::function<uint64_t()> carried_out;
        std::function<void(const Octets&)> send_to_kernel;
        std::function<bool()> daemon_is_there;
        // When the running daemon began; empty: unknown.
        std::function<std::optional<Nanos>()> daemon_began;
    };

    Network(Options options, Nanos now) : options_(std::move(options)), began_(now) {}

    // --- the kernel's bridge --------------------------------------------------------------------
    // As the link messages report it; a different bridge discards all that was known of the last.
    void set_bridge(const KernelBridge& bridge, Nanos now);
    [[nodiscard]] const KernelBridge& bridge() const { return bridge_; }
    void receive(const Entry& entry, Nanos now);
    // To a request of its numbers.
    void receive(const Answer& answer, Nanos now);
    // All entries of a dump are received between these two. False: entries are missing that the
    // last dump still had; only another dump shows whether they were removed.
    void begin_dump();
    [[nodiscard]] bool end_dump(Nanos now);
    void daemon_began(Nanos now) { sweep_at_ = now + options_.grace; }
    // Whether all entries should be dumped once more, since a sweep relies on them; resets the
    // wish.
    [[nodiscard]] bool takes_dump_wish() { return std::exchange(wants_dump_, false); }

    // --- the switch -----------------------------------------------------------------------------
    // The FDB has this address.
    void see_local(MacAddress address, const Known& known, Nanos now, const Effects& effects);
    void proceed(Nanos now, const Effects& effects);
    // Takes local entries back where there is no grace time.
    void stop(const Effects& effects);
    [[nodiscard]] PortSet flooded() const;

    // --- what is shown --------------------------------------------------------------------------
    struct Vtep {
        bool dumped = false;         // of this dump
        bool missed = false;         // by the last one
        bool floods = false;         // it gets floods
        bool is_advertised = false;  // and the bridge says so; else until
        bool is_swept = false;       // and was not written again since
        Nanos until{0};
        std::size_t addresses = 0;
    };
    struct Counts {
        std::size_t local = 0;
        std::size_t remote = 0;
        std::size_t stale = 0;     // of these, and of VTEPs
        std::size_t left_out = 0;  // remote ones and VTEPs, for want of room
        uint64_t sweeps = 0;
    };
    [[nodiscard]] const std::map<Ipv4Address, Vtep>& vteps() const { return vteps_; }
    [[nodiscard]] std::optional<PortIndex> tunnel_to(Ipv4Address vtep) const;
    [[nodiscard]] Counts counts() const;

  private:
    enum class Place : uint8_t { nowhere, local, device, elsewhere };
    struct Address {
        // The entry of the bridge in the kernel:
        Place place = Place::nowhere;
        std::optional<Ipv4Address> device_vtep;
        bool place_dumped = false;  // of this dump
        bool vtep_dumped = false;
        bool place_missed = false;  // by the last one
        bool vtep_missed = false;
        Nanos written_there{0};  // at the device, by the daemon, at last
        // State that follows from those:
        std::optional<Ipv4Address> vtep;  // behind which it is
        bool is_advertised = false;       // and the bridge says so; else it is stale until
        Nanos until{0};
        bool is_pending = false;  // the worker has not taken what follows for the FDB yet
        uint64_t ordered = 0;     // by that number; 0: not yet
        Nanos ordered_at{0};
        // Of a local address:
        std::optional<Nanos> written;  // to the kernel, at last
        uint32_t unanswered = 0;       // number of its last request without an answer; 0: none
        bool sticky = false;           // as the kernel has it
        bool is_seen = false;          // in the FDB, since the start
        bool is_missed = false;        // once
        bool counts_as_local = false;  // of the capacity
    };
    using Addresses = std::map<MacAddress, Address>;
    struct Write {
        MacAddress address = {};
        bool sticky = false;
    };

    [[nodiscard]] Address* at(MacAddress address, bool for_local);
    void count_as(Address& about, bool local);
    // Kept by name, as far as there is room for names, so that each counts once.
    template <class Name>
    void leave_out(std::set<Name>& names, Name name) {
        if (names.size() < options_.capacity->most) names.insert(name);
    }
    // Requests another dump once there is room for the omitted entries.
    void ask_again(Nanos now);
    void receive_flood(const Entry& entry, Nanos now);
    void conclude(MacAddress address, Address& about, bool said_again, Nanos now);
    void set_vtep(Address& about, std::optional<Ipv4Address> vtep);
    // Ends being stale, as a local and as a remote address.
    void end_stale(MacAddress address, Address& about);
    void want_order(MacAddress address, Address& about);
    void withdraw(Vtep& vtep, Nanos now);
    [[nodiscard]] Nanos end_of_stale(Nanos now) const;
    // Whether VTEPs may be missing that a sweep took and nobody has written again yet.
    [[nodiscard]] bool is_sweeping(Nanos now) const;
    void keep_stale_for_grace(Nanos now);
    void expire(Nanos now);
    void expire_vteps(Nanos now);
    void finish_orders(const Effects& effects);
    void give_orders(Nanos now, const Effects& effects);
    [[nodiscard]] RemoteOrder order_for(const Address& about) const;
    void look_at_some(Nanos now, const Effects& effects);
    void look_at_local(MacAddress address, Address& about, Nanos now, const Effects& effects);
    // For the FDB again, of one that it has no entry for.
    [[nodiscard]] bool is_lacking(MacAddress address, const Address& about, Nanos now,
                                  const Effects& effects) const;
    [[nodiscard]] static bool is_empty(const Address& about, Nanos now);
    // Once a second at the most, whatever the daemon makes of it.
    [[nodiscard]] static bool may_write(Address& about, Nanos now);
    void sweep(Nanos now, const Effects& effects);
    // Whether the sweep's dump has arrived.
    [[nodiscard]] bool has_dump_to_sweep();
    void begin_sweep(const Effects& effects);
    void sweep_some(Nanos now, const Effects& effects);
    [[nodiscard]] uint32_t next_number() {
        return options_.numbers | (number_ = (number_ + 1) % most_numbers);
    }

    Options options_;
    Nanos began_;
    KernelBridge bridge_;
    bool was_dumped_ = false;
    Addresses addresses_;
    std::map<Ipv4Address, Vtep> vteps_;
    std::set<std::pair<Nanos, MacAddress>> stale_;  // by `until`
    Nanos withdrawn_at_{0};                         // of what was withdrawn last
    std::deque<MacAddress> to_order_;               // those pending without a number
    std::deque<std::pair<uint64_t, MacAddress>> ordered_;
    std::map<uint32_t, Write> unanswered_;
    MacAddress looked_at_;  // up to there, in this round
    std::optional<Nanos> sweep_at_;
    enum class SweepDump : uint8_t { none, wanted, under_way, done } sweep_dump_ = SweepDump::none;
    bool wants_dump_ = false;
    std::optional<MacAddress> swept_;    // up to there, while a sweep is under way
    std::optional<Nanos> swept_before_;  // what was written before goes; none: no address does
    Nanos sweep_ends_{0};
    uint32_t number_ = 0;  // of the last request
    std::set<MacAddress> left_out_;
    std::set<Ipv4Address> left_out_vteps_;
    Nanos asked_again_at_{0};
    uint64_t sweeps_ = 0;
};

}  // namespace sluice::control::evpn
