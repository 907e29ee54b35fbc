#include "tools/sluice/evpn_view.h"

#include <array>

namespace sluice::cli {

namespace {

constexpr auto network_columns = std::to_array<Column>({
    {"VNI", "vni", Format::number},
    {"VLAN", "vlan", Format::number},
    {"HERE", "vtep"},
    {"DEVICE", "device"},
    {"LOCAL", "local_device"},
    {"UP", "up", Format::yes_no},
    {"LOCAL ADDRESSES", "local_addresses", Format::count},
    {"REMOTE", "remote_addresses", Format::count},
    {"STALE", "stale", Format::count},
    {"LEFT OUT", "left_out", Format::count},
    {"NEIGHBOURS HERE", "local_neighbours", Format::count},
    {"THERE", "remote_neighbours", Format::count},
    {"SUPPRESSED", "suppressed", Format::count},
    {"SWEEPS", "sweeps", Format::count},
    {"WHY", "why"},
});

constexpr auto vtep_columns = std::to_array<Column>({
    {"VNI", "vni", Format::number},
    {"VTEP", "vtep"},
    {"BY", "port"},
    {"FLOODS", "floods", Format::yes_no},
    {"STALE", "stale", Format::yes_no},
    {"ADDRESSES", "addresses", Format::count},
});

constexpr auto evpn_neighbour_columns = std::to_array<Column>({
    {"VNI", "vni", Format::number},
    {"NEIGHBOUR", "address"},
    {"MAC", "mac"},
    {"KIND", "kind"},
    {"ROUTER", "router", Format::yes_no},
});

// What each network has of a kind, under its number.
Json rows_of(const Json& networks, const char* kind) {
    Json rows = Json::array();
    for (const Json& network : networks) {
        for (Json row : network.value(kind, Json::array())) {
            row["vni"] = network.at("vni");
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

}  // namespace

std::string evpn_view(const Json& result) {
    if (!result.at("enabled").get<bool>()) {
        return "EVPN is off; evpn.vnis in the configuration turns it on.\n";
    }
    const Json& networks = result.at("networks");
    const Json vteps = rows_of(networks, "vteps");
    const Json neighbours = rows_of(networks, "neighbours");
    std::string text = render_table(networks, network_columns);
    if (!vteps.empty()) text += '\n' + render_table(vteps, vtep_columns);
    if (!neighbours.empty()) text += '\n' + render_table(neighbours, evpn_neighbour_columns);
    if (result.at("resyncs").get<uint64_t>() != 0) {
        text += "\nThe kernel was asked again " + result.at("resyncs").dump() + " times.\n";
    }
    if (const auto why = result.at("why_refused").get<std::string>(); !why.empty()) {
        text += "\nIt refused " + result.at("refused").dump() + " requests: " + why + ".\n";
    }
    return text;
}

}  // namespace sluice::cli
