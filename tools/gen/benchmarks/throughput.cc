#include "tools/gen/benchmarks/throughput.h"

#include <fmt/format.h>

#include <cmath>

#include "tools/common/quantities.h"
#include "tools/common/table.h"

namespace sluice::gen {
namespace {

bool passes(const Results& results, double accepted_loss) {
    return results.delivered > 0 && static_cast<double>(results.lost) <=
                                        accepted_loss * static_cast<double>(results.offered);
}

// Returns what limits a trial that passed.
Limit limit_above(const Trial& trial, bool is_first) {
    if (trial.held_back()) return Limit::senders;
    return is_first ? Limit::rate : Limit::loss;
}

}  // namespace

Json trial_json(const Trial& trial) {
    const Results& results = trial.summary.results;
    return {{"asked_fps", trial.asked ? Json(*trial.asked) : Json()},
            {"offered_fps", trial.offered()},
            {"offered", results.offered},
            {"delivered", results.delivered},
            {"lost", results.lost},
            {"seconds", trial.summary.seconds},
            {"passed", trial.passed},
            {"latency_ns", latency_json(results.latency.quantiles())}};
}

Json row_of(const Throughput& found) {
    Json row = {{"frame_bytes", length_json(found.mix)},
                {"rate_fps", found.frames_per_second()},
                {"mpps", found.frames_per_second() / 1e6},
                {"rate_bps", found.bits_per_second()},
                {"limit", nullptr},
                {"latency_ns", nullptr},
                {"trials", Json::array()}};
    if (found.best) {
        row["limit"] = limit_names[static_cast<std::size_t>(found.limit)];
        row["latency_ns"] =
            latency_json(found.trials[*found.best].summary.results.latency.quantiles());
    }
    for (const Trial& trial : found.trials) row["trials"].push_back(trial_json(trial));
    return row;
}

Throughput find_throughput(const NamedMix& mix, const Rate& first, std::size_t frames_at_once,
                           const SearchSettings& settings, const Measure& measure,
                           const OnProgress& report_progress) {
    Throughput found;
    found.mix = mix;
    const auto try_at = [&](const Rate& rate) {
        auto trial = measure(rate);
        if (!trial) return false;
        if (const auto asked = frames_a_second(rate, mix.frames)) {
            trial->asked = *asked * static_cast<double>(frames_at_once);
        }
        trial->passed = passes(trial->summary.results, settings.accepted_loss);
        if (trial->passed) {
            // Each trial that passes has a higher requested rate than the one before, but may have
            // a lower delivered rate.
            found.limit = limit_above(*trial, found.trials.empty());
            if (!found.best || trial->delivered() > found.frames_per_second()) {
                found.best = found.trials.size();
            }
        }
        found.trials.push_back(std::move(*trial));
        report_progress(found);
        return true;
    };
    if (!try_at(first)) return found;
    Search search(found.trials[0].fastest_sender, found.trials[0].passed, settings.resolution);
    while (const auto rate = search.next()) {
        if (!try_at(Rate::frames(std::max(std::llround(*rate), 1LL)))) return found;
        search.record(found.trials.back().passed);
    }
    found.complete = true;
    return found;
}

double Throughput::frames_per_second() const { return best ? trials[*best].delivered() : 0; }

double Throughput::bits_per_second() const {
    if (!best) return 0;
    const Summary& summary = trials[*best].summary;
    const uint64_t beside = summary.results.delivered * Pacer::preamble_and_gap;
    return static_cast<double>(8 * (summary.results.octets_delivered + beside)) / summary.seconds;
}

std::string progress_text(const Throughput& found) {
    const Trial& trial = found.trials.back();
    const Results& results = trial.summary.results;
    std::string text =
        fmt::format("{} octets, trial {} at {}: offered {}, lost {} of {}: {}", found.mix.name,
                    found.trials.size(), trial.asked ? cli::show_per_second(*trial.asked) : "max",
                    cli::show_per_second(trial.offered()), cli::show_count(results.lost),
                    cli::show_count(results.offered), trial.passed ? "passed" : "failed");
    if (trial.asked && trial.held_back()) text += "; the senders could not send faster";
    return text;
}

Json to_json(std::size_t ports, uint32_t addresses, const SearchSettings& settings,
             const std::vector<Throughput>& found) {
    Json rows = Json::array();
    for (const Throughput& one : found) rows.push_back(row_of(one));
    return {{"ports", ports},
            {"addresses", addresses},
            {"accepted_loss_percent", settings.accepted_loss * 100},
            {"resolution_percent", settings.resolution * 100},
            {"throughput", rows}};
}

std::string to_text(const SearchSettings& settings, const std::vector<Throughput>& found) {
    using cli::Format;
    static constexpr std::array<cli::Column, 8> columns = {{
        {"octets", "name", Format::text},
        {"frames", "rate_fps", Format::per_second},
        {"on the wire", "rate_bps", Format::rate},
        {"p50", "latency_ns/p50", Format::nanos},
        {"p99", "latency_ns/p99", Format::nanos},
        {"max", "latency_ns/max", Format::nanos},
        {"limit", "limit", Format::text},
        {"trials", "count", Format::number},
    }};
    Json rows = Json::array();
    bool held_back = false;
    for (const Throughput& one : found) {
        Json row = row_of(one);
        row["name"] = one.mix.name;
        row["count"] = one.trials.size();
        rows.push_back(row);
        held_back |= one.best && one.limit == Limit::senders;
    }
    std::string text = cli::render_table(rows, columns);
    text += fmt::format("\nfastest rate with at most {:g} % lost, to {:g} % of the first rate\n",
                        settings.accepted_loss * 100, settings.resolution * 100);
    if (held_back) {
        text +=
            "limit `senders`: the senders could not send faster, because of their devices,\n"
            "pauses, or the generator itself; the tested device may pass more\n";
    }
    return text;
}

}  // namespace sluice::gen
