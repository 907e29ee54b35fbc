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
#include "config/key_row.h"
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
    key(Kind::whole, "count", "threads that poll ports; ports are spread over them evenly", "1", 1,
        max_workers) |
        Is::restart,
    key(Kind::list, "cores", "the core of each worker, worker 0 first",
        worked_out("chosen at start"), a_core, 1, max_workers) |
        Is::restart | Is::distinct,
    key(Kind::choice, "idle",
        "`yield` gives up the core while nothing arrives, `poll` keeps it. With `yield` the first "
        "frame after a silence arrives up to 0.06 ms late; a single worker with only `af_packet`, "
        "`af_xdp`, `tap` or tunnels over these sleeps until then",
        "yield", idles) |
        Is::restart,
    key(Kind::whole, "burst", "frames that one receive asks for", "64", 1, max_burst) | Is::restart,
});

constexpr auto buffer_keys = std::to_array<Key>({
    key(Kind::size, "size", "octets of frames that may wait in the switch", "16MiB", 64 * KiB,
        4 * GiB) |
        Is::restart,
    key(Kind::size, "cell", "a frame is charged whole cells", "256B", 1, 16 * KiB) | Is::restart |
        Is::power_of_two,
    key(Kind::size, "reserved", "octets reserved for each VOQ", "0B", 0, GiB),
    key(Kind::share, "alpha",
        "how much of the free shared pool one VOQ may hold (Dynamic Threshold); 0: none, each has "
        "only its `reserved` (static thresholds)",
        "1", 1, 128 * 128) |
        Is::or_zero,
});

constexpr auto fabric_keys = std::to_array<Key>({
    key(Kind::choice, "algorithm",
        "matching algorithm: `islip` shares evenly, `serena` prefers long queues and carries more "
        "of uneven traffic",
        "islip", matchers) |
        Is::restart,
    key(Kind::whole, "iterations",
        "iterations of iSLIP per matching; `serena` runs iSLIP in one slot of 64", "2", 1, 4),
    key(Kind::size, "quantum",
        "what a matched pair moves in one slot; at least the largest frame; default: 4KiB or the "
        "largest frame, whichever is larger",
        "4KiB", 1518, MiB),
    key(Kind::boolean, "bypass",
        "frames bypass the VOQs while none of their worker's frames waits for that output in a VOQ "
        "and its egress queue is below every ECN, drop and pause threshold; false: every frame "
        "goes through its VOQ",
        "true"),
    key(Kind::whole, "slots", "most matchings in a row before ports send", "8", 1, 64),
    key(Kind::choice, "rule", "which priority crosses first if the crossbar is the bottleneck",
        "strict", rules),
    key(Kind::list, "weights", "weight of each priority with `weighted`, 0 first",
        "[1, 1, 2, 2, 4, 4, 8, 8]", a_crossbar_weight, 8, 8) |
        Needs::weighted,
});

constexpr auto static_keys = std::to_array<Key>({
    key(Kind::whole, "vlan", "the VLAN it is known in", "1", 1, 4094),
    key(Kind::address, "address", "address of the station; never learned elsewhere, never aged",
        worked_out("required, where there is no `id`")),
    key(Kind::whole, "id", "in place of `address`, if the format of its port has ids",
        worked_out("required, where there is no `address`"), 0, 0xFFFF'FFFF),
    {.name = "port", .kind = Kind::name, .help = "the port that leads to it", .required = true},
});
constexpr std::array<Key, 1> a_static_entry = {
    {{.name = "entries", .kind = Kind::map, .inside = static_keys}}};

constexpr int64_t largest_fdb = MiB;
constexpr auto fdb_keys = std::to_array<Key>({
    key(Kind::whole, "capacity", "entries", "16384", 64, largest_fdb) | Is::restart,
    key(Kind::time, "ageing",
        "a learned address that sent no frame for this long is removed; 0: never", "300s",
        millisecond, 1'000'000 * second) |
        Is::or_zero,
    key(Kind::choice, "when_full",
        "a frame whose source finds no room: it is forwarded (`flood`: frames to that source are "
        "flooded), or dropped; known entries stay",
        "flood", when_full),
    key(Kind::choice, "moves",
        "an address that appears at another port: `follow` it, or `refuse` its frames until its "
        "entry has aged or its port's link went down",
        "follow", moves),
    key(Kind::list, "static", "entries that are there from the start", "[]", a_static_entry, 0,
        largest_fdb),
});

constexpr auto vlan_keys = std::to_array<Key>({
    key(Kind::whole, "id", "number of the VLAN", {}, vlan_id.lowest, vlan_id.highest) |
        Is::required,
    key(Kind::text, "name", "a description", worked_out("nothing"), 0, 32),
    key(Kind::list, "ports", "names of its members", {}, a_port_name, 0, max_ports) | Is::required |
        Is::distinct,
    key(Kind::boolean, "learning",
        "addresses are learned in it; false: only static entries map stations to ports", "true"),
    key(Kind::boolean, "flood_unknown",
        "frames to unknown stations are flooded in it; false: they are dropped", "true"),
});
constexpr std::array<Key, 1> a_vlan = {{{.name = "VLANs", .kind = Kind::map, .inside = vlan_keys}}};

constexpr auto control_keys = std::to_array<Key>({
    key(Kind::socket, "socket", "the socket where `sluiced` answers `sluice`", default_socket) |
        Is::restart,
    key(Kind::text, "readers",
        "a group whose members may use `sluice show` there, and nothing else", worked_out("nobody"),
        0, 32) |
        Is::restart,
    key(Kind::folder, "state",
        "the folder for state that outlasts a restart: capabilities that devices proved, and what "
        "`state` keeps; made when needed",
        "/var/lib/sluice") |
        Is::restart,
});

constexpr auto privileged_devices = schemes_where<[](const DeviceTraits& device) {
    return device.to_open != Capabilities::none;
}>();
constexpr std::array<Key, 1> a_privileged_device = {
    {{.name = "device", .kind = Kind::choice, .choices = privileged_devices}}};
constexpr auto hotplug_keys = std::to_array<Key>({
    key(Kind::whole, "ports",
        "most ports at a time; free port slots are allocated at start, with buffers",
        worked_out("the number of ports at start"), 1, max_ports) |
        Is::restart,
    key(Kind::list, "devices",
        "kinds of devices that may be added while the switch runs; the control thread keeps the "
        "capabilities for them",
        "[]", a_privileged_device, 0, privileged_devices.size()) |
        Is::restart | Is::distinct,
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
    key(Kind::list, "formats", "frame formats in addition to the presets, which `like` names", "[]",
        a_format, 0, max_ports),
    {.name = "workers", .kind = Kind::map, .help = "worker threads", .inside = worker_keys},
    {.name = "buffer", .kind = Kind::map, .help = "the frame buffer", .inside = buffer_keys},
    {.name = "fabric", .kind = Kind::map, .help = "the crossbar", .inside = fabric_keys},
    {.name = "fdb", .kind = Kind::map, .help = "the forwarding table", .inside = fdb_keys},
    key(Kind::map, "multicast", "where frames to groups go; without it to every port of the VLAN",
        {}, multicast_keys),
    key(Kind::list, "vlans", "VLANs and their members; without it every port is in every VLAN",
        worked_out("no filtering"), a_vlan, 1, 4094),
    key(Kind::list, "aggregations", "link aggregation (802.1AX): ports that act as one bridge port",
        "[]", an_aggregation, 0, max_ports),
    key(Kind::list, "mirrors",
        "port mirroring: copies of frames that some ports receive or send, sent by another", "[]",
        a_mirror, 0, max_ports),
    key(Kind::map, "spanning_tree",
        "spanning tree: which of several links to other bridges carry frames, so that there is no "
        "loop",
        {}, spanning_tree_keys),
    key(Kind::choice, "bpdus",
        "BPDUs (01-80-C2-00-00-00): dropped (`drop`), or forwarded as frames of any group "
        "(`forward`), for bridges that run a spanning tree through this switch; with "
        "`spanning_tree.mode` the switch takes them",
        "drop", bpdu_choices),
    key(Kind::map, "lldp", "what the switch advertises to its neighbours about itself", {},
        lldp_keys),
    key(Kind::map, "hotplug", "ports that are added while the switch runs", {}, hotplug_keys),
    key(Kind::map, "control", "the management socket, and the folder for state", {}, control_keys),
    key(Kind::map, "state", "what outlasts a restart, kept in `control.state`", {}, state_keys),
    {.name = "metrics", .kind = Kind::map, .help = "monitoring by HTTP", .inside = metrics_keys},
    key(Kind::map, "evpn", "VXLAN tunnels that a routing daemon controls (EVPN, RFC 8365)", {},
        evpn_keys),
    key(Kind::map, "sflow",
        "samples of frames, and counters of ports, for collectors (sFlow version 5)", {},
        sflow_keys),
    key(Kind::map, "ipfix",
        "counters of queues and lossless groups every some microseconds, for collectors (IPFIX, as "
        "in SONiC's high-frequency telemetry)",
        {}, ipfix_keys),
    key(Kind::map, "csig",
        "congestion signalling in band (CSIG): tags before IP in which each hop signals how loaded "
        "it is; a TPID turns it on",
        {}, csig_keys),
    key(Kind::map, "latency", "latency of frames in the switch (`show latency`)", {}, latency_keys),
    key(Kind::map, "recorder",
        "recordings of queue depths to the microsecond, around triggers (`show bursts`)", {},
        recorder_keys),
    key(Kind::boolean, "telemetry", "answer on DPDK's telemetry socket, for dpdk-telemetry.py",
        "false") |
        Is::restart,
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
