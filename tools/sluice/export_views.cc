#include "tools/sluice/noun_views.h"

#include <fmt/format.h>

#include <array>

namespace sluice::cli {

namespace {

constexpr auto collector_columns = std::to_array<Column>({
    {"COLLECTOR", "collector"},
    {"REACHABLE", "reachable", Format::yes_no},
    {"SENT", "sent", Format::count},
    {"LOST", "lost", Format::count},
    {"WHY", "why", Format::prose},
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

constexpr auto sampler_columns = std::to_array<Column>({
    {"WORKER", "worker", Format::number},
    {"TEMPLATE", "template", Format::number},
    {"SAMPLES", "samples", Format::count},
    {"LOST", "lost", Format::count},
    {"APART", "mean_ns", Format::nanos},
    {"LONGEST", "longest_ns", Format::nanos},
});

constexpr auto object_columns = std::to_array<Column>({
    {"OBJECT", "object"},
    {"TYPE", "type"},
    {"ID", "id", Format::number},
    {"WORKER", "worker", Format::number},
});

}  // namespace

std::string ipfix_view(Sheet& sheet, const Json& result) {
    if (result.at("enabled") != true) {
        return "IPFIX is off; ipfix.collectors in the configuration turns it on.\n";
    }
    const std::string text =
        fmt::format("Domain {}, a sample every {}, {} templates; {} records in {} messages.\n",
                    show_cell(result.at("domain"), Format::number),
                    show_cell(result.at("period_ns"), Format::nanos),
                    show_cell(result.at("templates"), Format::number),
                    show_cell(result.at("records"), Format::count),
                    show_cell(result.at("messages"), Format::count));
    const std::string collectors = sheet.table(result.at("collectors"), collector_columns);
    const std::string workers = sheet.table(result.at("workers"), sampler_columns);
    return below(below(below(text, collectors), workers),
                 sheet.table(result.at("objects"), object_columns));
}

std::string sflow_view(Sheet& sheet, const Json& result) {
    if (result.at("enabled") != true) {
        return "sFlow is off; sflow.collectors in the configuration turns it on.\n";
    }
    const std::string agent = show_cell(result.at("agent"), Format::text);
    const std::string text =
        fmt::format("Agent {}, {} datagrams; {} octets of a frame; counters every {}.\n",
                    agent == "-" ? "without an address" : agent,
                    show_cell(result.at("datagrams"), Format::count),
                    show_cell(result.at("header_bytes"), Format::number),
                    show_cell(result.at("polling_ns"), Format::nanos));
    const std::string collectors = sheet.table(result.at("collectors"), collector_columns);
    return below(below(text, collectors), sheet.table(result.at("ports"), sampled_columns));
}

}  // namespace sluice::cli
