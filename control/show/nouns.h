// Nouns: what `sluice show` can ask a running switch for. One list for those who answer, those who
// ask and those who explain. To add one: its row here, who answers it (`makers` in snapshot.cc),
// how it is shown (`renderers` in tools/sluice/views.cc), whose rows the compiler compares with
// these; and its keys in control/README.md. Where it counts: cleared_counters.cc,
// restored_counters.cc; for Prometheus ../http/metric_family.cc and metrics.md, for DPDK's
// telemetry ../telemetry_answers.cc, for the page ../http/page/main.js.
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
    {"ports", "link, frames and octets both ways, drops"},
    {"queues", "by input, output and priority: what waits, the most that waited, what passed"},
    {"buffer", "the shared pool, and what each (port, priority) holds of it"},
    {"pfc", "pauses heard and sent, by port and priority, and the levels behind them"},
    {"credits", "ports by credit: what each priority may send, advertises and holds; updates"},
    {"drops", "every frame that entered and did not leave, by reason and port"},
    {"fdb", "addresses and the ports that lead to them"},
    {"multicast", "groups, the ports that listen to them, and where routers are"},
    {"vlan", "VLANs and their members"},
    {"fabric", "matchings: how many, and how full; and what went past the VOQs"},
    {"latency", "how long frames were in the switch, by priority: percentiles, and the longest"},
    {"workers", "polling threads: their cores, ports, and how busy they are"},
    {"lldp", "who is at the other end of each port, and what LLDP sent and heard"},
    {"lacp", "which members of aggregations carry frames, and what LACP says at both ends"},
    {"dcbx", "what ports and peers tell each other of lossless priorities and bandwidth"},
    {"tunnels", "where tunnels lead, what passed, what was refused, and whom ARP and ND found"},
    {"evpn", "which addresses a routing daemon tells of, and the VTEPs that floods go to"},
    {"sflow", "who is told of frames and counters by sFlow, what was sampled, and what was lost"},
    {"events", "the last things that an operator should know"},
    {"ledger", "whether every frame is accounted for"},
    {"config", "the running configuration, as a file that makes the same switch"},
});

// Whether a table has a row for each noun, in their order.
template <class Rows>
constexpr bool has_a_row_for_each_noun(const Rows& rows) {
    return std::ranges::equal(
        rows, nouns, {}, [](const auto& row) { return row.noun; }, &Noun::name);
}

constexpr bool is_noun(std::string_view name) {
    return std::ranges::any_of(nouns, [&](const Noun& noun) { return noun.name == name; });
}

// For a message: `ports, queues, ...`.
inline std::string list_of_nouns() {
    std::string list;
    for (const Noun& noun : nouns) {
        if (!list.empty()) list += ", ";
        list += noun.name;
    }
    return list;
}

}  // namespace sluice::control
