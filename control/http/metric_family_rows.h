// Rows of the table of metric families (metric_family.cc): for each kind of JSON row, the labels
// and the place of the rows.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "control/http/metric_family.h"

namespace sluice::control::http::rows {

inline constexpr double nanoseconds = 1e9;
inline constexpr double bits = 8;

inline constexpr std::array<Label, 1> of_name = {{{"port", "name"}}};
inline constexpr std::array<Label, 6> of_device = {{{"port", "name"},
                                                    {"description", "description"},
                                                    {"device", "device"},
                                                    {"address", "address"},
                                                    {"family", "family"},
                                                    {"pfc_rx", "pfc_rx"}}};
inline constexpr std::array<Label, 1> of_port = {{{"port", "port"}}};
inline constexpr std::array<Label, 2> of_drop = {{{"port", "port"}, {"reason", "reason"}}};
inline constexpr std::array<Label, 2> of_group = {{{"port", "port"}, {"priority", "priority"}}};
inline constexpr std::array<Label, 2> of_output = {
    {{"output", "output"}, {"priority", "priority"}}};
inline constexpr std::array<Label, 1> of_priority = {{{"priority", "priority"}}};
inline constexpr std::array<Label, 1> of_worker = {{{"worker", "index"}}};
inline constexpr std::array<Label, 3> of_core = {
    {{"worker", "index"}, {"core", "core"}, {"node", "node"}}};
inline constexpr std::array<Label, 7> of_build = {{{"version", "version"},
                                                   {"commit", "commit"},
                                                   {"dpdk", "dpdk"},
                                                   {"compiler", "compiler"},
                                                   {"cpu_level", "cpu_level"},
                                                   {"cpu_supports", "cpu_supports"},
                                                   {"kernel", "kernel"}}};
inline constexpr std::array<Label, 2> of_feature = {{{"port", "port"}, {"feature", "feature"}}};
inline constexpr std::array<Label, 4> of_dialect = {
    {{"port", "port"}, {"feature", "feature"}, {"mode", "mode"}, {"dialect", "dialect"}}};

inline constexpr std::array<Label, 2> of_querier = {{{"vlan", "vlan"}, {"protocol", "protocol"}}};
inline constexpr std::array<Label, 1> of_vni = {{{"vni", "vni"}}};
inline constexpr std::array<Label, 3> of_vtep = {
    {{"port", "port"}, {"vni", "vni"}, {"vtep", "vtep"}}};

// The place of a noun's rows. A call with the other columns of MetricFamily returns a family.
struct Place {
    std::string_view noun;
    std::string_view rows = {};
    std::span<const Label> labels = {};

    constexpr MetricFamily operator()(std::string_view name, Type type, std::string_view unit,
                                      std::string_view help, std::string_view key,
                                      double divisor = 1) const {
        return {.name = name,
                .type = type,
                .unit = unit,
                .help = help,
                .noun = noun,
                .rows = rows,
                .key = key,
                .labels = labels,
                .divisor = divisor};
    }
};

inline constexpr Place port{.noun = "ports", .labels = of_name};
inline constexpr Place pfc{.noun = "pfc", .labels = of_group};
inline constexpr Place network{.noun = "evpn", .rows = "/networks", .labels = of_vni};
inline constexpr Place tunnel{.noun = "tunnels", .rows = "/tunnels", .labels = of_port};
inline constexpr Place vtep{.noun = "vteps", .labels = of_vtep};
inline constexpr Place credit{.noun = "credits", .rows = "/ports", .labels = of_port};
inline constexpr Place channel{.noun = "credits", .rows = "/priorities", .labels = of_group};
inline constexpr Place csig{.noun = "csig", .labels = of_port};
inline constexpr Place retry{.noun = "retry", .labels = of_port};
inline constexpr Place queue{.noun = "queues", .labels = of_output};
inline constexpr Place fabric{.noun = "fabric"};
inline constexpr Place worker{.noun = "workers", .labels = of_worker};
inline constexpr Place lldp{.noun = "lldp", .labels = of_port};
inline constexpr Place tree{.noun = "spanning-tree"};
inline constexpr Place tree_port{.noun = "spanning-tree", .rows = "/ports", .labels = of_port};
inline constexpr Place dcbx{.noun = "dcbx", .labels = of_feature};
inline constexpr Place dcbx_port{.noun = "dcbx", .labels = of_port};
inline constexpr Place drop{.noun = "drops", .labels = of_drop};
inline constexpr Place refusal{.noun = "tunnels", .rows = "/refused", .labels = of_drop};
inline constexpr Place underlay{.noun = "tunnels", .rows = "/underlays", .labels = of_port};
inline constexpr Place bypass{.noun = "fabric", .rows = "/bypassed", .labels = of_output};
inline constexpr Place latency{.noun = "latency", .rows = "/priorities", .labels = of_priority};
inline constexpr Place multicast{.noun = "multicast"};
inline constexpr Place querier{.noun = "multicast", .rows = "/queriers", .labels = of_querier};
inline constexpr Place evpn{.noun = "evpn"};
inline constexpr Place total{.noun = "totals"};

// Converts the texts of a family to values: 1 for the text `text`, 0 for any other text.
constexpr MetricFamily equal_to(std::string_view text, MetricFamily family) {
    family.equal_to = text;
    return family;
}
// Makes the value of rows with the same labels the largest of their values.
constexpr MetricFamily most(MetricFamily family) {
    family.combine = Combine::max;
    return family;
}
constexpr MetricFamily group(std::string_view name, std::string_view help, std::string_view key) {
    constexpr Place groups{.noun = "buffer", .rows = "/groups", .labels = of_group};
    return groups(name, Type::gauge, "bytes", help, key);
}
constexpr MetricFamily buffer(std::string_view name, std::string_view help, std::string_view key) {
    return Place{.noun = "buffer"}(name, Type::gauge, "bytes", help, key);
}
// Returns the family of a counter of the recorder, since the recorder's start.
constexpr MetricFamily recorded(std::string_view name, std::string_view unit, std::string_view help,
                                std::string_view key) {
    return Place{.noun = "recorder"}(name, Type::counter, unit, help, key);
}
// Returns the family of a counter of IPFIX, since IPFIX was turned on.
constexpr MetricFamily exported(std::string_view name, std::string_view help,
                                std::string_view key) {
    return Place{.noun = "ipfix"}(name, Type::counter, "", help, key);
}

}  // namespace sluice::control::http::rows
