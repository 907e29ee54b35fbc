#include "tools/sluice/sim/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::cli {

namespace {

// Returns false after reporting runs that are not complete.
bool all_are_complete(const std::vector<Outcome>& outcomes) {
    const auto left_out = std::ranges::count(outcomes, Outcome::State::not_run, &Outcome::state);
    const auto failed = std::ranges::count_if(outcomes, &Outcome::failed);
    if (failed > 0) {
        fmt::print(stderr, "sluice: {} of {} combinations failed, as their rows say\n", failed,
                   outcomes.size());
    }
    if (left_out > 0) {
        fmt::print(stderr, "sluice: {} of {} combinations are not complete and have no row\n",
                   left_out, outcomes.size());
    }
    return failed == 0 && left_out == 0;
}

bool has_failed(const Json& row) { return row.contains("failed"); }

void print_table(const Sweep& sweep, const Json& rows) {
    std::vector<Column> columns;
    for (const Swept& swept : sweep.swept) {
        columns.push_back({swept.key, swept.key, Format::text});
    }
    const std::vector<Column> figures = {
        {"flow", "flow", Format::text},
        {"sent", "sent", Format::count},
        {"lost", "lost", Format::count},
        {"waiting", "waiting", Format::count},
        {"throughput", "throughput_bps", Format::rate},
        {"mean delay", "mean_delay_ns", Format::nanos},
        {"p99", "p99_delay_ns", Format::nanos},
        {"max", "max_delay_ns", Format::nanos},
        {"peers paused", "pausing_ns", Format::nanos},
        {"all carried", "converged", Format::yes_no},
    };
    columns.insert(columns.end(), figures.begin(), figures.end());
    const bool in_rounds = std::ranges::any_of(
        rows, [](const Json& row) { return row.value("rounds", uint64_t{0}) != 0; });
    if (in_rounds) columns.push_back({"mean round", "mean_round_ns", Format::nanos});
    const bool transfers =
        std::ranges::any_of(rows, [](const Json& row) { return row.contains("slowdown_parts"); });
    if (transfers) {
        columns.push_back({"transfers", "transfers", Format::count});
        columns.push_back({"slowdown p50", "slowdown_p50", Format::decimal});
        columns.push_back({"p95", "slowdown_p95", Format::decimal});
        columns.push_back({"p99", "slowdown_p99", Format::decimal});
    }
    if (std::ranges::any_of(rows, has_failed)) {
        columns.push_back({"failed", "failed", Format::text});
    }
    fmt::print("{}", render_table(rows, columns));
}

}  // namespace

int reduce(const Sweep& sweep, std::vector<Outcome> outcomes, Output output, ReportFile* report) {
    const bool complete = all_are_complete(outcomes);
    Json rows = Json::array();
    for (Outcome& outcome : outcomes) {
        for (Json& row : outcome.rows) rows.push_back(std::move(row));
    }
    if (output == Output::json) {
        print_json(rows);
    } else if (output == Output::csv) {
        print_csv(rows);
    } else {
        print_table(sweep, rows);
    }
    Json swept = Json::array();
    for (const Swept& one : sweep.swept) {
        swept.push_back({{"key", one.key}, {"values", one.values}});
    }
    if (report != nullptr && !report->write({{"kind", "sweep"},
                                             {"file", sweep.file},
                                             {"changes", words_of(sweep.changes)},
                                             {"scenario", sweep.text},
                                             {"swept", swept},
                                             {"rows", rows}})) {
        return 1;
    }
    const bool balanced = std::ranges::all_of(
        rows, [](const Json& row) { return has_failed(row) || row.at("ledger_balanced") == true; });
    return balanced && complete ? 0 : 1;
}

}  // namespace sluice::cli
