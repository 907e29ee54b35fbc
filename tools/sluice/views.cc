#include "tools/sluice/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "control/show/nouns.h"
#include "tools/sluice/credits_view.h"
#include "tools/sluice/dcbx_view.h"
#include "tools/sluice/evpn_view.h"
#include "tools/sluice/quantities.h"
#include "tools/sluice/sflow_view.h"
#include "tools/sluice/tunnels_view.h"
#include "tools/sluice/version.h"

namespace sluice::cli {

namespace {

constexpr Column port_columns[] = {
    {"PORT", "name"},
    {"DEVICE", "device"},
    {"AGGREGATION", "aggregation"},
    {"ADMIN", "admin_status"},
    {"LINK", "link"},
    {"RATE", "rate_bps", Format::rate},
    {"RX FRAMES", "rx_frames", Format::count},
    {"RX OCTETS", "rx_bytes", Format::count},
    {"TX FRAMES", "tx_frames", Format::count},
    {"TX OCTETS", "tx_bytes", Format::count},
    {"DROPPED", "dropped", Format::count},
    {"MISSED", "device_counters/missed", Format::count},
    {"STALLED", "egress_stalled", Format::yes_no},
    {"PFC RX", "pfc_rx"},
    {"PFC TX", "pfc_tx"},
    {"LLDP RX", "lldp_rx"},
};
constexpr Column queue_columns[] = {
    {"INPUT", "input"},
    {"OUTPUT", "output"},
    {"PRIORITY", "priority", Format::number},
    {"WAITING", "frames", Format::count},
    {"HOLDS", "bytes", Format::size},
    {"AT MOST", "max_bytes", Format::size},
    {"ENQUEUED", "enqueued", Format::count},
    {"DEQUEUED", "dequeued", Format::count},
    {"DROPPED", "dropped", Format::count},
    {"STORM DROPS", "storm_dropped", Format::count},
    {"MARKED", "marked", Format::count},
};
constexpr Column group_columns[] = {
    {"PORT", "port"},
    {"PRIORITY", "priority", Format::number},
    {"LOSSLESS", "lossless", Format::yes_no},
    {"HOLDS", "occupancy_bytes", Format::size},
    {"AT MOST", "occupancy_max", Format::size},
    {"RESERVED", "reserved_bytes", Format::size},
    {"XOFF", "xoff_bytes", Format::size},
    {"XON", "xon_bytes", Format::size},
    {"HEADROOM", "headroom_bytes", Format::size},
    {"OF IT USED", "headroom_used", Format::size},
    {"AT MOST", "headroom_used_max", Format::size},
};
constexpr Column received_columns[] = {
    {"PORT", "port"},
    {"PRIORITY", "priority", Format::number},
    {"LOSSLESS", "lossless", Format::yes_no},
    {"UNPROVEN", "unproven", Format::list},
    {"BY", "by"},
    {"PAUSED", "paused", Format::yes_no},
    {"XOFF RX", "rx_pause", Format::count},
    {"QUEUE FULL", "queue_refusals", Format::count},
    {"NIC RX", "device_rx_pause", Format::count},
    {"PAUSED FOR", "paused_ns", Format::nanos},
    {"LAST SECOND", "paused_last_second_ns", Format::nanos},
    {"LAST MINUTE", "paused_last_minute_ns", Format::nanos},
    {"WATCHDOG", "watchdog"},
    {"STORMS", "storms", Format::count},
    {"RETURNS", "storm_returns", Format::count},
    {"RESTORES AFTER", "restores_after_ns", Format::nanos},
    {"DROPPED", "storm_dropped", Format::count},
    {"HOLDS UP", "holds_up"},
};
constexpr Column relayed_columns[] = {
    {"PORT", "port"},
    {"PRIORITY", "priority", Format::number},
    {"TO THE PEER OF", "relayed_to"},
    {"XOFF", "relayed_pause", Format::count},
    {"XON", "relayed_resume", Format::count},
    {"CUT", "relay_cut", Format::yes_no},
};
constexpr Column sent_columns[] = {
    {"PORT", "port"},
    {"PRIORITY", "priority", Format::number},
    {"PAUSING", "pausing", Format::yes_no},
    {"XOFF TX", "tx_pause", Format::count},
    {"XON TX", "tx_resume", Format::count},
    {"QUEUE STOPPED", "queue_stops", Format::count},
    {"IGNORED", "pause_ignored", Format::count},
    {"NIC TX", "device_tx_pause", Format::count},
    {"PAUSED IT FOR", "pausing_ns", Format::nanos},
    {"LAST SECOND", "pausing_last_second_ns", Format::nanos},
    {"LAST MINUTE", "pausing_last_minute_ns", Format::nanos},
    {"HOLDS", "occupancy_bytes", Format::size},
    {"XOFF", "xoff_bytes", Format::size},
    {"XON", "xon_bytes", Format::size},
    {"HEADROOM", "headroom_bytes", Format::size},
    {"OF IT USED", "headroom_used_max", Format::size},
    {"BECAUSE OF", "because_of"},
};
constexpr Column drop_columns[] = {
    {"REASON", "reason"},
    {"PORT", "port"},
    {"SIDE", "side"},
    {"FRAMES", "frames", Format::count},
};
constexpr Column fdb_columns[] = {{"VLAN", "vlan", Format::number},
                                  {"ADDRESS", "address"},
                                  {"FAMILY", "family"},
                                  {"PORT", "port"},
                                  {"KIND", "kind"},
                                  {"VTEP", "vtep"},
                                  {"AGE", "age_s", Format::seconds}};
constexpr Column group_address_columns[] = {
    {"VLAN", "vlan", Format::number}, {"GROUP", "group"}, {"FAMILY", "family"},
    {"PORTS", "ports", Format::list}, {"KIND", "kind"},   {"AGE", "age_s", Format::seconds},
};
constexpr Column router_columns[] = {
    {"VLAN", "vlan", Format::number},
    {"ROUTERS BEHIND", "ports", Format::list},
};
constexpr Column querier_columns[] = {
    {"VLAN", "vlan", Format::number},
    {"PROTOCOL", "protocol"},
    {"THIS SWITCH", "own", Format::yes_no},
    {"QUERIER", "address"},
    {"PORT", "port"},
    {"NEXT", "next_s", Format::seconds},
    {"QUERIES SENT", "queries", Format::count},
};
constexpr Column vlan_columns[] = {
    {"VLAN", "vlan", Format::number},
    {"NAME", "name"},
    {"PORTS", "ports", Format::list},
    {"UNTAGGED", "untagged", Format::list},
    {"TAGGED", "tagged", Format::list},
    {"LEARNS", "learning", Format::yes_no},
    {"FLOODS UNKNOWN", "flood_unknown", Format::yes_no},
};
constexpr auto latency_columns = std::to_array<Column>({
    {"PRIORITY", "priority", Format::number},
    {"TIMED", "frames", Format::count},
    {"MEAN", "mean_ns", Format::nanos},
    {"P50", "p50_ns", Format::nanos},
    {"P99", "p99_ns", Format::nanos},
    {"P99.9", "p999_ns", Format::nanos},
    {"MAX", "max_ns", Format::nanos},
});
constexpr Column worker_columns[] = {
    {"WORKER", "index", Format::number},
    {"CORE", "core", Format::number},
    {"NODE", "node", Format::number},
    {"PORTS", "ports", Format::list},
    {"POLLS", "polls", Format::count},
    {"BUSY", "busy_share", Format::share},
    {"FRAMES", "frames", Format::count},
    {"NS A FRAME", "ns_per_frame", Format::decimal},
    {"LONGEST GAP NS", "longest_gap_ns", Format::count},
};
constexpr Column neighbour_columns[] = {
    {"PORT", "port"},
    {"NEIGHBOUR", "system_name"},
    {"CHASSIS", "chassis_id"},
    {"ITS PORT", "port_id"},
    {"DESCRIPTION", "port_description"},
    {"IS A", "enabled_capabilities", Format::list},
    {"MANAGED AT", "management_addresses", Format::list},
    {"SENT TO", "destination"},
    {"KNOWN FOR", "known_for_s", Format::seconds},
    {"EXPIRES IN", "expires_s", Format::seconds},
};
constexpr Column lldp_columns[] = {
    {"PORT", "port"},
    {"LLDP", "mode"},
    {"OUR PORT", "port_id"},
    {"TX", "frames_out", Format::count},
    {"RX", "frames_in", Format::count},
    {"WITH ERRORS", "frames_in_errors", Format::count},
    {"DISCARDED", "frames_discarded", Format::count},
    {"TLVS DISCARDED", "tlvs_discarded", Format::count},
    {"UNKNOWN", "tlvs_unrecognized", Format::count},
    {"AGED OUT", "ageouts", Format::count},
    {"TOO MANY", "too_many_neighbours", Format::yes_no},
};
constexpr Column lacp_columns[] = {
    {"AGGREGATION", "aggregation"},
    {"PORT", "port"},
    {"SELECTED", "selected", Format::yes_no},
    {"ATTACHED", "attached", Format::yes_no},
    {"WHY NOT", "reason"},
    {"ACTOR", "actor_state", Format::list},
    {"PARTNER", "partner_state", Format::list},
    {"PARTNER SYSTEM", "partner_system"},
    {"KEY", "partner_key", Format::number},
    {"ITS PORT", "partner_port", Format::number},
    {"TX", "lacpdus_out", Format::count},
    {"RX", "lacpdus_in", Format::count},
    {"DAMAGED", "illegal_in", Format::count},
};
constexpr Column event_columns[] = {
    {"AT", "at"}, {"KIND", "kind"}, {"PORT", "port"}, {"WHAT", "text"}};
constexpr Column rate_columns[] = {
    {"PORT", "name"},
    {"LINK", "link"},
    {"RX", "rx_bps", Format::rate},
    {"RX FRAMES", "rx_fps", Format::per_second},
    {"TX", "tx_bps", Format::rate},
    {"TX FRAMES", "tx_fps", Format::per_second},
    {"DROPPED", "dropped_fps", Format::per_second},
    {"SINCE START", "dropped", Format::count},
};

std::string rows_or(const Json& rows, std::span<const Column> columns, std::string_view nothing) {
    return rows.empty() ? fmt::format("{}\n", nothing) : render_table(rows, columns);
}

std::string size_at(const Json& object, const char* key) {
    return show_cell(object.at(key), Format::size);
}

std::string ports(const Json& result) { return rows_or(result, port_columns, "No ports."); }
std::string queues(const Json& result) {
    return rows_or(result, queue_columns, "No frame came this far yet; --all shows every VOQ.");
}
// `p2 (14), p0 (3)`: ports and how many pauses each is the reason of.
Json reasons(const Json& ports, const char* key) {
    std::string text;
    for (const Json& port : ports) {
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", port.at(key).get<std::string>(),
                            show_cell(port.at("pauses"), Format::count));
    }
    return text.empty() ? Json() : Json(text);
}

std::string pfc(const Json& result) {
    if (result.empty()) {
        return "No priority is lossless, and no pause was received or sent; "
               "--all shows every priority.\n";
    }
    Json rows = result;
    Json relayed = Json::array();
    for (Json& row : rows) {
        row["holds_up"] = reasons(row.at("holds_up"), "input");
        row["because_of"] = reasons(row.at("because_of"), "output");
        if (!row.at("relayed_to").is_null()) relayed.push_back(row);
    }
    return "Received from peers. HOLDS UP: inputs whose peers were paused because of this port.\n" +
           render_table(rows, received_columns) +
           (relayed.empty() ? ""
                            : "\nRelayed, not obeyed.\n" + render_table(relayed, relayed_columns)) +
           "\nSent to peers. BECAUSE OF: outputs that the frames waited for.\n" +
           render_table(rows, sent_columns);
}
std::string drops(const Json& result) {
    return rows_or(result, drop_columns, "Nothing was dropped; --all shows every reason.");
}
std::string fdb(const Json& result) {
    return rows_or(result, fdb_columns, "No address is known yet.");
}
std::string multicast(const Json& result) {
    const Json& snooping = result.at("snooping");
    const bool floods = result.at("unregistered") == "flood";
    std::string text = snooping.empty()
                           ? "No reports are snooped: a group goes where the configuration says, "
                             "else everywhere.\n"
                           : fmt::format("Reports of {} are snooped; other groups go {}.\n",
                                         show_cell(snooping, Format::list),
                                         floods ? "everywhere" : "where routers are");
    text += fmt::format("{} of {} groups known; {} found no place, {} reports were forgotten.\n",
                        show_cell(result.at("known"), Format::count),
                        show_cell(result.at("capacity"), Format::count),
                        show_cell(result.at("full"), Format::count),
                        show_cell(result.at("lost_reports"), Format::count));
    const Json& fixed = result.at("router_ports");
    if (!fixed.empty()) {
        text += fmt::format("Router ports of every VLAN: {}.\n", show_cell(fixed, Format::list));
    }
    const Json& routers = result.at("routers");
    if (!routers.empty()) text += '\n' + render_table(routers, router_columns);
    const Json& queriers = result.at("queriers");
    if (!queriers.empty()) {
        text += "\nWho queries. NEXT: the next query, or when another is taken for gone.\n" +
                render_table(queriers, querier_columns);
    }
    return text + '\n' + rows_or(result.at("groups"), group_address_columns, "No group is known.");
}
std::string latency(const Json& result) {
    const Json& sample = result.at("sample");
    std::string text = sample == 0
                           ? "Off: latency.sample is 0.\n"
                           : fmt::format(
                                 "Of one frame in {}, from the poll that received it to the "
                                 "end of the one that sent it.\n",
                                 show_cell(sample, Format::count));
    if (result.at("lost") != 0) {
        text += fmt::format("{} of these lost their place while they waited.\n",
                            show_cell(result.at("lost"), Format::count));
    }
    return text + '\n' +
           rows_or(result.at("priorities"), latency_columns, "No frame was timed yet.");
}
std::string workers(const Json& result) { return rows_or(result, worker_columns, "No workers."); }
std::string lldp(const Json& result) {
    Json neighbours = Json::array();
    for (const Json& port : result) {
        for (Json row : port.at("neighbours")) {
            row["port"] = port.at("port");
            neighbours.push_back(std::move(row));
        }
    }
    return rows_or(neighbours, neighbour_columns, "No neighbour is known.") + '\n' +
           rows_or(result, lldp_columns, "No ports.");
}
std::string lacp(const Json& result) {
    return rows_or(result, lacp_columns, "No aggregation has LACP.");
}
std::string events(const Json& result) {
    return rows_or(result, event_columns, "Nothing happened yet.");
}

std::string buffer(const Json& result) {
    const Json& pool = result.at("pool");
    return fmt::format("Buffer {} in cells of {}, {} of it reserved for each VOQ, alpha {:g}.\n",
                       size_at(result, "size_bytes"), size_at(result, "cell_bytes"),
                       size_at(result, "reserved_bytes"), result.at("alpha").get<double>()) +
           fmt::format("Shared pool {}: {} used, {} free, {} used at most.\n\n",
                       size_at(pool, "size_bytes"), size_at(pool, "used_bytes"),
                       size_at(pool, "free_bytes"), size_at(pool, "max_used_bytes")) +
           rows_or(result.at("groups"), group_columns,
                   "No (port, priority) ever held a frame; --all shows them nevertheless.");
}

std::string vlan(const Json& result) {
    const std::string filtering =
        result.at("filtering").get<bool>()
            ? "Filtering: a frame stays among the members of its VLAN.\n\n"
            : "No filtering: every port is a member of every VLAN.\n\n";
    return filtering + rows_or(result.at("vlans"), vlan_columns, "No VLAN has a member.");
}

std::string fabric(const Json& result) {
    const auto slots = result.at("slots").get<uint64_t>();
    uint64_t bypassed = 0;
    for (const Json& row : result.at("bypassed")) bypassed += row.at("frames").get<uint64_t>();
    std::string text = fmt::format(
        "{}, {} iteration(s), {} priorities, quantum {}.\n"
        "{} slots matched {} pairs, {:.2f} on average, and moved {} frames.\n"
        "{} frames went past the VOQs.\n",
        show_cell(result.at("algorithm"), Format::text), result.at("iterations").get<unsigned>(),
        show_cell(result.at("rule"), Format::text), size_at(result, "quantum_bytes"),
        show_count(slots), show_cell(result.at("pairs"), Format::count),
        result.at("mean_matching").get<double>(), show_cell(result.at("frames"), Format::count),
        show_count(bypassed));
    if (slots == 0) return text;
    text += '\n';
    for (const Json& bar : result.at("histogram")) {
        const auto count = bar.at("slots").get<uint64_t>();
        if (count == 0) continue;
        const double share = static_cast<double>(count) / static_cast<double>(slots);
        const auto length = std::max(1, static_cast<int>(std::min(share, 1.0) * 40));
        text += fmt::format("{:>3} pairs {:>7}  {}\n", bar.at("pairs").get<unsigned>(),
                            show_share(share), std::string(static_cast<std::size_t>(length), '#'));
    }
    return text;
}

std::string ledger(const Json& result) {
    const auto count = [&](const char* key) { return show_cell(result.at(key), Format::count); };
    std::string_view verdict = "in motion; it is settled once frames stop";
    if (const Json& balanced = result.at("balanced"); balanced.is_boolean()) {
        verdict = balanced.get<bool>() ? "balanced" : "DOES NOT BALANCE";
    }
    return fmt::format(
        "{} received + {} copied + {} generated\n= {} sent + {} dropped + {} waiting: {}\n",
        count("received"), count("copied"), count("generated"), count("sent"), count("dropped"),
        count("waiting"), verdict);
}

std::string config(const Json& result) { return result.at("text").get<std::string>(); }

struct Renderer {
    std::string_view noun;
    std::string (*render)(const Json&);
};
constexpr auto renderers = std::to_array<Renderer>({
    {"version", version_view},
    {"ports", ports},
    {"queues", queues},
    {"buffer", buffer},
    {"pfc", pfc},
    {"credits", credits_view},
    {"drops", drops},
    {"fdb", fdb},
    {"multicast", multicast},
    {"vlan", vlan},
    {"fabric", fabric},
    {"latency", latency},
    {"workers", workers},
    {"lldp", lldp},
    {"lacp", lacp},
    {"dcbx", dcbx_view},
    {"tunnels", tunnels_view},
    {"evpn", evpn_view},
    {"sflow", sflow_view},
    {"events", events},
    {"ledger", ledger},
    {"config", config},
});
static_assert(control::has_a_row_for_each_noun(renderers), "a noun that is not shown");

}  // namespace

std::string render(std::string_view noun, const Json& result) {
    return std::ranges::find(renderers, noun, &Renderer::noun)->render(result);
}

std::string render_rates(const Json& before, const Json& after, double seconds) {
    Json rows = Json::array();
    for (std::size_t port = 0; port < std::min(before.size(), after.size()); ++port) {
        const auto per_second = [&](const char* key) {
            const double now = after[port].at(key).get<double>();
            const double then = before[port].at(key).get<double>();
            return std::max(0.0, now - then) / seconds;  // below where counters were cleared
        };
        rows.push_back({{"name", after[port].at("name")},
                        {"link", after[port].at("link")},
                        {"rx_bps", per_second("rx_bytes") * 8},
                        {"rx_fps", per_second("rx_frames")},
                        {"tx_bps", per_second("tx_bytes") * 8},
                        {"tx_fps", per_second("tx_frames")},
                        {"dropped_fps", per_second("dropped")},
                        {"dropped", after[port].at("dropped")}});
    }
    return render_table(rows, rate_columns);
}

}  // namespace sluice::cli
