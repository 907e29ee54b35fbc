#include "tools/sluice/sflow_view.h"

#include <fmt/format.h>

#include <array>

namespace sluice::cli {

namespace {

constexpr auto collector_columns = std::to_array<Column>({
    {"COLLECTOR", "collector"},
    {"REACHABLE", "reachable", Format::yes_no},
    {"SENT", "sent", Format::count},
    {"LOST", "lost", Format::count},
    {"WHY", "why"},
});

constexpr auto sampled_columns = std::to_array<Column>({
    {"PORT", "port"},
    {"IFINDEX", "if_index", Format::number},
    {"1 IN", "sampling", Format::count},
    {"POOL", "sample_pool", Format::count},
    {"FLOWS", "flow_samples", Format::count},
    {"COUNTERS", "counter_samples", Format::count},
    {"DROPS", "drops", Format::count},
});

}  // namespace

std::string sflow_view(const Json& result) {
    if (!result.at("enabled").get<bool>()) {
        return "sFlow is off; sflow.collectors in the configuration turns it on.\n";
    }
    const std::string agent = show_cell(result.at("agent"), Format::text);
    return fmt::format("Agent {}, {} datagrams; {} octets of a frame; counters every {}.\n\n",
                       agent.empty() ? "without an address" : agent,
                       show_cell(result.at("datagrams"), Format::count),
                       result.at("header_bytes").get<unsigned>(),
                       show_cell(result.at("polling_ns"), Format::nanos)) +
           render_table(result.at("collectors"), collector_columns) + '\n' +
           render_table(result.at("ports"), sampled_columns);
}

}  // namespace sluice::cli
