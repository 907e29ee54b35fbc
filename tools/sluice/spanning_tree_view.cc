#include "tools/sluice/noun_views.h"

#include <fmt/format.h>

namespace sluice::cli {

namespace {

constexpr Column port_columns[] = {
    {"PORT", "port", Format::text, 0},
    {"ROLE", "role", Format::text, 0},
    {"STATE", "state", Format::text, 0},
    {"COST", "cost", Format::number},
    {"PRIORITY", "priority", Format::number, 2},
    {"NUMBER", "number", Format::number, 3},
    {"EDGE", "edge", Format::yes_no},
    {"SPEAKS", "protocol", Format::text, 2},
    {"SHUT BY", "guard"},
    {"DESIGNATED BRIDGE", "designated_bridge"},
    {"ITS PRIORITY", "designated_bridge_priority", Format::number, 3},
    {"ITS PORT", "designated_port", Format::number, 2},
    {"ITS COST", "designated_cost", Format::number, 3},
    {"MEMBERS", "members", Format::list, 3},
    {"BPDUS IN", "bpdus_in", Format::count, 2},
    {"OUT", "bpdus_out", Format::count, 2},
    {"TC IN", "topology_changes_in", Format::count, 2},
    {"DAMAGED", "damaged_in", Format::count, 3},
    {"FILTERED", "filtered_in", Format::count, 3},
};

std::string seconds(const Json& nanoseconds) {
    if (!nanoseconds.is_number()) return "-";
    return fmt::format("{} s", nanoseconds.get<double>() / 1e9);
}

}  // namespace

std::string spanning_tree_view(Sheet& sheet, const Json& result) {
    if (result.at("mode") == "off") {
        return "No spanning tree: two links to one neighbour are a loop, unless they are an "
               "aggregation.\n";
    }
    const auto text = [&](const char* key) { return show_cell(result.at(key), Format::text); };
    const auto number = [&](const char* key) { return show_cell(result.at(key), Format::number); };
    std::string head = fmt::format("{}, this switch is {}, priority {}.\n",
                                   result.at("mode") == "stp" ? "STP" : "RSTP", text("address"),
                                   number("priority"));
    head += result.at("is_root") == true
                ? std::string("It is the root of the tree.\n")
                : fmt::format("Root {}, priority {}, by {} at cost {}.\n", text("root_address"),
                              number("root_priority"), text("root_port"), number("root_cost"));
    const std::string changes =
        result.at("last_topology_change_at").is_null()
            ? std::string("no topology change yet")
            : fmt::format("{} topology change(s), the last {}",
                          show_cell(result.at("topology_changes"), Format::count),
                          show_cell(result.at("last_topology_change_at"), Format::moment));
    head += fmt::format("Hello {}, max age {}, forward delay {}; {}.\n",
                        seconds(result.at("hello_ns")), seconds(result.at("max_age_ns")),
                        seconds(result.at("forward_delay_ns")), changes);
    return below(head, sheet.table_or(result.at("ports"), port_columns, "No port is in the tree."));
}

}  // namespace sluice::cli
