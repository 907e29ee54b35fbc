#include "tools/sluice/sim/slowdown.h"

#include <fmt/format.h>

#include <array>

namespace sluice::cli {

namespace {

// Returns null if no transfer finished.
Json json_of(const sim::SlowdownPart& part, double value) {
    return part.transfers == 0 ? Json() : Json(value);
}

constexpr std::array slowdown_columns = {
    Column{"transfers of", "flow", Format::text},
    Column{"up to", "bytes", Format::size},
    Column{"transfers", "transfers", Format::count},
    Column{"slowdown p50", "p50", Format::text},
    Column{"p95", "p95", Format::text},
    Column{"p99", "p99", Format::text},
};

Json row_of(const Json& flow, const Json& bytes, const Json& part, const char* prefix) {
    Json row = {{"flow", flow}, {"bytes", bytes}, {"transfers", part["transfers"]}};
    for (const char* quantile : {"p50", "p95", "p99"}) {
        const Json& value = part[std::string(prefix) + quantile];
        if (!value.is_null()) row[quantile] = fmt::format("{:.2f}", value.get<double>());
    }
    return row;
}

}  // namespace

void add_slowdown(Json& row, const sim::SlowdownResult& result) {
    const sim::SlowdownPart& all = result.all;
    row["transfers"] = all.transfers;
    row["unfinished"] = result.begun - all.transfers;
    row["slowdown_p50"] = json_of(all, all.p50);
    row["slowdown_p95"] = json_of(all, all.p95);
    row["slowdown_p99"] = json_of(all, all.p99);
    Json parts = Json::array();
    for (const sim::SlowdownPart& part : result.parts) {
        parts.push_back({{"longest_bytes", part.longest.count()},
                         {"transfers", part.transfers},
                         {"p50", part.p50},
                         {"p95", part.p95},
                         {"p99", part.p99}});
    }
    row["slowdown_parts"] = parts;
}

std::string slowdown_tables(const Json& flows) {
    Json rows = Json::array();
    for (const Json& flow : flows) {
        if (!flow.contains("slowdown_parts")) continue;
        for (const Json& part : flow["slowdown_parts"]) {
            rows.push_back(row_of(flow["flow"], part["longest_bytes"], part, ""));
        }
        rows.push_back(row_of(flow["flow"], Json(), flow, "slowdown_"));
    }
    return rows.empty() ? "" : '\n' + render_table(rows, slowdown_columns);
}

}  // namespace sluice::cli
