#include "tools/gen/benchmarks/rfc2544.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/common/quantities.h"
#include "tools/gen/benchmarks/longest.h"

namespace sluice::gen {
namespace {

constexpr Nanos longest_burst{2'000'000'000};

Rate frames_rate(double a_second) { return Rate::frames(std::max(std::llround(a_second), 1LL)); }

// Tests: the tests of one mix, on one device.
class Tests {
  public:
    Tests(const NamedMix& mix, const Rfc2544Settings& settings, const RunTrial& run, const Say& say)
        : settings_(settings), mix_(mix), run_(run), say_(say) {}

    // Each returns false if the test was interrupted.
    bool throughput();
    bool latency();
    bool losses();
    bool back_to_back();
    bool recovery();

    Rfc2544 found;

  private:
    [[nodiscard]] TrialPlan plan(const Rate& rate, Nanos duration) const {
        return {.frames = mix_.frames, .rate = rate, .duration = duration, .change = {}};
    }
    // Returns the frames a second of each sender at the throughput.
    [[nodiscard]] double throughput_each() const {
        return found.throughput.frames_per_second() / static_cast<double>(settings_.frames_at_once);
    }
    // Returns the longest burst that passes; none if interrupted.
    std::optional<double> search_burst(double most);
    std::optional<bool> burst_passes(double frames);
    void report_progress(std::string_view test, const std::string& what) {
        say_(fmt::format("{} octets, {}: {}", mix_.name, test, what));
    }

    const Rfc2544Settings& settings_;
    const NamedMix& mix_;
    const RunTrial& run_;
    const Say& say_;
    double full_ = 0;  // 100 %: frames a second of each sender
};

bool Tests::throughput() {
    const auto measure = [&](const Rate& rate) { return run_(plan(rate, settings_.trial)); };
    found.throughput =
        find_throughput(mix_, settings_.rate, settings_.frames_at_once, settings_.search, measure,
                        [&](const Throughput& so_far) { say_(progress_text(so_far)); });
    if (!found.throughput.complete) return false;
    full_ = frames_a_second(settings_.rate, mix_.frames)
                .value_or(found.throughput.trials.front().fastest_sender);
    return true;
}

bool Tests::latency() {
    if (settings_.latency_trials == 0 || !found.throughput.best) return true;
    LatencyAtThroughput& latency = found.latency.emplace();
    latency.offered_fps = found.throughput.frames_per_second();
    for (unsigned n = 0; n < settings_.latency_trials; ++n) {
        const auto trial = run_(plan(frames_rate(throughput_each()), settings_.trial * 2));
        if (!trial) return false;
        const Results& results = trial->summary.results;
        latency.means.push_back(results.latency.mean());
        latency.all.merge(results.latency);
        latency.offered_fps = std::min(latency.offered_fps, trial->offered());
        latency.lost += results.lost;
        report_progress("latency", latency_text(results.latency.quantiles()));
    }
    return true;
}

bool Tests::losses() {
    unsigned without_loss = 0;
    const auto step = static_cast<int>(settings_.loss_step);
    for (int load = 100; step > 0 && load > 0 && without_loss < 2; load -= step) {
        const bool unlimited = load == 100 && settings_.rate.unit == Rate::Unit::unlimited;
        const Rate rate = unlimited ? settings_.rate : frames_rate(full_ * load / 100);
        auto trial = run_(plan(rate, settings_.trial));
        if (!trial) return false;
        without_loss = trial->summary.results.lost == 0 ? without_loss + 1 : 0;
        report_progress("frame loss", fmt::format("{} % of the load: {} of {} lost", load,
                                                  cli::show_count(trial->summary.results.lost),
                                                  cli::show_count(trial->summary.results.offered)));
        found.losses.push_back({static_cast<unsigned>(load), std::move(*trial)});
    }
    return true;
}

std::optional<bool> Tests::burst_passes(double frames) {
    TrialPlan burst = plan(settings_.rate, longest_burst * 10);
    burst.frames_each = static_cast<uint64_t>(std::max(std::llround(frames), 1LL));
    const auto trial = run_(burst);
    if (!trial) return {};
    const Results& results = trial->summary.results;
    const bool passes = results.delivered > 0 && results.lost == 0;
    report_progress("back-to-back",
                    fmt::format("{} frames of each sender: {} lost",
                                cli::show_count(burst.frames_each), cli::show_count(results.lost)));
    return passes;
}

std::optional<double> Tests::search_burst(double most) {
    // The step is a hundredth of the step of rates: a device's buffer, which the result shows, is
    // small compared with two seconds of frames.
    return find_longest(most, settings_.search.resolution / 100,
                        [&](double frames) { return burst_passes(frames); });
}

bool Tests::back_to_back() {
    if (settings_.bursts == 0) return true;
    BackToBack& burst = found.back_to_back.emplace();
    burst.full_rate = full_;
    burst.throughput = throughput_each();
    const Nanos longest = std::min(longest_burst, settings_.trial);
    const double most =
        std::max(std::round(full_ * static_cast<double>(longest.count()) / 1e9), 1.0);
    while (burst.longest.size() < settings_.bursts) {
        const auto frames = search_burst(most);
        if (!frames) return false;
        burst.longest.push_back(*frames);
        burst.is_bounded |= *frames < most;
        if (!burst.is_bounded) break;
    }
    return true;
}

bool Tests::recovery() {
    if (settings_.recoveries == 0 || !found.throughput.best) return true;
    Recovery& recovery = found.recovery.emplace();
    recovery.overload_fps = std::min(1.1 * throughput_each(), full_);
    for (unsigned n = 0; n < settings_.recoveries; ++n) {
        TrialPlan overload = plan(frames_rate(recovery.overload_fps), settings_.trial * 2);
        overload.change = {settings_.trial, frames_rate(recovery.overload_fps / 2)};
        const auto trial = run_(overload);
        if (!trial) return false;
        if (trial->summary.results.lost == 0) {
            ++recovery.without_loss;
            report_progress("recovery", "no frame was lost: no overload");
            continue;
        }
        recovery.lossy.push_back(trial->lossy_after);
        report_progress("recovery",
                        cli::show_nanos(static_cast<double>(trial->lossy_after.count())));
    }
    return true;
}

}  // namespace

double LatencyAtThroughput::mean() const { return mean_of(means); }

double BackToBack::mean() const { return mean_of(longest); }

std::optional<double> Recovery::mean() const {
    if (lossy.empty()) return {};
    double sum = 0;
    for (const Nanos time : lossy) sum += static_cast<double>(time.count());
    return sum / static_cast<double>(lossy.size());
}

Rfc2544 run_rfc2544(const NamedMix& mix, const Rfc2544Settings& settings, const RunTrial& run,
                    const Say& say) {
    Tests tests(mix, settings, run, say);
    tests.found.complete = tests.throughput() && tests.latency() && tests.losses() &&
                           tests.back_to_back() && tests.recovery();
    return std::move(tests.found);
}

}  // namespace sluice::gen
