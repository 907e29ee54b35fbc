#include "tools/sluice/evpn_view.h"

#include <array>

namespace sluice::cli {

namespace {

constexpr auto network_columns = std::to_array<Column>({
    {"VNI", "vni", Format::number},
    {"VLAN", "vlan", Format::number},
    {"HERE", "vtep"},
    {"DEVICE", "device"},
    {"LOCAL", "local"},
    {"UP", "up", Format::yes_no},
    {"LOCAL ADDRESSES", "local_addresses", Format::count},
    {"REMOTE", "remote_addresses", Format::count},
    {"STALE", "stale", Format::count},
    {"LEFT OUT", "left_out", Format::count},
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

}  // namespace

std::string evpn_view(const Json& result) {
    if (!result.at("enabled").get<bool>()) {
        return "EVPN is off; evpn.vnis in the configuration turns it on.\n";
    }
    Json vteps = Json::array();
    for (const Json& network : result.at("networks")) {
        for (Json row : network.at("vteps")) {
            row["vni"] = network.at("vni");
            vteps.push_back(std::move(row));
        }
    }
    std::string text = render_table(result.at("networks"), network_columns);
    if (!vteps.empty()) text += '\n' + render_table(vteps, vtep_columns);
    if (result.at("resyncs").get<uint64_t>() != 0) {
        text += "\nThe kernel was asked again " + result.at("resyncs").dump() + " times.\n";
    }
    if (const auto why = result.at("why_refused").get<std::string>(); !why.empty()) {
        text += "\nIt refused " + result.at("refused").dump() + " requests: " + why + ".\n";
    }
    return text;
}

}  // namespace sluice::cli
