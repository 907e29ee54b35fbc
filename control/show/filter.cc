#include "control/show/filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <span>

#include "control/show/snapshot.h"

namespace sluice::control {

namespace {

using Keys = std::span<const std::string_view>;
constexpr std::array<std::string_view, 1> of_name = {"name"};
constexpr std::array<std::string_view, 1> of_port = {"port"};
constexpr std::array<std::string_view, 1> of_port_list = {"ports"};
constexpr std::array<std::string_view, 1> of_output = {"output"};
constexpr std::array<std::string_view, 2> of_ends = {"input", "output"};
constexpr std::array<std::string_view, 2> of_member = {"port", "aggregation"};
constexpr std::array<std::string_view, 2> of_tree_port = {"port", "members"};
constexpr std::array<std::string_view, 2> of_tunnel = {"port", "underlay"};

// Where the rows of a noun are, and with which keys of a row each condition of a filter is
// compared; empty: the rows have no such key.
struct Filtered {
    std::string_view noun;
    std::string_view list;  // key of the list of rows in the noun's JSON; empty: it is the list
    Keys ports = {};
    std::string_view vlan = {};
    std::string_view address = {};
    std::string_view priority = {};
};
constexpr auto filterable = std::to_array<Filtered>({
    {"ports", "", of_name, "", "address"},
    {"history", "", of_port},
    {"counters", "", of_port},
    {"queues", "", of_ends, "", "", "priority"},
    {"buffer", "groups", of_port, "", "", "priority"},
    {"pfc", "", of_port, "", "", "priority"},
    {"credits", "ports", of_port},
    {"credits", "priorities", of_port, "", "", "priority"},
    {"retry", "", of_port},
    {"drops", "", of_port},
    {"fdb", "", of_port, "vlan", "address"},
    {"multicast", "groups", of_port_list, "vlan", "group"},
    {"multicast", "routers", of_port_list, "vlan"},
    {"multicast", "queriers", of_port, "vlan"},
    {"vlan", "vlans", of_port_list, "vlan"},
    {"fabric", "bypassed", of_output, "", "", "priority"},
    {"latency", "priorities", {}, "", "", "priority"},
    {"workers", "", of_port_list},
    {"lldp", "", of_port},
    {"lacp", "", of_member},
    {"spanning-tree", "ports", of_tree_port},
    {"dcbx", "", of_port},
    {"tunnels", "tunnels", of_tunnel},
    {"tunnels", "underlays", of_port},
    {"vteps", "", of_port},
    {"evpn", "networks", {}, "vlan"},
    {"sflow", "ports", of_port},
    {"bursts", "", of_port, "", "", "priority"},
    {"recorder", "recordings", of_port, "", "", "priority"},
    {"events", "", of_port},
});

bool names_a_port(const Json& row, Keys keys, const ShowFilter& filter) {
    const auto is_named = [&](const Json& value) {
        return value.is_string() && filter.names(value.get<std::string>());
    };
    return std::ranges::any_of(keys, [&](std::string_view key) {
        const auto value = row.find(key);
        if (value == row.end()) return false;
        return value->is_array() ? std::ranges::any_of(*value, is_named) : is_named(*value);
    });
}

bool is_wanted(const Json& row, const Filtered& about, const ShowFilter& filter) {
    const auto has = [&](std::string_view key, const auto& value) {
        return key.empty() || row.value(std::string(key), Json()) == value;
    };
    if (!filter.ports.empty() && !about.ports.empty() && !names_a_port(row, about.ports, filter)) {
        return false;
    }
    if (filter.vlan && !has(about.vlan, *filter.vlan)) return false;
    if (filter.priority && !has(about.priority, *filter.priority)) return false;
    if (!filter.address || about.address.empty()) return true;
    return has(about.address, to_text(*filter.address)) ||
           has(about.address, fmt::format("{}", filter.address->bits));
}

}  // namespace

std::string refusal_of(const ShowFilter& filter, std::string_view noun) {
    bool ports = false, vlan = false, address = false, priority = false;
    for (const Filtered& about : filterable) {
        if (about.noun != noun) continue;
        ports = ports || !about.ports.empty();
        vlan = vlan || !about.vlan.empty();
        address = address || !about.address.empty();
        priority = priority || !about.priority.empty();
    }
    std::vector<std::string_view> can;
    if (ports) can.emplace_back("port");
    if (vlan) can.emplace_back("vlan");
    if (address) can.emplace_back("address");
    if (priority) can.emplace_back("priority");
    const auto refuse = [&](std::string_view what) {
        return can.empty() ? fmt::format("{}: {} has no rows by this key; leave it out", what, noun)
                           : fmt::format("{}: {} has no rows by this key; it can be filtered by {}",
                                         what, noun, fmt::join(can, ", "));
    };
    if (!filter.ports.empty() && !ports) return refuse("port");
    if (filter.vlan && !vlan) return refuse("vlan");
    if (filter.address && !address) return refuse("address");
    if (filter.priority && !priority) return refuse("priority");
    return {};
}

Json filtered(std::string_view noun, Json shown, const ShowFilter& filter) {
    if (filter.wants_all()) return shown;
    for (const Filtered& about : filterable) {
        if (about.noun != noun) continue;
        Json& rows = about.list.empty() ? shown : shown[std::string(about.list)];
        Json kept = Json::array();
        for (Json& row : rows) {
            if (is_wanted(row, about, filter)) kept.push_back(std::move(row));
        }
        rows = std::move(kept);
    }
    return shown;
}

}  // namespace sluice::control
