#include "tools/sluice/sim_scenario.h"

#include <fmt/format.h>

#include <array>

#include "config/values.h"
#include "tools/sim/scenario/run.h"
#include "tools/sluice/quantities.h"
#include "tools/sluice/table.h"

namespace sluice::cli {

namespace {

Json row_of(const sim::FlowResult& flow) {
    return {{"flow", flow.name},
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
            {"rounds", flow.rounds},
            {"mean_round_ns", flow.mean_round_ns},
            {"max_round_ns", flow.max_round_ns}};
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
            {"stalling_ns", port.stalling_ns}};
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

std::string credit_table(const Json& ports) {
    Json rows = Json::array();
    for (const Json& row : ports) {
        if (row["credit_buffer_bytes"] != 0) rows.push_back(row);
    }
    return rows.empty() ? "" : '\n' + render_table(rows, credit_columns);
}

// Ports that nobody is at say nothing.
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

std::string verdict(const sim::NetworkResult& result) {
    std::string text = fmt::format(
        "{} after {}", result.balanced() ? "Every switch's ledger balances" : "A LEDGER IS WRONG",
        show_nanos(static_cast<double>(result.ended.count())));
    if (result.stands_still) text += "; frames are left and nothing moves any more";
    if (result.disordered > 0) {
        text += fmt::format("; {} frame(s) out of order", show_count(result.disordered));
    }
    return text + '.';
}

void print_tables(const sim::NetworkScenario& scenario, const sim::NetworkResult& result) {
    fmt::print("{} switch(es), {} host(s), {} of traffic, seed {}\n\n{}\n{}{}\n{}\n",
               scenario.switches.size(), scenario.hosts.size(),
               config::format_time(scenario.run.time.count()), scenario.run.seed,
               render_table(rows_of(result.flows), flow_columns),
               render_table(ports_for_people(rows_of(result.ports)), port_columns),
               credit_table(rows_of(result.ports)), verdict(result));
}

void print_document(const sim::NetworkScenario& scenario, const sim::NetworkResult& result) {
    const Json all = {{"time_ns", scenario.run.time.count()},
                      {"warmup_ns", scenario.run.warmup.count()},
                      {"seed", scenario.run.seed},
                      {"ended_ns", result.ended.count()},
                      {"events", result.events},
                      {"stands_still", result.stands_still},
                      {"disordered", result.disordered},
                      {"ledger_balanced", result.balanced()},
                      {"flows", rows_of(result.flows)},
                      {"ports", rows_of(result.ports)},
                      {"switches", rows_of(result.nodes)}};
    print_json(all);
}

}  // namespace

int run_scenario(const ScenarioRun& asked) {
    auto scenario = sim::load_scenario(asked.file);
    if (!scenario) {
        for (const config::Fault& fault : scenario.error()) {
            fmt::print(stderr, "{}\n", config::to_string(fault));
        }
        return 2;
    }
    if (asked.seed) scenario->set_seed(*asked.seed);
    if (asked.time) scenario->run.time = *asked.time;
    if (scenario->run.warmup >= scenario->run.time) {
        fmt::print(stderr,
                   "sluice: --time: leaves nothing to measure; more than the warmup of {}\n",
                   config::format_time(scenario->run.warmup.count()));
        return 2;
    }
    const sim::NetworkResult result = sim::simulate(*scenario, [](double done) {
        show_progress(fmt::format("{:.1f} % simulated", done * 100), done >= 1);
    });
    if (asked.output == Output::json) {
        print_document(*scenario, result);
    } else if (asked.output == Output::csv) {
        print_csv(rows_of(result.flows));
    } else {
        print_tables(*scenario, result);
    }
    return result.balanced() ? 0 : 1;
}

}  // namespace sluice::cli
