// TunnelEnd, UnderlayEnd: the state of a tunnel, and of the port below it, that a worker and
// control share.
//
// Control sets the MAC address of a tunnel's next hop, and gets copies of received ARP and
// neighbour discovery packets. Each direction is one word or a mailbox, so neither waits. The
// worker writes the counters.
// Not done here: resolving the next hop (control/neighbours), sending and receiving frames
// (tunnels.h).
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
    // For a tunnel to many VTEPs: its networks (bundle.h), the most stations of each, whether its
    // worker learns stations, and the configured VTEPs.
    std::vector<VlanVni> networks = {};
    std::size_t stations = 0;
    bool learns = false;
    // Random at start, so that an outsider cannot choose stations whose hashes collide.
    uint64_t seed = 0;
    std::vector<Ipv4Address> remotes = {};
};

class TunnelEnd {
  public:
    // Frames of the configured VTEPs are accepted from the first poll on.
    explicit TunnelEnd(const TunnelRequest& request)
        : about(request),
          bundle(leads_to_many(request.encapsulation)
                     ? std::make_unique<Bundle>(request.networks, request.stations, request.learns,
                                                request.seed)
                     : nullptr) {
        if (bundle != nullptr) keep_remotes(*bundle, request.remotes);
    }

    // Called by control; 0 means that the address is not known.
    void set_next_hop(MacAddress address) {
        next_hop_.store(address.bits, std::memory_order_relaxed);
    }
    // Called by worker and control. While the address is 0 the tunnel accepts no frames.
    [[nodiscard]] MacAddress next_hop() const {
        return {next_hop_.load(std::memory_order_relaxed)};
    }

    const TunnelRequest about;
    const std::unique_ptr<Bundle> bundle;  // null unless the tunnel leads to many VTEPs
    Counter encapsulated;
    Counter copied;  // encapsulated frames that were copied because their buffer was shared
    Counter decapsulated;
    Counter flooded;  // flooded frames; the copies, one for each VTEP, count as `encapsulated`
    // Frames that were dropped: their VLAN has no network, the tunnel has no VTEPs, or they have
    // two tags.
    Counter unmapped;

  private:
    std::atomic<uint64_t> next_hop_{0};
};

class UnderlayEnd {
  public:
    explicit UnderlayEnd(const UnderlayAddresses& own) : addresses(own) {}

    // Called by the worker: passes control a packet about one of `addresses`, to be answered.
    void receive(std::span<const uint8_t> octets) {
        (neighbours.post(octets) ? received : dropped).add(1);
    }
    // Called by the worker: passes control a packet by which another station announces itself.
    void receive_announcement(std::span<const uint8_t> octets) {
        (announcements.post(octets) ? received : dropped).add(1);
    }
    void refuse(Refusal why) { refused[static_cast<std::size_t>(why)].add(1); }

    const UnderlayAddresses addresses;
    Mailbox neighbours;  // to control
    // Separate, so that announcements of strangers do not displace requests and answers.
    Mailbox announcements;
    Counter received;
    Counter dropped;    // packets that control does not get: too long, or the mailbox was full
    Counter no_buffer;  // shared frames that could not be copied
    // Floods that ended before each VTEP had its copy, since the tunnel was removed.
    Counter cut_off;
    std::array<Counter, refusal_kinds> refused;
};

}  // namespace sluice::pmd
