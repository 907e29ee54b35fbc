// Settings: all settings of the dataplane, already validated: units and port indices, no text.
//
// Fixed for the life of a Switch: `ports.size()`, `lanes`, `buffer.size`, `buffer.cell`,
// `fabric.algorithm`, `fdb.capacity`, `fdb.hash_seed`, `multicast.capacity`, `seed` and each port's
// `worker` and `format`; of a port `pfc.by`, as long as its device is open. The rest may change
// between bursts (Shard::adopt).
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dataplane/types/address.h"
#include "dataplane/types/csig_settings.h"
#include "dataplane/types/enum_count.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/pause_peers.h"
#include "dataplane/types/tag.h"
#include "dataplane/types/units.h"

namespace sluice {

// 802.1Q 6.9.3 and RFC 2474: the first source that a frame has decides; the port's default is last.
// `roce` is the DSCP, but only of RoCEv2, which is UDP to port 4791; `traffic_class` exists if the
// port's format has the field; `application` is the table of applications.
enum class PrioritySource : uint8_t { none, pcp, dscp, traffic_class, roce, application };
inline constexpr auto priority_sources = static_cast<std::size_t>(PrioritySource::application);

// The field that identifies an application (802.1Q D.2.11): an EtherType, or 0 for frames that match
// no other entry; a source or destination port of TCP, of UDP or of either; or a DSCP.
enum class ApplicationSelector : uint8_t { ethertype, tcp, udp, port, dscp };

struct ApplicationPriority {
    ApplicationSelector selector = ApplicationSelector::ethertype;
    uint16_t protocol = 0;
    Priority priority = 0;
};
inline constexpr std::size_t most_applications = 32;

struct ClassifySettings {
    std::array<PrioritySource, priority_sources> order = {PrioritySource::pcp, PrioritySource::dscp,
                                                          PrioritySource::traffic_class};
    std::array<Priority, 8> pcp_to_priority = {0, 1, 2, 3, 4, 5, 6, 7};
    std::array<Priority, 64> dscp_to_priority = {};  // all 0: best effort
    std::array<Priority, 256> tc_to_priority = {};
    std::array<ApplicationPriority, most_applications> applications = {};
    uint8_t application_count = 0;
    Priority default_priority = 0;
};

// The PCP and DSCP that a port writes into the frames that it sends, by their priority;
// `as_it_came`: the frame keeps its own.
struct RemarkSettings {
    static constexpr uint8_t as_it_came = 0xFF;
    static constexpr std::array<uint8_t, max_priorities> all_as_they_came = {
        as_it_came, as_it_came, as_it_came, as_it_came,
        as_it_came, as_it_came, as_it_came, as_it_came};

    std::array<uint8_t, max_priorities> pcp = all_as_they_came;
    std::array<uint8_t, max_priorities> dscp = all_as_they_came;
};

// 802.1Q 6.9: which frames a port accepts, by their tag.
enum class FrameTypes : uint8_t { all, tagged, untagged };  // a tag of VLAN 0 is none

// How a port treats tags. A port that is not tag-aware reads a tag of either type, accepts any
// frame, and sends it as it came. A tag-aware port reads and sends only tags of its own type; any
// other tag is payload to it.
struct TaggingSettings {
    bool aware = false;
    TagType type = TagType::customer;
    FrameTypes accept = FrameTypes::all;
};

// The kinds of traffic that storm control polices separately.
enum class StormControlKind : uint8_t { broadcast, unknown_unicast, multicast, last = multicast };
inline constexpr std::size_t storm_control_kinds = count_of<StormControlKind>;

// The rate that a port admits of each kind (ingress/storm_control.h).
struct StormControlSettings {
    bool in_frames = false;                              // frames a second, else bits
    std::array<int64_t, storm_control_kinds> rate = {};  // up to 400 G; 0: no limit
};

enum class Discipline : uint8_t { strict, wrr, dwrr, last = dwrr };

// Strict classes go first, the highest first; the others share the rest by weight. `wrr` counts
// frames, `dwrr` octets; a port uses one of the two. Both tables are by traffic class. A priority
// is in the class that `traffic_class` maps it to (802.1Q 8.6.6), by default the class of its own
// number.
struct SchedulerSettings {
    static constexpr std::array<uint8_t, max_priorities> own_class = {0, 1, 2, 3, 4, 5, 6, 7};

    std::array<uint8_t, max_priorities> traffic_class = own_class;
    std::array<Discipline, max_priorities> discipline = {};
    std::array<uint16_t, max_priorities> weight = {1, 1, 1, 1, 1, 1, 1, 1};  // 1-1000
};

// The flow control of a link: pause frames; or credit (credits/credit_end.h) if the peer gives
// credit, else pause frames. With `none` the port neither pauses its peer nor obeys pauses.
enum class FlowControl : uint8_t { none, pfc, credit };

// The quantity that decides when a peer is paused: the buffer that the peer's frames occupy (as in
// SONiC), or the depth of an output's queues, summed over the inputs.
enum class PauseTrigger : uint8_t { ingress, egress };

// The sender and receiver of pauses. `frames`: the switch, by pause frames. `queues`: the device,
// with a receive and a transmit queue for each priority (pfc/queue_backpressure.h). `ring`: for
// peers that obey no pauses, the switch stops receiving from the single ring of all the peer's
// frames, and obeys the peer's pause frames.
enum class PfcBy : uint8_t { frames, queues, ring, last = ring };

constexpr std::string_view name_of(PfcBy by) {
    constexpr std::array<std::string_view, 3> names = {"switch", "nic", "ring"};
    static_assert(names.size() == count_of<PfcBy>);
    return names[static_cast<std::size_t>(by)];
}

// The action of the watchdog in a pause storm (pfc/watchdog.h).
enum class WatchdogAction : uint8_t { off, alert, drop, forward };

struct WatchdogSettings {
    WatchdogAction action = WatchdogAction::alert;
    Nanos detection{200'000'000};    // how long a queue is held before that is a storm
    Nanos restoration{200'000'000};  // how long without pause until it is over
    Nanos longest_restoration{0};    // what it doubles up to as storms return; 0: it stays
    Nanos poll{200'000'000};         // how often it looks
};

// Pauses that a port does not obey, but forwards to the peer of another port (pfc/pause_relay.h);
// each of the two ports names the other. The default depth is for one WAN, whose two ends are one
// relay each.
inline constexpr PortIndex no_relay = max_ports;

struct PauseRelaySettings {
    PortIndex to = no_relay;       // of the same worker
    PrioritySet priorities = 0;    // some of the lossless ones of both
    Nanos longest{1'000'000'000};  // of a pause without a break
    uint8_t depth = 2;             // relays that a pause may come through, this one counted; 1-15
    uint32_t limit = 10'000;       // pauses that begin in a second; 0: no limit
    bool probes = false;           // asks the other end of its link how long pauses take
};

// A PFC frame names priorities by the bits that frames have on the wire. The switch may number them
// differently, by the port's classification or remarking. Both tables contain sets of bits.
struct PauseBits {
    static constexpr std::array<PrioritySet, max_priorities> own_numbers = {1,  2,  4,  8,
                                                                            16, 32, 64, 128};
    // For each priority, the bits that the port's own pause frames name for it: the PCPs of the
    // frames that it receives in the priority. At least one.
    std::array<PrioritySet, max_priorities> sent = own_numbers;
    // For each bit that the peer may name, the priorities whose frames leave with it.
    std::array<PrioritySet, max_priorities> received = own_numbers;

    bool operator==(const PauseBits&) const = default;
};

// 802.1Qbb. Levels are for one (port, priority) ingress group; with PauseTrigger::egress for one
// (output, priority) instead, without a reserve (buffer/pause_levels.h). XOFF starts a pause at
// `xoff`, or, if alpha is not 0, at reserved + alpha x (free part of the pool) if that is less. XON
// ends it when the headroom is empty and the use is at most the higher of `xon` and, if
// `xon_offset` is not 0, the starting level less `xon_offset`; xon <= xoff. Frames that arrive
// during a pause use `headroom`.
struct PfcSettings {
    PrioritySet lossless = 0;
    PfcBy by = PfcBy::frames;
    PauseTrigger trigger = PauseTrigger::ingress;
    Bytes reserved{0};       // of the group alone
    uint32_t alpha_128 = 0;  // in 1/128; 0: `xoff` alone
    Bytes xoff{128 * 1024};
    Bytes xon{64 * 1024};
    Bytes xon_offset{0};  // 0: `xon` alone
    Bytes headroom{512 * 1024};
    Quanta pause{65535};      // 1-65535: what an XOFF asks for; refreshed at half of it
    PausePeers peers;         // the sources of pause frames
    bool link_pause = false;  // also obeys 802.3x, which pauses every priority
    bool asymmetric = false;  // obeys pauses of all priorities, and sends those of the lossless
    uint32_t rx_limit = 0;    // XOFFs a second that count; 0: all
    uint32_t tx_limit = 0;    // pause frames a second; XOFF does not wait for it; 0: no limit
    WatchdogSettings watchdog;
    PauseRelaySettings relay;
    // The time from an XOFF of this port to the last frame that an obedient peer sends in spite of
    // it; 0: obedience is not checked (pfc/pause_obedience.h).
    Nanos obeyed_within{0};
    Nanos obedience_patience{1'000'000};  // beyond that, before a peer is called disobedient
    PauseBits bits;                       // of pause frames
};

// Weighted random early detection by marking (RFC 3168; Floyd and Jacobson, 1993); with `drop` it
// also drops frames of lossy priorities that cannot be marked. By the octets of an (output,
// priority), summed over the inputs.
struct EcnSettings {
    Bytes low{0};                   // below: no mark
    Bytes high{0};                  // from here on every frame; 0: never any
    uint32_t probability_65536{0};  // just below `high`, in 1/65536
    bool drop = false;              // frames that are not ECN-capable
};

// For a port as an output: frames of lossy priorities that are trimmed where they would be dropped
// for want of room (trim/trimmer.h). `priorities` contains neither `queue` nor lossless priorities,
// and no DSCP that some port writes is one that some port trims.
struct TrimSettings {
    static constexpr uint8_t not_trimmed = 0xFF;
    static constexpr std::array<uint8_t, 64> nothing = [] {
        std::array<uint8_t, 64> dscp{};
        dscp.fill(not_trimmed);
        return dscp;
    }();

    PrioritySet priorities = 0;  // priorities whose frames are trimmed
    Priority queue = 6;          // priority of trimmed frames; lossy
    uint8_t share_128 = 32;      // their share of the sent octets, in 1/128, up to 64
    Bytes size{128};             // octets of a frame that are kept
    std::array<uint8_t, 64> dscp =
        nothing;  // DSCP of trimmed frames, by the one that they came with
};

// For a port with FlowControl::credit. Each lossless priority has `buffer` for its peer's frames.
// Reserve and headroom of `pfc` together have to hold that and one longest frame more
// (credit_reserve_for). While the peer gives no credit they are used for PFC.
struct CreditSettings {
    Bytes buffer{0};           // a longest frame and a quantum at the least
    Bytes quantum{0};          // an update is sent when so much became free
    Nanos refresh{1'000'000};  // and at the latest so long after the last one
};

// The fate of frames of a port with link-level retry that no session numbers.
enum class RetryAction : uint8_t { best_effort, block, discard };

// Settings of a port with link-level retry (retry/port_retry.h).
struct RetrySettings {
    bool is_on = false;
    Bytes buffer{1024 * 1024};  // for what is sent and not acknowledged; 64 KiB or more
    Bytes resequence{0};        // for what comes behind a gap; 0: it is to come again
    Nanos replay_timer{5'000'000};
    uint32_t replay_count_max = 64;
    Nanos data_age{0};                             // 0: any
    RetryAction init = RetryAction::best_effort;   // before the first session of a link
    RetryAction flush = RetryAction::best_effort;  // after the end of one

    friend bool operator==(const RetrySettings&, const RetrySettings&) = default;
};

inline constexpr PortIndex no_underlay = max_ports;

struct PortSettings {
    WorkerIndex worker = 0;
    bool enabled = true;  // else what comes in is dropped; its link is control's to keep down
    BitsPerSecond speed{10'000'000'000};  // of the link: the length of a quantum
    BitsPerSecond rate{0};                // shaper; 0: not shaped
    Bytes max_frame{1522};                // octets without FCS, tags counted
    MacAddress address;                   // source of the pause frames it sends
    VlanId default_vlan = 1;              // of frames without a tag (PVID)
    FrameFormat format;
    TaggingSettings tagging;
    StormControlSettings storm_control;
    bool isolated = false;  // exchanges frames only with ports that are not
    bool sticky = false;    // addresses learned here neither move nor age, nor go with the link
    bool lacp = false;      // LACP and marker frames go to control
    bool spanning_tree = false;  // BPDUs go to control, which says whether the port discards
    // A tunnel of EVPN: control binds its addresses, and it does not learn from frames. It is
    // flooded to only if control says so, and sends nothing to another EVPN tunnel
    // (forward/forwarding.h).
    bool evpn = false;
    bool forwards_bpdus = false;  // as any group's frames; else none goes on
    ClassifySettings classify;
    RemarkSettings remark;
    FlowControl flow_control = FlowControl::pfc;
    PrioritySet dcbx_defence = 0;  // received frames are discarded: the peer would not pause
    PrioritySet dcbx_held = 0;     // frames are held: the peer would discard them
    SchedulerSettings scheduler;
    PfcSettings pfc;
    std::array<EcnSettings, max_priorities> ecn;  // of the port as an output
    uint32_t sflow_one_in = 0;  // one frame in so many that it receives is sampled; 0: none
    // For a tunnel: the port, of the same worker, that it is carried over.
    PortIndex underlay = no_underlay;
    CreditSettings credit;
    TrimSettings trim;
    PortCsigSettings csig;
    RetrySettings retry;
};

// Dynamic Threshold (Choudhury and Hahne, 1998): a lossy VOQ may hold reserved + alpha x (free part
// of the shared pool).
struct BufferSettings {
    Bytes size{16 * 1024 * 1024};
    Bytes cell{256};          // a frame is charged whole cells; a power of two, 1 to 16384
    Bytes reserved{0};        // of each VOQ
    uint32_t alpha_128{128};  // alpha in 1/128, so 128 is 1; 1-16384
};

enum class CrossbarRule : uint8_t { strict, weighted };

enum class MatchingAlgorithm : uint8_t { islip, serena };  // one file each in fabric/

struct FabricSettings {
    MatchingAlgorithm algorithm = MatchingAlgorithm::islip;
    uint8_t iterations = 2;  // of iSLIP, 1-4
    Bytes quantum{4096};     // octets a matched pair moves in one slot, 1518 or more
    uint8_t slots = 8;       // matchings in a row before ports send, 1-64
    CrossbarRule rule = CrossbarRule::strict;
    std::array<uint8_t, max_priorities> weight = {1, 1, 2, 2, 4, 4, 8, 8};  // `weighted`, 1-15
    bool bypass = true;  // a frame whose output no VOQ of its worker waits for takes none
};

struct StaticEntry {
    VlanId vlan = 1;
    MacAddress address;  // or an id, on a port whose format has those
    PortIndex port = 0;
};

// The fate of a frame whose source address finds no room in the FDB: it is forwarded, and frames
// for that address are flooded; or it is dropped (fdb_full).
enum class WhenFull : uint8_t { flood, drop };

// The action when a source address is known at another port: it moves to the new port; or its
// frames are dropped (moved_source) until the entry has aged out or the old port's link went down.
enum class Moves : uint8_t { follow, refuse };

struct FdbSettings {
    uint32_t capacity = 16384;      // entries, 64 to 1 Mi
    Nanos ageing{300'000'000'000};  // 0: never; 802.1Q default 300 s
    WhenFull when_full = WhenFull::flood;
    Moves moves = Moves::follow;
    uint64_t hash_seed = 0;  // any number; keeps an outsider from choosing collisions
    std::vector<StaticEntry> static_entries;
};

// Without filtering every port is a member of every VLAN. A tag-aware port (TaggingSettings) sends
// the VLANs that list it as `untagged` without a tag, and all others with one (802.1Q 8.8.10).
struct VlanSettings {
    bool filtering = false;
    std::array<PortSet, max_vlans> members = {};
    std::array<PortSet, max_vlans> untagged = {};
    std::bitset<max_vlans> unlearned;  // no address is learned there
    std::bitset<max_vlans> unflooded;  // nor unicast flooded to stations that nobody knows
    // VLANs in which requests for known neighbours are answered instead of flooded.
    std::bitset<max_vlans> neigh_suppress;
};

// The fields that choose a member of an aggregation (forward/flow.h): MAC addresses, IP addresses,
// or IP addresses and the ports of TCP and UDP.
enum class DistributionHash : uint8_t { l2, l3, l4 };

// Ports that form one bridge port (802.1AX). No port is in two aggregations; all members have the
// same settings for bridging: VLANs, tagging, isolation, format.
struct AggregationSettings {
    PortSet members = 0;  // one or more
    DistributionHash hash = DistributionHash::l4;
};

// The protocols whose reports and queries are snooped (RFC 4541).
enum class GroupProtocol : uint8_t { igmp, mld };
using GroupProtocols = uint8_t;  // bit n is protocol n
constexpr GroupProtocols only_protocol(GroupProtocol protocol) {
    return static_cast<GroupProtocols>(1U << static_cast<unsigned>(protocol));
}

// Where frames go for a group without a report, in a VLAN where reports are snooped.
enum class Unregistered : uint8_t { flood, router_ports };

struct StaticGroup {
    VlanId vlan = 1;
    MacAddress address;  // or an id with the group bit, on ports whose format has those
    PortSet ports = 0;   // of one family
};

struct MulticastSettings {
    uint32_t capacity = 1024;                             // groups, 1 to 16 Ki
    std::array<GroupProtocols, max_vlans> snooping = {};  // by VLAN
    Unregistered unregistered = Unregistered::flood;
    bool fast_leave = false;         // who leaves is gone at once: there is one host a port
    Nanos ageing{260'000'000'000};   // RFC 2236 8.4: twice 125 s and 10 s
    Nanos leaving{2'000'000'000};    // RFC 2236 8.8 and 8.9: two queries of 1 s
    std::bitset<max_vlans> queried;  // where control queries
    PortSet router_ports = 0;        // beside those that are learned, in every VLAN of theirs
    std::vector<StaticGroup> groups;
};

enum class MirrorDirection : uint8_t { ingress, egress, both };

// Copies of frames that ports receive (ingress) or send (egress), for another port
// (forward/mirrors.h).
struct MirrorSettings {
    PortSet from = 0;
    MirrorDirection direction = MirrorDirection::both;
    PortIndex to = 0;
    bool bridged = false;  // `to` is a port like any other besides
};
// The ports that mirrors send to. No priority is lossless there, or a mirror could pause the ports
// that it copies from.
inline PortSet mirrored_to(std::span<const MirrorSettings> mirrors) {
    PortSet ports = 0;
    for (const MirrorSettings& mirror : mirrors) ports |= only(mirror.to);
    return ports;
}
// The mirror ports that do not bridge: they are in no VLAN, send only copies, and drop what they
// receive.
inline PortSet only_mirrored_to(std::span<const MirrorSettings> mirrors) {
    PortSet ports = 0;
    for (const MirrorSettings& mirror : mirrors) {
        if (!mirror.bridged) ports |= only(mirror.to);
    }
    return ports;
}

// A further input of a port that is too fast for one worker (switch.h).
struct LaneSettings {
    PortIndex port = 0;
    WorkerIndex worker = 0;
};

struct Settings {
    std::vector<PortSettings> ports;  // 1 to max_ports
    std::vector<LaneSettings> lanes;  // with the ports no more than max_ports
    uint8_t workers = 1;              // 1 to max_workers; worker 0 is also the arbiter
    BufferSettings buffer;
    FabricSettings fabric;
    FdbSettings fdb;
    VlanSettings vlan;
    std::vector<AggregationSettings> aggregations;
    MulticastSettings multicast;
    std::vector<MirrorSettings> mirrors;
    CsigSettings csig;
    uint32_t latency_one_in = 0;  // one frame in so many is timed; 0: none
    uint16_t sflow_header = 128;  // octets of a sampled frame that are kept
    uint64_t seed = 1;            // of the draws for ECN, and of what is sampled
};

// The most inputs of any worker: ports, and further lanes.
inline std::size_t most_inputs_of_a_worker(const Settings& settings) {
    std::array<std::size_t, max_workers> inputs{};
    for (const PortSettings& port : settings.ports) ++inputs[port.worker];
    for (const LaneSettings& lane : settings.lanes) ++inputs[lane.worker];
    return *std::ranges::max_element(inputs);
}

// The longest frame that any port accepts.
inline Bytes largest_frame(const Settings& settings) {
    Bytes largest{0};
    for (const PortSettings& port : settings.ports) largest = std::max(largest, port.max_frame);
    return largest;
}

}  // namespace sluice
