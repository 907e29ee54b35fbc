// Network: one virtual network of EVPN: what the kernel's mirror of it says, what was learned here,
// and what follows for the FDB, for floods and for the mirror. Pure: messages and time are
// arguments, and what is to be done is returned.
//
// The mirror is a bridge of the kernel with two ports: a VXLAN device and one for what is local.
// A routing daemon (FRR's zebra) writes remote addresses there, as it does for the kernel's own
// VXLAN, and reads local ones; so it needs no plugin. An address is
//   remote   while the bridge has it at the VXLAN device, and that names a VTEP for it: it is bound
//            to the tunnel to that VTEP, whatever the FDB had learned; that is a move away;
//   local    once the FDB has learned it at a port that is no such tunnel, or has it statically: it
//            is written at the local device, where the bridge moves it to; that is a move here, and
//            the daemon tells others by a sequence number of its own. What has aged is taken back.
// Floods go to the VTEPs of the VXLAN device's entries for address 0 (type 3 routes).
//
// What is taken away stays for `settling`, in which the daemon may say it again. Where no VTEP is
// left, as when BGP ends, it stays for the grace time. Once the daemon began anew (`daemon_began`)
// all that is remote is taken out of the mirror after the grace time: what it still knows it writes
// again (zebra does so at once), and what it leaves is stale. After a start of ours local entries
// of the mirror are left for that time.
// Bound: as many addresses as the FDB has places, and `most_vteps`; what is beyond is counted. A
// turn looks at `looked_at_a_turn` of them, and at those that wait for something.
// Not done here: VLAN-aware bridges, next hop groups (multihoming), type 5.
// Follows RFC 7432 (7.2, 11.1, 15.1) and RFC 8365 as far as a data plane does.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "control/evpn/messages.h"
#include "dataplane/address.h"
#include "dataplane/forward/remote_order.h"
#include "dataplane/limits.h"
#include "dataplane/units.h"

namespace sluice::control::evpn {

// The kernel's interfaces; 0: not there.
struct Mirror {
    uint32_t device = 0;
    uint32_t local = 0;
    uint32_t bridge = 0;

    friend bool operator==(const Mirror&, const Mirror&) = default;
};

// What the FDB has.
struct Known {
    enum class As : uint8_t { unknown, local, remote } as = As::unknown;
    bool stays = false;  // a local one that does not move: static, or at a sticky port
    PortIndex port = 0;  // of a remote one

    friend bool operator==(const Known&, const Known&) = default;
};

class Network {
  public:
    static constexpr Nanos settling{1'000'000'000};
    static constexpr Nanos again{1'000'000'000};  // until what was not done is asked for once more
    static constexpr std::size_t most_vteps = 1024;
    static constexpr std::size_t looked_at_a_turn = 1024;
    static constexpr std::size_t swept_a_turn = 128;

    struct Terms {
        std::map<Ipv4Address, PortIndex> tunnels;
        Nanos grace{0};
        std::size_t most_addresses = 0;
    };
    // What is to be done, by whoever can.
    struct Effects {
        std::function<Known(MacAddress)> look_up;
        // False: not now.
        std::function<bool(MacAddress, RemoteOrder)> order;
        std::function<void(const Octets&)> tell_kernel;
    };

    Network(Terms terms, Nanos now) : terms_(std::move(terms)), began_(now) {}

    // --- the mirror -----------------------------------------------------------------------------
    // As links say; with another one all is forgotten that was heard of the last.
    void set_mirror(const Mirror& mirror, Nanos now);
    [[nodiscard]] const Mirror& mirror() const { return mirror_; }
    void hear(const Entry& entry, Nanos now);
    // All entries are heard between these; what is not has been taken away.
    void begin_listing();
    void end_listing(Nanos now);
    void daemon_began(Nanos now) { sweep_at_ = now + terms_.grace; }

    // --- the switch -----------------------------------------------------------------------------
    // Of an address that the FDB was seen to have.
    void see_local(MacAddress address, const Known& known, Nanos now, const Effects& effects);
    void proceed(Nanos now, const Effects& effects);
    // Takes local entries back where there is no grace time.
    void stop(const Effects& effects);
    [[nodiscard]] PortSet flooded() const;

    // --- what is shown --------------------------------------------------------------------------
    struct Vtep {
        bool listed = false;   // of this listing
        bool floods = false;   // it gets floods
        bool is_told = false;  // and the mirror says so; else until
        Nanos until{0};
        std::size_t addresses = 0;
    };
    struct Counts {
        std::size_t local = 0;
        std::size_t remote = 0;
        std::size_t stale = 0;  // of these, and of VTEPs
        uint64_t left_out = 0;  // for want of room
        uint64_t sweeps = 0;
    };
    [[nodiscard]] const std::map<Ipv4Address, Vtep>& vteps() const { return vteps_; }
    [[nodiscard]] std::optional<PortIndex> tunnel_to(Ipv4Address vtep) const;
    [[nodiscard]] Counts counts() const;

  private:
    enum class Place : uint8_t { nowhere, local, device, elsewhere };
    struct Address {
        // Of the mirror.
        Place place = Place::nowhere;
        std::optional<Ipv4Address> device_vtep;
        bool place_listed = false;  // of this listing
        bool vtep_listed = false;
        // What follows.
        std::optional<Ipv4Address> vtep;  // behind which it is
        bool is_told = false;             // and the mirror says so; else until
        Nanos until{0};
        bool is_owed = false;  // the FDB does not have it yet
        std::optional<Nanos> ordered;
        // Of a local one.
        std::optional<Nanos> told;  // the kernel, at last
        bool stays = false;         // as it was told
        bool is_seen = false;       // in the FDB, since the start
        bool is_missed = false;     // once
    };
    using Addresses = std::map<MacAddress, Address>;

    [[nodiscard]] Address* at(MacAddress address);
    void hear_of_flood(const Entry& entry, Nanos now);
    void conclude(MacAddress address, Address& about, bool said_again, Nanos now);
    void set_vtep(Address& about, std::optional<Ipv4Address> vtep);
    [[nodiscard]] Nanos end_of_stale(Nanos now) const;
    void keep_stale_for_grace(Nanos now);
    void proceed_with_pending(Nanos now, const Effects& effects);
    // Whether nothing more is to be done about it for now.
    bool proceed_with(MacAddress address, Address& about, Nanos now, const Effects& effects);
    [[nodiscard]] RemoteOrder order_for(const Address& about) const;
    [[nodiscard]] static bool has_it(const Known& known, const RemoteOrder& order);
    void proceed_with_vteps(Nanos now);
    void look_at_some(Nanos now, const Effects& effects);
    void look_at_local(MacAddress address, Address& about, Nanos now, const Effects& effects);
    // Once a second at the most, whatever the daemon makes of it.
    [[nodiscard]] static bool may_tell(Address& about, Nanos now);
    void sweep(Nanos now, const Effects& effects);

    Terms terms_;
    Nanos began_;
    Mirror mirror_;
    Addresses addresses_;
    std::map<Ipv4Address, Vtep> vteps_;
    std::set<MacAddress> pending_;
    MacAddress looked_at_;  // up to there, in this round
    std::optional<Nanos> sweep_at_;
    std::optional<MacAddress> swept_;  // up to there, while a sweep is under way
    Nanos sweep_ends_{0};
    uint32_t number_ = 0;  // of the last request
    uint64_t left_out_ = 0;
    uint64_t sweeps_ = 0;
};

}  // namespace sluice::control::evpn
