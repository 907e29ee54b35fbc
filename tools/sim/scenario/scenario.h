// Scenario: the contents of a file for `sluice sim run FILE`: switches, hosts, cables and flows.
//
// References are indices: a host's or a link's switch in `switches`, a flow's hosts in `hosts`.
// Named topologies are expanded, ports are chosen, and every switch has a static entry with the
// port for each host. README.md has the keys.
// Bound: 64 switches of 64 ports, 1 Mi communicating pairs of hosts, 128 Mi waiting frames.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "config/yaml/fault.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"
#include "tools/sim/network/congestion/csig_window.h"
#include "tools/sim/network/congestion/dcqcn.h"
#include "tools/sim/network/congestion/dctcp.h"
#include "tools/sim/network/congestion/end_to_end_credit.h"
#include "tools/sim/network/congestion/explicit_rate.h"
#include "tools/sim/network/congestion/hpcc.h"
#include "tools/sim/network/congestion/pulls.h"
#include "tools/sim/network/congestion/timely.h"
#include "tools/sim/network/congestion/window.h"
#include "tools/sim/network/network.h"
#include "tools/sim/network/receive_buffer.h"
#include "tools/sim/network/sender.h"
#include "tools/sim/network/switch_node.h"
#include "tools/sim/scenario/flow_sizes.h"
#include "tools/sim/scenario/override.h"

namespace sluice::sim {

inline constexpr std::size_t most_switches = 64;
inline constexpr std::size_t most_hosts = most_switches * max_ports;
inline constexpr std::size_t most_flows = 256;
inline constexpr std::size_t most_pairs = 1024 * 1024;
inline constexpr int64_t most_samples = 2000;
inline constexpr std::size_t most_trace_lines = 1024 * 1024;
inline constexpr int64_t most_waiting = int64_t{128} * 1024 * 1024;  // frames in all switches

struct RunSettings {
    Nanos time{1'000'000};
    Nanos warmup{0};          // flows do not count frames that were sent earlier
    Nanos drain{10'000'000};  // longest time for frames in flight to arrive
    uint64_t seed = 1;
    Nanos sample{0};  // interval of recorded values (record.h); 0 means a 200th of the time
    Bytes memory{int64_t{8} * 1024 * 1024 * 1024};  // most memory of a run (memory.h)
};

struct SwitchSpec {
    std::string name;
    Settings settings;
    std::vector<std::string> ports;  // names of the ports
    SwitchTiming timing;
};

// The end of a cable at a switch.
struct Place {
    std::size_t node = 0;
    PortIndex port = 0;
};

// A host pauses a priority of the switch, and repeats the pause for a time.
struct Hold {
    Priority priority;
    Nanos at;
    Nanos lasts;
};

// The congestion control of a host (network/congestion/rate_control.h).
enum class RateLimit : uint8_t {
    none,
    dcqcn,
    window,
    dctcp,
    timely,
    hpcc,
    end_to_end_credit,
    pulls,
    csig,
    explicit_rate
};

struct HostSpec {
    std::string name;
    Place at;
    Cable cable;
    bool obeys = true;
    Nanos response{0};
    // Time in the stages between application and wire, for sending and for receiving.
    Nanos tx_latency{0};
    Nanos rx_latency{0};
    std::vector<Hold> holds;
    ReceiveSettings receive;  // if rate is 0, the host takes frames at once
    RateLimit rate_control = RateLimit::none;
    DcqcnSettings dcqcn;
    WindowSettings window;
    DctcpSettings dctcp;
    TimelySettings timely;
    HpccSettings hpcc;
    EndToEndCreditSettings end_to_end_credit;
    PullsSettings pulls;
    CsigWindowSettings csig;
    ExplicitRateSettings explicit_rate;
    Priority ack_priority = 6;  // PCP of the host's acknowledgements
};

struct LinkSpec {
    Place from;
    Place to;
    Cable cable;
    bool one_way = false;  // paths use the link only from `from` to `to`
};

// The patterns up to `bernoulli` are those of pace.h.
enum class Pattern : uint8_t {
    steady,
    poisson,
    bursts,
    pulses,
    bernoulli,
    incast,
    all_reduce,
    trace,
    transfers
};

// A message of a trace.
struct TraceLine {
    Nanos time;
    std::size_t from;
    std::size_t to;
    Bytes bytes;
    Priority priority;
};

struct FlowSpec {
    std::string name;
    std::vector<std::size_t> from;
    std::vector<std::size_t> to;  // empty for trace and all_reduce
    Flow flow;                    // `flow.priority` is a PCP here
    PaceSettings pace;            // rate 0 means the rate of the sender's cable
    Pattern pattern = Pattern::steady;
    Bytes carried{0};  // octets of a message in each frame
    Bytes around{0};   // other octets of the frame, including FCS
    Bytes bytes{0};    // octets of an incast's answer, or of the data of an all-reduce
    Picos period;      // for incast; 0 means one round
    uint64_t rounds = 1;
    std::vector<TraceLine> trace;  // ordered by time
    std::string trace_file{};      // path of the file, from the scenario's folder on
    FlowSizes sizes;               // only for transfers
};

struct NetworkScenario {
    RunSettings run;
    std::vector<SwitchSpec> switches;
    std::vector<HostSpec> hosts;
    std::vector<LinkSpec> links;
    std::vector<FlowSpec> flows;
    FrameFormat format;  // format of all hosts' frames

    void set_seed(uint64_t seed) {
        run.seed = seed;
        for (std::size_t n = 0; n < switches.size(); ++n) switches[n].settings.seed = seed + n;
    }
};

// `address_of` returns the address to which frames for a host are sent, `source_of` the address
// from which the host sends. No frame is sent to `source_of`, so that a static entry never
// conflicts with a learned one. The lowest 16 bits are the host's id in formats that have ids.
constexpr MacAddress address_of(std::size_t host) { return {0x0200'0000'0001 + host}; }
constexpr MacAddress source_of(std::size_t host) { return {0x0200'0100'8000 + host}; }
inline constexpr uint64_t lowest_bits = 0xFFFF;
static_assert(most_hosts < 0x8000);
// `entry_of` returns a host's address in a switch's FDB: in formats with ids, the id. `host_of`
// returns the host with such an address.
constexpr MacAddress entry_of(std::size_t host, const FrameFormat& format) {
    const uint64_t bits = address_of(host).bits;
    return {has_ids(format.family) ? bits & highest_id(format.family) : bits};
}
constexpr std::size_t host_of(MacAddress entry) {
    return static_cast<std::size_t>((entry.bits & lowest_bits) -
                                    (address_of(0).bits & lowest_bits));
}

// Returns the text of the file, for read_scenario.
tl::expected<std::string, std::vector<config::Fault>> scenario_text(const std::string& path);
// Parses a scenario. `file_name`: the name of the text in faults. Each of `overrides` takes
// precedence over the text.
tl::expected<NetworkScenario, std::vector<config::Fault>> read_scenario(
    std::string_view text, std::string file_name, std::span<const Override> overrides = {});

}  // namespace sluice::sim
