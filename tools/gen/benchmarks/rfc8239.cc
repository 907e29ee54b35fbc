#include "tools/gen/benchmarks/rfc8239.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/common/quantities.h"
#include "tools/gen/benchmarks/longest.h"

namespace sluice::gen {
namespace {

constexpr PortIndex group_size = 4;
// Makes the search bisect to a single frame: a buffer is small compared with the longest burst.
constexpr double to_a_frame = 0;

Rate share_of(const Rate& rate, double share) {
    const auto value = std::llround(static_cast<double>(rate.value) * share);
    return {rate.unit, std::max(value, 1LL)};
}

uint64_t whole_frames(double frames) {
    return static_cast<uint64_t>(std::max(std::llround(frames), 1LL));
}

bool passed(const Trial& trial) {
    const Results& results = trial.summary.results;
    return results.delivered > 0 && results.lost == 0;
}

// DataCentreTests: the tests of one mix, on one device.
class DataCentreTests {
  public:
    DataCentreTests(const NamedMix& mix, const Rfc8239Settings& settings, const RunStreams& run,
                    const Say& say)
        : settings_(settings), run_(run), say_(say) {
        found.mix = mix;
    }

    // Each returns false if the test was interrupted.
    bool buffering();
    bool microburst();
    bool blocking();

    Rfc8239 found;

  private:
    [[nodiscard]] PortIndex ports() const { return settings_.sender.pattern.ports; }
    [[nodiscard]] PortIndex last() const { return static_cast<PortIndex>(ports() - 1); }
    [[nodiscard]] double fps() const {
        return frames_a_second(settings_.rate, found.mix.frames).value();
    }
    [[nodiscard]] double seconds() const {
        return static_cast<double>(settings_.trial.count()) / 1e9;
    }
    // Returns a stream with this share of the rate, and this many frames; 0: no limit.
    [[nodiscard]] Stream stream(PortIndex from, PortIndex to, double share,
                                uint64_t frames = 0) const {
        Stream one{fmt::format("{}-{}", from, to), from, settings_.sender};
        one.sender.pattern.frames = found.mix.frames;
        one.sender.pattern.only_to = to;
        one.sender.pattern.seed += from;
        one.sender.rate = share_of(settings_.rate, share);
        one.sender.frames = frames;
        return one;
    }
    // Tests with one sender for each of `shares`, which sends at that share of the rate to the last
    // port; the sum exceeds the port's rate by `excess`.
    bool buffering_of(const std::vector<double>& shares);
    std::optional<bool> is_held(const std::vector<double>& shares, double excess_frames);
    std::optional<bool> burst_passes(double frames);
    bool blocking_of(unsigned shift);
    void report_progress(std::string_view test, const std::string& what) {
        say_(fmt::format("{} octets, {}: {}", found.mix.name, test, what));
    }

    const Rfc8239Settings& settings_;
    const RunStreams& run_;
    const Say& say_;
};

std::optional<bool> DataCentreTests::is_held(const std::vector<double>& shares,
                                             double excess_frames) {
    // The time until `excess_frames` more frames have arrived than the port can send.
    const double time = excess_frames / (settings_.excess * fps());
    std::vector<Stream> streams;
    for (const double share : shares) {
        const auto from = static_cast<PortIndex>(streams.size());
        streams.push_back(stream(from, last(), share, whole_frames(share * fps() * time)));
    }
    const auto trial = run_(streams, settings_.trial * 10);
    if (!trial) return {};
    report_progress("buffering",
                    fmt::format("{} senders, {:.0f} frames too many: {} lost", shares.size(),
                                excess_frames, cli::show_count(trial->summary.results.lost)));
    return passed(*trial);
}

bool DataCentreTests::buffering_of(const std::vector<double>& shares) {
    const double most = std::max(std::round(settings_.excess * fps() * seconds()), 1.0);
    const auto frames = find_longest(
        most, to_a_frame, [&](double excess_frames) { return is_held(shares, excess_frames); });
    if (!frames) return false;
    found.buffering.push_back({shares.size(), *frames, *frames < most});
    return true;
}

bool DataCentreTests::buffering() {
    const std::size_t others = last();
    const double each = (1 + settings_.excess) / static_cast<double>(others);
    return buffering_of({1.0, settings_.excess}) &&
           (others == 2 || buffering_of(std::vector<double>(others, each)));
}

std::optional<bool> DataCentreTests::burst_passes(double frames) {
    std::vector<Stream> streams;
    for (PortIndex from = 0; from < last(); ++from) {
        streams.push_back(stream(from, last(), 1, whole_frames(frames)));
    }
    const auto trial = run_(streams, settings_.trial * 10);
    if (!trial) return {};
    report_progress("microburst",
                    fmt::format("{:.0f} frames of each of {} senders: {} lost", frames,
                                streams.size(), cli::show_count(trial->summary.results.lost)));
    return passed(*trial);
}

bool DataCentreTests::microburst() {
    Microburst& burst = found.microburst.emplace();
    burst.senders = last();
    const double most = std::max(std::round(fps() * seconds()), 1.0);
    while (burst.longest.size() < settings_.bursts) {
        const auto frames =
            find_longest(most, to_a_frame, [&](double each) { return burst_passes(each); });
        if (!frames) return false;
        burst.longest.push_back(*frames);
        burst.is_bounded |= *frames < most;
        if (!burst.is_bounded) break;
    }
    return true;
}

bool DataCentreTests::blocking_of(unsigned shift) {
    const auto groups = static_cast<PortIndex>(ports() / group_size);
    const auto port = [&](PortIndex group, unsigned role) {
        return static_cast<PortIndex>((group * group_size + role + shift) % (groups * group_size));
    };
    std::vector<Stream> streams;
    for (PortIndex group = 0; group < groups; ++group) {
        streams.push_back(stream(port(group, 0), port(group, 2), 0.5));
        streams.push_back(stream(port(group, 0), port(group, 3), 0.5));
        streams.push_back(stream(port(group, 1), port(group, 3), 1));
    }
    const auto trial = run_(streams, settings_.trial);
    if (!trial) return false;
    Blocking& blocking = found.blocking.emplace_back();
    blocking.shift = shift;
    for (const FlowResult& flow : trial->summary.results.flows) {
        const bool victim = flow.stream.value() % 3 == 0;
        (victim ? blocking.victim_offered : blocking.congested_offered) += flow.offered;
        (victim ? blocking.victim_lost : blocking.congested_lost) += flow.lost();
        if (victim && flow.latency.p99 >= blocking.victim_latency.p99) {
            blocking.victim_latency = flow.latency;
        }
    }
    report_progress(
        "head-of-line blocking",
        fmt::format("roles shifted by {} ports: {} of {} lost at outputs without overload", shift,
                    cli::show_count(blocking.victim_lost),
                    cli::show_count(blocking.victim_offered)));
    return true;
}

bool DataCentreTests::blocking() {
    if (ports() < group_size) return true;
    for (unsigned shift = 0; shift < group_size; ++shift) {
        if (!blocking_of(shift)) return false;
    }
    return true;
}

}  // namespace

double Microburst::mean() const { return mean_of(longest); }

Rfc8239 run_rfc8239(const NamedMix& mix, const Rfc8239Settings& settings, const RunStreams& run,
                    const Say& say) {
    DataCentreTests tests(mix, settings, run, say);
    tests.found.complete = tests.buffering() && tests.microburst() && tests.blocking();
    return std::move(tests.found);
}

}  // namespace sluice::gen
