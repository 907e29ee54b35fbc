// Snapshot: a running switch as JSON, a noun at a time (nouns.h). The keys are a promise to
// scripts; README.md lists them.
//
// Reads counters that workers write meanwhile: each value is one that was true, but two of them may
// be from different moments. Asks nothing of the workers and never makes them wait.
// Bound: `queues` looks at every VOQ (64 x 64 x 8), `fdb` at every slot; the rest at ports only.
// Not done here: devices and threads. Whoever calls says what it knows of them in the View.
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
#include "control/event_log.h"
#include "control/lacp/aggregator.h"
#include "control/lldp/agent.h"
#include "control/loop_guard/guard.h"
#include "control/port_abilities.h"
#include "dataplane/settings.h"
#include "dataplane/switch.h"
#include "dataplane/tunnel/encapsulation.h"
#include "dataplane/units.h"

namespace sluice::control {

class NeighbourManager;
class EvpnManager;
class SflowManager;

// Keys come out in the order in which they were written.
using Json = nlohmann::ordered_json;

// What an interface's XDP program and its sockets say.
struct XdpView {
    bool native = false;
    bool zero_copy = false;
    std::vector<uint64_t> priority;                          // frames with a tag, by PCP
    std::vector<std::pair<std::string, uint64_t>> counters;  // such as to_host
};

// What the dataplane does not know about a port.
struct PortView {
    std::string name;
    std::string device;
    std::string aggregation;  // that it is a member of; empty: of none
    loop_guard::State loop_guard = loop_guard::State::off;
    bool vacant = false;       // no port is there
    bool vanished = false;     // the device is gone
    BitsPerSecond link_speed;  // 0: the device does not say
    PortAbilities abilities;
    uint64_t pauses_before = 0;    // heard at its place before it was there
    unsigned tx_descriptors = 0;   // frames that the device may hold
    bool pauses_overtake = false;  // these
    std::vector<std::pair<std::string, uint64_t>> device_counters;  // such as imissed
    std::optional<XdpView> xdp;                                     // of an af_xdp port
    // PFC frames by priority, where the device pauses and obeys by itself and tells of it.
    std::vector<uint64_t> device_pauses_received;
    std::vector<uint64_t> device_pauses_sent;
};

// What passed through a tunnel.
struct TunnelView {
    PortIndex port = 0;
    PortIndex underlay = 0;
    Encapsulation encapsulation = {};
    uint64_t encapsulated = 0;
    uint64_t copied = 0;  // of these
    uint64_t decapsulated = 0;
};

// And what came to a port with an address, and went into none.
struct UnderlayView {
    PortIndex port = 0;
    UnderlayAddresses addresses = {};
    uint64_t received = 0;  // packets of ARP and neighbour discovery about these
    uint64_t dropped = 0;   // likewise, when there were too many at once
    uint64_t no_buffer = 0;
    std::vector<std::pair<std::string, uint64_t>> refused;  // by reason
};

struct TunnelViews {
    std::vector<TunnelView> tunnels;
    std::vector<UnderlayView> underlays;
};

struct WorkerView {
    unsigned core = 0;
    unsigned node = 0;  // of NUMA, that the core is on
    uint64_t polls = 0;
    uint64_t busy_polls = 0;  // that found something to do
    uint64_t frames = 0;
    double busy_share = 0;     // of the time, 0 to 1
    double nanos_a_frame = 0;  // of the busy time
    uint64_t longest_gap = 0;  // ns between polls, since its start
};

struct View {
    const Switch& dataplane;
    const Settings& settings;     // as last published
    std::vector<PortView> ports;  // by index
    std::vector<WorkerView> workers;
    const EventLog& events;
    std::span<const lldp::Agent> agents;  // by index of the port
    std::span<const dcbx::Agent> dcbx;    // likewise
    std::span<const lacp::Aggregator> aggregators;
    Nanos now;                               // by the clock that the workers use
    std::vector<const Counter*> polls = {};  // of each worker, as they go on
    std::string_view configuration_file = {};
    std::string_view configuration = {};  // what is in it
    const SflowManager* sflow = nullptr;
    const EvpnManager* evpn = nullptr;
    TunnelViews tunnels = {};
    const NeighbourManager* neighbours = nullptr;
};

// Of every port and priority.
template <class Visit>
void for_each_group(const View& view, Visit visit) {
    for (PortIndex port = 0; port < view.dataplane.port_count(); ++port) {
        if (view.ports[port].vacant) continue;
        for (Priority priority = 0; priority < max_priorities; ++priority) visit(port, priority);
    }
}

// `noun` is one of nouns.h. Rows that say nothing (a queue never used, a drop that never happened)
// are left out unless `all`.
Json snapshot(std::string_view noun, const View& view, bool all);

// What of nouns is too long to be looked at often, as counts: `fdb_entries, fdb_capacity,
// fdb_moves, fdb_full, events` (so far).
Json totals(const View& view);

// Whether a pause frame of the port's peer has come in, by PFC or by 802.3x.
uint64_t pauses_received(const Switch& dataplane, PortIndex port);
// What the port can do: as it was found when it opened, or as a pause frame of its peer has shown.
Abilities abilities_of(const View& view, PortIndex port);

// Of ports, the first index first.
Json names_of(const View& view, PortSet ports);

std::string to_text(MacAddress address);                        // aa:bb:cc:dd:ee:ff
std::string to_text(FormatFamily family, MacAddress address);   // likewise, or an id: 7
std::string to_text(std::chrono::system_clock::time_point at);  // UTC, ISO 8601, milliseconds

}  // namespace sluice::control
