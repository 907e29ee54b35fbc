#include "tools/sluice/sim/file.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <new>

#include "config/yaml/values.h"
#include "tools/sim/scenario/run.h"
#include "tools/sluice/calc/words.h"
#include "tools/sluice/interrupt.h"
#include "tools/sluice/sim/progress.h"
#include "tools/sluice/sim/scenario.h"
#include "tools/sluice/sim/sweep.h"
#include "tools/sluice/sim/sweep_run.h"

namespace sluice::cli {

namespace {

std::string why_no_change(const std::string& word) {
    const auto change = sim::parse_override(word);
    return change ? std::string() : change.error();
}
std::string why_no_sweep(const std::string& word) {
    const auto sweep = parse_sweep(word);
    return sweep ? std::string() : sweep.error();
}

}  // namespace

SimFile::SimFile(CLI::App& command) {
    command.add_option("FILE", file_,
                       "Switches, hosts, cables and flows; tools/sim/README.md has the format");
    time_given_ = add_quantity(command,
                               {.name = "time",
                                .kind = config::Kind::time,
                                .help = "Simulated time, instead of that of FILE",
                                .lowest = 1,
                                .highest = 3'600'000'000'000},
                               time_)
                      ->needs("FILE");
    const auto add = [&](const char* name, std::vector<std::string>& into, const char* help) {
        return command.add_option(name, into, help)
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->needs("FILE");
    };
    add("--set", set_, "Replace a key of FILE, such as flows[0].rate=5G; may be repeated")
        ->type_name("KEY=VALUE")
        ->check(why_no_change);
    add("--sweep", sweeps_, "The same once for each value; of several, every combination")
        ->type_name("KEY=V1,V2,...")
        ->check(why_no_sweep);
    command
        .add_flag("--series", series_,
                  "Samples over time: in JSON in addition to the results, as CSV instead of them")
        ->needs("FILE")
        ->excludes("--sweep");
}

std::vector<sim::Override> SimFile::changes(std::optional<uint64_t> seed) const {
    std::vector<sim::Override> all;
    if (*time_given_) all.push_back({"run.time", config::format_time(time_)});
    if (seed) all.push_back({"run.seed", fmt::format("{}", *seed)});
    for (const std::string& word : set_) all.push_back(sim::parse_override(word).value());
    return all;
}

int SimFile::run(std::optional<uint64_t> seed, Output output, ReportFile* report,
                 const ClusterOptions& options) const {
    if (series_ && output == Output::table) {
        throw CLI::ValidationError("--series",
                                   "is for programs; --json, --csv, or --html FILE "
                                   "for a picture");
    }
    const auto text = sim::scenario_text(file_);
    if (!text) {
        print_faults(text.error(), {});
        return 2;
    }
    if (sweeps_.empty()) return run_once(*text, changes(seed), output, report);
    Sweep sweep{.file = file_, .text = *text, .changes = changes(seed)};
    for (const std::string& word : sweeps_) sweep.swept.push_back(parse_sweep(word).value());
    return run_sweep(sweep, options, output, report);
}

int SimFile::run_once(const std::string& text, const std::vector<sim::Override>& changes,
                      Output output, ReportFile* report) const {
    const auto scenario = sim::read_scenario(text, file_, changes);
    if (!scenario) {
        print_faults(scenario.error(), changes);
        return 2;
    }
    const auto recording = series_ || report != nullptr ? sim::Recording::on : sim::Recording::off;
    sim::NetworkResult result;
    try {
        const Interrupt listening;
        ProgressBar bar(1, "events");
        result = sim::simulate(
            *scenario,
            [&](const sim::Progress& so_far) {
                bar.update(0,
                           static_cast<double>(so_far.now.count()) /
                               static_cast<double>(so_far.time.count()),
                           so_far.events,
                           fmt::format("{} of {}", config::format_time(so_far.now.count()),
                                       config::format_time(so_far.time.count())));
            },
            recording, Interrupt::came);
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "sluice: {}: {}\n", config::escaped(file_), no_memory);
        return 1;
    }
    if (result.stopped) {
        fmt::print(stderr, "sluice: {}: {}\n", config::escaped(file_), text_of(*result.stopped));
    }
    print(*scenario, result, output, series_);
    if (report != nullptr && !report->write({{"kind", "scenario"},
                                             {"file", file_},
                                             {"changes", words_of(changes)},
                                             {"scenario", text},
                                             {"result", document_of(*scenario, result)}})) {
        return 1;
    }
    return result.balanced() && !result.stopped ? 0 : 1;
}

void print_faults(const std::vector<config::Fault>& faults,
                  const std::vector<sim::Override>& changes) {
    for (const config::Fault& fault : faults) {
        if (fault.at.line > 0) {
            fmt::print(stderr, "{}\n", config::to_string(fault));
            continue;
        }
        const sim::Override& change = changes[static_cast<std::size_t>(fault.at.column) - 1];
        fmt::print(stderr, "{}={}: {}: {}; {}\n", config::escaped(change.path),
                   config::escaped(change.value), fault.path, fault.what, fault.remedy);
    }
}

}  // namespace sluice::cli
