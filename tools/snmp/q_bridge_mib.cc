#include "tools/snmp/mibs.h"

namespace sluice::snmp {

namespace {

const Oid vlan_base_group = {1, 3, 6, 1, 2, 1, 17, 7, 1, 1};
const Oid current_entry = {1, 3, 6, 1, 2, 1, 17, 7, 1, 4, 2, 1};
const Oid static_entry = {1, 3, 6, 1, 2, 1, 17, 7, 1, 4, 3, 1};
const Oid port_vlan_entry = {1, 3, 6, 1, 2, 1, 17, 7, 1, 4, 5, 1};

}  // namespace

std::string port_list(const Interfaces& interfaces, const Json& names) {
    const uint32_t last = interfaces.empty() ? 0 : interfaces.back().number;
    std::string list((last + 7) / 8, '\0');
    for (const Json& name : names) {
        const uint32_t number =
            name.is_string() ? number_of(interfaces, name.get_ref<const std::string&>()) : 0;
        if (number == 0) continue;
        char& octet = list[(number - 1) / 8];
        octet = static_cast<char>(octet | 0x80 >> (number - 1) % 8);
    }
    return list;
}

void put_q_bridge_mib(Objects& objects, const Interfaces& interfaces, const Json& vlans) {
    if (interfaces.empty()) return;
    const Json& rows = list_at(vlans, "vlans");
    objects.put(vlan_base_group, 1, integer(1));
    objects.put(vlan_base_group, 2, integer(most_vlans));
    objects.put(vlan_base_group, 3, gauge(most_vlans));
    objects.put(vlan_base_group, 4, gauge(rows.size()));
    objects.put(vlan_base_group, 5, integer(2));  // no GVRP
    const uint64_t ingress_filtering = truth_at(vlans, "filtering") ? 1 : 2;
    for (const Json& row : rows) {
        const uint64_t id = number_at(row, "vlan");
        if (id < 1 || id > most_vlans) continue;
        const auto vlan = static_cast<uint32_t>(id);
        const std::string egress = port_list(interfaces, list_at(row, "ports"));
        const std::string untagged = port_list(interfaces, list_at(row, "untagged"));
        objects.put_row(current_entry, {0, vlan},
                        {{3, gauge(vlan)},  // each VLAN has its own FDB
                         {4, octets(egress)},
                         {5, octets(untagged)},
                         {6, integer(2)},  // permanent
                         {7, time_ticks(0)}});
        objects.put_row(static_entry, {vlan},
                        {{2, octets(text_at(row, "name"))},
                         {3, octets(egress)},
                         {4, octets(std::string(egress.size(), '\0'))},
                         {5, octets(untagged)},
                         {6, integer(1)}});
        // The PVID of these ports is this VLAN.
        for (const Json& name : list_at(row, "untagged")) {
            const uint32_t port =
                name.is_string() ? number_of(interfaces, name.get_ref<const std::string&>()) : 0;
            if (port == 0) continue;
            objects.put_row(port_vlan_entry, {port},
                            {{1, gauge(vlan)}, {3, integer(ingress_filtering)}});
        }
    }
}

}  // namespace sluice::snmp
