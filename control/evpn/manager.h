// EvpnManager: EVPN of a switch, with a routing daemon that does not know the switch. For each
// network of the configuration (network.h) the manager synchronises the kernel's bridge and the
// FDB. Where ARP and ND are suppressed, the manager writes the IP addresses of local hosts to the
// bridge, and answers requests for remote IP addresses (neighbours.h).
//
// Without EVPN in the configuration the manager does nothing and need not be called. Time is an
// argument, and no call waits for a worker. Changes are reported.
// Bound: a call takes up to `KernelSocket::most_a_turn` datagrams; while more are waiting, or a
// dump is under way, their messages have no effect yet. Then it looks at a part of the FDB
// (`buckets_a_turn`) and of each network's addresses. Called 50 times a second it sees a learned
// address within 80 ms with an FDB of 16 Ki places, and within 6 s with 1 Mi. Networks share room
// for as many addresses as the FDB has places, and as many IP addresses, of which the local ones
// are limited to what the kernel has room for. A request is answered at the next call, up to 400 a
// second at a port; more are flooded.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "control/evpn/daemon_socket.h"
#include "control/evpn/dump.h"
#include "control/evpn/kernel_socket.h"
#include "control/evpn/neighbours.h"
#include "control/evpn/network.h"
#include "control/service.h"
#include "dataplane/switch.h"
#include "dataplane/tunnel/bundle.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class EvpnManager final : public Service {
  public:
    static constexpr std::size_t buckets_a_turn = 2048;

    // `wake`: called for each order; otherwise the orders for a sleeping worker would pile up until
    // there is no room. `open`: makes the socket if EVPN is on. `bundle_of`: returns the networks
    // of a point-to-multipoint tunnel, whose VTEPs this class keeps; null if the port is no such
    // tunnel.
    using Open = std::function<std::unique_ptr<evpn::Kernel>()>;
    using BundleOf = std::function<Bundle*(PortIndex)>;
    // `settings`: the settings that the workers run with.
    EvpnManager(
        Switch& dataplane, const config::Configuration& configuration, const Settings& settings,
        Nanos now, std::function<void()> wake, EventSink& events,
        const Open& open = [] { return std::make_unique<evpn::KernelSocket>(); },
        BundleOf bundle_of = [](PortIndex) { return nullptr; });

    [[nodiscard]] bool is_on() const { return !networks_.empty(); }
    void tick(Nanos now) override { proceed(settings_, now); }
    [[nodiscard]] std::chrono::milliseconds period() const override {
        return std::chrono::milliseconds(is_on() ? 20 : 0);
    }
    // Called when workers no longer take frames.
    void stop(Nanos now) override;

    // --- state for `show` -----------------------------------------------------------------------
    struct OneNetwork {
        config::VniConfig config;
        Ipv4Address own;  // address of the port below the tunnels
        evpn::Network network;
        std::optional<evpn::Neighbours> neighbours = {};  // if ARP and ND are suppressed
        std::string why = {};                             // why the network is down; empty: up
        std::set<Ipv4Address> warned_of = {};             // reported VTEPs without a tunnel
        std::optional<PortIndex> to_many = {};  // the tunnel to all VTEPs, if the network has one
    };
    using Networks = std::vector<std::unique_ptr<OneNetwork>>;
    [[nodiscard]] const Networks& networks() const { return networks_; }
    [[nodiscard]] uint64_t resyncs() const { return resyncs_; }
    [[nodiscard]] uint64_t refused() const { return refused_; }
    // Returns the reason of the kernel's most recent refusal.
    [[nodiscard]] const std::string& why_refused() const { return why_refused_; }

  private:
    void proceed(const Settings& settings, Nanos now);
    // Takes messages from the kernel. Returns false if more are waiting.
    bool take_messages(Nanos now);
    void receive(const evpn::Entry& entry, Nanos now);
    void receive(const evpn::Link& link, Nanos now);
    void receive(const evpn::Neighbour& neighbour, Nanos now);
    void receive(const evpn::Answer& answer, Nanos now);
    void receive(const evpn::Interruption& interruption, Nanos now);
    void end_dump_of_entries(Nanos now);
    void end_dump_of_neighbours(Nanos now);
    void check_bridges(Nanos now);
    [[nodiscard]] std::string why_down(const OneNetwork& of) const;
    void ask(Nanos now);
    void send(const evpn::Octets& octets);
    [[nodiscard]] evpn::Known known(PortIndex port, EntryKind kind) const;
    void look_at_fdb(Nanos now);
    void receive_from_hosts(const Settings& settings, Nanos now);
    void receive_from_host(PortIndex port, const PortSettings& settings,
                           std::span<const uint8_t> octets, Nanos now);
    void watch_daemon(Nanos now);
    void report_vteps_without_tunnel();
    void report_stations_left_out(Nanos now);
    [[nodiscard]] Vteps* vteps_of(const OneNetwork& of) const;
    void follow_vteps(const OneNetwork& of) const;
    void place_behind(const OneNetwork& of, MacAddress address,
                      std::optional<Ipv4Address> vtep) const;
    [[nodiscard]] evpn::Network::Effects effects_of(const OneNetwork& of);
    [[nodiscard]] evpn::Neighbours::Effects neighbour_effects_of(const OneNetwork& of);

    Switch& dataplane_;
    const Settings& settings_;
    EventSink& events_;
    const std::function<void()> wake_;
    const BundleOf bundle_of_;
    evpn::DaemonSocket daemon_;
    PortSet evpn_ports_ = 0;
    PortSet sticky_ = 0;
    std::map<VlanId, OneNetwork*> by_vlan_;
    evpn::Network::Capacity capacity_;
    evpn::Network::Capacity capacity_for_neighbours_;
    evpn::Network::Capacity capacity_for_neighbours_here_;
    Networks networks_;
    std::unique_ptr<evpn::Kernel> socket_;
    std::map<std::string, evpn::Link> links_;  // devices that a network names
    evpn::Dump dump_;
    bool has_links_ = false;  // all links arrived since they were last requested
    bool lost_ = false;       // a message or a request was lost
    uint64_t orders_ = 0;     // number of the last order to the worker
    std::size_t bucket_ = 0;  // next bucket of the FDB to read
    PortSet unflooded_ = 0;   // ports without floods, as last set for workers
    Nanos looked_at_daemon_;
    Nanos now_{0};            // time of the last call
    std::string why_unseen_;  // last reported reason why the daemon's socket is not seen
    uint64_t resyncs_ = 0;
    uint64_t refused_ = 0;
    std::string why_refused_;
};

}  // namespace sluice::control
