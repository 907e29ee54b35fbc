// TunnelEnd, UnderlayEnd: the state of a tunnel, and of the port below it, that a worker and
// control share.
//
// Control sets the MAC address of a tunnel's next hop, and gets copies of received ARP and
// neighbour discovery packets. Each direction is one word or a mailbox, so neither waits. The
// worker writes the counters.
// Not done here: resolving (control/neighbours), moving frames (tunnels.h).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/pfc/frame_limit.h"
#include "dataplane/threads/mailbox.h"
#include "dataplane/tunnel/arrival.h"
#include "dataplane/tunnel/bundle.h"
#include "dataplane/tunnel/encapsulation.h"
#include "dataplane/types/address.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::pmd {

struct TunnelRequest {
    PortIndex underlay = 0;
    Encapsulation encapsulation = {};
    OuterMarks marks = {};
    // For a tunnel to many VTEPs: its networks (bundle.h), the room for stations of each, whether
    // its worker learns stations, and the configured VTEPs.
    std::vector<VlanVni> networks = {};
    std::size_t stations = 0;
    bool learns = false;
    uint64_t seed = 0;  // drawn at start: keeps an outsider from choosing stations that collide
    std::vector<Ipv4Address> remotes = {};
};

class TunnelEnd {
  public:
    // Frames of its VTEPs are accepted from the first poll on.
    explicit TunnelEnd(const TunnelRequest& request)
        : about(request),
          bundle(leads_to_many(request.encapsulation)
                     ? std::make_unique<Bundle>(request.networks, request.stations, request.learns,
                                                request.seed)
                     : nullptr) {
        if (bundle != nullptr) keep_remotes(*bundle, request.remotes);
    }

    // By control; 0: it is not known.
    void set_next_hop(MacAddress address) {
        next_hop_.store(address.bits, std::memory_order_relaxed);
    }
    // By both. As long as it is 0 the tunnel takes nothing.
    [[nodiscard]] MacAddress next_hop() const {
        return {next_hop_.load(std::memory_order_relaxed)};
    }

    const TunnelRequest about;
    const std::unique_ptr<Bundle> bundle;  // of one that leads to many; or null
    Counter encapsulated;
    Counter copied;  // of these, for somebody else held the buffer
    Counter decapsulated;
    Counter flooded;  // frames of which each VTEP got a copy: those are among the encapsulated
    // Frames that were dropped: their VLAN has no network, the tunnel has no VTEPs, or they have
    // two tags.
    Counter unmapped;

  private:
    std::atomic<uint64_t> next_hop_{0};
};

class UnderlayEnd {
  public:
    explicit UnderlayEnd(const UnderlayAddresses& own) : addresses(own) {}

    // By the worker: a packet about one of the addresses, for who answers.
    void receive(std::span<const uint8_t> octets) {
        (neighbours.post(octets) ? received : dropped).add(1);
    }
    // The same for a packet in which another station announces itself to all.
    void receive_announcement(std::span<const uint8_t> octets) {
        (announcements.post(octets) ? received : dropped).add(1);
    }
    void refuse(Refusal why) { refused[static_cast<std::size_t>(why)].add(1); }

    const UnderlayAddresses addresses;
    Mailbox neighbours;     // to control
    Mailbox announcements;  // likewise, so that strangers crowd out nobody who asks or answers
    Counter received;
    Counter dropped;    // there were too many at once
    Counter no_buffer;  // frames that others hold, and that could not be copied
    Counter cut_off;    // floods of tunnels that went before each VTEP had its copy
    std::array<Counter, refusal_kinds> refused;
};

}  // namespace sluice::pmd
