// What those who look on learn of bursts on their way in: flow samples, beside captures.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "dataplane/capture/capture_ring.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::hex;
using test::Rig;
using test::settings_of;
using test::station;

struct Sample {
    FlowRecord record;
    test::Octets octets;
};

std::vector<Sample> samples(Rig& rig) {
    std::vector<Sample> taken;
    for (WorkerIndex worker = 0; worker < rig.settings.workers; ++worker) {
        rig.dataplane.sampling(worker).take(
            [&](const FlowRecord& record, std::span<const uint8_t> octets) {
                taken.push_back({record, {octets.begin(), octets.end()}});
            });
    }
    return taken;
}

// Every frame that port 0 receives.
Settings sampled(std::size_t ports, uint8_t workers = 1) {
    Settings settings = settings_of(ports, workers);
    settings.ports[0].sflow_one_in = 1;
    return settings;
}

TEST(FlowSamples, AreOfThePortsThatAreToBeSampled) {
    Rig rig(sampled(3));
    rig.receive(0, "ab", {.to = station(1)});
    rig.receive(2, "c", {.to = station(1)});
    rig.run();
    const auto taken = samples(rig);
    ASSERT_EQ(taken.size(), 2U);
    EXPECT_EQ(taken[1].record.outputs, only(1));
    EXPECT_EQ(taken[1].record.input.number, 0);
    EXPECT_EQ(taken[1].record.pool, 2U);
    EXPECT_EQ(taken[1].octets, rig.buffer(1).octets);
    EXPECT_TRUE(rig.at_rest());
}

TEST(FlowSamples, OfAFloodNameAllOutputs) {
    Rig rig(sampled(4));
    rig.receive(0, "a", {.to = {0xFFFF'FFFF'FFFF}});
    rig.run();
    EXPECT_EQ(samples(rig).at(0).record.outputs, only(1) | only(2) | only(3));
}

TEST(FlowSamples, NameTheReasonOfEachDropOnTheWayIn) {
    Rig rig(sampled(2));
    rig.receive(0, {hex("0200"), hex("020000000101 010000000100 88b5")});
    rig.receive(0, "a", {.to = station(0)});
    rig.receive(0, "b", {.to = {0x0180'C200'0003}});
    const auto taken = samples(rig);
    ASSERT_EQ(taken.size(), 4U);
    const std::array reasons = {Drop::runt, Drop::group_source, Drop::same_port,
                                Drop::reserved_address};
    for (std::size_t n = 0; n < taken.size(); ++n) {
        EXPECT_EQ(taken[n].record.reason, reasons[n]) << n;
        EXPECT_EQ(taken[n].record.outputs, PortSet{0}) << n;
    }
    EXPECT_TRUE(rig.at_rest());
}

TEST(FlowSamples, OfAFrameThatItsQueueRefusesSayThat) {
    Settings settings = sampled(3);
    settings.buffer.size = 64_KiB;
    settings.buffer.alpha_128 = 32;
    Rig rig(settings);
    for (int n = 0; n < 30; ++n) rig.receive(0, "a", {.to = station(1), .length = 1000});
    const uint64_t refused = rig.drops(0, Drop::over_threshold);
    ASSERT_GT(refused, 0U);
    uint64_t captured_refusals = 0;
    for (const Sample& sample : samples(rig)) {
        const bool is_refused = sample.record.reason == Drop::over_threshold;
        EXPECT_NE(is_refused, sample.record.outputs == only(1));
        captured_refusals += is_refused ? 1 : 0;
    }
    EXPECT_EQ(captured_refusals, refused);
    EXPECT_LT(captured_refusals, 30U);
    // The copy of a flood for the other output is sent.
    rig.receive(0, "b", {.to = {0xFFFF'FFFF'FFFF}, .length = 1000});
    EXPECT_EQ(samples(rig).at(0).record.outputs, only(2));
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST(FlowSamples, OfAFrameTooLongForSomeOutputsLeaveThoseOut) {
    Settings settings = sampled(3);
    settings.ports[0].max_frame = settings.ports[1].max_frame = 9018_B;
    Rig rig(settings);
    rig.receive(0, "a", {.to = {0xFFFF'FFFF'FFFF}, .length = 4000});
    rig.receive(0, "b", {.to = station(2), .length = 4000});
    rig.run();
    const auto taken = samples(rig);
    EXPECT_EQ(taken.at(0).record.outputs, only(1));
    EXPECT_EQ(taken.at(1).record.outputs, PortSet{0});
    EXPECT_EQ(taken.at(1).record.reason, Drop::mtu_exceeded);
}

TEST(FlowSamples, HaveTheTagThatWillBeTakenOff) {
    Settings settings = sampled(2);
    settings.vlan.filtering = true;
    settings.vlan.members[7] = only(0) | only(1);
    settings.vlan.untagged[7] = only(1);
    settings.ports[0].tagging.aware = settings.ports[1].tagging.aware = true;
    Rig rig(settings);
    rig.receive(0, "a",
                {.to = {0xFFFF'FFFF'FFFF}, .tag = test::Tag{.vlan = 7, .pcp = 5}, .length = 100});
    rig.run();
    EXPECT_EQ(rig.departures(1).at(0).octets().size() + 4, rig.buffer(0).octets.size());
    const auto taken = samples(rig);
    EXPECT_EQ(taken.at(0).record.vlan, 7);
    EXPECT_EQ(taken.at(0).record.length, rig.buffer(0).octets.size());
    EXPECT_EQ(taken.at(0).octets, rig.buffer(0).octets);
}

TEST(FlowSamples, AreOfTheWorkerThatReceives) {
    Rig rig(sampled(2, 2));
    rig.receive(0, "a", {.to = station(1)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "a");
    std::size_t count = 0;
    rig.dataplane.sampling(1).take([&](const FlowRecord&, auto) { ++count; });
    EXPECT_EQ(count, 0U);
    EXPECT_EQ(samples(rig).at(0).record.outputs, only(1));
}

TEST(FlowSamples, BeginAndEndWithSettings) {
    Rig rig(settings_of(2));
    const auto counted = [&] {
        rig.receive(0, "abc", {.to = station(1)});
        rig.run();
        return samples(rig).size();
    };
    EXPECT_EQ(counted(), 0U);
    rig.adopt(sampled(2));
    EXPECT_EQ(counted(), 3U);
    rig.adopt(settings_of(2));
    EXPECT_EQ(counted(), 0U);
}

TEST(FlowSamples, AndCapturesSeeTheSameDrop) {
    Rig rig(sampled(2));
    const auto ring = std::make_unique<CaptureRing>(CaptureRing::Wanted{.dropped = only(0)});
    CapturePoints& points = rig.dataplane.capture_points(0);
    ASSERT_TRUE(points.attach(*ring));
    rig.housekeep();
    rig.receive(0, "a", {.to = station(0)});
    EXPECT_EQ(samples(rig).at(0).record.reason, Drop::same_port);
    std::size_t captured = 0;
    ring->take([&](const CaptureRecord& record, auto) {
        EXPECT_EQ(record.reason, Drop::same_port);
        ++captured;
    });
    EXPECT_EQ(captured, 1U);
}

}  // namespace
}  // namespace sluice
