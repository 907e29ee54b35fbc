// Network: one virtual network of EVPN. Synchronises three things: a bridge of the kernel, which a
// routing daemon reads and writes; the switch's FDB; and the list of tunnels that get floods.
// Pure: messages and time are arguments, and actions are returned.
//
// The bridge has two ports: a VXLAN device, and one for local addresses. The routing daemon (FRR's
// zebra) writes remote addresses to this bridge and reads local ones, as for the kernel's own
// VXLAN, so the daemon needs no plugin. An address is
//
//   remote   while the bridge has it at the VXLAN device with a VTEP. The address is bound to the
//            tunnel to that VTEP. If the FDB had learned it at a port, it has moved to the VTEP;
//   local    once the FDB has learned it at any other port, or has it as static. The address is
//            written at the local device. If it was remote it has moved to this switch, and the
//            daemon advertises that by a higher sequence number (RFC 7432 15). An address that
//            ages out is removed from the local device.
//
// Floods go to the VTEPs of the VXLAN device's entries for address 0 (routes of type 3).
//
// Orders to the FDB count as done once the worker has taken them, whatever the FDB has afterwards:
// a host that continues to send is learned at a local port again, which is a new event.
//
// Removal. An address that the daemon removes stays for `withdrawal_delay`, in which the daemon may
// write it again. The address stays longer while more addresses are being removed, up to
// `longest_withdrawal_delay`, since a BGP session that ends withdraws addresses before VTEPs. If no
// VTEP is left, addresses stay for the grace time. An address counts as removed only if two dumps
// in a row lack it: the kernel skips entries when others are removed during a dump.
// Restart. After the daemon was restarted (`daemon_began`), or if the first dump has remote
// entries, which may be of an earlier daemon, a sweep follows. The bridge is dumped after the grace
// time, and remote addresses that were written before the running daemon began are removed, because
// a daemon that starts writes all addresses again that it knows. Without a daemon there is no
// sweep. No address is removed as a test, because FRR from 10.3 on does not write a removed address
// again. The VTEPs of floods have no such age, but every known daemon writes a removed VTEP again.
// So all of them are removed from the kernel, and remembered here for `withdrawal_delay`.
// After a start of this switch local entries in the kernel stay for the grace time.
// Bound: as many addresses as a `Capacity` allows, which networks share, and `most_vteps`; more are
// counted. A turn looks at `looked_at_a_turn` addresses, gives orders while there is room for them,
// and removes up to `looked_at_a_turn` stale entries; a sweep continues while fewer than
// `most_swept` are unconfirmed. Not done here: VLAN-aware bridges, next hop groups (multihoming),
// routes of type 5.
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

// Indices of the kernel's interfaces; 0: the interface does not exist.
struct KernelBridge {
    uint32_t device = 0;
    uint32_t local = 0;
    uint32_t bridge = 0;

    friend bool operator==(const KernelBridge&, const KernelBridge&) = default;
};

// The entry of an address in the FDB.
struct Known {
    enum class As : uint8_t { unknown, local, remote } as = As::unknown;
    bool sticky = false;  // a local address that does not move: static, or at a sticky port
    PortIndex port = 0;   // port of a remote address

    friend bool operator==(const Known&, const Known&) = default;
};

class Network {
  public:
    static constexpr Nanos withdrawal_delay{1'000'000'000};
    static constexpr Nanos longest_withdrawal_delay{10'000'000'000};
    // Minimum time between two writes of an address.
    static constexpr Nanos write_interval{1'000'000'000};
    // Time after which an address that the FDB had no room for is bound again.
    static constexpr Nanos retry{5'000'000'000};
    // The largest error of an entry's age: ages are in hundredths of a second, and the daemon's
    // start is read by another clock.
    static constexpr Nanos age_is_off_by{100'000'000};
    static constexpr std::size_t most_vteps = 1024;
    static constexpr std::size_t looked_at_a_turn = 1024;
    static constexpr std::size_t swept_a_turn = 128;
    static constexpr std::size_t most_swept = 1024;
    static constexpr std::size_t most_unanswered = 1024;
    static constexpr uint32_t most_numbers = uint32_t{1} << 24;

    // The room for addresses, which all networks share. An eighth is reserved for local addresses;
    // addresses that count as `local` take no room from remote ones, so both together may be nearly
    // twice `most`.
    struct Capacity {
        std::size_t most = 0;
        std::size_t used = 0;
        std::size_t local = 0;  // how many of `used` count as local

        [[nodiscard]] bool has_room(bool for_local) const {
            return for_local ? used < most : used - local < most - most / 8;
        }
    };
    struct Options {
        std::map<Ipv4Address, PortIndex> tunnels;
        std::optional<PortIndex> to_many = {};  // a tunnel to all VTEPs, which replaces `tunnels`
        Nanos grace{0};
        Capacity* capacity = nullptr;
        uint32_t numbers = 0;  // the first of the `most_numbers` numbers for the network's requests
    };
    // Functions that the caller provides.
    struct Effects {
        std::function<Known(MacAddress)> look_up;
        // Gives the worker an order for the FDB. Returns the order's number, which rises, or empty
        // if there is no room now.
        std::function<std::optional<uint64_t>(MacAddress, RemoteOrder)> order;
        // Called before an order if the tunnel is point-to-multipoint: sets the VTEP that the
        // address is behind, if any.
        std::function<void(MacAddress, std::optional<Ipv4Address>)> place_behind = {};
        // Returns the number of the last order that the worker has carried out.
        std::function<uint64_t()> carried_out;
        std::function<void(const Octets&)> send_to_kernel;
        std::function<bool()> daemon_is_there;
        // Returns when the running daemon began; empty: unknown.
        std::function<std::optional<Nanos>()> daemon_began;
    };

    Network(Options options, Nanos now) : options_(std::move(options)), began_(now) {}

    // --- the kernel's bridge --------------------------------------------------------------------
    // Sets the interfaces, as the link messages report them. If the interfaces change, everything
    // known about the last bridge is discarded.
    void set_bridge(const KernelBridge& bridge, Nanos now);
    [[nodiscard]] const KernelBridge& bridge() const { return bridge_; }
    void receive(const Entry& entry, Nanos now);
    // Takes the answer to a request of this network.
    void receive(const Answer& answer, Nanos now);
    // All entries of a dump are received between these two calls. `end_dump` returns false if
    // entries are missing that the last dump still had; only another dump shows whether they were
    // removed.
    void begin_dump();
    [[nodiscard]] bool end_dump(Nanos now);
    void daemon_began(Nanos now) { sweep_at_ = now + options_.grace; }
    // Whether a sweep or omitted entries need another dump of all entries; resets the request.
    [[nodiscard]] bool takes_dump_wish() { return std::exchange(wants_dump_, false); }

    // --- the switch -----------------------------------------------------------------------------
    // Called for each local address that the FDB has.
    void see_local(MacAddress address, const Known& known, Nanos now, const Effects& effects);
    void proceed(Nanos now, const Effects& effects);
    // Removes local entries from the kernel if there is no grace time.
    void stop(const Effects& effects);
    [[nodiscard]] PortSet flooded() const;

    // --- state for `show` -----------------------------------------------------------------------
    struct Vtep {
        bool dumped = false;         // seen in the dump under way
        bool missed = false;         // missing in the last dump
        bool floods = false;         // receives floods
        bool is_advertised = false;  // in the bridge; false: withdrawn, kept until `until`
        bool is_swept = false;       // removed by a sweep and not written again since
        Nanos until{0};
        std::size_t addresses = 0;
    };
    struct Counts {
        std::size_t local = 0;
        std::size_t remote = 0;
        std::size_t stale = 0;     // withdrawn addresses and VTEPs that are kept for now
        std::size_t left_out = 0;  // remote addresses and VTEPs without room
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
        bool place_dumped = false;  // seen in the dump under way
        bool vtep_dumped = false;
        bool place_missed = false;  // missing in the last dump
        bool vtep_missed = false;
        Nanos written_there{0};  // when the daemon last wrote the entry at the VXLAN device
        // State that follows from the members above:
        std::optional<Ipv4Address> vtep;  // VTEP behind which the address is
        bool is_advertised = false;       // in the bridge; false: withdrawn, kept until `until`
        Nanos until{0};
        bool is_pending = false;  // an order for the FDB is not carried out yet
        uint64_t ordered = 0;     // number of the pending order; 0: not given yet
        Nanos ordered_at{0};
        // Members of a local address:
        std::optional<Nanos> written;  // time of the last write to the kernel
        uint32_t unanswered = 0;       // number of the last request without an answer; 0: none
        bool sticky = false;           // whether the kernel has the entry as sticky
        bool is_seen = false;          // seen in the FDB since the start
        bool is_missed = false;        // the last lookup missed the address
        bool counts_as_local = false;  // counted in Capacity::local
    };
    using Addresses = std::map<MacAddress, Address>;
    struct Write {
        MacAddress address = {};
        bool sticky = false;
    };

    [[nodiscard]] Address* at(MacAddress address, bool for_local);
    void count_as(Address& about, bool local);
    // Counts an entry for which there is no room. The names of such entries are kept, as long as
    // there is room for names, so that each entry counts once.
    template <class Name>
    void leave_out(std::set<Name>& names, Name name) {
        if (names.size() < options_.capacity->most) names.insert(name);
    }
    // Requests another dump once there is room for the omitted entries.
    void ask_again(Nanos now);
    void receive_flood(const Entry& entry, Nanos now);
    void conclude(MacAddress address, Address& about, bool said_again, Nanos now);
    void set_vtep(Address& about, std::optional<Ipv4Address> vtep);
    // Removes the address from `stale_`.
    void end_stale(MacAddress address, Address& about);
    void want_order(MacAddress address, Address& about);
    void withdraw(Vtep& vtep, Nanos now);
    [[nodiscard]] Nanos end_of_stale(Nanos now) const;
    // Whether a sweep removed VTEPs that the daemon may not have written again yet.
    [[nodiscard]] bool is_sweeping(Nanos now) const;
    void keep_stale_for_grace(Nanos now);
    void expire(Nanos now);
    void expire_vteps(Nanos now);
    void finish_orders(const Effects& effects);
    void give_orders(Nanos now, const Effects& effects);
    [[nodiscard]] RemoteOrder order_for(const Address& about) const;
    void look_at_some(Nanos now, const Effects& effects);
    void look_at_local(MacAddress address, Address& about, Nanos now, const Effects& effects);
    // Whether the FDB has no entry for a remote address, which has to be ordered again.
    [[nodiscard]] bool is_lacking(MacAddress address, const Address& about, Nanos now,
                                  const Effects& effects) const;
    [[nodiscard]] static bool is_empty(const Address& about, Nanos now);
    // Whether `write_interval` has passed since the last write; if so, counts this as a write.
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
    std::set<std::pair<Nanos, MacAddress>> stale_;  // ordered by `until`
    // End of the time for which stale addresses stay; each withdrawal postpones it.
    Nanos withdrawn_at_{0};
    std::deque<MacAddress> to_order_;  // pending addresses whose order has no number
    std::deque<std::pair<uint64_t, MacAddress>> ordered_;
    std::map<uint32_t, Write> unanswered_;
    MacAddress looked_at_;  // last address looked at in this round
    std::optional<Nanos> sweep_at_;
    enum class SweepDump : uint8_t { none, wanted, under_way, done } sweep_dump_ = SweepDump::none;
    bool wants_dump_ = false;
    std::optional<MacAddress> swept_;    // last address swept, while a sweep is under way
    std::optional<Nanos> swept_before_;  // sweeps addresses written before this time; empty: none
    Nanos sweep_ends_{0};
    uint32_t number_ = 0;  // number of the last request
    std::set<MacAddress> left_out_;
    std::set<Ipv4Address> left_out_vteps_;
    Nanos asked_again_at_{0};
    uint64_t sweeps_ = 0;
};

}  // namespace sluice::control::evpn
