// Snapshot: the state of a running switch as JSON, one noun (nouns.h) at a time. Scripts rely on
// the keys; control/nouns.md lists them.
//
// Reads counters while workers write them: each value was true at some moment, but two values may
// be from different moments. Requests nothing from workers and never makes them wait.
// Bound: `queues` looks at every VOQ (64 x 64 x 8), `fdb` at every slot, the others at ports only.
// Not done here: reading devices and threads; the caller puts their state into the View.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "control/dcbx/agent.h"
#include "control/events/event_log.h"
#include "control/lacp/aggregator.h"
#include "control/lldp/agent.h"
#include "control/loop_guard/guard.h"
#include "control/port_abilities.h"
#include "control/show/port_history.h"
#include "control/show/port_rates.h"
#include "dataplane/switch.h"
#include "dataplane/tunnel/encapsulation.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class NeighbourManager;
class EvpnManager;
class QuerierManager;
class RstpManager;
class SflowManager;
class IpfixManager;
class RecorderManager;

// The XDP program of an af_xdp port, and its sockets.
struct XdpView {
    bool native = false;
    bool zero_copy = false;
    std::vector<uint64_t> priority;                          // tagged frames received, by PCP
    std::vector<std::pair<std::string, uint64_t>> counters;  // name and value, such as to_host
};

// State of a port that the dataplane does not know.
struct PortView {
    std::string name;
    std::string device;
    std::string description;  // empty: there is none
    std::string aggregation;  // name of the aggregation that the port is a member of; empty: none
    loop_guard::State loop_guard = loop_guard::State::off;
    bool vacant = false;       // no port has this index now
    bool vanished = false;     // the device was removed
    BitsPerSecond link_speed;  // 0: the device does not report it
    PortAbilities abilities;
    uint64_t pauses_before = 0;    // pause frames received by an earlier port with this index
    unsigned tx_descriptors = 0;   // frames that the device's transmit ring holds
    bool pauses_overtake = false;  // pause frames have a transmit ring of their own
    std::vector<std::pair<std::string, uint64_t>> device_counters;  // such as imissed
    std::optional<XdpView> xdp;                                     // set for an af_xdp port
    // PFC frames by priority, counted by a device that itself sends and obeys pauses; empty if it
    // does not count them.
    std::vector<uint64_t> device_pauses_received;
    std::vector<uint64_t> device_pauses_sent;
};

// Counts of frames through a tunnel.
struct TunnelView {
    PortIndex port = 0;
    PortIndex underlay = 0;
    Encapsulation encapsulation = {};
    uint64_t encapsulated = 0;
    uint64_t copied = 0;  // encapsulated frames that had to be copied
    uint64_t decapsulated = 0;
    uint64_t flooded = 0;            // frames that were copied to each VTEP
    uint64_t unmapped = 0;           // frames of a VLAN or VNI that no network of the tunnel has
    const Bundle* bundle = nullptr;  // the networks of a point-to-multipoint tunnel; else null
};

// Counts of packets that a port with an underlay address received and that belong to no tunnel.
struct UnderlayView {
    PortIndex port = 0;
    UnderlayAddresses addresses = {};
    uint64_t received = 0;   // ARP and ND packets about the port's underlay addresses
    uint64_t dropped = 0;    // ARP and ND packets dropped because too many arrived at once
    uint64_t no_buffer = 0;  // frames that had to be copied while no buffer was free
    uint64_t cut_off = 0;    // floods that ended with their tunnel, before each VTEP had its copy
    std::vector<std::pair<std::string, uint64_t>> refused;  // reason and packets
};

struct TunnelViews {
    std::vector<TunnelView> tunnels;
    std::vector<UnderlayView> underlays;
};

struct WorkerView {
    unsigned core = 0;
    unsigned node = 0;  // NUMA node of the core
    uint64_t polls = 0;
    uint64_t busy_polls = 0;  // polls that received or sent a frame
    uint64_t frames = 0;
    uint64_t busy = 0;         // ns in busy polls
    double busy_share = 0;     // 0 to 1: share of the time spent in busy polls
    double nanos_a_frame = 0;  // ns of busy time for each frame
    uint64_t longest_gap = 0;  // longest time between two polls since the worker started, ns
};

// When the switch began, by a clock that may be set, and by one that never jumps.
struct UpSince {
    std::chrono::system_clock::time_point utc = {};
    std::chrono::steady_clock::time_point steady = {};
};

struct View {
    const Switch& dataplane;
    const Settings& settings;     // the settings that were last published
    std::vector<PortView> ports;  // by port index
    std::vector<WorkerView> workers;
    const EventLog& events;
    std::span<const lldp::Agent> agents;  // by port index
    std::span<const dcbx::Agent> dcbx;    // by port index
    std::span<const lacp::Aggregator> aggregators;
    Nanos now;                               // time of the view, by the workers' clock
    std::vector<const Counter*> polls = {};  // by worker index
    std::string_view configuration_file = {};
    std::string_view configuration = {};  // the text of the configuration file
    const SflowManager* sflow = nullptr;
    const IpfixManager* ipfix = nullptr;
    const RecorderManager* recorder = nullptr;
    const EvpnManager* evpn = nullptr;
    TunnelViews tunnels = {};
    const NeighbourManager* neighbours = nullptr;
    const QuerierManager* querier = nullptr;
    const RstpManager* rstp = nullptr;
    std::string_view dpdk = {};  // name and version of DPDK; empty: not linked
    UpSince up_since = {};
    const std::map<VlanId, std::string>* vlan_names = nullptr;
    std::span<const std::optional<PortRate>> rates = {};  // by port index
    const PortHistory* history = nullptr;
};

// Calls `visit` for every port that exists.
template <class Visit>
void for_each_present_port(const View& view, Visit visit) {
    for (PortIndex port = 0; port < view.dataplane.port_count(); ++port) {
        if (!view.ports[port].vacant) visit(port);
    }
}

// Calls `visit` for every port and priority.
template <class Visit>
void for_each_group(const View& view, Visit visit) {
    for (PortIndex port = 0; port < view.dataplane.port_count(); ++port) {
        if (view.ports[port].vacant) continue;
        for (Priority priority = 0; priority < max_priorities; ++priority) visit(port, priority);
    }
}

// Returns the state for `noun`, which is one of nouns.h. Rows that hold only 0 (a queue never used,
// a drop reason that never occurred) are left out unless `all`.
Json snapshot(std::string_view noun, const View& view, bool all);

// Returns counts for nouns that are too long to be read often: `fdb_entries, fdb_capacity,
// fdb_moves, fdb_full, events` (since the start).
Json totals(const View& view);

// Returns how many pause frames were received from the port's peer, of PFC and of 802.3x.
uint64_t pauses_received(const Switch& dataplane, PortIndex port);
// Returns the capabilities of the port: found when it was opened, or proven by a pause frame of its
// peer.
Abilities abilities_of(const View& view, PortIndex port);

// Returns the names of ports, lowest index first.
Json names_of(const View& view, PortSet ports);

std::string to_text(MacAddress address);                       // aa:bb:cc:dd:ee:ff
std::string to_text(FormatFamily family, MacAddress address);  // aa:bb:cc:dd:ee:ff, or an AFH ID: 7
std::string to_text(std::chrono::system_clock::time_point at);  // UTC, ISO 8601, milliseconds
// Returns a moment of the workers' clock as UTC, ISO 8601, milliseconds.
std::string time_of(const View& view, Nanos at);

}  // namespace sluice::control
