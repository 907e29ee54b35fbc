#include "tools/sluice/sim/sweep_run.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/yaml/fault.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/side_by_side.h"
#include "tools/sluice/interrupt.h"
#include "tools/sluice/sim/cluster/execute.h"
#include "tools/sluice/sim/file.h"
#include "tools/sluice/sim/outcome.h"
#include "tools/sluice/sim/progress.h"
#include "tools/sluice/sim/reduction.h"

namespace sluice::cli {

namespace {

// Reads all scenarios. Returns the traces that they name; none after reporting a fault.
std::optional<std::set<std::string>> read_all(const Sweep& sweep, const std::vector<Changes>& all) {
    std::set<std::string> traces;
    for (const Changes& combination : all) {
        const Changes changes = sweep.changes_in(combination);
        const auto read = sim::read_scenario(sweep.text, sweep.file, changes);
        if (!read) {
            print_faults(read.error(), changes);
            return std::nullopt;
        }
        for (const sim::FlowSpec& flow : read->flows) {
            if (!flow.trace_file.empty()) traces.insert(flow.trace_file);
        }
    }
    return traces;
}

std::vector<Outcome> run_here(const Sweep& sweep, const std::vector<Changes>& all) {
    std::vector<Outcome> of_each(all.size());
    const Interrupt listening;
    ProgressBar bar(all.size(), "events");
    sim::side_by_side(
        all.size(),
        [&](std::size_t n) {
            if (Interrupt::came()) return;
            of_each[n] = run_one(sweep, all[n], [&](const sim::Progress& so_far) {
                bar.update(n,
                           static_cast<double>(so_far.now.count()) /
                               static_cast<double>(so_far.time.count()),
                           so_far.events);
            });
        },
        [&](std::size_t finished) { bar.finish_one(finished); });
    return of_each;
}

}  // namespace

int run_sweep(const Sweep& sweep, const ClusterOptions& options, Output output,
              ReportFile* report) {
    if (const std::string twice = key_given_twice(sweep); !twice.empty()) {
        fmt::print(stderr, "sluice: --sweep: gives {} a second time; write it once\n",
                   config::escaped(twice));
        return 2;
    }
    const std::vector<Changes> all = combinations(sweep.swept);
    if (all.size() > most_combinations) {
        fmt::print(stderr, "sluice: --sweep: makes more than {0} combinations; write at most {0}\n",
                   most_combinations);
        return 2;
    }
    const auto traces = read_all(sweep, all);
    if (!traces) return 2;
    if (options.folder.empty()) return reduce(sweep, run_here(sweep, all), output, report);
    auto outcomes = execute(sweep, all, {traces->begin(), traces->end()}, options);
    if (outcomes) return reduce(sweep, std::move(*outcomes), output, report);
    fmt::print(stderr, "sluice: {}\n", config::escaped(outcomes.error()));
    return 1;
}

}  // namespace sluice::cli
