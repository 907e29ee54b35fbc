#include "tools/gen/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/common/quantities.h"

namespace sluice::gen {
namespace {

constexpr std::size_t most_rows = 32;

Json flows_json(const Summary& summary) {
    Json rows = Json::array();
    for (const FlowResult& row : summary.results.flows) {
        Json of_row = Json::object();
        if (row.stream) of_row["stream"] = summary.streams.at(*row.stream);
        of_row.update({{"sender", row.flow.sender},
                       {"receiver", row.of_probes ? Json(row.flow.receiver) : Json()},
                       {"priority", row.flow.priority},
                       {"offered", row.offered},
                       {"delivered", row.delivered},
                       {"lost", row.lost()},
                       {"reordered", row.reordered},
                       {"duplicates", row.duplicates},
                       {"latency_ns", latency_json(row.latency)}});
        rows.push_back(std::move(of_row));
    }
    return rows;
}

void add_figures(std::string& text, std::string_view lead, const std::string& path,
                 const Json& value, std::span<const std::string_view> keys) {
    if (value.is_object()) {
        for (const auto& [key, inner] : value.items()) {
            if (std::ranges::count(keys, key) > 0) continue;
            add_figures(text, lead, path.empty() ? key : fmt::format("{}.{}", path, key), inner,
                        keys);
        }
    } else if (!value.is_null() && !value.is_array()) {
        text += fmt::format("{},{},{}\n", lead, path, word_of(value));
    }
}

}  // namespace

std::string figures(std::string_view lead, const Json& value,
                    std::span<const std::string_view> keys) {
    std::string text;
    add_figures(text, lead, "", value, keys);
    return text;
}

std::string word_of(const Json& length) {
    return length.is_string() ? length.get<std::string>() : length.dump();
}

Json latency_json(const Quantiles& latency) {
    return {
        {"p50", latency.p50}, {"p99", latency.p99}, {"p999", latency.p999}, {"max", latency.max}};
}

Json to_json(const Summary& summary) {
    const Results& results = summary.results;
    return {{"ports", summary.ports},
            {"addresses", summary.addresses},
            {"seconds", summary.seconds},
            {"offered", results.offered},
            {"raw", results.raw},
            {"delivered", results.delivered},
            {"lost", results.lost},
            {"reordered", results.reordered},
            {"duplicates", results.duplicates},
            {"strays", results.strays},
            {"mpps", summary.mpps},
            {"refused", results.refused()},
            {"pfc_received", results.pause_frames_received},
            {"latency_ns", latency_json(results.latency.quantiles())},
            {"flows", flows_json(summary)}};
}

std::string section(std::string_view title, const Json& rows,
                    std::span<const cli::Column> columns) {
    return rows.empty() ? "" : fmt::format("\n{}\n{}", title, cli::render_table(rows, columns));
}

std::string latency_text(const Quantiles& latency) {
    const auto shown = [](uint64_t nanos) { return cli::show_nanos(static_cast<double>(nanos)); };
    return fmt::format("p50 {}, p99 {}, p99.9 {}, max {}", shown(latency.p50), shown(latency.p99),
                       shown(latency.p999), shown(latency.max));
}

std::string to_text(const Summary& summary) {
    using cli::Format;
    static constexpr std::array<cli::Column, 12> all_columns = {{
        {"stream", "stream", Format::text},
        {"sender", "sender", Format::number},
        {"receiver", "receiver", Format::number},
        {"priority", "priority", Format::number},
        {"offered", "offered", Format::count},
        {"delivered", "delivered", Format::count},
        {"lost", "lost", Format::count},
        {"reordered", "reordered", Format::count},
        {"duplicates", "duplicates", Format::count},
        {"p50", "latency_ns/p50", Format::nanos},
        {"p99", "latency_ns/p99", Format::nanos},
        {"max", "latency_ns/max", Format::nanos},
    }};
    const Results& results = summary.results;
    Json rows = flows_json(summary);
    const std::size_t flows = rows.size();
    if (flows > most_rows) rows.erase(rows.begin() + most_rows, rows.end());
    const auto columns = std::span(all_columns).subspan(summary.streams.empty() ? 1 : 0);
    std::string text = cli::render_table(rows, columns);
    if (flows > most_rows) {
        text += fmt::format("... and {} more flows; --json has them all\n", flows - most_rows);
    }
    text += fmt::format("\n{} ports", summary.ports);
    if (summary.addresses > 1) {
        text += fmt::format(" of {} addresses each", cli::show_count(summary.addresses));
    }
    text += fmt::format(", {:.2f} s, {:.3f} Mpps delivered\n", summary.seconds, summary.mpps);
    text += fmt::format("offered {}, delivered {}, lost {}, reordered {}, duplicates {}\n",
                        cli::show_count(results.offered), cli::show_count(results.delivered),
                        cli::show_count(results.lost), cli::show_count(results.reordered),
                        cli::show_count(results.duplicates));
    text += fmt::format("{:.0f} % of the bursts found a device full\n", 100 * results.refused());
    if (results.raw > 0) {
        text += fmt::format("and {} frames of raw octets, which cannot be recognised on receipt\n",
                            cli::show_count(results.raw));
    }
    if (results.strays > 0) {
        text += fmt::format("{} of our frames were received at a wrong port\n",
                            cli::show_count(results.strays));
    }
    text += fmt::format("latency {}\n", latency_text(results.latency.quantiles()));
    text += fmt::format("PFC frames received {}", cli::show_count(results.pause_frames_received));
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if (results.pauses_received[priority] == 0) continue;
        text += fmt::format(", XOFF of priority {}: {}", priority,
                            cli::show_count(results.pauses_received[priority]));
    }
    return text + "\n";
}

}  // namespace sluice::gen
