#include "tools/snmp/switch_state.h"

#include <algorithm>
#include <map>

#include "config/port/device_words.h"
#include "control/if_index.h"

namespace sluice::snmp {

namespace {

constexpr uint64_t beside_payload = 22;  // octets of a header and two tags (config/README.md, mtu)

Interface::Kind kind_of(std::string_view device) {
    const DeviceTraits* const traits = config::traits_of_device(device);
    const bool is_tunnel = traits != nullptr && traits->is_tunnel();
    return is_tunnel ? Interface::Kind::tunnel : Interface::Kind::ethernet;
}

Interface::Link link_of(std::string_view link) {
    if (link == "up") return Interface::Link::up;
    return link == "gone" ? Interface::Link::gone : Interface::Link::down;
}

void add(Counters& sum, const Counters& more) {
    sum.octets += more.octets;
    sum.frames += more.frames;
    sum.discards += more.discards;
    sum.errors += more.errors;
}

Interface port_of(const Json& row, const Json& counted) {
    const uint64_t longest = number_at(row, "max_frame");
    return {.name = text_at(row, "name"),
            .description = text_at(row, "description"),
            .if_index = static_cast<uint32_t>(number_at(row, "if_index")),
            .number = static_cast<uint32_t>(number_at(row, "index") + 1),
            .kind = kind_of(text_at(row, "device")),
            .address = mac_octets(parse_mac(text_at(row, "address")).value_or(0)),
            .mtu = longest > beside_payload ? longest - beside_payload : 0,
            .speed = number_at(row, "rate_bps"),
            .admin_up = text_at(row, "admin_status") == "up",
            .link = link_of(text_at(row, "link")),
            .in = {number_at(row, "rx_bytes"), number_at(row, "rx_frames"),
                   number_at(counted, "rx_drp"), number_at(counted, "rx_err")},
            .out = {number_at(row, "tx_bytes"), number_at(row, "tx_frames"),
                    number_at(counted, "tx_drp"), number_at(counted, "tx_err")}};
}

// Returns an aggregation with the address and the number of its first member and without counters;
// `join` adds each member.
Interface aggregation_of(std::string name, const Interface& first) {
    Interface made = first;
    made.name = std::move(name);
    made.description.clear();
    made.if_index = 0;
    made.number = most_ports + first.number;
    made.kind = Interface::Kind::aggregation;
    made.speed = 0;
    made.admin_up = false;
    made.link = Interface::Link::down;
    made.in = made.out = {};
    return made;
}

void join(Interface& aggregation, const Interface& member) {
    const bool up = member.link == Interface::Link::up;
    aggregation.admin_up = aggregation.admin_up || member.admin_up;
    if (up) aggregation.link = Interface::Link::up;
    if (up) aggregation.speed += member.speed;
    aggregation.mtu = std::min(aggregation.mtu, member.mtu);
    add(aggregation.in, member.in);
    add(aggregation.out, member.out);
}

}  // namespace

std::vector<Interface> interfaces_of(const Json& ports, const Json& counters) {
    std::map<std::string, Json> counted;
    for (const Json& row : counters.is_array() ? counters : Json::array()) {
        counted.emplace(text_at(row, "port"), row);
    }
    std::map<uint32_t, Interface> known;
    std::map<std::string, std::vector<uint32_t>> members;
    std::set<std::string> names;
    for (const Json& row : ports.is_array() ? ports : Json::array()) {
        if (number_at(row, "index") >= most_ports || text_at(row, "name").empty()) continue;
        Interface port = port_of(row, counted[text_at(row, "name")]);
        const std::string aggregation = text_at(row, "aggregation");
        if (!aggregation.empty()) members[aggregation].push_back(port.number);
        names.insert(port.name);
        known.emplace(port.number, std::move(port));
    }
    for (auto& [name, of] : members) {
        std::ranges::sort(of);
        Interface made = aggregation_of(name, known.at(of.front()));
        for (const uint32_t member : of) join(made, known.at(member));
        names.insert(name);
        known.emplace(made.number, std::move(made));
    }
    const control::IfIndices indices = control::if_indices(names);
    std::vector<Interface> found;
    for (auto& [number, interface] : known) {
        // sluiced's own ifIndex is kept, as a sluiced of another release may compute other numbers.
        // Here it is computed only where none is reported (aggregations).
        if (interface.if_index == 0) interface.if_index = indices.find(interface.name)->second;
        found.push_back(std::move(interface));
    }
    return found;
}

uint32_t number_of(const std::vector<Interface>& interfaces, std::string_view name) {
    const auto found = std::ranges::find(interfaces, name, &Interface::name);
    return found == interfaces.end() ? 0 : found->number;
}

}  // namespace sluice::snmp
