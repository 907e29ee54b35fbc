#include "tools/sluice/tunnels_view.h"

#include <array>

namespace sluice::cli {

namespace {

constexpr auto tunnel_columns = std::to_array<Column>({
    {"TUNNEL", "port"},
    {"OVER", "underlay"},
    {"BY", "encapsulation"},
    {"TO", "remote"},
    {"VNI", "vni", Format::number},
    {"HERE", "local"},
    {"UP", "up", Format::yes_no},
    {"NEXT HOP", "next_hop/ip"},
    {"ITS ADDRESS", "next_hop/address"},
    {"ENCAPSULATED", "encapsulated", Format::count},
    {"COPIED", "copied", Format::count},
    {"DECAPSULATED", "decapsulated", Format::count},
    {"WHY", "why"},
});

constexpr auto relay_columns = std::to_array<Column>({
    {"TUNNEL", "port"},
    {"PAUSES TO THE PEER OF", "relay/to"},
    {"DELAY", "relay/delay_ns", Format::nanos},
    {"AT MOST", "relay/delay_max_ns", Format::nanos},
    {"PAUSES ARE", "relay/pauses"},
    {"RESERVE", "relay/reserve_bytes", Format::size},
    {"HEADROOM", "relay/headroom_bytes", Format::size},
    {"MOST USED", "relay/headroom_used_max", Format::size},
    {"ASKED", "relay/probes", Format::count},
    {"ANSWERED", "relay/answers", Format::count},
});

constexpr auto next_hop_columns = std::to_array<Column>({
    {"PORT", "port"},
    {"NEIGHBOUR", "ip"},
    {"ADDRESS", "address"},
    {"AGE S", "age_s", Format::number},
    {"ASKED", "asked", Format::number},
});

constexpr auto refused_columns = std::to_array<Column>({
    {"PORT", "port"},
    {"REFUSED", "reason"},
    {"FRAMES", "frames", Format::count},
});

}  // namespace

std::string tunnels_view(const Json& result) {
    Json neighbours = Json::array();
    Json refused = Json::array();
    for (const Json& below : result.at("underlays")) {
        for (Json row : below.at("neighbours")) {
            row["port"] = below.at("port");
            neighbours.push_back(std::move(row));
        }
        for (const auto& [reason, frames] : below.at("refused").items()) {
            if (frames.get<uint64_t>() == 0) continue;
            refused.push_back({{"port", below.at("port")}, {"reason", reason}, {"frames", frames}});
        }
    }
    if (result.at("underlays").empty()) return "No port has an address for tunnels.\n";
    std::string text = render_table(result.at("tunnels"), tunnel_columns);
    Json relayed = Json::array();
    for (const Json& tunnel : result.at("tunnels")) {
        if (!tunnel.at("relay").is_null()) relayed.push_back(tunnel);
    }
    if (!relayed.empty()) text += '\n' + render_table(relayed, relay_columns);
    if (!neighbours.empty()) text += '\n' + render_table(neighbours, next_hop_columns);
    if (!refused.empty()) text += '\n' + render_table(refused, refused_columns);
    return text;
}

}  // namespace sluice::cli
