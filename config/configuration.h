// Configuration: the contents of a valid file. `settings` is the dataplane's part; the rest is for
// the code that opens ports, starts workers and answers on the socket. Names and devices are in the
// order of `settings.ports`, so a port has the same index everywhere. After reading, that order is
// the order of the file; in a running switch, the order of slots (places.h).
//
// Not set here: `settings.fdb.hash_seed` is 0 until the daemon draws one, as no file should set it;
// a port's `settings.ports[i].address` is 0 until its device is open, unless the file sets it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/port/tunnels.h"
#include "config/yaml/fault.h"
#include "dataplane/buffer/default_levels.h"
#include "dataplane/buffer/headroom.h"
#include "dataplane/credits/credit_buffer.h"
#include "dataplane/recorder/settings.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice::config {

// adminStatus of 802.1AB.
enum class LldpMode : uint8_t { disabled, tx, rx, both };

// The group addresses to which LLDP frames are sent (control/lldp/destination.h has the same
// order).
enum class LldpDestination : uint8_t {
    nearest_bridge,
    nearest_non_tpmr_bridge,
    nearest_customer_bridge,
};

struct PortLldpConfig {
    LldpMode mode = LldpMode::both;
    std::string port_id;  // empty: the port's name
    std::string description;
    // Destinations of the port's LLDP frames, a bit each, in the order of LldpDestination.
    uint8_t destinations = 1;
};

enum class DcbxMode : uint8_t { disabled, ieee, draft0409, cee, automatic };

struct PortDcbxConfig {
    DcbxMode mode = DcbxMode::automatic;
    bool willing_ets = false;
    bool willing_pfc = false;
    bool willing_application = false;
    bool recommend = true;
    bool defend = false;
    bool hold = false;
    bool congestion = false;
};

// A rule for frames that the host keeps from a shared interface: frames that match all conditions.
struct HostRuleConfig {
    std::optional<MacAddress> mac;
    std::optional<uint16_t> vlan;  // VLAN; 0: frames without a tag
    std::optional<uint16_t> ethertype;

    friend bool operator==(const HostRuleConfig&, const HostRuleConfig&) = default;
};
struct HostConfig {
    // The host keeps frames whose destination is an address of the interface.
    bool addresses = false;
    std::vector<HostRuleConfig> rules;

    friend bool operator==(const HostConfig&, const HostConfig&) = default;
};

// The action for a lossless port whose device is not proven to send and receive pauses.
enum class Unproved : uint8_t { warn, refuse, allow };

// The VLANs of a port, and how it tags them.
enum class VlanMode : uint8_t { transparent, access, trunk };

// The action for a port whose loop probes are received again.
enum class LoopGuardAction : uint8_t { off, warn, shut };

struct LoopGuardConfig {
    LoopGuardAction action = LoopGuardAction::off;
    // A port that was shut opens again after this time without probes.
    Nanos recovery{60'000'000'000};
};

// Whether a port leads only to hosts: detected, or configured.
enum class EdgePort : uint8_t { automatic, on, off };

struct PortSpanningTreeConfig {
    uint32_t cost = 0;  // cost of the path to the root; 0: by the port's speed
    uint8_t priority = 128;
    EdgePort edge = EdgePort::automatic;
    bool bpdu_guard = false;
    // A port that was shut because of a BPDU opens again after this time; 0: never.
    Nanos recovery{0};
    bool bpdu_filter = false;
    bool root_guard = false;
};

struct PortConfig {
    std::size_t listed = 0;   // position in the file's list of ports
    bool vacant = false;      // an empty port slot (places.h)
    std::string name;         // unique
    std::string aggregation;  // the aggregation that the port is a member of; empty: none
    std::string description;  // the operator's text for the port; may be empty
    std::string device;       // `scheme:rest`, unique; opening the device checks the rest
    // Octets before a frame on the wire, such as the retry header, within the device's MTU.
    Bytes in_front{0};
    Bytes mtu;  // octets of payload; settings.ports[i].max_frame includes header and tags
    bool promiscuous = true;
    std::string format;  // name of the format; settings.ports[i].format is the layout
    std::optional<MacAddress> address;  // the port's MAC address; nothing: the device's own
    // False: settings.ports[i].worker is the worker of the port's slot.
    bool worker_written = false;
    bool speed_written = false;  // false: settings.ports[i].speed is the default
    // False: settings.ports[i].pfc.headroom is computed from `needs`.
    bool headroom_written = false;
    WrittenLevels levels;      // XOFF and XON as written in the file
    HeadroomNeeds needs;       // values from which a lossless priority's headroom is computed
    CreditNeeds credit_needs;  // values from which the buffer of a port with credit is computed
    bool credit_buffer_written = false;
    Bytes reserved;  // as written; with credit settings.ports[i].pfc.reserved may be higher
    uint16_t rx_descriptors = 0;  // a power of two; 0: the default of the device
    uint16_t tx_descriptors = 0;
    Unproved unproved = Unproved::warn;
    // The port obeys only pauses of the LLDP neighbour and of `settings.ports[i].pfc.peers`.
    bool strict = false;
    PortLldpConfig lldp;
    PortDcbxConfig dcbx;
    LoopGuardConfig loop_guard;
    // Cost, priority and guards; settings.ports[i].spanning_tree: the port takes part.
    PortSpanningTreeConfig spanning_tree;
    HostConfig host;
    std::optional<UnderlayConfig> underlay;  // addresses of a port that may have tunnels over it
    // Set if the port is a tunnel; settings.ports[i].underlay is the port below.
    std::optional<TunnelConfig> tunnel;
};

// The information that the switch sends about itself to its neighbours.
struct LldpConfig {
    bool enabled = true;
    Nanos interval{30'000'000'000};
    uint16_t hold = 4;
    std::string chassis_id;   // empty: the lowest MAC address of a port at start
    std::string system_name;  // empty: the host's name
    std::string system_description;
    std::vector<uint8_t> management_address;  // 4 or 16 octets; empty: none
};

// Queries of IGMP and MLD by the switch itself, in the VLANs of `settings.multicast.queried`.
struct QuerierConfig {
    Ipv4Address address;  // source of IGMP queries; 0: any other querier takes over
    Nanos interval{125'000'000'000};
    Nanos response{10'000'000'000};
    uint8_t igmp_version = 3;
    uint8_t mld_version = 2;
};

// The collectors and the agent of sFlow version 5. `settings` has the sampling of each port.
struct SflowConfig {
    std::vector<std::string> collectors;  // endpoints (endpoint.h); none: sFlow is off
    std::vector<uint8_t> agent = {};      // 4 or 16 octets; empty: not configured
    Nanos polling{20'000'000'000};        // time between two exports of a port's counters; 0: none
};

// The export of queues and lossless groups by IPFIX, and its collectors.
struct IpfixConfig {
    std::vector<std::string> collectors = {};  // endpoints (endpoint.h); none: IPFIX is off
    Nanos period{100'000};
    PortSet ports = ~PortSet{0};
    PrioritySet priorities = 0xFF;
    uint32_t domain = 1;
    Bytes mtu{1500};
    Nanos templates{10'000'000'000};  // time between two exports of the templates

    friend bool operator==(const IpfixConfig&, const IpfixConfig&) = default;
};

// The recording of queues, and how much of it is kept.
struct RecorderConfig {
    bool enabled = false;
    RecorderSettings settings = {};
    std::size_t keep = 32;  // number of recordings that are kept

    friend bool operator==(const RecorderConfig&, const RecorderConfig&) = default;
};

// A virtual network whose tunnels do not learn: a routing daemon writes the network's addresses and
// VTEPs into devices of the kernel.
struct VniConfig {
    uint32_t vni = 0;
    VlanId vlan = 1;     // the VLAN of the tunnels
    std::string device;  // name of the kernel's VXLAN device
    // Name of another port of the kernel bridge that has `device`. The switch writes the addresses
    // of its own stations to that bridge as entries of this port.
    std::string local_device;
    bool neigh_suppress = false;

    friend bool operator==(const VniConfig&, const VniConfig&) = default;
};
struct EvpnConfig {
    std::vector<VniConfig> vnis;  // none: EVPN is off
    Nanos grace{120'000'000'000};
    std::string daemon_socket;

    friend bool operator==(const EvpnConfig&, const EvpnConfig&) = default;
};

enum class SpanningTreeMode : uint8_t { off, rstp, stp };

// Spanning tree settings of the switch. While the switch is the root, all bridges use its times
// (802.1D-2004 17.13 and 17.14).
struct SpanningTreeConfig {
    SpanningTreeMode mode = SpanningTreeMode::off;
    uint16_t priority = 32768;
    Nanos hello{2'000'000'000};
    Nanos max_age{20'000'000'000};
    Nanos forward_delay{15'000'000'000};
    uint8_t hold_count = 6;
};

enum class LacpMode : uint8_t { off, active, passive };

struct LacpConfig {
    LacpMode mode = LacpMode::off;
    bool short_timeout = false;
    uint16_t system_priority = 32768;
};

struct AggregationConfig {
    std::string name;
    PortSet members = 0;
    LacpConfig lacp;
};

// The behaviour of a worker that found nothing to do: yield the core between polls, or poll again.
enum class Idle : uint8_t { yield, poll };

struct WorkersConfig {
    std::vector<uint16_t> cores;  // one core for each worker, in order; empty: the daemon chooses
    Idle idle = Idle::yield;
    uint8_t burst = 64;  // frames of one receive call, 1 to max_burst
};

inline constexpr std::string_view default_socket = "/run/sluice/sluice.sock";

struct ControlConfig {
    std::string socket;   // absolute path
    std::string state;    // absolute path of the folder for state that survives a restart
    std::string readers;  // a group whose members may use `show`; empty: none
};

// State that survives a restart.
struct StateConfig {
    bool fdb = false;  // learned addresses
    bool counters = false;
    Nanos interval{60'000'000'000};  // time between two writes of the state

    [[nodiscard]] bool any() const { return fdb || counters; }
};

// Ports that are added while the switch runs.
struct HotplugConfig {
    std::size_t ports = 0;  // number of port slots; 0: as many as ports at start
    // Kinds of device that may be added; the daemon keeps the capabilities that such devices need.
    std::vector<std::string> devices;
};

// Another switch that the page of this switch shows.
struct OtherSwitch {
    std::string name;
    std::string url;  // an origin (origin.h)
};

struct MetricsConfig {
    std::string listen;               // an endpoint (endpoint.h); empty: no listener
    std::vector<OtherSwitch> others;  // other switches in the page's topology
    std::vector<std::string> allow;   // origins of pages that may read this listener's answers
    std::string certificate = {};     // a PEM file, used with `key`; empty: no TLS
    std::string key = {};
    // File with the token that clients must send; empty: any client may read.
    std::string token_file = {};
};

// The text of the file, which `sluice show` prints, and the positions of all written keys, for
// faults that are found later.
struct Source {
    std::string file;
    std::string text;  // the file's text, unchanged
    std::map<std::string, Position, std::less<>> positions;

    // Returns the position of the key or, if the key is not written, of the nearest written key
    // around it.
    [[nodiscard]] Position position_of(std::string_view path) const;
};

struct Configuration {
    Settings settings;
    std::vector<PortConfig> ports;
    WorkersConfig workers;
    ControlConfig control;
    StateConfig state;
    MetricsConfig metrics;
    bool telemetry = false;  // whether DPDK's telemetry socket is open
    LldpConfig lldp;
    QuerierConfig querier;
    SflowConfig sflow;
    IpfixConfig ipfix;
    RecorderConfig recorder;
    EvpnConfig evpn;
    SpanningTreeConfig spanning_tree;
    std::vector<AggregationConfig> aggregations;  // in the order of settings.aggregations
    HotplugConfig hotplug;
    std::map<VlanId, std::string> vlan_names = {};  // names of VLANs, by VLAN
    Source source;
};

}  // namespace sluice::config
