#include "tools/sluice/noun_views.h"

#include <array>

namespace sluice::cli {

namespace {

constexpr auto network_columns = std::to_array<Column>({
    {"VNI", "vni", Format::number, 0},
    {"VLAN", "vlan", Format::number, 0},
    {"HERE", "vtep"},
    {"DEVICE", "device"},
    {"LOCAL", "local_device", Format::text, 2},
    {"UP", "up", Format::yes_no},
    {"LOCAL ADDRESSES", "local_addresses", Format::count},
    {"REMOTE", "remote_addresses", Format::count},
    {"STALE", "stale", Format::count, 2},
    {"LEFT OUT", "left_out", Format::count, 2},
    {"NEIGHBOURS HERE", "local_neighbours", Format::count, 3},
    {"THERE", "remote_neighbours", Format::count, 3},
    {"SUPPRESSED", "suppressed", Format::count, 3},
    {"SWEEPS", "sweeps", Format::count, 3},
    {"WHY", "why", Format::prose, 0},
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

// Returns the rows of one kind, from all networks. Each row gets the VNI of its network.
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

std::string evpn_view(Sheet& sheet, const Json& result) {
    if (result.at("enabled") != true) {
        return "EVPN is off; evpn.vnis in the configuration turns it on.\n";
    }
    const Json& networks = result.at("networks");
    const Json vteps = rows_of(networks, "vteps");
    const Json neighbours = rows_of(networks, "neighbours");
    std::string text = sheet.table(networks, network_columns);
    text = below(text, sheet.table(vteps, vtep_columns));
    text = below(text, sheet.table(neighbours, evpn_neighbour_columns));
    if (const Json& resyncs = result.at("resyncs"); resyncs.is_number() && resyncs != 0) {
        text += "\nThe state of the kernel was read again " + show_cell(resyncs, Format::count) +
                " times, after lost messages.\n";
    }
    if (const Json& why = result.at("why_refused"); why.is_string() && why != "") {
        text += "\nThe kernel refused " + show_cell(result.at("refused"), Format::count) +
                " requests: " + show_cell(why, Format::text) + ".\n";
    }
    return text;
}

}  // namespace sluice::cli
