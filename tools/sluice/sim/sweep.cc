#include "tools/sluice/sim/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "tools/sim/scenario/run.h"
#include "tools/sim/side_by_side.h"
#include "tools/sluice/interrupt.h"
#include "tools/sluice/sim/file.h"
#include "tools/sluice/sim/progress.h"
#include "tools/sluice/sim/scenario.h"

namespace sluice::cli {

namespace {

constexpr std::size_t most_combinations = 1000;

using Changes = std::vector<sim::Override>;

std::vector<std::string> split(std::string_view list) {
    std::vector<std::string> values(1);
    int depth = 0;
    for (const char letter : list) {
        depth += letter == '[' || letter == '{' ? 1 : letter == ']' || letter == '}' ? -1 : 0;
        if (letter == ',' && depth == 0) {
            values.emplace_back();
        } else {
            values.back() += letter;
        }
    }
    return values;
}

Changes joined(Changes first, const Changes& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// False: it has been told why.
bool all_can_be_read(const Sweep& sweep, const std::vector<Changes>& combinations) {
    for (const Changes& combination : combinations) {
        const Changes changes = joined(sweep.changes, combination);
        const auto read = sim::read_scenario(sweep.text, sweep.file, changes);
        if (read) continue;
        print_faults(read.error(), changes);
        return false;
    }
    return true;
}

// A row a flow.
Json rows_of(const Changes& combination, const sim::NetworkResult& result) {
    uint64_t pausing = 0;
    for (const sim::PortResult& port : result.ports) pausing += port.pausing_ns;
    Json rows = Json::array();
    for (const sim::FlowResult& flow : result.flows) {
        Json row = Json::object();
        for (const sim::Override& change : combination) row[change.path] = change.value;
        row.update(row_of_flow(flow));
        row["pausing_ns"] = pausing;
        row["stands_still"] = result.stands_still;
        row["ledger_balanced"] = result.balanced();
        rows.push_back(std::move(row));
    }
    return rows;
}

struct Outcome {
    Json rows = Json::array();
    std::string stopped{"not run"};  // why it is not complete; empty: it is
};

Outcome run_one(const Sweep& sweep, const Changes& combination, const sim::Telling& tell) {
    try {
        const auto scenario =
            sim::read_scenario(sweep.text, sweep.file, joined(sweep.changes, combination));
        const sim::NetworkResult result =
            sim::simulate(*scenario, tell, sim::Recording::off, Interrupt::came);
        if (result.stopped) return {.stopped = text_of(*result.stopped)};
        return {rows_of(combination, result), {}};
    } catch (const std::bad_alloc&) {
        return {.stopped = std::string(no_memory)};
    }
}

std::vector<Outcome> run_all(const Sweep& sweep, const std::vector<Changes>& combinations) {
    std::vector<Outcome> of_each(combinations.size());
    const Interrupt listening;
    ProgressBar bar(combinations.size(), "events");
    sim::side_by_side(
        combinations.size(),
        [&](std::size_t n) {
            if (Interrupt::came()) return;
            of_each[n] = run_one(sweep, combinations[n], [&](const sim::Progress& so_far) {
                bar.tell(n,
                         static_cast<double>(so_far.now.count()) /
                             static_cast<double>(so_far.time.count()),
                         so_far.events);
            });
        },
        [&](std::size_t finished) { bar.finish_one(finished); });
    return of_each;
}

// False: some are not complete, which is told.
bool all_are_complete(const std::vector<Outcome>& outcomes,
                      const std::vector<Changes>& combinations) {
    std::size_t left_out = 0;
    for (std::size_t n = 0; n < outcomes.size(); ++n) {
        if (outcomes[n].stopped.empty()) continue;
        ++left_out;
        if (outcomes[n].stopped == Outcome{}.stopped) continue;
        std::string words;
        for (const Json& word : words_of(combinations[n]))
            words += fmt::format("{}{}", words.empty() ? "" : " ", word.get<std::string>());
        fmt::print(stderr, "sluice: {}: {}\n", config::escaped(words), outcomes[n].stopped);
    }
    if (left_out > 0) {
        fmt::print(stderr, "sluice: {} of {} combinations are not complete and have no row\n",
                   left_out, outcomes.size());
    }
    return left_out == 0;
}

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
    const bool transfers =
        std::ranges::any_of(rows, [](const Json& row) { return row.contains("slowdown_parts"); });
    if (transfers) {
        columns.push_back({"transfers", "transfers", Format::count});
        columns.push_back({"slowdown p50", "slowdown_p50", Format::decimal});
        columns.push_back({"p95", "slowdown_p95", Format::decimal});
        columns.push_back({"p99", "slowdown_p99", Format::decimal});
    }
    fmt::print("{}", render_table(rows, columns));
}

}  // namespace

tl::expected<Swept, std::string> parse_sweep(std::string_view word) {
    const auto change = sim::parse_override(word);
    if (!change) return tl::unexpected(change.error());
    Swept swept{change->path, split(change->value)};
    if (std::ranges::find(swept.values, "") == swept.values.end()) return swept;
    return tl::unexpected(fmt::format("{} lacks a value; write one such as cable.length=5m,100m",
                                      config::in_quotes(word)));
}

std::vector<Changes> combinations(const std::vector<Swept>& swept) {
    std::vector<Changes> all(1);
    for (const Swept& one : swept) {
        std::vector<Changes> longer;
        for (const Changes& before : all) {
            for (const std::string& value : one.values) {
                longer.push_back(joined(before, {{one.key, value}}));
            }
            if (longer.size() > most_combinations) return longer;
        }
        all = std::move(longer);
    }
    return all;
}

std::string key_given_twice(const Sweep& sweep) {
    for (auto swept = sweep.swept.begin(); swept != sweep.swept.end(); ++swept) {
        const bool again = std::ranges::find(std::next(swept), sweep.swept.end(), swept->key,
                                             &Swept::key) != sweep.swept.end();
        const bool set = std::ranges::find(sweep.changes, swept->key, &sim::Override::path) !=
                         sweep.changes.end();
        if (again || set) return swept->key;
    }
    return {};
}

int run_sweep(const Sweep& sweep, Output output, ReportFile* report) {
    if (const std::string twice = key_given_twice(sweep); !twice.empty()) {
        fmt::print(stderr, "sluice: --sweep: gives {} a second time; write it once\n",
                   config::escaped(twice));
        return 2;
    }
    const std::vector<Changes> all = combinations(sweep.swept);
    if (all.size() > most_combinations) {
        fmt::print(stderr, "sluice: --sweep: makes more than {0} combinations; {0} at the most\n",
                   most_combinations);
        return 2;
    }
    if (!all_can_be_read(sweep, all)) return 2;
    std::vector<Outcome> outcomes = run_all(sweep, all);
    const bool complete = all_are_complete(outcomes, all);
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
    const bool balanced =
        std::ranges::all_of(rows, [](const Json& row) { return row["ledger_balanced"] == true; });
    return balanced && complete ? 0 : 1;
}

Json words_of(const Changes& changes) {
    Json words = Json::array();
    for (const sim::Override& change : changes) words.push_back(change.path + '=' + change.value);
    return words;
}

}  // namespace sluice::cli
