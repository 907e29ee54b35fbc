// Rows of the table of metric families (metric_family.cc): helpers that make a family from one
// kind of JSON row, each with the labels and the place of that kind. Members that a helper does
// not set keep the defaults of MetricFamily.
#pragma once

#include <array>
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

// A row a family; the columns are those of MetricFamily.
constexpr MetricFamily port(std::string_view name, Type type, std::string_view unit,
                            std::string_view help, std::string_view key) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "ports",
            .key = key,
            .labels = of_name};
}
constexpr MetricFamily pfc(std::string_view name, Type type, std::string_view unit,
                           std::string_view help, std::string_view key, double divisor = 1) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "pfc",
            .key = key,
            .labels = of_group,
            .divisor = divisor};
}
constexpr MetricFamily network(std::string_view name, Type type, std::string_view unit,
                               std::string_view help, std::string_view key) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "evpn",
            .rows = "/networks",
            .key = key,
            .labels = of_vni};
}
constexpr MetricFamily tunnel(std::string_view name, Type type, std::string_view unit,
                              std::string_view help, std::string_view key, double divisor = 1) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "tunnels",
            .rows = "/tunnels",
            .key = key,
            .labels = of_port,
            .divisor = divisor};
}
constexpr MetricFamily vtep(std::string_view name, Type type, std::string_view unit,
                            std::string_view help, std::string_view key) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "vteps",
            .key = key,
            .labels = of_vtep};
}
// Of a port by credit.
constexpr MetricFamily credit(std::string_view name, std::string_view unit, std::string_view help,
                              std::string_view key) {
    return {.name = name,
            .type = Type::counter,
            .unit = unit,
            .help = help,
            .noun = "credits",
            .rows = "/ports",
            .key = key,
            .labels = of_port};
}
// And of a priority of it.
constexpr MetricFamily channel(std::string_view name, Type type, std::string_view unit,
                               std::string_view help, std::string_view key, double divisor = 1) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "credits",
            .rows = "/priorities",
            .key = key,
            .labels = of_group,
            .divisor = divisor};
}
constexpr MetricFamily group(std::string_view name, std::string_view help, std::string_view key) {
    return {.name = name,
            .unit = "bytes",
            .help = help,
            .noun = "buffer",
            .rows = "/groups",
            .key = key,
            .labels = of_group};
}
constexpr MetricFamily buffer(std::string_view name, std::string_view help, std::string_view key) {
    return {.name = name, .unit = "bytes", .help = help, .noun = "buffer", .key = key};
}
constexpr MetricFamily queue(std::string_view name, Type type, std::string_view unit,
                             std::string_view help, std::string_view key,
                             Combine combine = Combine::sum) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "queues",
            .key = key,
            .labels = of_output,
            .combine = combine};
}
constexpr MetricFamily fabric(std::string_view name, std::string_view unit, std::string_view help,
                              std::string_view key) {
    return {.name = name,
            .type = Type::counter,
            .unit = unit,
            .help = help,
            .noun = "fabric",
            .key = key};
}
constexpr MetricFamily worker(std::string_view name, Type type, std::string_view unit,
                              std::string_view help, std::string_view key, double divisor = 1) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "workers",
            .key = key,
            .labels = of_worker,
            .divisor = divisor};
}
constexpr MetricFamily lldp(std::string_view name, Type type, std::string_view unit,
                            std::string_view help, std::string_view key) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "lldp",
            .key = key,
            .labels = of_port};
}
constexpr MetricFamily tree(std::string_view name, Type type, std::string_view unit,
                            std::string_view help, std::string_view key) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "spanning-tree",
            .key = key};
}
constexpr MetricFamily tree_port(std::string_view name, Type type, std::string_view unit,
                                 std::string_view help, std::string_view key,
                                 std::string_view equal_to = {}) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "spanning-tree",
            .rows = "/ports",
            .key = key,
            .labels = of_port,
            .equal_to = equal_to};
}
constexpr MetricFamily dcbx(std::string_view name, Type type, std::string_view help,
                            std::string_view key) {
    return {
        .name = name, .type = type, .help = help, .noun = "dcbx", .key = key, .labels = of_feature};
}
constexpr MetricFamily total(std::string_view name, Type type, std::string_view unit,
                             std::string_view help, std::string_view key) {
    return {.name = name, .type = type, .unit = unit, .help = help, .noun = "totals", .key = key};
}

// Of the recorder, since the start.
constexpr MetricFamily recorded(std::string_view name, std::string_view unit, std::string_view help,
                                std::string_view key) {
    return {.name = name,
            .type = Type::counter,
            .unit = unit,
            .help = help,
            .noun = "recorder",
            .key = key};
}
// Of IPFIX, since it was set.
constexpr MetricFamily exported(std::string_view name, std::string_view help,
                                std::string_view key) {
    return {.name = name, .type = Type::counter, .help = help, .noun = "ipfix", .key = key};
}

}  // namespace sluice::control::http::rows
