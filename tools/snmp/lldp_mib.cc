#include <algorithm>
#include <array>
#include <string_view>

#include "control/lldp/text.h"
#include "tools/snmp/mibs.h"

namespace sluice::snmp {

namespace {

const Oid tx_entry = {1, 0, 8802, 1, 1, 2, 1, 2, 6, 1};
const Oid rx_entry = {1, 0, 8802, 1, 1, 2, 1, 2, 7, 1};
const Oid local_group = {1, 0, 8802, 1, 1, 2, 1, 3};
const Oid local_port_entry = {1, 0, 8802, 1, 1, 2, 1, 3, 7, 1};
const Oid local_address_entry = {1, 0, 8802, 1, 1, 2, 1, 3, 8, 1};
const Oid remote_entry = {1, 0, 8802, 1, 1, 2, 1, 4, 1, 1};
const Oid remote_address_entry = {1, 0, 8802, 1, 1, 2, 1, 4, 2, 1};

struct Id {
    uint32_t subtype = 7;
    std::string octets;
};

Id id_of(const Json& row, const char* key, const std::array<std::string_view, 8>& subtypes) {
    const std::string text = text_at(row, key);
    const std::string subtype = text_at(row, (std::string(key) + "_subtype").c_str());
    const auto* const named = std::ranges::find(subtypes, subtype);
    if (subtype == "mac_address") {
        if (const auto address = parse_mac(text)) {
            return {static_cast<uint32_t>(named - subtypes.begin()), mac_octets(*address)};
        }
    }
    if (subtype == "network_address") {
        if (const auto address = ip_octets(text)) {
            const char family = address->size() == 4 ? 1 : 2;  // IANA's address family
            return {static_cast<uint32_t>(named - subtypes.begin()), family + *address};
        }
    }
    const bool is_known = named != subtypes.end() && named != subtypes.begin();
    const auto number = is_known ? static_cast<uint32_t>(named - subtypes.begin()) : 7;
    return {number, unescaped_at(row, key)};
}

// Returns BITS; the first name is the highest bit of the first octet.
std::string bits_of(const Json& names) {
    std::string bits(2, '\0');
    for (const Json& name : names) {
        if (!name.is_string()) continue;
        const auto* const found =
            std::ranges::find(lldp::capability_names, name.get_ref<const std::string&>());
        if (found == lldp::capability_names.end()) continue;
        const auto bit = static_cast<std::size_t>(found - lldp::capability_names.begin());
        bits[bit / 8] = static_cast<char>(bits[bit / 8] | 0x80 >> bit % 8);
    }
    return bits;
}

// Returns the family, the number of octets and the octets, as in an index.
std::optional<Oid> address_index(const Json& text) {
    const auto address =
        text.is_string() ? ip_octets(text.get_ref<const std::string&>()) : std::nullopt;
    if (!address) return std::nullopt;
    Oid index = {address->size() == 4 ? 1U : 2U, static_cast<uint32_t>(address->size())};
    for (const char octet : *address) index.push_back(static_cast<unsigned char>(octet));
    return index;
}

void put_local(Objects& objects, const Json& first) {
    const Id chassis = id_of(first, "chassis_id", lldp::chassis_id_subtypes);
    const std::string bridge = bits_of(Json::array({"bridge"}));
    objects.put(local_group, 1, integer(chassis.subtype));
    objects.put(local_group, 2, octets(chassis.octets));
    objects.put(local_group, 3, octets(unescaped_at(first, "system_name")));
    objects.put(local_group, 4, octets(unescaped_at(first, "system_description")));
    objects.put(local_group, 5, octets(bridge));
    objects.put(local_group, 6, octets(bridge));
    for (const Json& text : list_at(first, "management_addresses")) {
        const auto index = address_index(text);
        if (!index) continue;
        objects.put_row(local_address_entry, *index,
                        {{3, integer((*index)[1] + 1)},
                         {4, integer(1)},  // unknown
                         {5, integer(0)},
                         {6, object({0, 0})}});
    }
}

void put_port(Objects& objects, uint32_t number, const Json& row) {
    const Id id = id_of(row, "port_id", lldp::port_id_subtypes);
    objects.put_row(local_port_entry, {number},
                    {{2, integer(id.subtype)},
                     {3, octets(id.octets)},
                     {4, octets(unescaped_at(row, "port_description"))}});
    objects.put_row(tx_entry, {number}, {{2, counter(number_at(row, "frames_out"))}});
    objects.put_row(rx_entry, {number},
                    {{2, counter(number_at(row, "frames_discarded"))},
                     {3, counter(number_at(row, "frames_in_errors"))},
                     {4, counter(number_at(row, "frames_in"))},
                     {5, counter(number_at(row, "tlvs_discarded"))},
                     {6, counter(number_at(row, "tlvs_unrecognized"))},
                     {7, gauge(number_at(row, "ageouts"))}});
}

void put_neighbour(Objects& objects, uint32_t port, const Json& row, RemoteIndices& indices) {
    const Id chassis = id_of(row, "chassis_id", lldp::chassis_id_subtypes);
    const Id id = id_of(row, "port_id", lldp::port_id_subtypes);
    const uint32_t number =
        indices.of(port, std::to_string(chassis.subtype) + ' ' + chassis.octets + '\0' +
                             std::to_string(id.subtype) + ' ' + id.octets + '\0' +
                             text_at(row, "destination"));
    const Oid index = {0, port, number};
    objects.put_row(remote_entry, index,
                    {{4, integer(chassis.subtype)},
                     {5, octets(chassis.octets)},
                     {6, integer(id.subtype)},
                     {7, octets(id.octets)},
                     {8, octets(unescaped_at(row, "port_description"))},
                     {9, octets(unescaped_at(row, "system_name"))},
                     {10, octets(unescaped_at(row, "system_description"))},
                     {11, octets(bits_of(list_at(row, "capabilities")))},
                     {12, octets(bits_of(list_at(row, "enabled_capabilities")))}});
    for (const Json& text : list_at(row, "management_addresses")) {
        const auto address = address_index(text);
        if (!address) continue;
        objects.put_row(remote_address_entry, joined(index, *address),
                        {{3, integer(1)}, {4, integer(0)}, {5, object({0, 0})}});
    }
}

}  // namespace

uint32_t RemoteIndices::of(uint32_t port, const std::string& who) {
    const auto known = known_.find({port, who});
    const uint32_t index = known != known_.end() ? known->second : 0;
    const auto [seen, added] = seen_.try_emplace({port, who}, index);
    constexpr uint32_t most = 0x7FFF'FFFF;
    if (added && index == 0) seen->second = last_ = last_ % most + 1;
    return seen->second;
}

void RemoteIndices::forget_others() { known_ = std::exchange(seen_, {}); }

void put_lldp_mib(Objects& objects, const Interfaces& interfaces, const Json& lldp,
                  RemoteIndices& indices) {
    if (!lldp.is_array() || lldp.empty()) return;
    put_local(objects, lldp.front());
    for (const Json& row : lldp) {
        const uint32_t port = number_of(interfaces, text_at(row, "port"));
        if (port == 0) continue;
        put_port(objects, port, row);
        for (const Json& neighbour : list_at(row, "neighbours")) {
            put_neighbour(objects, port, neighbour, indices);
        }
    }
    indices.forget_others();
}

}  // namespace sluice::snmp
