#include "tools/sluice/sim/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "config/yaml/values.h"
#include "tools/common/quantities.h"
#include "tools/sluice/sim/recovery.h"
#include "tools/sluice/sim/slowdown.h"

namespace sluice::cli {

namespace {

// Returns a boolean, or null if it is unknown.
Json json_of(std::optional<bool> known) { return known ? Json(*known) : Json(); }

Json row_of(const sim::FlowResult& flow) {
    Json row = {{"flow", flow.name},
                {"sent", flow.sent},
                {"received", flow.received},
                {"lost", flow.lost},
                {"waiting", flow.waiting},
                {"marked", flow.marked},
                {"throughput_bps", flow.throughput},
                {"mean_delay_ns", flow.mean_delay_ns},
                {"p50_delay_ns", flow.p50_delay_ns},
                {"p99_delay_ns", flow.p99_delay_ns},
                {"max_delay_ns", flow.max_delay_ns},
                {"mean_wait_ns", flow.mean_wait_ns},
                {"notified", flow.notified},
                {"merged", flow.merged},
                {"rounds", flow.rounds},
                {"mean_round_ns", flow.mean_round_ns},
                {"max_round_ns", flow.max_round_ns},
                {"converged", json_of(flow.converged)}};
    if (flow.recovery) add_recovery(row, *flow.recovery);
    if (flow.slowdown) add_slowdown(row, *flow.slowdown);
    return row;
}

Json row_of(const sim::PortResult& port) {
    uint64_t dropped = 0;
    Json drops = Json::object();
    for (const auto& [reason, frames] : port.drops) {
        drops[std::string(reason)] = frames;
        dropped += frames;
    }
    return {{"switch", port.node},
            {"port", port.port},
            {"peer", port.peer},
            {"rx_frames", port.rx_frames},
            {"tx_frames", port.tx_frames},
            {"dropped", dropped},
            {"drops", drops},
            {"rx_pause", port.rx_pause},
            {"tx_pause", port.tx_pause},
            {"paused_ns", port.paused_ns},
            {"pausing_ns", port.pausing_ns},
            {"headroom_bytes", port.headroom},
            {"headroom_used_max", port.headroom_used_max},
            {"marked", port.marked},
            {"credit_returned_bytes", port.credit_returned},
            {"credit_buffer_bytes", port.credit_buffer},
            {"stalled_ns", port.stalled_ns},
            {"stalling_ns", port.stalling_ns},
            {"peer_buffer_bytes", port.peer_buffer},
            {"peer_held_max", port.peer_held_max}};
}

Json row_of(const sim::NodeResult& node) {
    const Ledger& ledger = node.ledger;
    return {{"switch", node.name},       {"received", ledger.received},
            {"copied", ledger.copied},   {"generated", ledger.generated},
            {"sent", ledger.sent},       {"dropped", ledger.dropped},
            {"waiting", ledger.waiting}, {"ledger_balanced", ledger.balanced()}};
}

template <class Results>
Json rows_of(const Results& results) {
    Json rows = Json::array();
    for (const auto& result : results) rows.push_back(row_of(result));
    return rows;
}

constexpr std::array flow_columns = {
    Column{"flow", "flow", Format::text},
    Column{"sent", "sent", Format::count},
    Column{"received", "received", Format::count},
    Column{"lost", "lost", Format::count},
    Column{"waiting", "waiting", Format::count},
    Column{"marked", "marked", Format::count},
    Column{"throughput", "throughput_bps", Format::rate},
    Column{"mean delay", "mean_delay_ns", Format::nanos},
    Column{"p50", "p50_delay_ns", Format::nanos},
    Column{"p99", "p99_delay_ns", Format::nanos},
    Column{"max", "max_delay_ns", Format::nanos},
    Column{"wait before", "mean_wait_ns", Format::nanos},
};
constexpr std::array port_columns = {
    Column{"switch", "switch", Format::text},
    Column{"port", "port", Format::text},
    Column{"peer", "peer", Format::text},
    Column{"received", "rx_frames", Format::count},
    Column{"sent", "tx_frames", Format::count},
    Column{"dropped", "dropped", Format::count},
    Column{"reasons", "reasons", Format::text},
    Column{"paused", "paused_ns", Format::nanos},
    Column{"pausing", "pausing_ns", Format::nanos},
    Column{"headroom used", "headroom_used_max", Format::size},
    Column{"of", "headroom_bytes", Format::size},
    Column{"marked", "marked", Format::count},
};

constexpr std::array credit_columns = {
    Column{"switch", "switch", Format::text},
    Column{"port", "port", Format::text},
    Column{"peer", "peer", Format::text},
    Column{"credit given back", "credit_returned_bytes", Format::size},
    Column{"buffer", "credit_buffer_bytes", Format::size},
    Column{"stalled", "stalled_ns", Format::nanos},
    Column{"stalling", "stalling_ns", Format::nanos},
};

constexpr std::array receive_columns = {
    Column{"switch", "switch", Format::text},
    Column{"port", "port", Format::text},
    Column{"peer", "peer", Format::text},
    Column{"most it held", "peer_held_max", Format::size},
    Column{"buffer", "peer_buffer_bytes", Format::size},
};

// Returns a table of the flows that have rounds or received CNPs; values that a flow lacks are
// empty.
std::string round_table(const sim::NetworkScenario& scenario, const sim::NetworkResult& result) {
    Json rows = Json::array();
    bool any_rounds = false;
    bool any_notified = false;
    bool any_merged = false;
    for (std::size_t n = 0; n < result.flows.size(); ++n) {
        const sim::FlowResult& flow = result.flows[n];
        const sim::Pattern pattern = scenario.flows[n].pattern;
        const bool in_rounds =
            pattern == sim::Pattern::incast || pattern == sim::Pattern::all_reduce;
        if (!in_rounds && flow.notified == 0) continue;
        Json row = row_of(flow);
        if (!in_rounds) row["rounds"] = nullptr;
        if (flow.rounds == 0) row["mean_round_ns"] = row["max_round_ns"] = nullptr;
        rows.push_back(std::move(row));
        any_rounds |= in_rounds;
        any_notified |= flow.notified > 0;
        any_merged |= flow.merged > 0;
    }
    if (rows.empty()) return "";
    std::vector<Column> columns = {{"flow", "flow", Format::text}};
    if (any_rounds) {
        columns.push_back({"rounds", "rounds", Format::count});
        columns.push_back({"mean round", "mean_round_ns", Format::nanos});
        columns.push_back({"longest", "max_round_ns", Format::nanos});
    }
    if (any_notified) columns.push_back({"notified", "notified", Format::count});
    if (any_merged) columns.push_back({"merged", "merged", Format::count});
    return render_table(rows, columns) + '\n';
}

// Returns a table of the ports whose `buffer` is not 0; `buffer` is a key of the rows.
std::string buffer_table(const Json& ports, const char* buffer, std::span<const Column> columns) {
    Json rows = Json::array();
    for (const Json& row : ports) {
        if (row[buffer] != 0) rows.push_back(row);
    }
    return rows.empty() ? "" : '\n' + render_table(rows, columns);
}

// Returns the rows of ports that have a peer.
Json ports_for_people(const Json& ports) {
    Json rows = Json::array();
    for (Json row : ports) {
        if (row["peer"] == "") continue;
        std::string reasons;
        for (const auto& drop : row["drops"].items()) {
            reasons += (reasons.empty() ? "" : ", ") + drop.key();
        }
        if (!reasons.empty()) row["reasons"] = reasons;
        rows.push_back(std::move(row));
    }
    return rows;
}

// Returns the first names as a text, with the number of further names.
std::string names_of(const std::vector<std::string>& names) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t n = 0; n < std::min(most, names.size()); ++n) {
        text += fmt::format("{}{}", n == 0 ? "" : ", ", names[n]);
    }
    return names.size() <= most ? text : fmt::format("{} and {} more", text, names.size() - most);
}

std::string verdict(const sim::NetworkResult& result) {
    std::string text = fmt::format(
        "{} after {}", result.balanced() ? "Every switch's ledger balances" : "A LEDGER IS WRONG",
        show_nanos(static_cast<double>(result.ended.count())));
    if (result.stands_still) text += "; frames remain, but none moves any more";
    if (result.disordered > 0) {
        text += fmt::format("; {} frame(s) out of order", show_count(result.disordered));
    }
    std::vector<std::string> too_much;
    for (const sim::FlowResult& flow : result.flows) {
        if (flow.converged == false) too_much.push_back(flow.name);
    }
    if (!too_much.empty()) text += "; offered more than is carried: " + names_of(too_much);
    if (result.stopped) {
        text += fmt::format("; {}, and the report ends there", text_of(*result.stopped));
    }
    return text + '.';
}

void print_tables(const sim::NetworkScenario& scenario, const sim::NetworkResult& result) {
    const Json ports = rows_of(result.ports);
    const Json flows = rows_of(result.flows);
    fmt::print("{} switch(es), {} host(s), {} of traffic, seed {}\n\n{}{}{}\n{}{}{}{}\n{}\n",
               scenario.switches.size(), scenario.hosts.size(),
               config::format_time(scenario.run.time.count()), scenario.run.seed,
               render_table(flows, flow_columns), recovery_table(flows), slowdown_tables(flows),
               round_table(scenario, result), render_table(ports_for_people(ports), port_columns),
               buffer_table(ports, "credit_buffer_bytes", credit_columns),
               buffer_table(ports, "peer_buffer_bytes", receive_columns), verdict(result));
}

// Returns the series as rows: the time, the measure, its object and its value.
Json rows_of(const sim::Series& series) {
    Json rows = Json::array();
    const auto add = [&](const std::string& name, const std::string& peer, std::string_view measure,
                         const Json& priority, const auto& values) {
        for (std::size_t n = 0; n < values.size(); ++n) {
            rows.push_back({{"at_ns", series.at[n].count()},
                            {"name", name},
                            {"peer", peer},
                            {"measure", measure},
                            {"priority", priority},
                            {"value", values[n]}});
        }
    };
    for (const sim::PortSeries& port : series.ports) {
        const std::string name = port.node + '.' + port.port;
        add(name, port.peer, "queued_bytes", nullptr, port.queued);
        add(name, port.peer, "occupancy_bytes", nullptr, port.held);
        for (const auto& [priority, shares] : port.paused) {
            add(name, port.peer, "paused", priority, shares);
        }
        for (const auto& [priority, shares] : port.pausing) {
            add(name, port.peer, "pausing", priority, shares);
        }
    }
    for (const sim::FlowSeries& flow : series.flows) {
        add(flow.name, {}, "throughput_bps", nullptr, flow.throughput);
    }
    return rows;
}

Json by_priority(const std::vector<std::pair<Priority, sim::Shares>>& all) {
    Json object = Json::object();
    for (const auto& [priority, shares] : all) object[fmt::format("{}", priority)] = shares;
    return object;
}

Json document_of(const sim::Series& series) {
    Json times = Json::array();
    for (const Nanos at : series.at) times.push_back(at.count());
    Json ports = Json::array();
    for (const sim::PortSeries& port : series.ports) {
        ports.push_back({{"switch", port.node},
                         {"port", port.port},
                         {"peer", port.peer},
                         {"queued_bytes", port.queued},
                         {"occupancy_bytes", port.held},
                         {"paused", by_priority(port.paused)},
                         {"pausing", by_priority(port.pausing)}});
    }
    Json flows = Json::array();
    for (const sim::FlowSeries& flow : series.flows) {
        Json delays = Json::array();
        for (const auto& [nanos, share] : flow.delays) delays.push_back({nanos, share});
        flows.push_back(
            {{"flow", flow.name}, {"throughput_bps", flow.throughput}, {"delays", delays}});
    }
    return {{"at_ns", times}, {"ports", ports}, {"flows", flows}};
}

}  // namespace

Json row_of_flow(const sim::FlowResult& flow) { return row_of(flow); }

std::string text_of(const sim::Stopped& stopped) {
    const bool interrupted = stopped.why == sim::Stopped::Why::interrupted;
    return fmt::format("{} at {}", interrupted ? "interrupted" : "out of memory",
                       config::format_time(stopped.at.count()));
}

Json document_of(const sim::NetworkScenario& scenario, const sim::NetworkResult& result) {
    Json all = {{"time_ns", scenario.run.time.count()},
                {"warmup_ns", scenario.run.warmup.count()},
                {"seed", scenario.run.seed},
                {"ended_ns", result.ended.count()},
                {"events", result.events},
                {"stands_still", result.stands_still},
                {"converged", json_of(result.converged())},
                {"stopped", result.stopped ? Json(text_of(*result.stopped)) : Json()},
                {"disordered", result.disordered},
                {"ledger_balanced", result.balanced()},
                {"flows", rows_of(result.flows)},
                {"ports", rows_of(result.ports)},
                {"switches", rows_of(result.nodes)}};
    if (result.series) all["series"] = document_of(*result.series);
    return all;
}

void print(const sim::NetworkScenario& scenario, const sim::NetworkResult& result, Output output,
           bool series) {
    if (output == Output::table) return print_tables(scenario, result);
    if (output == Output::csv) {
        return print_csv(series ? rows_of(*result.series) : rows_of(result.flows));
    }
    Json document = document_of(scenario, result);
    if (!series) document.erase("series");
    print_json(document);
}

}  // namespace sluice::cli
