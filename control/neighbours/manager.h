// NeighbourManager: finds the MAC addresses of tunnels' next hops: a Resolver (resolver.h) at each
// port that has an address, for the tunnels over it.
//
// It is fed with the packets of ARP and neighbour discovery that the port's worker received, and
// sends through the dataplane's mailboxes. A port whose link comes up announces its addresses, and
// so does a new SID; a few each time, so that there is room for answers. Changes are returned, for
// the event log. Time is an argument, and no worker is waited for.
// Bound: a port's events beyond `event_burst` at once and one a second are left out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/neighbours/resolver.h"
#include "dataplane/pfc/frame_limit.h"
#include "dataplane/switch.h"
#include "dataplane/units.h"

namespace sluice::control {

struct NeighbourEvent {
    PortIndex port = 0;  // with the address
    bool warning = false;
    std::string kind;  // `neighbour_resolved`, `neighbour_lost`, `address_taken`
    std::string text;
};

class NeighbourManager {
  public:
    static constexpr uint32_t event_burst = 8;
    static constexpr int announcements_at_once = 2;

    // `configuration` is complete: the addresses of ports are filled in.
    NeighbourManager(Switch& dataplane, const config::Configuration& configuration, Nanos now);

    void configure(const config::Configuration& configuration, Nanos now);
    void receive(PortIndex port, std::span<const uint8_t> octets, Nanos now);
    // Sends what is due. Ten times a second is often enough.
    std::vector<NeighbourEvent> proceed(Nanos now);

    struct NextHop {
        std::optional<IpAddress> ip;  // nothing: only its MAC is written
        std::optional<MacAddress> mac;
        bool is_static = false;
    };
    // Of a tunnel.
    [[nodiscard]] std::optional<NextHop> next_hop(PortIndex tunnel) const;
    // Of a port with an address; else null.
    [[nodiscard]] const neighbours::Resolver* at(PortIndex port) const;

  private:
    struct Tunnel {
        PortIndex underlay = 0;
        std::optional<IpAddress> ip;
        std::optional<MacAddress> is_static;
    };
    struct Port {
        neighbours::Resolver resolver;
        FrameLimit events;
        bool had_link = false;  // when it was last looked at
        uint16_t vlan = 0;      // whose tag is before what is sent; 0: none
        uint8_t pcp = 0;
    };

    // False: there is no room for it.
    bool send(PortIndex port, neighbours::Octets octets);
    void announce(PortIndex port, Port& at);
    void add_event(PortIndex port, const neighbours::Change& change, Nanos now);

    Switch& dataplane_;
    std::map<PortIndex, Port> ports_;
    std::map<PortIndex, Tunnel> tunnels_;
    std::vector<NeighbourEvent> events_;
};

}  // namespace sluice::control
