// Configuration: the contents of a valid file. `settings` is the dataplane's part; the rest is for
// the code that opens ports, starts workers and answers on the socket. Names and devices are in the
// order of `settings.ports`, so a port's index is the same everywhere: after reading the order of
// the file, in a running switch the order of slots (places.h).
//
// Not done here, because no file should set it: `settings.fdb.hash_seed` stays 0 until the daemon
// draws one, and a port's `settings.ports[i].address` stays 0 until its device is open, unless the
// file sets it.
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

// The group addresses that LLDP goes to (control/lldp/destination.h has the same order).
enum class LldpDestination : uint8_t {
    nearest_bridge,
    nearest_non_tpmr_bridge,
    nearest_customer_bridge,
};

struct PortLldpConfig {
    LldpMode mode = LldpMode::both;
    std::string port_id;  // empty: the port's name
    std::string description;
    uint8_t destinations = 1;  // of its frames: a bit each, in the order of LldpDestination
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

// Which frames of an interface the host keeps: those that match all conditions of a rule.
struct HostRuleConfig {
    std::optional<MacAddress> mac;
    std::optional<uint16_t> vlan;  // 0: without a tag
    std::optional<uint16_t> ethertype;

    friend bool operator==(const HostRuleConfig&, const HostRuleConfig&) = default;
};
struct HostConfig {
    bool addresses = false;  // the interface's own
    std::vector<HostRuleConfig> rules;

    friend bool operator==(const HostConfig&, const HostConfig&) = default;
};

// The action for a port with lossless priorities whose capability for them is unproven.
enum class Unproved : uint8_t { warn, refuse, allow };

// Which tags a port has to do with.
enum class VlanMode : uint8_t { transparent, access, trunk };

// The action for a port whose loop probes come back.
enum class LoopGuardAction : uint8_t { off, warn, shut };

struct LoopGuardConfig {
    LoopGuardAction action = LoopGuardAction::off;
    Nanos recovery{60'000'000'000};  // how long without, until a port that was shut opens
};

// Whether a port leads only to hosts: detected, or configured.
enum class EdgePort : uint8_t { automatic, on, off };

struct PortSpanningTreeConfig {
    uint32_t cost = 0;  // 0: by its speed
    uint8_t priority = 128;
    EdgePort edge = EdgePort::automatic;
    bool bpdu_guard = false;
    Nanos recovery{0};  // of a port that a BPDU shut; 0: never by time
    bool bpdu_filter = false;
    bool root_guard = false;
};

struct PortConfig {
    std::size_t listed = 0;   // its place in the file's list
    bool vacant = false;      // a place for a port, and none is there (places.h)
    std::string name;         // unique
    std::string aggregation;  // that it is a member of; empty: of none
    std::string description;  // what it is for; empty: nobody said
    std::string device;       // `scheme:rest`, unique; the rest is checked when it is opened
    Bytes in_front{0};        // octets that go before a frame, and its device takes besides
    Bytes mtu;  // octets of payload; settings.ports[i].max_frame has the tags and header too
    bool promiscuous = true;
    std::string format;                 // its name; settings.ports[i].format is what it means
    std::optional<MacAddress> address;  // where it is to differ from the device's own
    bool worker_written = false;        // else settings.ports[i].worker is the place's
    bool speed_written = false;  // else settings.ports[i].speed is the default, not the operator's
    bool headroom_written = false;  // else settings.ports[i].pfc.headroom is what `needs` gives
    WrittenLevels levels;           // likewise its XOFF and XON
    HeadroomNeeds needs;            // of each lossless priority of the port
    CreditNeeds credit_needs;       // likewise, by credit
    bool credit_buffer_written = false;
    Bytes reserved;  // as written; by credit settings.ports[i].pfc.reserved may be more
    uint16_t rx_descriptors = 0;  // a power of two; 0: what suits the device
    uint16_t tx_descriptors = 0;
    Unproved unproved = Unproved::warn;
    bool strict = false;  // pauses of the LLDP neighbour are obeyed besides settings' `pfc.peers`
    PortLldpConfig lldp;
    PortDcbxConfig dcbx;
    LoopGuardConfig loop_guard;
    PortSpanningTreeConfig spanning_tree;  // settings.ports[i].spanning_tree: it is in the tree
    HostConfig host;
    std::optional<UnderlayConfig> underlay;  // of a port that may have tunnels over it
    std::optional<TunnelConfig> tunnel;      // settings.ports[i].underlay is the port it is over
};

// The information that the switch sends about itself to its neighbours.
struct LldpConfig {
    bool enabled = true;
    Nanos interval{30'000'000'000};
    uint16_t hold = 4;
    std::string chassis_id;   // empty: the lowest of a port at start
    std::string system_name;  // empty: the host's name
    std::string system_description;
    std::vector<uint8_t> management_address;  // 4 octets, or 16; empty: none
};

// Queries of IGMP and MLD by the switch itself, in the VLANs of `settings.multicast.queried`.
struct QuerierConfig {
    Ipv4Address address;  // of IGMP's; 0: none, so that any other querier goes before
    Nanos interval{125'000'000'000};
    Nanos response{10'000'000'000};
    uint8_t igmp_version = 3;
    uint8_t mld_version = 2;
};

// Where sFlow version 5 sends samples and counters. What is sampled is in `settings`.
struct SflowConfig {
    std::vector<std::string> collectors;  // endpoints (endpoint.h); none: it is off
    std::vector<uint8_t> agent = {};      // 4 octets, or 16; empty: not written
    Nanos polling{20'000'000'000};        // of counters; 0: none
};

// The export of queues and lossless groups by IPFIX, and its collectors.
struct IpfixConfig {
    std::vector<std::string> collectors = {};  // endpoints (endpoint.h); none: it is off
    Nanos period{100'000};
    PortSet ports = ~PortSet{0};
    PrioritySet priorities = 0xFF;
    uint32_t domain = 1;
    Bytes mtu{1500};
    Nanos templates{10'000'000'000};  // between two times that they are sent

    friend bool operator==(const IpfixConfig&, const IpfixConfig&) = default;
};

// The recording of queues, and how much of it is kept.
struct RecorderConfig {
    bool enabled = false;
    RecorderSettings settings = {};
    std::size_t keep = 32;  // recordings

    friend bool operator==(const RecorderConfig&, const RecorderConfig&) = default;
};

// A virtual network whose tunnels do not learn: a routing daemon writes their addresses and VTEPs
// to devices of the kernel.
struct VniConfig {
    uint32_t vni = 0;
    VlanId vlan = 1;           // of its tunnels
    std::string device;        // VXLAN
    std::string local_device;  // of the same bridge
    bool neigh_suppress = false;

    friend bool operator==(const VniConfig&, const VniConfig&) = default;
};
struct EvpnConfig {
    std::vector<VniConfig> vnis;  // none: it is off
    Nanos grace{120'000'000'000};
    std::string daemon_socket;

    friend bool operator==(const EvpnConfig&, const EvpnConfig&) = default;
};

enum class SpanningTreeMode : uint8_t { off, rstp, stp };

// Settings of the switch as a bridge, and of all bridges if it is the root (802.1D-2004 17.13 and
// 17.14).
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

// The behaviour of an idle worker: give up the core between polls, or keep it.
enum class Idle : uint8_t { yield, poll };

struct WorkersConfig {
    std::vector<uint16_t> cores;  // one a worker in order; empty: the daemon chooses
    Idle idle = Idle::yield;
    uint8_t burst = 64;  // frames a receive asks for, 1 to max_burst
};

inline constexpr std::string_view default_socket = "/run/sluice/sluice.sock";

struct ControlConfig {
    std::string socket;   // absolute path
    std::string state;    // folder of what outlasts a restart; likewise
    std::string readers;  // a group that may show; empty: none
};

// State that survives a restart.
struct StateConfig {
    bool fdb = false;  // learned addresses
    bool counters = false;
    Nanos interval{60'000'000'000};  // between two times that it is written

    [[nodiscard]] bool any() const { return fdb || counters; }
};

// Ports that are added while the switch runs.
struct HotplugConfig {
    std::size_t ports = 0;             // that there may be; 0: as many as at start
    std::vector<std::string> devices;  // whose privileges are kept for that
};

// Another switch that a page here shows.
struct OtherSwitch {
    std::string name;
    std::string url;  // an origin (origin.h)
};

struct MetricsConfig {
    std::string listen;               // an endpoint (endpoint.h); empty: nowhere
    std::vector<OtherSwitch> others;  // of `topology`
    std::vector<std::string> allow;   // origins of pages that may read what is here
    std::string certificate = {};     // a PEM file, with `key`; empty: no TLS
    std::string key = {};
    std::string token_file = {};  // who sends what it holds may read; empty: everybody
};

// The positions of all written keys, so that a fault that is found later can point at the file; and
// their texts, so that they can be shown.
struct Source {
    std::string file;
    std::string text;  // as it was read
    std::map<std::string, Position, std::less<>> positions;

    // Returns the position of the key, or of the nearest configured key around it.
    [[nodiscard]] Position position_of(std::string_view path) const;
};

struct Configuration {
    Settings settings;
    std::vector<PortConfig> ports;
    WorkersConfig workers;
    ControlConfig control;
    StateConfig state;
    MetricsConfig metrics;
    bool telemetry = false;  // DPDK's socket
    LldpConfig lldp;
    QuerierConfig querier;
    SflowConfig sflow;
    IpfixConfig ipfix;
    RecorderConfig recorder;
    EvpnConfig evpn;
    SpanningTreeConfig spanning_tree;
    std::vector<AggregationConfig> aggregations;  // in the order of settings.aggregations
    HotplugConfig hotplug;
    std::map<VlanId, std::string> vlan_names = {};  // of those that have one
    Source source;
};

}  // namespace sluice::config
