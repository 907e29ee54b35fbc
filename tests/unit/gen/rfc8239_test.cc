#include "tools/gen/benchmarks/rfc8239.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tools/gen/benchmarks/rfc8239_report.h"

namespace sluice::gen {
namespace {

const NamedMix of_64{"64", FrameMix::fixed(64)};
const auto nobody_listens = [](const std::string&) {};

// The device under test: the rate and buffer of each output, in frames; a device that blocks loses
// at every output as much as at the worst.
struct Device {
    double forwards = 1'000'000;
    double holds = 5'000;
    bool blocks = false;
    std::vector<std::vector<Stream>> trials;
    std::size_t breaks_off_after = ~std::size_t{0};

    static double seconds_of(const Stream& stream, Nanos duration) {
        const double most = static_cast<double>(duration.count()) / 1e9;
        const auto rate = static_cast<double>(stream.sender.rate.value);
        if (stream.sender.frames == 0) return most;
        return std::min(most, static_cast<double>(stream.sender.frames) / rate);
    }
    // Returns the frames lost at each output.
    [[nodiscard]] std::map<PortIndex, double> losses(const std::vector<Stream>& streams,
                                                     Nanos duration) const {
        std::map<PortIndex, double> arrived;
        std::map<PortIndex, double> time;
        for (const Stream& stream : streams) {
            const PortIndex to = stream.sender.pattern.only_to.value();
            const double seconds = seconds_of(stream, duration);
            arrived[to] += seconds * static_cast<double>(stream.sender.rate.value);
            time[to] = std::max(time[to], seconds);
        }
        std::map<PortIndex, double> share;
        double worst = 0;
        for (const auto& [to, frames] : arrived) {
            share[to] = std::max(frames - forwards * time[to] - holds, 0.0) / frames;
            worst = std::max(worst, share[to]);
        }
        for (auto& [to, lost] : share) lost = blocks ? worst : lost;
        return share;
    }

    std::optional<Trial> run(const std::vector<Stream>& streams, Nanos duration) {
        if (trials.size() == breaks_off_after) return {};
        trials.push_back(streams);
        const auto shares = losses(streams, duration);
        Trial trial;
        Results& results = trial.summary.results;
        for (std::size_t n = 0; n < streams.size(); ++n) {
            const SenderSettings& sender = streams[n].sender;
            FlowResult flow;
            flow.stream = n;
            flow.offered = static_cast<uint64_t>(seconds_of(streams[n], duration) *
                                                 static_cast<double>(sender.rate.value));
            flow.delivered =
                flow.offered - static_cast<uint64_t>(shares.at(sender.pattern.only_to.value()) *
                                                     static_cast<double>(flow.offered));
            flow.latency.p99 = 1'000 * (n + 1);
            results.offered += flow.offered;
            results.delivered += flow.delivered;
            results.lost += flow.lost();
            results.flows.push_back(flow);
        }
        return trial;
    }
};

Rfc8239Settings settings(PortIndex ports) {
    Rfc8239Settings settings;
    settings.sender.pattern.ports = ports;
    settings.rate = Rate::frames(1'000'000);
    settings.trial = Nanos(2'000'000'000);
    settings.bursts = 3;
    return settings;
}

Rfc8239 run(Device& device, const Rfc8239Settings& settings) {
    return run_rfc8239(
        of_64, settings,
        [&](const std::vector<Stream>& streams, Nanos duration) {
            return device.run(streams, duration);
        },
        nobody_listens);
}

TEST(Rfc8239, FindsWhatIsHeldBeyondWhatThePortSends) {
    Device device;
    const Rfc8239 found = run(device, settings(4));
    ASSERT_TRUE(found.complete);
    ASSERT_EQ(found.buffering.size(), 2U);
    EXPECT_EQ(found.buffering[0].senders, 2U);
    EXPECT_EQ(found.buffering[1].senders, 3U);
    for (const Buffering& one : found.buffering) {
        EXPECT_TRUE(one.is_bounded);
        EXPECT_NEAR(one.frames, 5'000, 25) << one.senders;
    }
    // The first trial: the whole rate, and a hundredth of it beside.
    const std::vector<Stream>& first = device.trials.front();
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[0].sender.rate.value, 1'000'000);
    EXPECT_EQ(first[1].sender.rate.value, 10'000);
    EXPECT_EQ(first[0].sender.frames, 2'000'000U);
    EXPECT_EQ(first[1].sender.frames, 20'000U);
    for (const Stream& stream : first) EXPECT_EQ(stream.sender.pattern.only_to, 3);
}

TEST(Rfc8239, HasNoBoundWhereTheOutputIsFasterThanSaid) {
    Device device;
    device.forwards = 5'000'000;
    const Rfc8239 found = run(device, settings(3));
    ASSERT_EQ(found.buffering.size(), 1U) << "all others are the two";
    EXPECT_FALSE(found.buffering[0].is_bounded);
    EXPECT_EQ(found.buffering[0].frames, 20'000);
    ASSERT_TRUE(found.microburst);
    EXPECT_FALSE(found.microburst->is_bounded);
    EXPECT_EQ(found.microburst->longest, std::vector<double>{2'000'000}) << "searched once";
    EXPECT_TRUE(found.blocking.empty()) << "there is no fourth port";
    const Rfc8239Report report{settings(3), {found}};
    EXPECT_NE(report.text().find("above 20000"), std::string::npos) << report.text();
    EXPECT_FALSE(report.json()["rfc8239"][0]["buffering"][0]["bounded"].get<bool>());
}

TEST(Rfc8239, FindsTheLongestBurstOfAllOthers) {
    Device device;
    const Rfc8239 found = run(device, settings(4));
    ASSERT_TRUE(found.microburst && found.microburst->is_bounded);
    EXPECT_EQ(found.microburst->senders, 3U);
    EXPECT_EQ(found.microburst->longest.size(), 3U);
    // Three bring 3 n in the time of n, of which n leave.
    EXPECT_NEAR(found.microburst->mean(), 2'500, 1);
}

TEST(Rfc8239, LetsEachPortBeTheOneWithRoom) {
    Device device;
    const Rfc8239 found = run(device, settings(8));
    ASSERT_EQ(found.blocking.size(), 4U);
    std::set<PortIndex> with_room;
    for (const auto& trial : device.trials) {
        if (trial.size() != 6) continue;
        for (const std::size_t group : {std::size_t{0}, std::size_t{3}}) {
            with_room.insert(trial[group].sender.pattern.only_to.value());
            EXPECT_EQ(trial[group].sender.rate.value, 500'000);
            EXPECT_EQ(trial[group + 2].sender.rate.value, 1'000'000);
            EXPECT_EQ(trial[group + 1].sender.pattern.only_to,
                      trial[group + 2].sender.pattern.only_to);
        }
    }
    EXPECT_EQ(with_room.size(), 8U);
    for (const Blocking& one : found.blocking) {
        EXPECT_EQ(one.victim_offered, 2'000'000U);
        EXPECT_EQ(one.victim_lost, 0U);
        EXPECT_NEAR(static_cast<double>(one.congested_lost), 2 * 995'000, 10);
        EXPECT_EQ(one.victim_latency.p99, 4'000U) << "the worst of both groups";
    }
}

TEST(Rfc8239, HasALineOfCsvForEachFigure) {
    Device device;
    const Rfc8239Report report{settings(4), {run(device, settings(4))}};
    const std::string csv = report.csv();
    const auto has = [&](const std::string& line) {
        return ('\n' + csv).find('\n' + line + '\n') != std::string::npos;
    };
    EXPECT_TRUE(has("frame_bytes,test,senders,shift,quantity,value")) << csv;
    EXPECT_TRUE(has("64,buffering,3,,bounded,true")) << csv;
    EXPECT_TRUE(has("64,microburst,3,,searches,3")) << csv;
    EXPECT_TRUE(has("64,blocking,,3,victim_offered,1000000")) << csv;
    EXPECT_TRUE(has("64,blocking,,0,victim_latency_ns.p99,1000")) << csv;
}

TEST(Rfc8239, SeesADeviceThatBlocks) {
    Device device;
    device.blocks = true;
    const Rfc8239 found = run(device, settings(4));
    for (const Blocking& one : found.blocking) {
        EXPECT_NEAR(static_cast<double>(one.victim_lost), 331'667, 10);
    }
}

TEST(Rfc8239, ReportsWhatItHasWhereItIsBrokenOff) {
    Device device;
    device.breaks_off_after = 1;
    const Rfc8239 found = run(device, settings(4));
    EXPECT_FALSE(found.complete);
    const Rfc8239Report report{settings(4), {found}};
    EXPECT_FALSE(report.whole());
    EXPECT_TRUE(report.json()["rfc8239"][0]["microburst"].is_null());
    EXPECT_EQ(report.text(), "");
}

}  // namespace
}  // namespace sluice::gen
