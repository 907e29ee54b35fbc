// Nouns: the names of the states of a running switch that `sluice show` prints. The server, the
// clients and the documentation share this list.
//
// To add one:
//   1. here: add its row;
//   2. `makers` in snapshot.cc: add the function that makes it;
//   3. `renderers` in tools/sluice/views.cc: add how it is printed (the compiler compares the rows
//      of both tables with these);
//   4. control/nouns.md: describe its keys.
// If it has counters, add their rows to counter_rows.h, and state where in the noun these rows are:
// in cleared_counters.cc, for lasting ones in restored_counters.cc, for those with a metric in
// ../http/metric_family.cc. For Prometheus, see also ../metrics.md; for DPDK's telemetry,
// telemetry_answers.cc; for the web page, ../http/page/main.js.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace sluice::control {

struct Noun {
    std::string_view name;
    std::string_view help;
};

inline constexpr auto nouns = std::to_array<Noun>({
    {"version", "which sluiced this is, what built it and what it runs on"},
    {"ports", "link, rates of the last second, frames and octets, drops"},
    {"history", "what ports received, sent and paused in the last ten minutes"},
    {"counters", "frames received and sent, errors and drops, as SONiC names them"},
    {"queues", "VOQs by input, output and priority: what waits, and counters"},
    {"buffer", "the shared pool, and its use by each port and priority"},
    {"pfc", "pauses received and sent, by port and priority; thresholds"},
    {"credits", "credit-based flow control: what priorities may send, hold"},
    {"csig", "tags of congestion signalling in band: seen, replaced, stripped"},
    {"retry", "ports with link-level retry: states, counters"},
    {"drops", "every frame that entered and did not leave, by reason and port"},
    {"fdb", "addresses and the ports that lead to them"},
    {"multicast", "multicast groups, their ports, and router ports"},
    {"vlan", "VLANs and their members"},
    {"fabric", "matchings: how many, how full; frames that bypassed the VOQs"},
    {"latency", "latency of frames in the switch, by priority"},
    {"workers", "polling threads: their cores, ports, and how busy they are"},
    {"lldp", "the LLDP neighbours of each port, and the counters of its agent"},
    {"lacp", "members of aggregations that carry frames, LACP of both ends"},
    {"spanning-tree", "spanning tree: root, role and state of each port"},
    {"dcbx", "what ports and peers advertise of PFC, bandwidth and priorities"},
    {"tunnels", "tunnels: destinations, frames passed and refused, neighbours"},
    {"vteps", "VTEPs of point-to-multipoint tunnels: addresses, counters"},
    {"evpn", "addresses that a routing daemon provides; VTEPs of floods"},
    {"sflow", "the sFlow collectors, what was sampled, sent and lost"},
    {"ipfix", "the IPFIX collectors, what is exported, sampled, sent and lost"},
    {"bursts", "bursts that were recorded: start, length, depth, cause, cost"},
    {"recorder", "whether queues are recorded, and the recordings there are"},
    {"events", "the event log, latest last"},
    {"ledger", "whether every frame is accounted for"},
    {"config", "the running configuration, as a file that makes the same switch"},
});

// Whether a table has one row for each noun, in the order of `nouns`.
template <class Rows>
constexpr bool has_a_row_for_each_noun(const Rows& rows) {
    return std::ranges::equal(
        rows, nouns, {}, [](const auto& row) { return row.noun; }, &Noun::name);
}

constexpr bool is_noun(std::string_view name) {
    return std::ranges::any_of(nouns, [&](const Noun& noun) { return noun.name == name; });
}

// Returns all names, for an error message: `ports, queues, ...`.
inline std::string list_of_nouns() {
    std::string list;
    for (const Noun& noun : nouns) {
        if (!list.empty()) list += ", ";
        list += noun.name;
    }
    return list;
}

}  // namespace sluice::control
