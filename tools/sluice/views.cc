#include "tools/sluice/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "control/show/nouns.h"
#include "tools/common/quantities.h"
#include "tools/sluice/noun_views.h"
#include "tools/sluice/ports_view.h"
#include "tools/sluice/version.h"

namespace sluice::cli {

namespace {

constexpr Column drop_columns[] = {
    {"REASON", "reason", Format::text, 0},
    {"PORT", "port", Format::text, 0},
    {"SIDE", "side"},
    {"FRAMES", "frames", Format::count, 0},
};
constexpr Column fdb_columns[] = {{"VLAN", "vlan", Format::number, 0},
                                  {"ADDRESS", "address", Format::text, 0},
                                  {"FAMILY", "family", Format::text, 3},
                                  {"PORT", "port", Format::text, 0},
                                  {"KIND", "kind"},
                                  {"VTEP", "vtep"},
                                  {"VNI", "vni", Format::number, 2},
                                  {"AGE", "age_s", Format::seconds}};
constexpr Column group_address_columns[] = {
    {"VLAN", "vlan", Format::number, 0},
    {"GROUP", "group", Format::text, 0},
    {"FAMILY", "family", Format::text, 3},
    {"PORTS", "ports", Format::list},
    {"KIND", "kind"},
    {"AGE", "age_s", Format::seconds},
};
constexpr Column router_columns[] = {
    {"VLAN", "vlan", Format::number},
    {"ROUTERS BEHIND", "ports", Format::list},
};
constexpr Column querier_columns[] = {
    {"VLAN", "vlan", Format::number, 0},
    {"PROTOCOL", "protocol", Format::text, 0},
    {"THIS SWITCH", "own", Format::yes_no},
    {"QUERIER", "address"},
    {"PORT", "port"},
    {"NEXT", "next_s", Format::seconds},
    {"QUERIES SENT", "queries", Format::count},
};
constexpr Column vlan_columns[] = {
    {"VLAN", "vlan", Format::number, 0},
    {"NAME", "name"},
    {"PORTS", "ports", Format::list, 0},
    {"UNTAGGED", "untagged", Format::list},
    {"TAGGED", "tagged", Format::list},
    {"LEARNS", "learning", Format::yes_no, 2},
    {"FLOODS UNKNOWN", "flood_unknown", Format::yes_no, 2},
};
constexpr Column worker_columns[] = {
    {"WORKER", "index", Format::number, 0},
    {"CORE", "core", Format::number},
    {"NODE", "node", Format::number, 2},
    {"PORTS", "ports", Format::list},
    {"POLLS", "polls", Format::count, 2},
    {"BUSY", "busy_share", Format::share},
    {"FRAMES", "frames", Format::count},
    {"NS A FRAME", "ns_per_frame", Format::decimal},
    {"LONGEST GAP NS", "longest_gap_ns", Format::count},
};
constexpr Column neighbour_columns[] = {
    {"PORT", "port", Format::text, 0},
    {"NEIGHBOUR", "system_name", Format::text, 0},
    {"CHASSIS", "chassis_id"},
    {"ITS PORT", "port_id"},
    {"DESCRIPTION", "port_description", Format::text, 2},
    {"IS A", "enabled_capabilities", Format::list, 2},
    {"MANAGED AT", "management_addresses", Format::list},
    {"SENT TO", "destination", Format::text, 3},
    {"KNOWN FOR", "known_for_s", Format::seconds, 2},
    {"EXPIRES IN", "expires_s", Format::seconds},
};
constexpr Column lldp_columns[] = {
    {"PORT", "port", Format::text, 0},
    {"LLDP", "mode"},
    {"OUR PORT", "port_id"},
    {"TX", "frames_out", Format::count},
    {"RX", "frames_in", Format::count},
    {"WITH ERRORS", "frames_in_errors", Format::count},
    {"DISCARDED", "frames_discarded", Format::count, 2},
    {"TLVS DISCARDED", "tlvs_discarded", Format::count, 2},
    {"UNKNOWN", "tlvs_unrecognized", Format::count, 2},
    {"AGED OUT", "ageouts", Format::count},
    {"TOO MANY", "too_many_neighbours", Format::yes_no, 2},
};
constexpr Column csig_columns[] = {
    {"PORT", "port", Format::text, 0},
    {"MODE", "mode"},
    {"LOCATOR", "locator", Format::number, 2},
    {"LEFT", "available_bps", Format::rate},
    {"SEEN", "seen", Format::count},
    {"REPLACED", "replaced", Format::count},
    {"STRIPPED", "stripped", Format::count},
    {"SHARED", "shared", Format::count, 2},
    {"TRUNCATED", "truncated", Format::count, 2},
    {"ORDER", "order", Format::count, 2},
    {"MACSEC", "macsec", Format::count, 2},
    {"NOT IP", "not_ip", Format::count, 2},
};
constexpr Column lacp_columns[] = {
    {"AGGREGATION", "aggregation", Format::text, 0},
    {"PORT", "port", Format::text, 0},
    {"SELECTED", "selected", Format::yes_no},
    {"ATTACHED", "attached", Format::yes_no},
    {"WHY NOT", "reason"},
    {"ACTOR", "actor_state", Format::list, 2},
    {"PARTNER", "partner_state", Format::list, 2},
    {"PARTNER SYSTEM", "partner_system"},
    {"KEY", "partner_key", Format::number, 3},
    {"ITS PORT", "partner_port", Format::number, 2},
    {"TX", "lacpdus_out", Format::count},
    {"RX", "lacpdus_in", Format::count},
    {"DAMAGED", "illegal_in", Format::count, 2},
};
constexpr Column event_columns[] = {{"AT", "at", Format::moment, 0},
                                    {"KIND", "kind"},
                                    {"PORT", "port", Format::text, 0},
                                    {"WHAT", "text", Format::prose, 0}};

uint64_t count_in(const Json& object, const char* key) {
    const Json& value = object.at(key);
    return value.is_null() ? 0 : value.get<uint64_t>();
}
std::string drops(Sheet& sheet, const Json& result) {
    return sheet.table_or(result, drop_columns, "Nothing was dropped; --all shows every reason.");
}
std::string fdb(Sheet& sheet, const Json& result) {
    return sheet.table_or(result, fdb_columns, "No address is known yet.");
}
std::string multicast(Sheet& sheet, const Json& result) {
    const Json& snooping = result.at("snooping");
    const bool floods = result.at("unregistered") == "flood";
    std::string text =
        snooping.empty()
            ? "No reports are snooped: frames of a configured group are sent to its ports, "
              "others are flooded.\n"
            : fmt::format("Reports of {} are snooped; frames of unknown groups are {}.\n",
                          show_cell(snooping, Format::list),
                          floods ? "flooded" : "sent to routers only");
    text += fmt::format(
        "{} of {} groups known; {} joins or groups found no room, {} reports were lost.\n",
        show_cell(result.at("known"), Format::count),
        show_cell(result.at("capacity"), Format::count),
        show_cell(result.at("full"), Format::count),
        show_cell(result.at("lost_reports"), Format::count));
    const Json& fixed = result.at("router_ports");
    if (!fixed.empty()) {
        text += fmt::format("Router ports of every VLAN: {}.\n", show_cell(fixed, Format::list));
    }
    const Json& routers = result.at("routers");
    text = below(text, sheet.table(routers, router_columns));
    text = below(text, sheet.section("Queriers. NEXT: time until the next query, or until "
                                     "another querier expires.",
                                     result.at("queriers"), querier_columns));
    return below(text,
                 sheet.table_or(result.at("groups"), group_address_columns, "No group is known."));
}
std::string workers(Sheet& sheet, const Json& result) {
    return sheet.table_or(result, worker_columns, "No workers.");
}
std::string lldp(Sheet& sheet, const Json& result) {
    Json neighbours = Json::array();
    for (const Json& port : result) {
        for (Json row : port.at("neighbours")) {
            row["port"] = port.at("port");
            neighbours.push_back(std::move(row));
        }
    }
    const std::string known =
        sheet.table_or(neighbours, neighbour_columns, "No neighbour is known.");
    return below(known, sheet.table_or(result, lldp_columns, "No ports."));
}
std::string csig(Sheet& sheet, const Json& result) {
    return sheet.table_or(result, csig_columns, "No tag of CSIG is known: no csig.*.tpid is set.");
}
std::string lacp(Sheet& sheet, const Json& result) {
    return sheet.table_or(result, lacp_columns, "No aggregation has LACP.");
}
std::string events(Sheet& sheet, const Json& result) {
    return sheet.table_or(result, event_columns, "Nothing happened yet.");
}

std::string vlan(Sheet& sheet, const Json& result) {
    const std::string filtering =
        result.at("filtering") == true
            ? "Filtering: a frame stays among the members of its VLAN.\n\n"
            : "No filtering: every port is a member of every VLAN.\n\n";
    return filtering + sheet.table_or(result.at("vlans"), vlan_columns, "No VLAN has a member.");
}

std::string fabric(Sheet& sheet, const Json& result) {
    const uint64_t slots = count_in(result, "slots");
    uint64_t bypassed = 0;
    for (const Json& row : result.at("bypassed")) bypassed += count_in(row, "frames");
    std::string text = fmt::format(
        "{}, {} iteration(s), {} priorities, quantum {}.\n{} slots matched {} pairs, {} on "
        "average, and moved {} frames.\n{} frames bypassed the VOQs.\n",
        show_cell(result.at("algorithm"), Format::text),
        show_cell(result.at("iterations"), Format::number),
        show_cell(result.at("rule"), Format::text),
        show_cell(result.at("quantum_bytes"), Format::size), show_count(slots),
        show_cell(result.at("pairs"), Format::count),
        show_cell(result.at("mean_matching"), Format::ratio),
        show_cell(result.at("frames"), Format::count), show_count(bypassed));
    if (slots == 0) return text;
    text += '\n';
    constexpr std::size_t text_beside = 20;  // characters after a bar
    for (const Json& bar : result.at("histogram")) {
        const uint64_t count = count_in(bar, "slots");
        if (count == 0) continue;
        const double share = static_cast<double>(count) / static_cast<double>(slots);
        const std::size_t room = std::clamp<std::size_t>(sheet.width() - text_beside, 1, 40);
        const auto length =
            std::max(1, static_cast<int>(std::min(share, 1.0) * static_cast<double>(room)));
        text += fmt::format("{:>3} pairs {:>7}  {}\n", show_cell(bar.at("pairs"), Format::number),
                            show_share(share), std::string(static_cast<std::size_t>(length), '#'));
    }
    return text;
}

std::string ledger(Sheet&, const Json& result) {
    const auto count = [&](const char* key) { return show_cell(result.at(key), Format::count); };
    std::string_view verdict = "in motion; it is settled once frames stop";
    const Json& balanced = result.at("balanced");
    if (balanced.is_boolean()) verdict = balanced.get<bool>() ? "balanced" : "DOES NOT BALANCE";
    const Json trimmed = result.value("trimmed", Json());  // an older sluiced lacks this key
    const bool trims = trimmed.is_number() && trimmed != 0;
    return fmt::format(
        "{} received + {} copied + {} generated\n= {} sent + {} dropped + {} waiting: {}\n{}",
        count("received"), count("copied"), count("generated"), count("sent"), count("dropped"),
        count("waiting"), verdict, trims ? count("trimmed") + " of these trimmed\n" : "");
}

std::string about_version(Sheet&, const Json& result) { return version_view(result); }

std::string config(Sheet&, const Json& result) {
    const Json& text = result.at("text");
    return text.is_string() ? text.get<std::string>() : std::string();
}

struct Renderer {
    std::string_view noun;
    std::string (*render)(Sheet&, const Json&);
};
constexpr auto renderers = std::to_array<Renderer>({
    {"version", about_version},
    {"ports", ports_view},
    {"history", history_view},
    {"counters", counters_view},
    {"queues", queues_view},
    {"buffer", buffer_view},
    {"pfc", pfc_view},
    {"credits", credits_view},
    {"csig", csig},
    {"retry", retry_view},
    {"drops", drops},
    {"fdb", fdb},
    {"multicast", multicast},
    {"vlan", vlan},
    {"fabric", fabric},
    {"latency", latency_view},
    {"workers", workers},
    {"lldp", lldp},
    {"lacp", lacp},
    {"spanning-tree", spanning_tree_view},
    {"dcbx", dcbx_view},
    {"tunnels", tunnels_view},
    {"vteps", vteps_view},
    {"evpn", evpn_view},
    {"sflow", sflow_view},
    {"ipfix", ipfix_view},
    {"bursts", bursts_view},
    {"recorder", recorder_view},
    {"events", events},
    {"ledger", ledger},
    {"config", config},
});
static_assert(control::has_a_row_for_each_noun(renderers), "a noun that is not shown");

}  // namespace

std::string render(std::string_view noun, const Json& result, Sheet& sheet) {
    std::string text = std::ranges::find(renderers, noun, &Renderer::noun)->render(sheet, result);
    // A configuration is a file: its lines must not be folded.
    if (noun != "config") text = folded(text, sheet.width());
    return text + sheet.last_line();
}

std::string render(std::string_view noun, const Json& result) {
    Sheet sheet;
    return render(noun, result, sheet);
}

}  // namespace sluice::cli
