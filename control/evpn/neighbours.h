// Neighbours: the IP addresses of a virtual network, for ARP and ND suppression: remote addresses,
// from the kernel's neighbours of the bridge, for which it answers requests; and local addresses,
// learned from hosts' packets, which it writes to the bridge, where a routing daemon reads them.
// Pure: messages and time are arguments, and actions are returned.
//
// An IP address is
//   remote   while the bridge has it as a neighbour that the daemon wrote, and the FDB has its MAC
//            behind a tunnel: workers pass requests for it to control (neighbour_filter.h), and
//            `answer` has the MAC;
//   local    once a host said that it has it, whose MAC the FDB has here: it is written to the
//            bridge, in place of one that was remote. Workers send no more packets of it to control
//            for `fresh`. What is no more in the FDB here, or nobody said for `longest_unclaimed`,
//            is taken back. A router is one until it says that it is none.
// If the daemon writes an address after a local host claimed it, the daemon's entry counts, as with
// MACs (network.h): a host that is still here claims it again. Entries in the bridge that no local
// host claimed are from an earlier switch, and are removed after the grace time if their MAC is not
// here.
// After a restart of the daemon, or if the first dump has remote addresses, all remote addresses
// are removed after the grace time, as with MACs: the daemon writes again those that it knows.
// Bound: `Capacity` addresses, which networks share, with a part for local ones, and `most_of_one`
// addresses of one local MAC. Claims beyond that are counted, and requests for them flooded. A turn
// looks at `looked_at_a_turn` changed addresses, and at as many others; each address is written at
// most once in `write_interval`.
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
    static constexpr Nanos write_interval{2'000'000'000};  // of one address, at the least
    static constexpr Nanos fresh{120'000'000'000};
    static constexpr Nanos longest_unclaimed{1'200'000'000'000};
    static constexpr std::size_t looked_at_a_turn = 1024;
    static constexpr std::size_t swept_a_turn = 128;
    static constexpr std::size_t most_of_one = 64;
    // Marks the numbers of its requests, so that no other request has one.
    static constexpr uint32_t mark = uint32_t{1} << 30;

    struct Options {
        VlanId vlan = 1;
        Nanos grace{0};
        Network::Capacity* capacity = nullptr;
        Network::Capacity* capacity_here = nullptr;  // for those that a host says are its own
        NeighbourFilter* filter = nullptr;
    };
    // The caller's side of it.
    struct Effects {
        std::function<Known(MacAddress)> look_up;
        std::function<void(const Octets&)> send_to_kernel;
        std::function<bool()> daemon_is_there;
    };

    Neighbours(const Options& options, Nanos now) : options_(options), began_(now) {}

    // --- the kernel's bridge --------------------------------------------------------------------
    // A different bridge discards all that was known of the last. 0: there is none.
    void set_bridge(uint32_t bridge);
    void receive(const Neighbour& neighbour);
    // As of a Network.
    void begin_dump();
    [[nodiscard]] bool end_dump(Nanos now);
    void daemon_began(Nanos now) { sweep_at_ = now + options_.grace; }

    // --- the switch -----------------------------------------------------------------------------
    // A local host claims this address; `router`: whether it is a router, if it says so.
    void claim(const Station& station, std::optional<bool> router, Nanos now);
    // Returns the station that has a remote IP address, unless that station asks itself.
    [[nodiscard]] std::optional<Station> answer(const IpAddress& ip, MacAddress asked_by,
                                                const Effects& effects) const;
    // Counts a question that a worker left for control: `answered` if an answer was sent.
    void count_question(bool answered) { ++(answered ? suppressed_ : unanswered_); }
    void proceed(Nanos now, const Effects& effects);
    // Takes local ones back where there is no grace time.
    void stop(const Effects& effects);

    // --- what is shown --------------------------------------------------------------------------
    struct Row {
        IpAddress ip;
        MacAddress mac;
        bool remote = false;
        bool router = false;
    };
    struct Counts {
        std::size_t local = 0;    // that the kernel has
        std::size_t remote = 0;   // that are answered for
        uint64_t left_out = 0;    // for want of room
        uint64_t suppressed = 0;  // questions that were answered
        uint64_t unanswered = 0;  // and those that were not, though nobody else was asked
    };
    // The neighbours that `counts` counts.
    [[nodiscard]] std::vector<Row> rows() const;
    [[nodiscard]] Counts counts() const;

  private:
    enum class Side : uint8_t { none, remote, local };
    struct About {
        // The neighbour entry of the bridge in the kernel:
        Side side = Side::none;
        MacAddress mac = {};
        bool router = false;
        bool dumped = false;  // of this dump
        bool missed = false;  // by the last one
        // The MAC address that a local host claims for it; 0: none does.
        MacAddress claimed = {};
        bool claims_router = false;
        Nanos claimed_at{0};
        std::optional<Nanos> missed_at;  // by the FDB, once
        bool was_claimed = false;        // ever
        // State that follows from those:
        uint64_t word = 0;  // in the filter: it is answered for, or known here
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
    std::map<MacAddress, std::size_t> claims_of_;  // how many addresses are said to be its own
    std::deque<IpAddress> changed_;
    IpAddress looked_at_;  // up to there, in this round
    std::optional<Nanos> sweep_at_;
    std::optional<IpAddress> swept_;  // up to there, while a sweep is under way
    uint32_t number_ = 0;             // of the last request
    uint64_t left_out_ = 0;
    uint64_t suppressed_ = 0;
    uint64_t unanswered_ = 0;
};

}  // namespace sluice::control::evpn
