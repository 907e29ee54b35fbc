// NeighbourManager: finds the MAC addresses of tunnels' next hops: each port that has an address
// has a Resolver (resolver.h) for the tunnels over that port. For a point-to-multipoint tunnel the
// next hop of each VTEP is resolved.
//
// The manager gets the ARP and neighbour discovery packets that the port's worker received, and
// sends through the dataplane's mailboxes. The addresses of a port are announced when its link
// comes up, and a SID when it is new. Only a few announcements are sent at a time, so that the
// mailbox has room for answers. Changes are reported, within the limits of EventSink. Time is an
// argument, and no call waits for a worker.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "control/neighbours/resolver.h"
#include "control/service.h"
#include "dataplane/switch.h"
#include "dataplane/tunnel/bundle.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class NeighbourManager final : public Service {
  public:
    static constexpr int announcements_at_once = 2;
    // Largest number of requests in a turn, which leaves room for answers. With ten turns a second
    // each of 1024 stations gets a request within 20 s.
    static constexpr std::size_t requests_at_once = Mailbox::slots - 3;

    // `configuration` is complete: the addresses of ports are filled in.
    NeighbourManager(Switch& dataplane, const config::Configuration& configuration, Nanos now,
                     EventSink& events);

    void configure(const config::Configuration& configuration, Nanos now) override;
    void receive(PortIndex port, std::span<const uint8_t> octets, Nanos now);
    // Called for a point-to-multipoint tunnel, as often as `tick`. Sets the configured VTEPs after
    // a change of the configuration; ages the learned stations as the FDB does, unless a routing
    // daemon names all of them; and sets each VTEP's next hop.
    void resolve(PortIndex tunnel, Bundle& bundle, Nanos now);
    // Sends the packets that are due. Ten times a second is often enough.
    void tick(Nanos now) override;

    struct NextHop {
        std::optional<IpAddress> ip;  // empty: only the MAC of the next hop is configured
        std::optional<MacAddress> mac;
        bool is_static = false;
    };
    // Returns the next hop of a tunnel.
    [[nodiscard]] std::optional<NextHop> next_hop(PortIndex tunnel) const;
    // Returns the next hop to a VTEP of a point-to-multipoint tunnel.
    [[nodiscard]] std::optional<IpAddress> next_hop_to(PortIndex tunnel, Ipv4Address vtep) const;
    // Returns the resolver of a port with an address; else null.
    [[nodiscard]] const neighbours::Resolver* at(PortIndex port) const;

  private:
    struct Tunnel {
        PortIndex underlay = 0;
        std::optional<IpAddress> ip;
        std::optional<MacAddress> is_static;
        // Members of a point-to-multipoint tunnel:
        bool to_many = false;
        bool by_daemon = false;
        std::vector<Ipv4Address> remotes = {};
        bool remotes_changed = false;
        std::vector<IpAddress> wanted = {};  // next hops of the tunnel's VTEPs
        uint64_t displaced = 0;              // replaced stations, as last reported
        Nanos aged{0};                       // time at which the tunnel's stations were last aged
    };
    struct Port {
        neighbours::Resolver resolver;
        config::UnderlayConfig underlay;
        bool had_link = false;  // whether the port had a link at the last call
        uint16_t vlan = 0;      // VLAN of the tag in sent packets; 0: no tag
        uint8_t pcp = 0;
    };

    // Returns false if the mailbox has no room for the packet.
    bool send(PortIndex port, neighbours::Octets octets);
    void announce(PortIndex port, Port& at);
    void report(PortIndex port, const neighbours::Change& change, Nanos now);
    void want(PortIndex underlay, Nanos now);
    void report_displaced(PortIndex tunnel, Tunnel& about, const Bundle& bundle, Nanos now);

    Switch& dataplane_;
    EventSink& events_;
    std::map<PortIndex, Port> ports_;
    std::map<PortIndex, Tunnel> tunnels_;
    Nanos ageing_{0};  // ageing time of learned addresses; 0: never
};

}  // namespace sluice::control
