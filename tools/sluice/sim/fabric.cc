#include "tools/sluice/sim/fabric.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "tools/sim/side_by_side.h"
#include "tools/sluice/sim/progress.h"

namespace sluice::cli {

namespace {

constexpr uint64_t most_slots = 1'000'000'000;

template <class Rows>
std::string names_of(const Rows& rows) {
    std::string text;
    for (const auto& row : rows) text += fmt::format("{}{}", text.empty() ? "" : ", ", row.name);
    return text;
}

template <class Rows>
std::string explained(std::string_view title, const Rows& rows) {
    std::string text = fmt::format("{}:\n", title);
    for (const auto& row : rows) text += fmt::format("  {:<14}  {}\n", row.name, row.help);
    return text;
}

Json results_of(const sim::Outcome& outcome) {
    return {{"throughput", outcome.throughput},
            {"mean_delay_slots", outcome.mean_delay},
            {"p99_delay_slots", outcome.p99_delay},
            {"max_delay_slots", outcome.max_delay},
            {"throughput_of_offered", outcome.throughput_of_offered},
            {"stable", outcome.stable},
            {"arrived", outcome.arrived},
            {"departed", outcome.departed},
            {"lost", outcome.lost},
            {"waiting", outcome.waiting_after}};
}

constexpr std::array fabric_columns = {
    Column{"algorithm", "fabric", Format::text},
    Column{"load", "load", Format::number},
    Column{"throughput", "throughput", Format::share},
    Column{"of offered", "throughput_of_offered", Format::share},
    Column{"mean delay", "mean_delay_slots", Format::decimal},
    Column{"p99", "p99_delay_slots", Format::count},
    Column{"max", "max_delay_slots", Format::count},
    Column{"lost", "lost", Format::count},
    Column{"verdict", "verdict", Format::text},
};

std::string why_no_load(const std::string& text) {
    double load = 0;
    const bool read = CLI::detail::lexical_cast(text, load);
    return read && load > 0 && load <= 1
               ? std::string()
               : fmt::format("{} is no load that can be carried; above 0 and at most 1", text);
}

}  // namespace

SimFabric::SimFabric(CLI::App& command) {
    add_what(command);
    add_numbers(command);
}

std::string SimFabric::names() { return names_of(sim::algorithms()); }

std::string SimFabric::help() {
    return explained("Algorithms", sim::algorithms()) + '\n' +
           explained("Traffic", sim::patterns());
}

void SimFabric::add_what(CLI::App& command) {
    command.add_option("ALGORITHM", algorithms_, "See below; several: islip,pim")
        ->required()
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check([](const std::string& name) {
            return sim::find_algorithm(name) != nullptr
                       ? std::string()
                       : fmt::format("no algorithm {}; one of {}", name, names());
        });
    command.add_option("--traffic", traffic_, "Traffic pattern, see below")
        ->type_name("T")
        ->check([](const std::string& name) {
            return sim::find_pattern(name)
                       ? std::string()
                       : fmt::format("no traffic {}; one of {}", name, names_of(sim::patterns()));
        })
        ->capture_default_str();
    command.add_option("--load", loads_, "Cells a slot of the busiest port; several: 0.1,0.5,0.9")
        ->type_name("X")
        ->delimiter(',')
        ->check(why_no_load)
        ->default_str("0.9");
}

void SimFabric::add_numbers(CLI::App& command) {
    const auto add = [&](const char* name, auto& into, const char* help, auto lowest,
                         auto highest) {
        return command.add_option(name, into, help)
            ->type_name("N")
            ->check(CLI::Range(lowest, highest))
            ->capture_default_str();
    };
    sim::Tuning& tuning = scenario_.tuning;
    add("--ports", tuning.ports, "Inputs, and as many outputs", 2, int{max_ports});
    iterations_given_ = add("--iterations", tuning.iterations, "Of islip, pim, rrm and ilqf", 1, 64)
                            ->default_str("log2 of the ports");
    window_given_ = add("--window", tuning.window, "Of sw_qps, in slots", 1, int{sim::max_window});
    burst_given_ = add("--burst", scenario_.burst, "Mean length of bursty, in cells", 1.0, 1e6);
    add("--slots", scenario_.slots, "Measured", uint64_t{1}, most_slots);
    warmup_given_ =
        add("--warmup", scenario_.warmup, "Slots before, not measured", uint64_t{0}, most_slots)
            ->default_str("a quarter of the slots");
}

// Checks rules between options, and fills in options that were not given.
void SimFabric::complete() {
    if (*window_given_ && std::ranges::find(algorithms_, "sw_qps") == algorithms_.end()) {
        throw CLI::ValidationError("--window", "only sw_qps has one; sluice sim fabric sw_qps");
    }
    if (*burst_given_ && traffic_ != "bursty") {
        throw CLI::ValidationError("--burst", "only bursty has them; --traffic bursty");
    }
    scenario_.traffic = *sim::find_pattern(traffic_);
    if (!*iterations_given_) {
        scenario_.tuning.iterations =
            static_cast<unsigned>(std::bit_width(scenario_.tuning.ports - 1));
    }
    if (!*warmup_given_) scenario_.warmup = scenario_.slots / 4;
}

Json SimFabric::inputs_of(const sim::Scenario& scenario) const {
    const std::string_view algorithm = scenario.algorithm->name;
    Json inputs = {{"fabric", algorithm},
                   {"ports", scenario.tuning.ports},
                   {"iterations", scenario.tuning.iterations},
                   {"traffic", traffic_},
                   {"load", scenario.load},
                   {"slots", scenario.slots},
                   {"warmup", scenario.warmup},
                   {"seed", scenario.tuning.seed}};
    if (algorithm == "sw_qps") inputs["window"] = scenario.tuning.window;
    if (traffic_ == "bursty") inputs["burst"] = scenario.burst;
    return inputs;
}

Json SimFabric::rows_of(const std::vector<std::string>& algorithms) const {
    const std::size_t loads = loads_.size();
    std::vector<Json> rows(algorithms.size() * loads);
    ProgressBar bar(rows.size(), "slots");
    const auto slots = static_cast<double>(scenario_.warmup + scenario_.slots);
    sim::side_by_side(
        rows.size(),
        [&](std::size_t n) {
            sim::Scenario scenario = scenario_;
            scenario.algorithm = sim::find_algorithm(algorithms[n / loads]);
            scenario.load = loads_[n % loads];
            rows[n] = results_of(sim::simulate(scenario, [&](uint64_t passed) {
                bar.update(n, static_cast<double>(passed) / slots, passed);
            }));
            rows[n].update(inputs_of(scenario));
        },
        [&](std::size_t finished) { bar.finish_one(finished); });
    return rows;
}

void SimFabric::print_table(Json rows) const {
    for (Json& row : rows) row["verdict"] = row["stable"] == true ? "stable" : "unstable";
    std::string title;
    for (const std::string& name : algorithms_) {
        title += (title.empty() ? "" : ", ") + name;
        if (!sim::find_algorithm(name)->iterates) continue;
        title += fmt::format(" of {} iteration(s)", scenario_.tuning.iterations);
    }
    const std::span<const Column> shown(fabric_columns);
    fmt::print("{0}, {1} x {1} ports, {2} traffic, {3} slots after {4}, seed {5}\n\n{6}", title,
               scenario_.tuning.ports, traffic_, scenario_.slots, scenario_.warmup,
               scenario_.tuning.seed,
               render_table(rows, algorithms_.size() > 1 ? shown : shown.subspan(1)));
}

int SimFabric::run(uint64_t seed, Output output, ReportFile* report) {
    complete();
    scenario_.tuning.seed = seed;
    const Json rows = rows_of(algorithms_);
    if (output == Output::json) {
        print_json(rows.size() == 1 ? rows[0] : rows);
    } else if (output == Output::csv) {
        print_csv(rows);
    } else {
        print_table(rows);
    }
    if (report == nullptr) return 0;
    const bool has_floor = std::ranges::find(algorithms_, "oq") != algorithms_.end();
    const Json floor = has_floor ? Json::array() : rows_of({"oq"});
    return report->write({{"kind", "fabric"}, {"rows", rows}, {"floor", floor}}) ? 0 : 1;
}

}  // namespace sluice::cli
