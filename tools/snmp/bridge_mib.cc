#include <ctime>

#include "tools/snmp/mibs.h"

namespace sluice::snmp {

namespace {

const Oid base_group = {1, 3, 6, 1, 2, 1, 17, 1};
const Oid base_port_entry = {1, 3, 6, 1, 2, 1, 17, 1, 4, 1};
const Oid stp_group = {1, 3, 6, 1, 2, 1, 17, 2};
const Oid stp_port_entry = {1, 3, 6, 1, 2, 1, 17, 2, 15, 1};
const Oid tp_port_entry = {1, 3, 6, 1, 2, 1, 17, 4, 4, 1};

// Returns a BridgeId: priority and address.
std::string bridge_id(uint64_t priority, const std::string& address) {
    return std::string{static_cast<char>(priority >> 8), static_cast<char>(priority)} +
           mac_octets(parse_mac(address).value_or(0));
}

// Returns dot1dStpPortState.
uint64_t state_of(const Json& row) {
    if (text_at(row, "role") == "disabled") return 1;
    const std::string state = text_at(row, "state");
    if (state == "forwarding") return 5;
    return state == "learning" ? 4 : 2;
}

// Returns the seconds since 1970 of a time such as 2026-01-31T12:00:00.000Z; 0 if the text is no
// such time.
int64_t seconds_of(const std::string& moment) {
    std::tm parts{};
    return strptime(moment.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr ? 0 : timegm(&parts);
}

void put_tree_port(Objects& objects, const Interface& about, const Json& row,
                   const std::string& root) {
    const uint64_t cost = number_at(row, "cost");
    const Oid index = {about.number};
    objects.put_row(stp_port_entry, index,
                    {{1, integer(about.number)},
                     {2, integer(number_at(row, "priority"))},
                     {3, integer(state_of(row))},
                     {4, integer(about.admin_up ? 1 : 2)},
                     {5, integer(std::min<uint64_t>(cost, 65535))},
                     {11, integer(cost)}});
    // Values that are unknown while the link is down have no instance.
    if (text_at(row, "designated_bridge").empty()) return;
    const uint64_t port = number_at(row, "designated_port");
    objects.put_row(
        stp_port_entry, index,
        {{6, octets(root)},
         {7, integer(number_at(row, "designated_cost"))},
         {8, octets(bridge_id(number_at(row, "designated_bridge_priority"),
                              text_at(row, "designated_bridge")))},
         {9, octets({static_cast<char>(number_at(row, "designated_port_priority") | port >> 8),
                     static_cast<char>(port)})}});
}

// Adds no objects if no spanning tree runs.
void put_tree(Objects& objects, const Interfaces& interfaces, const Json& tree, int64_t now) {
    const std::string mode = text_at(tree, "mode");
    if (mode != "rstp" && mode != "stp") return;
    constexpr uint64_t nanos_of_hundredth = 10'000'000;
    const auto hundredths = [&](const char* key) {
        return integer(number_at(tree, key) / nanos_of_hundredth);
    };
    const std::string root =
        bridge_id(number_at(tree, "root_priority"), text_at(tree, "root_address"));
    objects.put(stp_group, 1, integer(3));  // ieee8021d
    objects.put(stp_group, 2, integer(number_at(tree, "priority")));
    if (const int64_t last = seconds_of(text_at(tree, "last_topology_change_at")); last > 0) {
        objects.put(stp_group, 3,
                    time_ticks(static_cast<uint64_t>(std::max<int64_t>(now - last, 0)) * 100));
    }
    objects.put(stp_group, 4, counter(number_at(tree, "topology_changes")));
    objects.put(stp_group, 5, octets(root));
    objects.put(stp_group, 6, integer(number_at(tree, "root_cost")));
    objects.put(stp_group, 7, integer(number_of(interfaces, text_at(tree, "root_port"))));
    objects.put(stp_group, 8, hundredths("max_age_ns"));
    objects.put(stp_group, 9, hundredths("hello_ns"));
    objects.put(stp_group, 11, hundredths("forward_delay_ns"));
    for (const Json& row : list_at(tree, "ports")) {
        const uint32_t number = number_of(interfaces, text_at(row, "port"));
        for (const Interface& about : interfaces) {
            if (about.number == number) put_tree_port(objects, about, row, root);
        }
    }
}

// Returns the switch's own address, which is also LLDP's chassis id unless the operator chose
// another one.
std::string bridge_address(const Interfaces& interfaces, const Json& tree, const Json& lldp) {
    const Json first = lldp.is_array() && !lldp.empty() ? lldp.front() : Json::object();
    for (const auto& text : {text_at(tree, "address"), text_at(first, "chassis_id")}) {
        if (const auto address = parse_mac(text)) return mac_octets(*address);
    }
    return interfaces.empty() ? mac_octets(0) : interfaces.front().address;
}

}  // namespace

void put_bridge_mib(Objects& objects, const Interfaces& interfaces, const Json& tree,
                    const Json& lldp, int64_t now) {
    if (interfaces.empty()) return;
    objects.put(base_group, 1, octets(bridge_address(interfaces, tree, lldp)));
    objects.put(base_group, 2, integer(interfaces.size()));
    objects.put(base_group, 3, integer(2));  // transparent-only
    for (const Interface& about : interfaces) {
        const Oid index = {about.number};
        objects.put_row(
            base_port_entry, index,
            {{1, integer(about.number)}, {2, integer(about.if_index)}, {3, object({0, 0})}});
        objects.put_row(tp_port_entry, index,
                        {{1, integer(about.number)},
                         {2, integer(about.mtu)},
                         {3, counter(about.in.frames)},
                         {4, counter(about.out.frames)},
                         {5, counter(about.in.discards)}});
    }
    put_tree(objects, interfaces, tree, now);
}

}  // namespace sluice::snmp
