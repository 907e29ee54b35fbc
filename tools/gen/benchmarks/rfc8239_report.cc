#include "tools/gen/benchmarks/rfc8239_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/common/table.h"

namespace sluice::gen {
namespace {

using cli::Format;

Json json_of(const Buffering& buffering, double frame_bytes) {
    return {{"senders", buffering.senders},
            {"bounded", buffering.is_bounded},
            {"frames", buffering.frames},
            {"bytes", buffering.frames * frame_bytes}};
}

Json json_of(const Microburst& burst, double frame_bytes) {
    const auto [least, most] = std::ranges::minmax(burst.longest);
    return {{"senders", burst.senders},
            {"searches", burst.longest.size()},
            {"bounded", burst.is_bounded},
            {"frames", {{"mean", burst.mean()}, {"min", least}, {"max", most}}},
            {"bytes", burst.mean() * frame_bytes * static_cast<double>(burst.senders)}};
}

Json json_of(const Blocking& blocking) {
    return {{"shift", blocking.shift},
            {"victim_offered", blocking.victim_offered},
            {"victim_lost", blocking.victim_lost},
            {"congested_offered", blocking.congested_offered},
            {"congested_lost", blocking.congested_lost},
            {"victim_latency_ns", latency_json(blocking.victim_latency)}};
}

Json json_of(const Rfc8239& row) {
    const double frame_bytes = row.mix.frames.mean();
    Json json = {{"frame_bytes", length_json(row.mix)},
                 {"complete", row.complete},
                 {"buffering", Json::array()},
                 {"microburst", nullptr},
                 {"blocking", Json::array()}};
    for (const Buffering& one : row.buffering) {
        json["buffering"].push_back(json_of(one, frame_bytes));
    }
    if (row.microburst && !row.microburst->longest.empty()) {
        json["microburst"] = json_of(*row.microburst, frame_bytes);
    }
    for (const Blocking& one : row.blocking) json["blocking"].push_back(json_of(one));
    return json;
}

constexpr std::array<cli::Column, 4> buffering_columns = {{
    {"octets", "octets", Format::text},
    {"senders", "senders", Format::number},
    {"frames held", "held", Format::text},
    {"octets held", "bytes", Format::size},
}};
constexpr std::array<cli::Column, 4> microburst_columns = {{
    {"octets", "octets", Format::text},
    {"senders", "senders", Format::number},
    {"frames of each", "held", Format::text},
    {"octets of all", "bytes", Format::size},
}};
constexpr std::array<cli::Column, 6> blocking_columns = {{
    {"octets", "octets", Format::text},
    {"shift of ports", "shift", Format::number},
    {"sent where there is room", "victim_offered", Format::count},
    {"lost there", "victim_lost", Format::count},
    {"p99 there", "victim_latency_ns/p99", Format::nanos},
    {"lost where there is none", "congested_lost", Format::count},
}};

// Adds the row, with the frame length. `held` begins with "above" if the longest trial had no loss.
void add(Json& rows, const Json& length, Json row, const char* frames) {
    row["octets"] = word_of(length);
    if (row.contains("bounded")) {
        row["held"] = fmt::format("{}{:.0f}", row["bounded"].get<bool>() ? "" : "above ",
                                  row.at(Json::json_pointer(frames)).get<double>());
    }
    rows.push_back(std::move(row));
}

}  // namespace

Json Rfc8239Report::json() const {
    Json all = Json::array();
    for (const Rfc8239& row : rows) all.push_back(json_of(row));
    return {{"ports", settings.sender.pattern.ports},
            {"trial_seconds", static_cast<double>(settings.trial.count()) / 1e9},
            {"excess_percent", settings.excess * 100},
            {"complete", whole()},
            {"rfc8239", all}};
}

std::string Rfc8239Report::text() const {
    Json buffering = Json::array();
    Json bursts = Json::array();
    Json blocking = Json::array();
    const Json all = json()["rfc8239"];
    for (const Json& row : all) {
        for (const Json& one : row["buffering"]) add(buffering, row["frame_bytes"], one, "/frames");
        if (!row["microburst"].is_null()) {
            add(bursts, row["frame_bytes"], row["microburst"], "/frames/mean");
        }
        for (const Json& one : row["blocking"]) add(blocking, row["frame_bytes"], one, "");
    }
    return section("Buffering, beyond what the last port sends (3.3)", buffering,
                   buffering_columns) +
           section("Microburst to the last port (4.3)", bursts, microburst_columns) +
           section("Head of line blocking, in groups of four ports (5.3)", blocking,
                   blocking_columns);
}

std::string Rfc8239Report::csv() const {
    std::string text = "frame_bytes,test,senders,shift,quantity,value\n";
    constexpr auto in_lead = std::to_array<std::string_view>({"senders", "shift"});
    const Json all = json()["rfc8239"];
    for (const Json& row : all) {
        const std::string length = word_of(row["frame_bytes"]);
        const auto add = [&](const char* test, const Json& one) {
            const auto cell = [&](const char* key) {
                return one.contains(key) ? one[key].dump() : std::string();
            };
            text +=
                figures(fmt::format("{},{},{},{}", length, test, cell("senders"), cell("shift")),
                        one, in_lead);
        };
        for (const Json& one : row["buffering"]) add("buffering", one);
        add("microburst", row["microburst"]);
        for (const Json& one : row["blocking"]) add("blocking", one);
    }
    return text;
}

bool Rfc8239Report::whole() const {
    return std::ranges::all_of(rows, [](const Rfc8239& row) { return row.complete; });
}

}  // namespace sluice::gen
