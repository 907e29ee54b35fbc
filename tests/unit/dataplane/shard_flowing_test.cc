// Priorities that flow: whose device takes all, and for how long.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/support/lossless.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::Rig;
using test::settings_of;
using test::to;

const std::string burst(max_burst, 'a');

// Frames that went from port 0 to port 1 past the VOQs.
uint64_t bypassed(const Rig& rig) { return rig.dataplane.ingress(0).bypassed({1, 3}); }

constexpr std::size_t longest = 9216;
test::FrameSpec long_frame(unsigned port, uint8_t priority = 3) {
    test::FrameSpec spec = to(port, priority);
    spec.length = longest;
    return spec;
}
Settings with_long_frames(std::size_t ports) {
    Settings settings = settings_of(ports);
    for (PortSettings& port : settings.ports) port.max_frame = Bytes(longest);
    settings.fabric.quantum = Bytes(longest);
    return settings;
}

TEST(Flowing, WhereADeviceTakesAllABurstOfTheLongestFramesFindsRoom) {
    Rig rig(with_long_frames(2));
    rig.receive(0, "a", long_frame(1));
    rig.poll();
    rig.receive(0, burst, long_frame(1));
    EXPECT_EQ(bypassed(rig), 1 + burst.size());
    rig.poll();
    EXPECT_EQ(rig.sent(1), "a" + burst);
    EXPECT_TRUE(rig.at_rest());
}

TEST(Flowing, WhereADeviceRefusedAFrameTwoQuantaFindRoom) {
    Rig rig(with_long_frames(2));
    rig.receive(0, "a", long_frame(1));
    rig.poll();
    rig.receive(0, "b", long_frame(1));
    rig.ports.room[1] = 0;
    rig.poll();
    rig.receive(0, burst, long_frame(1));
    EXPECT_EQ(bypassed(rig), 3U);
    rig.ports.room[1] = SIZE_MAX;
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST(Flowing, WhereAPauseKeptAFrameTwoQuantaFindRoom) {
    Settings settings = with_long_frames(2);
    settings.buffer.size = 256_MiB;
    Rig rig(settings);
    rig.receive(0, "a", long_frame(1));
    rig.poll();
    rig.dataplane.shard_of(PortIndex{1}).block(1, test::three);
    rig.receive(0, "b", long_frame(1));
    rig.poll();
    rig.receive(0, burst, long_frame(1));
    EXPECT_EQ(bypassed(rig), 3U);
    rig.dataplane.shard_of(PortIndex{1}).block(1, 0);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST(Flowing, AShapedPortHasTwoQuanta) {
    Settings settings = with_long_frames(2);
    settings.ports[1].rate = BitsPerSecond(1'000'000'000);
    Rig rig(settings);
    rig.receive(0, "a", long_frame(1));
    rig.poll();
    rig.now += Nanos(1'000'000'000);
    rig.receive(0, burst, long_frame(1));
    EXPECT_EQ(bypassed(rig), 3U);
}

// Priority 7 fills its own queue, and its other frames wait in VOQs: meanwhile at most one egress
// queue of priority 0 leaves (egress.h).
TEST(Flowing, AHighPriorityStandsBehindOneEgressQueueOfALowerOne) {
    constexpr PortIndex output = 5;
    Settings settings = with_long_frames(output + 1);
    settings.buffer.size = 256_MiB;
    Rig rig(settings);
    const auto arrive = [&](std::size_t frames) {
        for (PortIndex input = 0; input < output; ++input) {
            test::FrameSpec spec = to(output, input == 0 ? 0 : 7, input);
            spec.length = longest;
            rig.ports.arrive(input, std::vector<test::Octets>(frames, octets_of(spec)),
                             std::string(frames, input == 0 ? 'l' : 'h'));
        }
        rig.poll();
    };
    arrive(1);  // so that both flow
    rig.ports.forget_departures(output);
    arrive(max_burst);
    const std::string sent = rig.sent(output);
    ASSERT_EQ(sent.size(), output * max_burst);
    const auto low_before = std::ranges::count(sent.substr(0, sent.rfind('h')), 'l');
    EXPECT_LE(low_before, static_cast<std::ptrdiff_t>(EgressQueue::capacity));
    EXPECT_EQ(sent.substr(0, max_burst), std::string(max_burst, 'h'));
    EXPECT_TRUE(rig.at_rest());
}

// Also while priorities take turns at the port.
TEST(Flowing, WithinAPollAllOfItLeaves) {
    Settings settings = with_long_frames(4);
    settings.ports[3].scheduler.discipline.fill(Discipline::dwrr);
    Rig rig(settings);
    for (int round = 0; round < 3; ++round) {
        for (PortIndex input = 0; input < 3; ++input) {
            for (const uint8_t priority : std::to_array<uint8_t>({0, 5})) {
                test::FrameSpec spec = to(3, priority, input);
                spec.length = longest;
                rig.ports.arrive(input, std::vector<test::Octets>(max_burst / 2, octets_of(spec)));
            }
        }
        rig.poll();
        EXPECT_TRUE(rig.at_rest()) << round;
    }
}

}  // namespace
}  // namespace sluice
