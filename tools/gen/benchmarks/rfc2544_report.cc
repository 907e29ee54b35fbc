#include "tools/gen/benchmarks/rfc2544_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/common/table.h"

namespace sluice::gen {
namespace {

using cli::Format;

Json latency_of(const Rfc2544& row) {
    if (!row.latency) return nullptr;
    const LatencyAtThroughput& latency = *row.latency;
    return {{"offered_fps", latency.offered_fps},
            {"trials", latency.means.size()},
            {"lost", latency.lost},
            {"mean_ns", latency.mean()},
            {"latency_ns", latency_json(latency.all.quantiles())}};
}

Json losses_of(const Rfc2544& row) {
    if (row.losses.empty()) return nullptr;
    Json losses = Json::array();
    for (const LossPoint& point : row.losses) {
        const Results& results = point.trial.summary.results;
        losses.push_back({{"load_percent", point.load_percent},
                          {"offered_fps", point.trial.offered()},
                          {"delivered_fps", point.trial.delivered()},
                          {"offered", results.offered},
                          {"lost", results.lost},
                          {"loss_percent", 100 * point.trial.loss()},
                          {"latency_ns", latency_json(results.latency.quantiles())}});
    }
    return losses;
}

Json back_to_back_of(const Rfc2544& row) {
    if (!row.back_to_back || row.back_to_back->longest.empty()) return nullptr;
    const BackToBack& burst = *row.back_to_back;
    const auto [least, most] = std::ranges::minmax(burst.longest);
    Json json = {{"searches", burst.longest.size()},
                 {"bounded", burst.is_bounded},
                 {"frames", {{"mean", burst.mean()}, {"min", least}, {"max", most}}},
                 {"implied_ns", nullptr},
                 {"buffer_ns", nullptr}};
    if (burst.is_bounded) {
        json["implied_ns"] = burst.implied_seconds() * 1e9;
        json["buffer_ns"] = burst.corrected_seconds() * 1e9;
    }
    return json;
}

Json recovery_of(const Rfc2544& row) {
    if (!row.recovery) return nullptr;
    const Recovery& recovery = *row.recovery;
    Json json = {{"overload_fps", recovery.overload_fps},
                 {"trials", recovery.lossy.size() + recovery.without_loss},
                 {"without_loss", recovery.without_loss},
                 {"mean_ns", nullptr},
                 {"max_ns", nullptr}};
    if (const auto mean = recovery.mean()) {
        json["mean_ns"] = *mean;
        json["max_ns"] = std::ranges::max(recovery.lossy).count();
    }
    return json;
}

Json json_of(const Rfc2544& row) {
    return {{"frame_bytes", length_json(row.throughput.mix)},
            {"complete", row.complete},
            {"throughput", row_of(row.throughput)},
            {"latency", latency_of(row)},
            {"frame_loss", losses_of(row)},
            {"back_to_back", back_to_back_of(row)},
            {"recovery", recovery_of(row)}};
}

// Returns the rows of one test, each beginning with the length. Frame loss has several rows for a
// length.
Json rows_of(const Json& all, const char* test) {
    Json rows = Json::array();
    const auto add = [&](const Json& length, Json row) {
        row["octets"] = word_of(length);
        rows.push_back(std::move(row));
    };
    for (const Json& one : all) {
        const Json& found = one[test];
        if (found.is_array()) {
            for (const Json& point : found) add(one["frame_bytes"], point);
        } else if (!found.is_null()) {
            add(one["frame_bytes"], found);
        }
    }
    return rows;
}

constexpr std::array<cli::Column, 8> latency_columns = {{
    {"octets", "octets", Format::text},
    {"frames", "offered_fps", Format::per_second},
    {"mean", "mean_ns", Format::nanos},
    {"p50", "latency_ns/p50", Format::nanos},
    {"p99", "latency_ns/p99", Format::nanos},
    {"p99.9", "latency_ns/p999", Format::nanos},
    {"max", "latency_ns/max", Format::nanos},
    {"lost", "lost", Format::count},
}};
constexpr std::array<cli::Column, 6> loss_columns = {{
    {"octets", "octets", Format::text},
    {"load %", "load_percent", Format::number},
    {"offered", "offered_fps", Format::per_second},
    {"delivered", "delivered_fps", Format::per_second},
    {"lost", "lost", Format::count},
    {"lost %", "lost_share", Format::text},
}};
constexpr std::array<cli::Column, 6> burst_columns = {{
    {"octets", "octets", Format::text},
    {"frames", "mean", Format::text},
    {"min", "frames/min", Format::decimal},
    {"max", "frames/max", Format::decimal},
    {"implied", "implied_ns", Format::nanos},
    {"buffer", "buffer_ns", Format::nanos},
}};
constexpr std::array<cli::Column, 6> recovery_columns = {{
    {"octets", "octets", Format::text},
    {"overload", "overload_fps", Format::per_second},
    {"mean", "mean_ns", Format::nanos},
    {"max", "max_ns", Format::nanos},
    {"trials", "trials", Format::number},
    {"without loss", "without_loss", Format::number},
}};

}  // namespace

Json Rfc2544Report::json() const {
    Json all = Json::array();
    for (const Rfc2544& row : rows) all.push_back(json_of(row));
    return {{"ports", ports},
            {"addresses", addresses},
            {"trial_seconds", static_cast<double>(settings.trial.count()) / 1e9},
            {"accepted_loss_percent", settings.search.accepted_loss * 100},
            {"resolution_percent", settings.search.resolution * 100},
            {"complete", whole()},
            {"rfc2544", all}};
}

std::string Rfc2544Report::text() const {
    const Json all = json()["rfc2544"];
    std::vector<Throughput> throughputs;
    throughputs.reserve(rows.size());
    for (const Rfc2544& row : rows) throughputs.push_back(row.throughput);
    Json losses = rows_of(all, "frame_loss");
    for (Json& row : losses) {
        row["lost_share"] = fmt::format("{:.4g}", row["loss_percent"].get<double>());
    }
    Json bursts = rows_of(all, "back_to_back");
    for (Json& row : bursts) {
        row["mean"] = fmt::format("{}{:.0f}", row["bounded"].get<bool>() ? "" : "above ",
                                  row["frames"]["mean"].get<double>());
    }
    return "Throughput (26.1)\n" + to_text(settings.search, throughputs) +
           section("Latency at the throughput (26.2)", rows_of(all, "latency"), latency_columns) +
           section("Frame loss rate (26.3)", losses, loss_columns) +
           section("Back-to-back frames of each sender (26.4, RFC 9004)", bursts, burst_columns) +
           section("System recovery (26.5)", rows_of(all, "recovery"), recovery_columns);
}

std::string Rfc2544Report::csv() const {
    std::string text = "frame_bytes,test,load_percent,quantity,value\n";
    const Json all = json()["rfc2544"];
    constexpr auto in_lead = std::to_array<std::string_view>({"frame_bytes", "load_percent"});
    for (const Json& row : all) {
        const std::string length = word_of(row["frame_bytes"]);
        for (const char* test : {"throughput", "latency", "back_to_back", "recovery"}) {
            text += figures(fmt::format("{},{},", length, test), row[test], in_lead);
        }
        for (const Json& point : row["frame_loss"]) {
            text += figures(fmt::format("{},frame_loss,{}", length, point["load_percent"].dump()),
                            point, in_lead);
        }
    }
    return text;
}

bool Rfc2544Report::whole() const {
    return std::ranges::all_of(
        rows, [](const Rfc2544& row) { return row.complete && row.throughput.best.has_value(); });
}

}  // namespace sluice::gen
