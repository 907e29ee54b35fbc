// Neighbours: keeps the IP addresses of a virtual network, for ARP and ND suppression. Remote
// addresses come from the kernel's neighbours of the bridge; requests for them are answered. Local
// addresses are learned from hosts' packets and written to the bridge, where a routing daemon reads
// them.
// Pure: messages and time are arguments, and actions are returned.
//
// An IP address is
//   remote   while the bridge has it as a neighbour that the daemon wrote, and the FDB has its MAC
//            behind a tunnel: workers pass requests for it to control (neighbour_filter.h), and
//            `answer` returns the MAC;
//   local    once a host announced it as its own, with a MAC that the FDB has at a local port. The
//            address is written to the bridge, and replaces a remote neighbour there. For the
//            time `fresh`, workers send no more of its packets to control. The neighbour is removed
//            when the FDB no longer has its MAC at a local port, or when no host announced the
//            address for `longest_unclaimed`. A router stays a router until it announces that it
//            is none.
// If the daemon writes an address after a local host claimed it, the daemon's entry counts, as with
// MACs (network.h): a host that is still at a local port claims the address again. Entries in the
// bridge that no local host claimed are from an earlier run of the switch, and are removed after
// the grace time if their MAC is not at a local port.
// After a restart of the daemon, or if the first dump has remote addresses, all remote addresses
// are removed after the grace time, as with MACs: the daemon writes again those that it knows.
// Bound: networks share `Capacity` addresses, a part of which is reserved for local ones; one local
// MAC has at most `most_of_one` addresses. Claims beyond that are counted, and requests for them
// flooded. A turn looks at `looked_at_a_turn` changed addresses, and at as many others; each
// address is written at most once in `write_interval`.
// Not done here: requests between local hosts (flooded), and detection of duplicate addresses (RFC
// 9161 3.7): the last claim counts.
// Follows RFC 9161 (3.1 to 3.5), as br_arp_nd_proxy.c of Linux does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>

#include "control/evpn/messages.h"
#include "control/evpn/network.h"
#include "dataplane/forward/neighbour_filter.h"
#include "dataplane/types/ip_address.h"
#include "dataplane/types/units.h"

namespace sluice::control::evpn {

class Neighbours {
  public:
    static constexpr Nanos write_interval{2'000'000'000};  // shortest time between two writes
    static constexpr Nanos fresh{120'000'000'000};
    static constexpr Nanos longest_unclaimed{1'200'000'000'000};
    static constexpr std::size_t looked_at_a_turn = 1024;
    static constexpr std::size_t swept_a_turn = 128;
    static constexpr std::size_t most_of_one = 64;
    // Marks the numbers of this object's requests to the kernel, so that no other request has one.
    static constexpr uint32_t mark = uint32_t{1} << 30;

    struct Options {
        VlanId vlan = 1;
        Nanos grace{0};
        Network::Capacity* capacity = nullptr;
        Network::Capacity* capacity_here = nullptr;  // room for addresses that local hosts claim
        NeighbourFilter* filter = nullptr;
    };
    // Functions that the caller provides.
    struct Effects {
        std::function<Known(MacAddress)> look_up;
        std::function<void(const Octets&)> send_to_kernel;
        std::function<bool()> daemon_is_there;
    };

    Neighbours(const Options& options, Nanos now) : options_(options), began_(now) {}

    // --- the kernel's bridge --------------------------------------------------------------------
    // Sets the interface of the bridge; 0: there is none. If the interface changes, everything
    // known about the last bridge is discarded.
    void set_bridge(uint32_t bridge);
    void receive(const Neighbour& neighbour);
    // Called at the begin and the end of a dump, like Network::begin_dump and Network::end_dump.
    void begin_dump();
    [[nodiscard]] bool end_dump(Nanos now);
    void daemon_began(Nanos now) { sweep_at_ = now + options_.grace; }

    // --- the switch -----------------------------------------------------------------------------
    // Called when a local host announces this address. `router`: whether the host is a router, if
    // the packet states that.
    void claim(const Station& station, std::optional<bool> router, Nanos now);
    // Returns the station that has the remote address `ip`. Returns empty if `ip` is not remote, or
    // if that station itself asks (`asked_by`).
    [[nodiscard]] std::optional<Station> answer(const IpAddress& ip, MacAddress asked_by,
                                                const Effects& effects) const;
    // Counts a request that a worker left for control. `answered`: an answer was sent.
    void count_question(bool answered) { ++(answered ? suppressed_ : unanswered_); }
    void proceed(Nanos now, const Effects& effects);
    // Removes the local neighbours from the kernel if there is no grace time.
    void stop(const Effects& effects);

    // --- state for `show` -----------------------------------------------------------------------
    struct Row {
        IpAddress ip;
        MacAddress mac;
        bool remote = false;
        bool router = false;
    };
    struct Counts {
        std::size_t local = 0;    // local neighbours in the kernel
        std::size_t remote = 0;   // remote addresses for which requests are answered
        uint64_t left_out = 0;    // addresses without room
        uint64_t suppressed = 0;  // requests that were answered
        uint64_t unanswered = 0;  // requests that were neither answered nor flooded
    };
    // Returns the neighbours that `counts` counts.
    [[nodiscard]] std::vector<Row> rows() const;
    [[nodiscard]] Counts counts() const;

  private:
    enum class Side : uint8_t { none, remote, local };
    struct About {
        // The neighbour entry of the bridge in the kernel:
        Side side = Side::none;
        MacAddress mac = {};
        bool router = false;
        bool dumped = false;  // seen in the dump under way
        bool missed = false;  // missing in the last dump
        // MAC address of the local host that claims the IP address; 0: no host claims it.
        MacAddress claimed = {};
        bool claims_router = false;
        Nanos claimed_at{0};
        std::optional<Nanos> missed_at;  // time of the first lookup without a result
        bool was_claimed = false;        // a host has ever claimed the address
        // State that follows from the members above:
        uint64_t word = 0;  // the address's word in the filter; 0: the filter has none
        std::optional<Nanos> written;
        bool is_pending = false;

        [[nodiscard]] bool is_answered() const { return word != 0 && side == Side::remote; }
        [[nodiscard]] bool is_written() const {
            return side == Side::local && mac == claimed && router == claims_router;
        }
    };
    using All = std::map<IpAddress, About>;

    [[nodiscard]] About* at(const IpAddress& ip, bool for_local);
    void want_look(const IpAddress& ip, About& about);
    void set_claimed(About& about, MacAddress mac);
    void look_at_changed(Nanos now, const Effects& effects);
    void look_at_some(Nanos now, const Effects& effects);
    void look_at(const IpAddress& ip, About& about, Nanos now, const Effects& effects);
    void look_for_host(const IpAddress& ip, About& about, Nanos now, const Effects& effects);
    void update_kernel(const IpAddress& ip, About& about, Nanos now, const Effects& effects);
    void set_word(const IpAddress& ip, About& about, Nanos now, const Effects& effects);
    [[nodiscard]] bool has_room_here(MacAddress mac) const;
    [[nodiscard]] static bool may_write(About& about, Nanos now);
    [[nodiscard]] static bool is_empty(const About& about);
    All::iterator erase(All::iterator item);
    void sweep(Nanos now, const Effects& effects);
    [[nodiscard]] uint32_t next_number() { return mark | (number_ = (number_ + 1) % mark); }

    Options options_;
    Nanos began_;
    uint32_t bridge_ = 0;
    bool was_dumped_ = false;
    All all_;
    std::map<MacAddress, std::size_t> claims_of_;  // how many addresses a MAC claims
    std::deque<IpAddress> changed_;
    IpAddress looked_at_;  // last address looked at in this round
    std::optional<Nanos> sweep_at_;
    std::optional<IpAddress> swept_;  // last address swept, while a sweep is under way
    uint32_t number_ = 0;             // number of the last request
    uint64_t left_out_ = 0;
    uint64_t suppressed_ = 0;
    uint64_t unanswered_ = 0;
};

}  // namespace sluice::control::evpn
