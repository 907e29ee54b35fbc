#include "tools/snmp/fdb_table.h"

#include <algorithm>
#include <span>

#include "config/yaml/values.h"

namespace sluice::snmp {

const Oid FdbTable::dot1d = {1, 3, 6, 1, 2, 1, 17, 4, 3};
const Oid FdbTable::dot1q = {1, 3, 6, 1, 2, 1, 17, 7, 1, 2, 2};

namespace {

constexpr std::size_t address_octets = 6;
constexpr uint64_t default_vlan = 1;
constexpr uint64_t addresses = uint64_t{1} << 48;
constexpr uint64_t end_of_places = (most_vlans + 1) * addresses;

// Position of an index in a column. `at_it`: the row at this position is included.
struct Start {
    uint64_t place;
    bool at_it;
};

// `index` may be any index: too short, too long, or with numbers above 255.
Start start_of(std::span<const uint32_t> index, bool by_vlan, bool at_it) {
    uint64_t vlan = by_vlan ? 0 : default_vlan;
    if (by_vlan && !index.empty()) {
        if (index[0] > most_vlans) return {end_of_places, true};
        vlan = index[0];
        index = index.subspan(1);
    }
    uint64_t address = 0;
    for (std::size_t n = 0; n < address_octets; ++n) {
        const uint64_t rest = uint64_t{1} << 8 * (address_octets - n);
        // The index ends here: starts at the first address with these octets.
        if (n >= index.size()) return {vlan * addresses + address * rest, true};
        if (index[n] > 255) return {vlan * addresses + (address + 1) * rest, true};
        address = address << 8 | index[n];
    }
    const bool exactly = index.size() == address_octets;
    return {vlan * addresses + address, exactly && at_it};
}

uint64_t status_of(std::string_view kind) {
    if (kind == "learned" || kind == "sticky") return 3;
    return kind == "static" ? 5 : 1;  // mgmt, other
}

Oid index_of(uint64_t place, bool by_vlan) {
    Oid index;
    if (by_vlan) index.push_back(static_cast<uint32_t>(place / addresses));
    for (int shift = 40; shift >= 0; shift -= 8) {
        index.push_back(static_cast<uint32_t>(place >> shift & 0xFF));
    }
    return index;
}

}  // namespace

const FdbTable::Row* FdbTable::row_behind(uint64_t place, const Now& now) {
    const auto first_behind = [&] {
        return std::ranges::upper_bound(page_, place, {}, &Row::place);
    };
    const bool fresh = page_ms_ && now.steady_ms - *page_ms_ < Tables::stays_ms;
    if (fresh && place >= page_behind_) {
        const auto found = first_behind();
        if (found != page_.end()) return &*found;
        if (is_last_) return nullptr;
    }
    page_.clear();
    page_behind_ = place;
    page_ms_ = now.steady_ms;
    Json request = {{"show", "fdb"}, {"limit", page_rows}};
    if (place >= addresses) {
        request["after"] = {{"vlan", place / addresses},
                            {"address", config::format_address(MacAddress{place % addresses})}};
    }
    const Json rows = ask_(request).value_or(Json::array());
    is_last_ = !rows.is_array() || rows.size() < page_rows;
    for (const Json& row : rows.is_array() ? rows : Json::array()) {
        const uint64_t vlan = number_at(row, "vlan");
        const auto address = parse_mac(text_at(row, "address"));
        // Rows of Ethernet addresses precede those of other formats.
        if (!address || vlan < 1 || vlan > most_vlans || text_at(row, "family") != "ethernet") {
            is_last_ = true;
            break;
        }
        const uint64_t at = vlan * addresses + *address;
        // Keeps only rising positions, whatever the switch answers, so that a walk ends.
        if (at <= (page_.empty() ? place : page_.back().place)) continue;
        page_.push_back({at, text_at(row, "port"), text_at(row, "kind")});
    }
    const auto found = first_behind();
    return found == page_.end() ? nullptr : &*found;
}

std::optional<FdbTable::Instance> FdbTable::behind(const Oid& table, const Oid& name, bool at_it,
                                                   const Now& now) {
    const bool by_vlan = table == dot1q;
    const Oid entry = joined(table, {1});
    uint32_t column = 0;
    std::span<const uint32_t> index;
    if (name >= joined(entry, {1})) {
        const bool inside =
            name.size() > entry.size() && std::equal(entry.begin(), entry.end(), name.begin());
        if (!inside) return std::nullopt;
        column = name[entry.size()];
        index = std::span(name).subspan(entry.size() + 1);
    }
    for (uint32_t at = by_vlan ? 2 : 1; at <= 3; ++at) {
        if (at < column) continue;
        const Start start =
            at == column ? start_of(index, by_vlan, at_it) : start_of({}, by_vlan, at_it);
        if (start.place >= end_of_places) continue;
        const bool before_all = start.place == 0;
        const Row* row =
            row_behind(start.at_it && !before_all ? start.place - 1 : start.place, now);
        if (row == nullptr || (!by_vlan && row->place / addresses != default_vlan)) continue;
        Value value = octets(mac_octets(row->place % addresses));
        if (at == 2) value = integer(number_of(tables_.interfaces(now), row->port));
        if (at == 3) value = integer(status_of(row->kind));
        return Instance{joined(joined(entry, {at}), index_of(row->place, by_vlan)),
                        std::move(value)};
    }
    return std::nullopt;
}

}  // namespace sluice::snmp
