#include "config/schema.h"

#include <algorithm>
#include <array>

#include "config/bridge/aggregation_keys.h"
#include "config/bridge/mirror_keys.h"
#include "config/bridge/multicast_keys.h"
#include "config/choices.h"
#include "config/csig_keys.h"
#include "config/device_kind.h"
#include "config/ipfix_keys.h"
#include "config/metrics_keys.h"
#include "config/port/defaults_keys.h"
#include "config/port/format_keys.h"
#include "config/protocols/evpn_keys.h"
#include "config/protocols/lldp_keys.h"
#include "config/protocols/sflow_keys.h"
#include "config/protocols/spanning_tree_keys.h"
#include "config/recorder_keys.h"
#include "config/state_keys.h"
#include "config/watch_keys.h"
#include "dataplane/fabric/matchers.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

namespace {

using namespace keys;

constexpr auto schemes = schemes_where<[](const DeviceTraits&) { return true; }>();
constexpr std::array<std::string_view, 2> idles = {"yield", "poll"};
constexpr std::array<std::string_view, 2> rules = {"strict", "weighted"};
constexpr auto matchers = [] {
    std::array<std::string_view, matcher_names.size()> names;
    std::ranges::transform(matcher_names, names.begin(), &MatcherName::name);
    return names;
}();
constexpr auto when_full = words_of<WhenFull>({
    {WhenFull::flood, "flood"},
    {WhenFull::drop, "drop"},
});
constexpr std::array<std::string_view, 2> bpdu_choices = {"drop", "forward"};
constexpr auto moves = words_of<Moves>({
    {Moves::follow, "follow"},
    {Moves::refuse, "refuse"},
});

constexpr Key vlan_id = whole("id", 1, 4094);
constexpr std::array<Key, 1> a_core = {whole("core", 0, 1023)};
constexpr std::array<Key, 1> a_crossbar_weight = {whole("weight", 1, 15)};

constexpr std::array<Key, 1> a_port = {{{.name = "ports", .kind = Kind::map, .inside = port_keys}}};

constexpr auto worker_keys = std::to_array<Key>({
    {.name = "count",
     .kind = Kind::whole,
     .help = "threads that poll ports; ports are spread over them evenly",
     .fallback = "1",
     .restart = true,
     .lowest = 1,
     .highest = max_workers},
    {.name = "cores",
     .kind = Kind::list,
     .help = "the core of each worker, worker 0 first",
     .worked_out = "chosen at start",
     .restart = true,
     .inside = a_core,
     .fewest = 1,
     .most = max_workers,
     .distinct = true},
    {.name = "idle",
     .kind = Kind::choice,
     .help = "`yield` gives up the core while nothing arrives, `poll` keeps it. With `yield` the "
             "first frame after a silence comes up to 0.06 ms late; a single worker with only "
             "`af_packet`, `af_xdp`, `tap` or tunnels over these sleeps until then",
     .fallback = "yield",
     .restart = true,
     .choices = idles},
    {.name = "burst",
     .kind = Kind::whole,
     .help = "frames that one receive asks for",
     .fallback = "64",
     .restart = true,
     .lowest = 1,
     .highest = max_burst},
});

constexpr auto buffer_keys = std::to_array<Key>({
    {.name = "size",
     .kind = Kind::size,
     .help = "octets of frames that may wait in the switch",
     .fallback = "16MiB",
     .restart = true,
     .lowest = 64 * KiB,
     .highest = 4 * GiB},
    {.name = "cell",
     .kind = Kind::size,
     .help = "a frame is charged whole cells",
     .fallback = "256B",
     .restart = true,
     .lowest = 1,
     .highest = 16 * KiB,
     .power_of_two = true},
    {.name = "reserved",
     .kind = Kind::size,
     .help = "octets reserved for each VOQ",
     .fallback = "0B",
     .lowest = 0,
     .highest = GiB},
    {.name = "alpha",
     .kind = Kind::share,
     .help = "how much of the free shared pool one VOQ may hold (Dynamic Threshold); 0: none, each "
             "has its `reserved` alone (static thresholds)",
     .fallback = "1",
     .lowest = 1,
     .highest = 128 * 128,
     .or_zero = true},
});

constexpr auto fabric_keys = std::to_array<Key>({
    {.name = "algorithm",
     .kind = Kind::choice,
     .help = "matching algorithm: `islip` shares evenly, `serena` prefers long queues and carries "
             "more of uneven traffic",
     .fallback = "islip",
     .restart = true,
     .choices = matchers},
    {.name = "iterations",
     .kind = Kind::whole,
     .help = "iterations of iSLIP per matching; `serena` runs iSLIP in one slot of 64",
     .fallback = "2",
     .lowest = 1,
     .highest = 4},
    {.name = "quantum",
     .kind = Kind::size,
     .help = "what a matched pair moves in one slot; at least the largest frame; default: 4KiB or "
             "the largest frame, whichever is larger",
     .fallback = "4KiB",
     .lowest = 1518,
     .highest = MiB},
    {.name = "bypass",
     .kind = Kind::boolean,
     .help = "frames bypass the VOQs while none of their worker's frames waits for that output in "
             "a VOQ and its egress queue is below every ECN, drop and pause threshold; false: "
             "every frame goes through its VOQ",
     .fallback = "true"},
    {.name = "slots",
     .kind = Kind::whole,
     .help = "most matchings in a row before ports send",
     .fallback = "8",
     .lowest = 1,
     .highest = 64},
    {.name = "rule",
     .kind = Kind::choice,
     .help = "which priority crosses first if the crossbar is the bottleneck",
     .fallback = "strict",
     .choices = rules},
    {.name = "weights",
     .kind = Kind::list,
     .help = "weight of each priority with `weighted`, 0 first",
     .fallback = "[1, 1, 2, 2, 4, 4, 8, 8]",
     .needs = Needs::weighted,
     .inside = a_crossbar_weight,
     .fewest = 8,
     .most = 8},
});

constexpr auto static_keys = std::to_array<Key>({
    {.name = "vlan",
     .kind = Kind::whole,
     .help = "the VLAN it is known in",
     .fallback = "1",
     .lowest = 1,
     .highest = 4094},
    {.name = "address",
     .kind = Kind::address,
     .help = "address of the station; never learned elsewhere, never aged",
     .worked_out = "required, where there is no `id`"},
    {.name = "id",
     .kind = Kind::whole,
     .help = "in place of `address`, if the format of its port has ids",
     .worked_out = "required, where there is no `address`",
     .lowest = 0,
     .highest = 0xFFFF'FFFF},
    {.name = "port", .kind = Kind::name, .help = "the port that leads to it", .required = true},
});
constexpr std::array<Key, 1> a_static_entry = {
    {{.name = "entries", .kind = Kind::map, .inside = static_keys}}};

constexpr int64_t largest_fdb = MiB;
constexpr auto fdb_keys = std::to_array<Key>({
    {.name = "capacity",
     .kind = Kind::whole,
     .help = "entries",
     .fallback = "16384",
     .restart = true,
     .lowest = 64,
     .highest = largest_fdb},
    {.name = "ageing",
     .kind = Kind::time,
     .help = "a learned entry from which no frame came for this long is forgotten; 0: never",
     .fallback = "300s",
     .lowest = millisecond,
     .highest = 1'000'000 * second,
     .or_zero = true},
    {.name = "when_full",
     .kind = Kind::choice,
     .help = "a frame whose source finds no room: it is forwarded (`flood`: frames to that source "
             "are flooded), or dropped; known entries stay",
     .fallback = "flood",
     .choices = when_full},
    {.name = "moves",
     .kind = Kind::choice,
     .help = "an address that appears at another port: `follow` it, or `refuse` its frames until "
             "its entry has aged or its port's link went down",
     .fallback = "follow",
     .choices = moves},
    {.name = "static",
     .kind = Kind::list,
     .help = "entries that are there from the start",
     .fallback = "[]",
     .inside = a_static_entry,
     .most = largest_fdb},
});

constexpr auto vlan_keys = std::to_array<Key>({
    {.name = "id",
     .kind = Kind::whole,
     .help = "number of the VLAN",
     .required = true,
     .lowest = vlan_id.lowest,
     .highest = vlan_id.highest},
    {.name = "name",
     .kind = Kind::text,
     .help = "what people call it",
     .worked_out = "nothing",
     .highest = 32},
    {.name = "ports",
     .kind = Kind::list,
     .help = "names of its members",
     .required = true,
     .inside = a_port_name,
     .most = max_ports,
     .distinct = true},
    {.name = "learning",
     .kind = Kind::boolean,
     .help = "addresses are learned in it; false: only static entries say where a station is",
     .fallback = "true"},
    {.name = "flood_unknown",
     .kind = Kind::boolean,
     .help = "frames to unknown stations are flooded in it; false: they are dropped",
     .fallback = "true"},
});
constexpr std::array<Key, 1> a_vlan = {{{.name = "VLANs", .kind = Kind::map, .inside = vlan_keys}}};

constexpr auto control_keys = std::to_array<Key>({
    {.name = "socket",
     .kind = Kind::socket,
     .help = "the socket where `sluiced` answers `sluice`",
     .fallback = default_socket,
     .restart = true},
    {.name = "readers",
     .kind = Kind::text,
     .help = "a group whose members may use `sluice show` there, and nothing else",
     .worked_out = "nobody",
     .restart = true,
     .highest = 32},
    {.name = "state",
     .kind = Kind::folder,
     .help = "the folder for state that outlasts a restart: capabilities that devices proved, and "
             "what `state` keeps; made when needed",
     .fallback = "/var/lib/sluice",
     .restart = true},
});

constexpr auto privileged_devices = schemes_where<[](const DeviceTraits& device) {
    return device.to_open != Capabilities::none;
}>();
constexpr std::array<Key, 1> a_privileged_device = {
    {{.name = "device", .kind = Kind::choice, .choices = privileged_devices}}};
constexpr auto hotplug_keys = std::to_array<Key>({
    {.name = "ports",
     .kind = Kind::whole,
     .help = "most ports at a time; free port slots are allocated at start, with buffers",
     .worked_out = "the number of ports at start",
     .restart = true,
     .lowest = 1,
     .highest = max_ports},
    {.name = "devices",
     .kind = Kind::list,
     .help = "kinds of devices that may be added while the switch runs; the control thread keeps "
             "the capabilities for them",
     .fallback = "[]",
     .restart = true,
     .inside = a_privileged_device,
     .most = privileged_devices.size(),
     .distinct = true},
});

constexpr auto root_keys = std::to_array<Key>({
    {.name = "defaults", .kind = Kind::map, .help = defaults_help.text(), .inside = defaults_keys},
    {.name = "ports",
     .kind = Kind::list,
     .help = "the ports, in the order of their indices; `sluiced` opens as many as its DPDK does: "
             "Debian's 32",
     .required = true,
     .inside = a_port,
     .fewest = 1,
     .most = max_ports,
     .inherits = "defaults"},
    {.name = "formats",
     .kind = Kind::list,
     .help = "frame formats in addition to the presets, which `like` names",
     .fallback = "[]",
     .inside = a_format,
     .most = max_ports},
    {.name = "workers", .kind = Kind::map, .help = "worker threads", .inside = worker_keys},
    {.name = "buffer", .kind = Kind::map, .help = "the frame buffer", .inside = buffer_keys},
    {.name = "fabric", .kind = Kind::map, .help = "the crossbar", .inside = fabric_keys},
    {.name = "fdb", .kind = Kind::map, .help = "the forwarding table", .inside = fdb_keys},
    {.name = "multicast",
     .kind = Kind::map,
     .help = "where frames to groups go; without it to every port of the VLAN",
     .inside = multicast_keys},
    {.name = "vlans",
     .kind = Kind::list,
     .help = "VLANs and their members; without it every port is in every VLAN",
     .worked_out = "no filtering",
     .inside = a_vlan,
     .fewest = 1,
     .most = 4094},
    {.name = "aggregations",
     .kind = Kind::list,
     .help = "link aggregation (802.1AX): ports that act as one bridge port",
     .fallback = "[]",
     .inside = an_aggregation,
     .most = max_ports},
    {.name = "mirrors",
     .kind = Kind::list,
     .help = "port mirroring: copies of frames that some ports receive or send, sent by another",
     .fallback = "[]",
     .inside = a_mirror,
     .most = max_ports},
    {.name = "spanning_tree",
     .kind = Kind::map,
     .help = "spanning tree: which of several links to other bridges carry frames, so that there "
             "is no loop",
     .inside = spanning_tree_keys},
    {.name = "bpdus",
     .kind = Kind::choice,
     .help = "BPDUs (01-80-C2-00-00-00): dropped (`drop`), or forwarded as frames of any group "
             "(`forward`), for bridges that run a spanning tree through this switch; with "
             "`spanning_tree.mode` the switch takes them",
     .fallback = "drop",
     .choices = bpdu_choices},
    {.name = "lldp",
     .kind = Kind::map,
     .help = "what the switch advertises to its neighbours about itself",
     .inside = lldp_keys},
    {.name = "hotplug",
     .kind = Kind::map,
     .help = "ports that are added while the switch runs",
     .inside = hotplug_keys},
    {.name = "control",
     .kind = Kind::map,
     .help = "the management socket, and the folder for state",
     .inside = control_keys},
    {.name = "state",
     .kind = Kind::map,
     .help = "what outlasts a restart, kept in `control.state`",
     .inside = state_keys},
    {.name = "metrics", .kind = Kind::map, .help = "monitoring by HTTP", .inside = metrics_keys},
    {.name = "evpn",
     .kind = Kind::map,
     .help = "VXLAN tunnels that a routing daemon controls (EVPN, RFC 8365)",
     .inside = evpn_keys},
    {.name = "sflow",
     .kind = Kind::map,
     .help = "samples of frames, and counters of ports, for collectors (sFlow version 5)",
     .inside = sflow_keys},
    {.name = "ipfix",
     .kind = Kind::map,
     .help = "counters of queues and lossless groups every some microseconds, for collectors "
             "(IPFIX, as in SONiC's high-frequency telemetry)",
     .inside = ipfix_keys},
    {.name = "csig",
     .kind = Kind::map,
     .help = "congestion signalling in band (CSIG): tags before IP in which each hop says how "
             "loaded it is; a TPID turns it on",
     .inside = csig_keys},
    {.name = "latency",
     .kind = Kind::map,
     .help = "latency of frames in the switch (`show latency`)",
     .inside = latency_keys},
    {.name = "recorder",
     .kind = Kind::map,
     .help = "recordings of queue depths to the microsecond, around triggers (`show bursts`)",
     .inside = recorder_keys},
    {.name = "telemetry",
     .kind = Kind::boolean,
     .help = "answer on DPDK's telemetry socket, for dpdk-telemetry.py",
     .fallback = "false",
     .restart = true},
});

constexpr Key root = {.name = "file", .kind = Kind::map, .inside = root_keys};

}  // namespace

const Key& schema() { return root; }
const Key& port_schema() { return a_port.front(); }

std::span<const std::string_view> device_schemes() { return schemes; }

const Key* element_map(const Key& key) {
    if (key.kind != Kind::list && key.kind != Kind::table) return nullptr;
    const Key& element = key.inside.back();
    return element.kind == Kind::map ? &element : nullptr;
}

const Key* label_of_elements(const Key& element) {
    const auto found = std::ranges::find_if(element.inside, [](const Key& key) {
        return key.name == "name" || (key.name == "id" && key.required);
    });
    return found == element.inside.end() ? nullptr : &*found;
}

std::string_view any_element(const Key& key) {
    if (element_map(key) == nullptr) return "";
    return key.kind == Kind::list ? "[]" : ".N";
}

}  // namespace sluice::config
