// Settings: all settings of the dataplane, already validated: units and port indices, no text.
//
// Fixed for the life of a Switch: `ports.size()`, `lanes`, `buffer.size`, `buffer.cell`,
// `fabric.algorithm`, `fdb.capacity`, `fdb.hash_seed`, `multicast.capacity`, `seed` and each port's
// `worker` and `format`; also each port's `pfc.by` while its device is open. The rest may change
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

// The source of a frame's priority (802.1Q 6.9.3, RFC 2474). The first one that the frame has
// decides, else the port's default. `roce` is the DSCP of RoCEv2, which is UDP to port 4791;
// `traffic_class` is a field of the port's format; `application` is the table of applications.
enum class PrioritySource : uint8_t { none, pcp, dscp, traffic_class, roce, application };
inline constexpr auto priority_sources = static_cast<std::size_t>(PrioritySource::application);

// The field that identifies an application (802.1Q D.2.11): an EtherType, or 0 for frames that no
// other entry matches; a source or destination port of TCP, UDP or either; or a DSCP.
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
// `as_it_came`: the frame keeps its value.
struct RemarkSettings {
    static constexpr uint8_t as_it_came = 0xFF;
    static constexpr std::array<uint8_t, max_priorities> all_as_they_came = {
        as_it_came, as_it_came, as_it_came, as_it_came,
        as_it_came, as_it_came, as_it_came, as_it_came};

    std::array<uint8_t, max_priorities> pcp = all_as_they_came;
    std::array<uint8_t, max_priorities> dscp = all_as_they_came;
};

// The frames that a port accepts, by their tag (802.1Q 6.9).
enum class FrameTypes : uint8_t { all, tagged, untagged };  // VLAN 0 counts as no tag

// A port that is not tag-aware reads a tag of either type, accepts any frame, and sends it
// unchanged. A tag-aware port reads and sends only tags of its own type; any other tag is payload
// to it.
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
    bool in_frames = false;                              // frames a second; false: bits a second
    std::array<int64_t, storm_control_kinds> rate = {};  // up to 400 G; 0: no limit
};

enum class Discipline : uint8_t { strict, wrr, dwrr, last = dwrr };

// Strict classes are served first, the highest first; the others share the rest by weight. `wrr`
// counts frames, `dwrr` octets; a port uses one of the two. Both tables are indexed by traffic
// class. `traffic_class` has the class of each priority (802.1Q 8.6.6), by default that of the same
// number.
struct SchedulerSettings {
    static constexpr std::array<uint8_t, max_priorities> own_class = {0, 1, 2, 3, 4, 5, 6, 7};

    std::array<uint8_t, max_priorities> traffic_class = own_class;
    std::array<Discipline, max_priorities> discipline = {};
    std::array<uint16_t, max_priorities> weight = {1, 1, 1, 1, 1, 1, 1, 1};  // 1-1000
};

// The flow control of a link. `pfc`: pause frames. `credit`: credit (credits/credit_end.h) if the
// peer supports credit, else pause frames. `none`: the port neither sends nor obeys pauses.
enum class FlowControl : uint8_t { none, pfc, credit };

// The quantity by which a peer is paused: the buffer that its frames occupy (as in SONiC), or the
// depth of an output's queues, summed over the inputs.
enum class PauseTrigger : uint8_t { ingress, egress };

// The way of pausing the peer. `frames`: the switch sends and obeys pause frames. `queues`: the
// device does, with a receive and a transmit queue for each priority (pfc/queue_backpressure.h).
// `ring`: for peers that obey no pauses, the switch stops receiving from the single ring of all the
// peer's frames; it obeys the peer's pause frames.
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
    Nanos detection{200'000'000};    // time without a sent frame after which a storm begins
    Nanos restoration{200'000'000};  // time without a pause after which the storm ends
    Nanos longest_restoration{0};    // limit for doubling `restoration`; 0: no doubling
    Nanos poll{200'000'000};         // time between two checks
};

// Pauses that a port does not obey, but relays to the peer of another port (pfc/pause_relay.h);
// each of the two ports names the other. The default depth suits one WAN, whose two ends are one
// relay each.
inline constexpr PortIndex no_relay = max_ports;

struct PauseRelaySettings {
    PortIndex to = no_relay;       // the other port, which has the same worker
    PrioritySet priorities = 0;    // priorities that are lossless at both ports
    Nanos longest{1'000'000'000};  // longest pause without a break
    uint8_t depth = 2;             // most relays of a pause, this one included; 1-15
    uint32_t limit = 10'000;       // pauses that may begin in a second; 0: no limit
    bool probes = false;           // the port measures the delay of pauses to the other end
};

// Maps between the bits of PFC frames, which are priorities on the wire, and the switch's
// priorities, which may differ by classification or remarking. Both tables contain sets of bits.
struct PauseBits {
    static constexpr std::array<PrioritySet, max_priorities> own_numbers = {1,  2,  4,  8,
                                                                            16, 32, 64, 128};
    // For each priority, the bits that stand for it in pause frames of this port: the PCPs of the
    // frames that the port receives in the priority. At least one.
    std::array<PrioritySet, max_priorities> sent = own_numbers;
    // For each bit in pause frames of the peer, the priorities whose frames are sent with this PCP.
    std::array<PrioritySet, max_priorities> received = own_numbers;

    bool operator==(const PauseBits&) const = default;
};

// PFC (802.1Qbb). Levels belong to one (port, priority) ingress group or, with
// PauseTrigger::egress, to one (output, priority) without a reserve (buffer/pause_levels.h). A
// pause starts at `xoff` or, if alpha is not 0, at reserved + alpha x (free part of the pool) if
// that is less. It ends when the headroom is empty and the use is at most the higher of `xon` and,
// if `xon_offset` is not 0, the starting level less `xon_offset`; xon <= xoff. Frames that arrive
// during a pause use `headroom`.
struct PfcSettings {
    PrioritySet lossless = 0;
    PfcBy by = PfcBy::frames;
    PauseTrigger trigger = PauseTrigger::ingress;
    Bytes reserved{0};       // octets that only the group may use
    uint32_t alpha_128 = 0;  // alpha in 1/128; 0: the level is `xoff`
    Bytes xoff{128 * 1024};
    Bytes xon{64 * 1024};
    Bytes xon_offset{0};  // 0: the level is `xon`
    Bytes headroom{512 * 1024};
    Quanta pause{65535};      // pause time of an XOFF, 1-65535; repeated after half that time
    PausePeers peers;         // the sources of pause frames
    bool link_pause = false;  // the port also obeys 802.3x, which pauses every priority
    bool asymmetric = false;  // obeys pauses of all priorities; pauses only lossless ones
    uint32_t rx_limit = 0;    // XOFFs a second that have an effect; 0: all
    uint32_t tx_limit = 0;    // pause frames a second; XOFF is never delayed; 0: no limit
    WatchdogSettings watchdog;
    PauseRelaySettings relay;
    // The time from an XOFF of this port to the last frame that an obedient peer may send after it;
    // 0: obedience is not checked (pfc/pause_obedience.h).
    Nanos obeyed_within{0};
    Nanos obedience_patience{1'000'000};  // additional time before a peer counts as disobedient
    PauseBits bits;                       // bits of pause frames
};

// Weighted random early detection by marking (RFC 3168; Floyd and Jacobson, 1993), by the octets of
// an (output, priority), summed over the inputs. With `drop`, frames of lossy priorities that
// cannot be marked are dropped instead.
struct EcnSettings {
    Bytes low{0};                   // below this level no frame is marked
    Bytes high{0};                  // from this level on every frame is marked; 0: none
    uint32_t probability_65536{0};  // probability just below `high`, in 1/65536
    bool drop = false;              // drop frames that are not ECN-capable
};

// Trimming at an output: frames of lossy priorities are trimmed where they would be dropped for
// lack of room (trim/trimmer.h). `priorities` contains neither `queue` nor lossless priorities. No
// port trims frames with a DSCP that a port writes into trimmed frames.
struct TrimSettings {
    static constexpr uint8_t not_trimmed = 0xFF;
    static constexpr std::array<uint8_t, 64> nothing = [] {
        std::array<uint8_t, 64> dscp{};
        dscp.fill(not_trimmed);
        return dscp;
    }();

    PrioritySet priorities = 0;  // priorities whose frames are trimmed
    Priority queue = 6;          // priority of trimmed frames; lossy
    uint8_t share_128 = 32;      // share of trimmed frames in the sent octets, in 1/128, up to 64
    Bytes size{128};             // octets that are kept of a frame
    std::array<uint8_t, 64> dscp = nothing;  // DSCP of trimmed frames, indexed by the DSCP before
};

// Settings of a port with FlowControl::credit. Each lossless priority has `buffer` for its peer's
// frames. Reserve and headroom of `pfc` together have room for `buffer` and for one more longest
// frame (credit_reserve_for). Both are used for PFC while the peer gives no credit.
struct CreditSettings {
    Bytes buffer{0};           // at least a longest frame and a quantum
    Bytes quantum{0};          // octets that have to become free before an update is sent
    Nanos refresh{1'000'000};  // time after which an update is sent in any case
};

// The action on frames of a port with link-level retry while no session numbers them.
enum class RetryAction : uint8_t { best_effort, block, discard };

// Settings of a port with link-level retry (retry/port_retry.h).
struct RetrySettings {
    bool is_on = false;
    Bytes buffer{1024 * 1024};  // for sent, unacknowledged frames; 64 KiB or more
    Bytes resequence{0};        // buffer for frames received after a gap; 0: the peer resends these
    Nanos replay_timer{5'000'000};
    uint32_t replay_count_max = 64;
    Nanos data_age{0};  // time without an acknowledgement that ends a session; 0: none
    RetryAction init = RetryAction::best_effort;   // action before the first session of a link
    RetryAction flush = RetryAction::best_effort;  // action after the end of a session

    friend bool operator==(const RetrySettings&, const RetrySettings&) = default;
};

inline constexpr PortIndex no_underlay = max_ports;

struct PortSettings {
    WorkerIndex worker = 0;
    bool enabled = true;  // false: received frames are dropped, and control keeps the link down
    BitsPerSecond speed{10'000'000'000};  // speed of the link, which gives a quantum its length
    BitsPerSecond rate{0};                // shaper; 0: not shaped
    Bytes max_frame{1522};                // octets without FCS, tags counted
    MacAddress address;                   // source address of the port's pause frames
    VlanId default_vlan = 1;              // VLAN of frames without a tag (PVID)
    FrameFormat format;
    TaggingSettings tagging;
    StormControlSettings storm_control;
    bool isolated = false;       // exchanges frames only with ports that are not isolated
    bool sticky = false;         // learned addresses stay: they neither move nor age
    bool lacp = false;           // LACP and marker frames are handed to control
    bool spanning_tree = false;  // BPDUs are handed to control
    // A tunnel of EVPN: control adds its addresses to the FDB; none are learned from frames. It
    // gets floods only if control allows that, and sends nothing to another EVPN tunnel
    // (forwarding.h).
    bool evpn = false;
    bool forwards_bpdus = false;  // BPDUs are forwarded; false: dropped
    ClassifySettings classify;
    RemarkSettings remark;
    FlowControl flow_control = FlowControl::pfc;
    PrioritySet dcbx_defence = 0;  // dropped on receipt: priorities that the peer would not pause
    PrioritySet dcbx_held = 0;     // not sent: priorities that the peer would drop
    SchedulerSettings scheduler;
    PfcSettings pfc;
    std::array<EcnSettings, max_priorities> ecn;  // of the port's queues as an output
    uint32_t sflow_one_in = 0;                    // n: one of n received frames is sampled; 0: none
    // The port below a tunnel, which has the same worker.
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
    Bytes cell{256};          // frames are charged in whole cells; a power of two, 1 to 16384
    Bytes reserved{0};        // octets that only one VOQ may use
    uint32_t alpha_128{128};  // alpha in 1/128, so 128 is 1; 1-16384
};

enum class CrossbarRule : uint8_t { strict, weighted };

enum class MatchingAlgorithm : uint8_t { islip, serena };  // one file each in fabric/

struct FabricSettings {
    MatchingAlgorithm algorithm = MatchingAlgorithm::islip;
    uint8_t iterations = 2;  // iterations of iSLIP, 1-4
    Bytes quantum{4096};     // octets that a matched pair moves in one slot, 1518 or more
    uint8_t slots = 8;       // matchings in a row before ports send, 1-64
    CrossbarRule rule = CrossbarRule::strict;
    std::array<uint8_t, max_priorities> weight = {1, 1, 2, 2, 4, 4, 8, 8};  // 1-15
    bool bypass = true;  // a frame uses no VOQ if no VOQ of its worker has frames for the output
};

struct StaticEntry {
    VlanId vlan = 1;
    MacAddress address;  // or an id, for ports whose format has ids
    PortIndex port = 0;
};

// The action on a frame whose source address finds no room in the FDB: it is forwarded, and frames
// for that address are flooded; or it is dropped (fdb_full).
enum class WhenFull : uint8_t { flood, drop };

// The action on a source address that is known at another port: the address moves; or its frames
// are dropped (moved_source) until the entry has aged out or the old port's link went down.
enum class Moves : uint8_t { follow, refuse };

struct FdbSettings {
    uint32_t capacity = 16384;      // entries, 64 to 1 Mi
    Nanos ageing{300'000'000'000};  // 0: never; 802.1Q default 300 s
    WhenFull when_full = WhenFull::flood;
    Moves moves = Moves::follow;
    uint64_t hash_seed = 0;  // any number; a secret one prevents chosen collisions
    std::vector<StaticEntry> static_entries;
};

// Without filtering every port is a member of every VLAN. A tag-aware port (TaggingSettings) sends
// frames of VLANs that list it as `untagged` untagged, and frames of other VLANs tagged (802.1Q
// 8.8.10).
struct VlanSettings {
    bool filtering = false;
    std::array<PortSet, max_vlans> members = {};
    std::array<PortSet, max_vlans> untagged = {};
    std::bitset<max_vlans> unlearned;  // VLANs that learn no addresses
    std::bitset<max_vlans> unflooded;  // VLANs that do not flood unicasts to unknown stations
    // VLANs in which the switch answers requests for known neighbours instead of flooding them.
    std::bitset<max_vlans> neigh_suppress;
};

// The fields that choose a member of an aggregation (forward/flow.h): MAC addresses, IP addresses,
// or IP addresses and the ports of TCP and UDP.
enum class DistributionHash : uint8_t { l2, l3, l4 };

// Ports that form one bridge port (802.1AX). No port is in two aggregations. All members have the
// same bridging settings: VLANs, tagging, isolation, format.
struct AggregationSettings {
    PortSet members = 0;  // one or more ports
    DistributionHash hash = DistributionHash::l4;
};

// The protocols whose reports and queries are snooped (RFC 4541).
enum class GroupProtocol : uint8_t { igmp, mld };
using GroupProtocols = uint8_t;  // bit n is protocol n
constexpr GroupProtocols only_protocol(GroupProtocol protocol) {
    return static_cast<GroupProtocols>(1U << static_cast<unsigned>(protocol));
}

// The ports that get frames of a group without a report, in a VLAN where reports are snooped.
enum class Unregistered : uint8_t { flood, router_ports };

struct StaticGroup {
    VlanId vlan = 1;
    MacAddress address;  // or an id with the group bit, on ports whose format has ids
    PortSet ports = 0;   // all of one format family
};

struct MulticastSettings {
    uint32_t capacity = 1024;                             // groups, 1 to 16 Ki
    std::array<GroupProtocols, max_vlans> snooping = {};  // by VLAN
    Unregistered unregistered = Unregistered::flood;
    bool fast_leave = false;         // a port leaves a group at once, as it has one host
    Nanos ageing{260'000'000'000};   // RFC 2236 8.4: twice 125 s and 10 s
    Nanos leaving{2'000'000'000};    // RFC 2236 8.8 and 8.9: two queries of 1 s
    std::bitset<max_vlans> queried;  // VLANs in which control sends queries
    PortSet router_ports = 0;        // in addition to learned ones, in every VLAN of the port
    std::vector<StaticGroup> groups;
};

enum class MirrorDirection : uint8_t { ingress, egress, both };

// The copying of frames that ports receive (ingress) or send (egress) to another port
// (forward/mirrors.h).
struct MirrorSettings {
    PortSet from = 0;
    MirrorDirection direction = MirrorDirection::both;
    PortIndex to = 0;
    bool bridged = false;  // `to` is also an ordinary bridge port
};
// Returns the ports that mirrors send to. No priority is lossless there, as a mirror could
// otherwise pause the ports whose frames it copies.
inline PortSet mirrored_to(std::span<const MirrorSettings> mirrors) {
    PortSet ports = 0;
    for (const MirrorSettings& mirror : mirrors) ports |= only(mirror.to);
    return ports;
}
// Returns the mirror ports that do not bridge: they are in no VLAN, send only copies, and drop
// frames that they receive.
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
    std::vector<LaneSettings> lanes;  // at most max_ports together with the ports
    uint8_t workers = 1;              // 1 to max_workers; worker 0 is also the arbiter
    BufferSettings buffer;
    FabricSettings fabric;
    FdbSettings fdb;
    VlanSettings vlan;
    std::vector<AggregationSettings> aggregations;
    MulticastSettings multicast;
    std::vector<MirrorSettings> mirrors;
    CsigSettings csig;
    uint32_t latency_one_in = 0;  // n: one of n frames is timed; 0: none
    uint16_t sflow_header = 128;  // octets that are kept of a sampled frame
    uint64_t seed = 1;            // seed of the draws for ECN and sampling
};

// Returns the largest number of inputs of a worker: ports and further lanes.
inline std::size_t most_inputs_of_a_worker(const Settings& settings) {
    std::array<std::size_t, max_workers> inputs{};
    for (const PortSettings& port : settings.ports) ++inputs[port.worker];
    for (const LaneSettings& lane : settings.lanes) ++inputs[lane.worker];
    return *std::ranges::max_element(inputs);
}

// Returns the length of the longest frame that any port accepts.
inline Bytes largest_frame(const Settings& settings) {
    Bytes largest{0};
    for (const PortSettings& port : settings.ports) largest = std::max(largest, port.max_frame);
    return largest;
}

}  // namespace sluice
