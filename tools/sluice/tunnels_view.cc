#include "tools/sluice/noun_views.h"

#include <array>

namespace sluice::cli {

namespace {

constexpr auto tunnel_columns = std::to_array<Column>({
    {"TUNNEL", "port", Format::text, 0},
    {"OVER", "underlay"},
    {"BY", "encapsulation"},
    {"TO", "remote", Format::text, 0},
    {"VNI", "vni", Format::number},
    {"HERE", "local", Format::text, 2},
    {"UP", "up", Format::yes_no, 0},
    {"NEXT HOP", "next_hop/ip"},
    {"ITS ADDRESS", "next_hop/address", Format::text, 2},
    {"ENCAPSULATED", "encapsulated", Format::count},
    {"COPIED", "copied", Format::count, 2},
    {"DECAPSULATED", "decapsulated", Format::count},
    {"VTEPS", "vteps", Format::number, 2},
    {"FLOODED", "flooded", Format::count, 2},
    {"UNMAPPED", "unmapped", Format::count, 3},
    {"WHY", "why", Format::prose, 0},
});

constexpr auto vtep_columns = std::to_array<Column>({
    {"TUNNEL", "port", Format::text, 0},
    {"VLAN", "vlan", Format::number, 2},
    {"VNI", "vni", Format::number, 0},
    {"VTEP", "vtep", Format::text, 0},
    {"BY", "from", Format::text, 2},
    {"UP", "up", Format::yes_no, 0},
    {"FLOODS", "floods", Format::yes_no, 2},
    {"NEXT HOP", "next_hop", Format::text, 3},
    {"ITS ADDRESS", "address", Format::text, 3},
    {"ADDRESSES", "addresses", Format::count},
    {"RX FRAMES", "rx_frames", Format::count, 0},
    {"RX BYTES", "rx_bytes", Format::count, 2},
    {"TX FRAMES", "tx_frames", Format::count, 0},
    {"TX BYTES", "tx_bytes", Format::count, 2},
    {"DROPPED", "dropped", Format::count},
});

constexpr auto relay_columns = std::to_array<Column>({
    {"TUNNEL", "port", Format::text, 0},
    {"PAUSES TO THE PEER OF", "relay/to", Format::text, 0},
    {"DELAY", "relay/delay_ns", Format::nanos},
    {"AT MOST", "relay/delay_max_ns", Format::nanos, 2},
    {"PAUSES ARE", "relay/pauses"},
    {"RESERVE", "relay/reserve_bytes", Format::size, 2},
    {"HEADROOM", "relay/headroom_bytes", Format::size},
    {"MOST USED", "relay/headroom_used_max", Format::size},
    {"ASKED", "relay/probes", Format::count, 2},
    {"ANSWERED", "relay/answers", Format::count, 2},
});

constexpr auto next_hop_columns = std::to_array<Column>({
    {"PORT", "port"},
    {"NEIGHBOUR", "ip"},
    {"ADDRESS", "address"},
    {"AGE S", "age_s", Format::number},
    {"ASKED", "asked", Format::number},
});

constexpr auto network_columns = std::to_array<Column>({
    {"TUNNEL", "port"},
    {"VLAN", "vlan", Format::number},
    {"VNI", "vni", Format::number},
});

constexpr auto refused_columns = std::to_array<Column>({
    {"PORT", "port"},
    {"REFUSED", "reason"},
    {"FRAMES", "frames", Format::count},
});

}  // namespace

std::string vteps_view(Sheet& sheet, const Json& result) {
    if (result.empty()) return "No point-to-multipoint tunnel, or none of its VTEPs is known.\n";
    return sheet.table(result, vtep_columns);
}

std::string tunnels_view(Sheet& sheet, const Json& result) {
    Json neighbours = Json::array();
    Json refused = Json::array();
    for (const Json& below : result.at("underlays")) {
        for (Json row : below.at("neighbours")) {
            row["port"] = below.at("port");
            neighbours.push_back(std::move(row));
        }
        for (const auto& [reason, frames] : below.at("refused").items()) {
            if (frames == 0) continue;
            refused.push_back({{"port", below.at("port")}, {"reason", reason}, {"frames", frames}});
        }
        if (const Json& cut_off = below.at("cut_off"); cut_off != 0) {
            refused.push_back(
                {{"port", below.at("port")}, {"reason", "flood cut off"}, {"frames", cut_off}});
        }
    }
    if (result.at("underlays").empty()) return "No port has an address for tunnels.\n";
    std::string text = sheet.table(result.at("tunnels"), tunnel_columns);
    Json relayed = Json::array();
    for (const Json& tunnel : result.at("tunnels")) {
        if (!tunnel.at("relay").is_null()) relayed.push_back(tunnel);
    }
    Json networks = Json::array();
    for (const Json& tunnel : result.at("tunnels")) {
        if (tunnel.at("vnis").is_null()) continue;
        for (Json row : tunnel.at("vnis")) {
            row["port"] = tunnel.at("port");
            networks.push_back(std::move(row));
        }
    }
    text = below(text, sheet.table(networks, network_columns));
    text = below(text, sheet.table(relayed, relay_columns));
    text = below(text, sheet.table(neighbours, next_hop_columns));
    return below(text, sheet.table(refused, refused_columns));
}

}  // namespace sluice::cli
