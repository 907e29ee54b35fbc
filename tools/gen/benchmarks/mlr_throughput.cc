#include "tools/gen/benchmarks/mlr_throughput.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/common/quantities.h"
#include "tools/common/table.h"

namespace sluice::gen {
namespace {

constexpr double least_share = 1e-4;

double as_seconds(Nanos time) { return static_cast<double>(time.count()) / 1e9; }

Json bound_json(const std::optional<double>& bound) { return bound ? Json(*bound) : Json(); }

Json row_of(const MlrThroughput& found) {
    Json trials = Json::array();
    for (const Trial& trial : found.trials) trials.push_back(trial_json(trial));
    return {
        {"frame_bytes", length_json(found.mix)},
        {"rate_fps", found.conditional},
        {"lower_fps", bound_json(found.lower)},
        {"upper_fps", bound_json(found.upper)},
        {"limit", found.lower ? Json(limit_names[static_cast<std::size_t>(found.limit)]) : Json()},
        {"trials", trials}};
}

}  // namespace

MlrThroughput find_bounds(const NamedMix& mix, const Rate& first, std::size_t frames_at_once,
                          const MlrGoal& goal, const RunTrial& run,
                          const std::function<void(const std::string&)>& say) {
    MlrThroughput found;
    found.mix = mix;
    const auto all = static_cast<double>(frames_at_once);
    const auto try_at = [&](const Rate& rate, Nanos duration) {
        auto trial = run({.frames = mix.frames, .rate = rate, .duration = duration, .change = {}});
        if (!trial) return false;
        if (const auto asked = frames_a_second(rate, mix.frames)) trial->asked = *asked * all;
        const Results& results = trial->summary.results;
        trial->passed = results.delivered > 0 && trial->loss() <= goal.loss_ratio;
        say(fmt::format("{} octets, trial {} of {}: offered {}, lost {} of {}", mix.name,
                        found.trials.size() + 1, cli::show_nanos(as_seconds(duration) * 1e9),
                        cli::show_per_second(trial->offered()), cli::show_count(results.lost),
                        cli::show_count(results.offered)));
        found.trials.push_back(std::move(*trial));
        return true;
    };
    // A trial that delivers no frame has a loss of 1.
    const auto loss = [&] {
        const Trial& trial = found.trials.back();
        return trial.summary.results.delivered == 0 ? 1.0 : trial.loss();
    };
    if (!try_at(first, MlrSearch::first_trial(goal))) return found;
    const double most = found.trials[0].fastest_sender;
    found.complete = most <= 0;
    if (found.complete) return found;
    MlrSearch search(goal, std::min(std::max(most * least_share, 1.0), most), most);
    search.record(loss());
    while (const auto next = search.next()) {
        const Rate rate = Rate::frames(std::max(std::llround(next->load), 1LL));
        if (!try_at(rate, next->duration)) return found;
        search.record(loss());
    }
    found.complete = true;
    found.conditional = search.conditional_throughput() * all;
    if (const auto lower = search.lower()) found.lower = *lower * all;
    if (const auto upper = search.upper()) found.upper = *upper * all;
    if (!found.upper) {
        found.limit = found.trials[0].held_back() ? Limit::senders : Limit::rate;
    }
    return found;
}

Json to_json(std::size_t ports, uint32_t addresses, const MlrGoal& goal,
             const std::vector<MlrThroughput>& found) {
    Json rows = Json::array();
    for (const MlrThroughput& one : found) rows.push_back(row_of(one));
    return {{"ports", ports},
            {"addresses", addresses},
            {"search", "mlr"},
            {"goal",
             {{"loss_percent", goal.loss_ratio * 100},
              {"exceed_percent", goal.exceed_ratio * 100},
              {"width_percent", goal.width * 100},
              {"trial_seconds", as_seconds(goal.final_trial)},
              {"sum_seconds", as_seconds(goal.duration_sum)}}},
            {"throughput", rows}};
}

std::string to_text(const MlrGoal& goal, const std::vector<MlrThroughput>& found) {
    using cli::Format;
    static constexpr std::array<cli::Column, 6> columns = {{
        {"octets", "name", Format::text},
        {"frames", "rate_fps", Format::per_second},
        {"lower bound", "lower_fps", Format::per_second},
        {"upper bound", "upper_fps", Format::per_second},
        {"limit", "limit", Format::text},
        {"trials", "count", Format::number},
    }};
    Json rows = Json::array();
    for (const MlrThroughput& one : found) {
        Json row = row_of(one);
        row["name"] = one.mix.name;
        row["count"] = one.trials.size();
        rows.push_back(row);
    }
    return cli::render_table(rows, columns) +
           fmt::format(
               "\nMLRsearch: at most {:g} % lost in all but {:g} % of the time at a load, bounds "
               "to {:g} %\n",
               goal.loss_ratio * 100, goal.exceed_ratio * 100, goal.width * 100);
}

}  // namespace sluice::gen
