#include "config/schema.h"

#include <array>

#include "dataplane/limits.h"

namespace sluice::config {

namespace {

constexpr int64_t kilo = 1'000;
constexpr int64_t mega = 1'000 * kilo;
constexpr int64_t giga = 1'000 * mega;
constexpr int64_t KiB = 1024;
constexpr int64_t MiB = 1024 * KiB;
constexpr int64_t GiB = 1024 * MiB;
constexpr int64_t millisecond = 1'000'000;
constexpr int64_t second = 1000 * millisecond;

constexpr std::array<std::string_view, 9> schemes = {"ring", "af_packet", "af_xdp", "memif", "tap",
                                                     "pcap", "null",      "pci",    "vdev"};
constexpr std::array<std::string_view, 2> sources = {"pcp", "dscp"};
constexpr std::array<std::string_view, 2> idles = {"yield", "poll"};
constexpr std::array<std::string_view, 2> rules = {"strict", "weighted"};

constexpr Key whole(std::string_view name, int64_t lowest, int64_t highest) {
    return {.name = name, .kind = Kind::whole, .lowest = lowest, .highest = highest};
}

constexpr Key priority = whole("priority", 0, 7);
constexpr Key vlan_id = whole("id", 1, 4094);
constexpr std::array<Key, 1> a_priority = {priority};
constexpr std::array<Key, 1> a_core = {whole("core", 0, 1023)};
constexpr std::array<Key, 1> a_crossbar_weight = {whole("weight", 1, 15)};
constexpr std::array<Key, 1> a_port_name = {{{.name = "port", .kind = Kind::name}}};
constexpr std::array<Key, 1> a_source = {
    {{.name = "source", .kind = Kind::choice, .choices = sources}}};
constexpr std::array<Key, 2> dscp_to_priority = {whole("DSCP", 0, 63), priority};
constexpr std::array<Key, 2> priority_to_weight = {priority, whole("weight", 1, 1000)};

constexpr auto scheduler_keys = std::to_array<Key>({
    {.name = "strict",
     .kind = Kind::list,
     .help = "priorities served first, the highest first; so is each that is named nowhere",
     .fallback = "[]",
     .inside = a_priority,
     .most = max_priorities,
     .distinct = true},
    {.name = "wrr",
     .kind = Kind::table,
     .help = "priorities that share what is left, frames by weight",
     .fallback = "{}",
     .inside = priority_to_weight},
    {.name = "dwrr",
     .kind = Kind::table,
     .help = "priorities that share what is left, octets by weight; not beside `wrr`",
     .fallback = "{}",
     .inside = priority_to_weight},
});

constexpr auto pfc_keys = std::to_array<Key>({
    {.name = "xoff",
     .kind = Kind::size,
     .help = "a lossless priority that holds more than this pauses its peer",
     .fallback = "128KiB",
     .lowest = 0,
     .highest = GiB},
    {.name = "xon",
     .kind = Kind::size,
     .help = "it resumes its peer at this or less; not above `xoff`",
     .fallback = "64KiB",
     .lowest = 0,
     .highest = GiB},
    {.name = "headroom",
     .kind = Kind::size,
     .help = "set aside for what a peer still sends after it was told to pause",
     .fallback = "512KiB",
     .lowest = 0,
     .highest = GiB},
    {.name = "pause",
     .kind = Kind::whole,
     .help = "how long one XOFF asks for, in quanta of 512 bit times; refreshed at half of it",
     .fallback = "65535",
     .lowest = 1,
     .highest = 65535},
});

// The first three are a port's own; the rest may stand under `defaults` as well.
constexpr std::size_t own_port_keys = 3;
constexpr auto port_keys = std::to_array<Key>({
    {.name = "name",
     .kind = Kind::name,
     .help = "what every other key, command and table calls the port",
     .worked_out = "`p0`, `p1`, ... in order"},
    {.name = "device",
     .kind = Kind::device,
     .help = "what the port opens; no two ports open the same",
     .required = true},
    {.name = "address",
     .kind = Kind::address,
     .help = "source of the pause frames that the port sends",
     .worked_out = "the device's own"},
    {.name = "worker",
     .kind = Kind::whole,
     .help = "which worker polls the port; below `workers.count`",
     .worked_out = "the port's index modulo `workers.count`",
     .lowest = 0,
     .highest = max_workers - 1},
    {.name = "speed",
     .kind = Kind::rate,
     .help = "of the link; it gives a pause quantum its length",
     .fallback = "10G",
     .lowest = mega,
     .highest = 1600 * giga},
    {.name = "rate",
     .kind = Kind::rate,
     .help = "what the port sends at the most; 0: as fast as the device takes it",
     .fallback = "0",
     .lowest = mega,
     .highest = 1600 * giga,
     .or_zero = true},
    {.name = "mtu",
     .kind = Kind::size,
     .help = "octets of payload; a frame may have 22 more: its header and two tags",
     .fallback = "1500B",
     .lowest = 68,
     .highest = 9702},
    {.name = "promiscuous",
     .kind = Kind::boolean,
     .help = "take frames for every address, as a switch has to; false filters in the device",
     .fallback = "true"},
    {.name = "default_vlan",
     .kind = Kind::whole,
     .help = "the VLAN of frames without a tag",
     .fallback = "1",
     .lowest = 1,
     .highest = 4094},
    {.name = "default_priority",
     .kind = Kind::whole,
     .help = "the priority of frames that no trusted source gives one",
     .fallback = "0",
     .lowest = 0,
     .highest = 7},
    {.name = "trust",
     .kind = Kind::list,
     .help = "the first of these that a frame has decides its priority; `[]`: none does",
     .fallback = "[pcp, dscp]",
     .inside = a_source,
     .most = 2,
     .distinct = true},
    {.name = "pcp_to_priority",
     .kind = Kind::list,
     .help = "the priority of each PCP, 0 first",
     .fallback = "[0, 1, 2, 3, 4, 5, 6, 7]",
     .inside = a_priority,
     .fewest = 8,
     .most = 8},
    {.name = "dscp_to_priority",
     .kind = Kind::table,
     .help = "the priority of each DSCP; one that is not named has priority 0",
     .fallback = "{}",
     .inside = dscp_to_priority},
    {.name = "scheduler",
     .kind = Kind::map,
     .help = "who sends next; a port that writes it keeps nothing of `defaults.scheduler`",
     .inside = scheduler_keys,
     .one_piece = true},
    {.name = "lossless",
     .kind = Kind::list,
     .help = "priorities that pause their peer instead of dropping",
     .fallback = "[]",
     .inside = a_priority,
     .most = max_priorities,
     .distinct = true},
    {.name = "pfc", .kind = Kind::map, .help = "levels of a lossless priority", .inside = pfc_keys},
});

constexpr std::array<Key, 1> a_port = {{{.name = "ports", .kind = Kind::map, .inside = port_keys}}};

constexpr auto worker_keys = std::to_array<Key>({
    {.name = "count",
     .kind = Kind::whole,
     .help = "threads that poll ports; ports are spread over them evenly",
     .fallback = "1",
     .lowest = 1,
     .highest = max_workers},
    {.name = "cores",
     .kind = Kind::list,
     .help = "the core of each worker, worker 0 first",
     .worked_out = "chosen at start",
     .inside = a_core,
     .fewest = 1,
     .most = max_workers,
     .distinct = true},
    {.name = "idle",
     .kind = Kind::choice,
     .help = "`yield` gives the core away while nothing arrives, `poll` keeps it",
     .fallback = "yield",
     .choices = idles},
    {.name = "burst",
     .kind = Kind::whole,
     .help = "frames that one receive asks for",
     .fallback = "32",
     .lowest = 1,
     .highest = max_burst},
});

constexpr auto buffer_keys = std::to_array<Key>({
    {.name = "size",
     .kind = Kind::size,
     .help = "all that may wait in the switch",
     .fallback = "16MiB",
     .lowest = 64 * KiB,
     .highest = 4 * GiB},
    {.name = "cell",
     .kind = Kind::size,
     .help = "a frame is charged whole cells",
     .fallback = "256B",
     .lowest = 1,
     .highest = 16 * KiB,
     .power_of_two = true},
    {.name = "reserved",
     .kind = Kind::size,
     .help = "of each VOQ, which nobody else may take",
     .fallback = "0B",
     .lowest = 0,
     .highest = GiB},
    {.name = "alpha",
     .kind = Kind::share,
     .help = "how much of the free shared pool one VOQ may hold (Dynamic Threshold)",
     .fallback = "1",
     .lowest = 1,
     .highest = 128 * 128},
});

constexpr auto fabric_keys = std::to_array<Key>({
    {.name = "iterations",
     .kind = Kind::whole,
     .help = "of iSLIP in one matching",
     .fallback = "2",
     .lowest = 1,
     .highest = 4},
    {.name = "quantum",
     .kind = Kind::size,
     .help = "what a matched pair moves in one slot; no less than the largest frame",
     .fallback = "4KiB",
     .lowest = 1518,
     .highest = MiB},
    {.name = "slots",
     .kind = Kind::whole,
     .help = "matchings in a row before ports send, at the most",
     .fallback = "8",
     .lowest = 1,
     .highest = 64},
    {.name = "rule",
     .kind = Kind::choice,
     .help = "which priority crosses first where the crossbar is the bottleneck",
     .fallback = "strict",
     .choices = rules},
    {.name = "weights",
     .kind = Kind::list,
     .help = "of each priority under `weighted`, 0 first",
     .fallback = "[1, 1, 2, 2, 4, 4, 8, 8]",
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
     .help = "of the station; never learned elsewhere, never aged",
     .required = true},
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
     .lowest = 64,
     .highest = largest_fdb},
    {.name = "ageing",
     .kind = Kind::time,
     .help = "a learned entry unheard of for this long is forgotten; 0: never",
     .fallback = "300s",
     .lowest = millisecond,
     .highest = 1'000'000 * second,
     .or_zero = true},
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
     .help = "of the VLAN",
     .required = true,
     .lowest = vlan_id.lowest,
     .highest = vlan_id.highest},
    {.name = "ports",
     .kind = Kind::list,
     .help = "names of its members",
     .required = true,
     .inside = a_port_name,
     .most = max_ports,
     .distinct = true},
});
constexpr std::array<Key, 1> a_vlan = {{{.name = "VLANs", .kind = Kind::map, .inside = vlan_keys}}};

constexpr auto control_keys = std::to_array<Key>({
    {.name = "socket",
     .kind = Kind::socket,
     .help = "where `sluiced` answers `sluice`",
     .fallback = "/run/sluice/sluice.sock"},
});

constexpr auto root_keys = std::to_array<Key>({
    {.name = "defaults",
     .kind = Kind::map,
     .help = "what each port has unless it says otherwise: every key of a port but `name`, "
             "`device` and `address`",
     .inside = std::span(port_keys).subspan(own_port_keys)},
    {.name = "ports",
     .kind = Kind::list,
     .help = "the ports, in the order of their indices",
     .required = true,
     .inside = a_port,
     .fewest = 1,
     .most = max_ports,
     .inherits = "defaults"},
    {.name = "workers", .kind = Kind::map, .help = "who polls the ports", .inside = worker_keys},
    {.name = "buffer", .kind = Kind::map, .help = "where frames wait", .inside = buffer_keys},
    {.name = "fabric", .kind = Kind::map, .help = "the crossbar", .inside = fabric_keys},
    {.name = "fdb", .kind = Kind::map, .help = "the forwarding table", .inside = fdb_keys},
    {.name = "vlans",
     .kind = Kind::list,
     .help = "VLANs and their members; where it is not written every port is in every VLAN",
     .worked_out = "no filtering",
     .inside = a_vlan,
     .fewest = 1,
     .most = 4094},
    {.name = "control", .kind = Kind::map, .help = "how it is managed", .inside = control_keys},
});

constexpr Key root = {.name = "file", .kind = Kind::map, .inside = root_keys};

}  // namespace

const Key& schema() { return root; }

std::span<const std::string_view> device_schemes() { return schemes; }

}  // namespace sluice::config
