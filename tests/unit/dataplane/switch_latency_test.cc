// How long frames are in the switch, as a schedule of polls.
#include <gtest/gtest.h>

#include "dataplane/latency/latency.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::Rig;
using test::settings_of;
using test::station;

Settings timed(std::size_t ports, uint8_t workers = 1, uint32_t one_in = 1) {
    Settings settings = settings_of(ports, workers);
    settings.latency_one_in = one_in;
    return settings;
}

// All waits of a priority, in ns, as they add up over workers.
struct Waits {
    Waits(const Rig& rig, Priority priority) {
        for (WorkerIndex worker = 0; worker < rig.dataplane.worker_count(); ++worker) {
            const WaitHistogram& waits = rig.dataplane.latency(worker).waits();
            for (std::size_t n = 0; n < WaitHistogram::buckets; ++n) {
                frames += waits.frames(priority, n);
            }
            sum += waits.sum(priority);
            longest = std::max(longest, waits.longest(priority));
        }
    }
    uint64_t frames = 0;
    uint64_t sum = 0;
    uint64_t longest = 0;
};

TEST(SwitchLatency, is_from_the_poll_that_received_to_the_end_of_the_one_that_sent) {
    Rig rig(timed(2));
    rig.receive(0, "abc", {.to = station(1), .tag = test::Tag{.pcp = 3}});
    rig.poll();
    EXPECT_EQ(rig.sent(1), "abc");
    EXPECT_EQ(Waits(rig, 3).frames, 0U);  // the poll has not ended yet
    rig.now += 2_us;
    rig.poll();
    EXPECT_EQ(Waits(rig, 3).frames, 3U);
    EXPECT_EQ(Waits(rig, 3).sum, 6000U);
    EXPECT_EQ(Waits(rig, 0).frames, 0U);
}

TEST(SwitchLatency, has_what_frames_waited_while_the_device_refused) {
    Rig rig(timed(2));
    rig.receive(0, "ab", {.to = station(1), .tag = test::Tag{.pcp = 3}});
    rig.slot();
    EXPECT_EQ(rig.transmit(1, 1), 1U);
    rig.housekeep();
    rig.now += 1_ms;
    rig.poll();
    EXPECT_EQ(rig.sent(1), "ab");
    rig.now += 1_ms;
    rig.poll();
    EXPECT_EQ(Waits(rig, 3).frames, 2U);
    EXPECT_EQ(Waits(rig, 3).sum, 3'000'000U);
    EXPECT_EQ(Waits(rig, 3).longest, 2'000'000U);
}

TEST(SwitchLatency, of_what_takes_a_voq_as_well) {
    Rig rig(test::without_bypass(timed(2)));
    rig.receive(0, "a", {.to = station(1)});
    rig.poll();
    rig.now += 1_us;
    rig.poll();
    EXPECT_EQ(Waits(rig, 0).frames, 1U);
}

TEST(SwitchLatency, is_counted_by_the_worker_that_sends) {
    Rig rig(timed(2, 2));
    rig.receive(0, "abc", {.to = station(1)});
    for (int poll = 0; poll < 8; ++poll) {
        rig.poll();
        rig.now += 1_us;
    }
    EXPECT_EQ(rig.sent(1), "abc");
    EXPECT_EQ(Waits(rig, 0).frames, 3U);
    EXPECT_EQ(rig.dataplane.latency(0).waits().sum(0), 0U);
    EXPECT_EQ(rig.dataplane.latency(1).waits().sum(0), Waits(rig, 0).sum);
}

TEST(SwitchLatency, leaves_out_floods_and_forgets_what_is_dropped) {
    Settings settings = timed(3);
    settings.buffer.size = 64_KiB;
    settings.buffer.alpha_128 = 1;
    Rig rig(settings);
    rig.receive(0, "f", {.to = MacAddress{0x0200'0000'9999}});
    rig.poll();
    for (int burst = 0; burst < 8; ++burst) {
        rig.receive(0, std::string(max_burst, 'x'), {.to = station(1)});
    }
    EXPECT_GT(rig.drops(0, Drop::over_threshold), 100U);
    const uint64_t sent = 8 * max_burst - rig.drops(0, Drop::over_threshold);
    rig.run();
    rig.now += 1_us;
    rig.poll();
    EXPECT_EQ(Waits(rig, 0).frames + rig.dataplane.latency(0).lost(), sent);
    EXPECT_GT(Waits(rig, 0).frames, 0U);
}

TEST(SwitchLatency, of_a_frame_with_a_mirror_is_the_frames_own) {
    Settings settings = timed(3);
    settings.mirrors = {{.from = only(PortIndex{0}), .to = 2}};
    Rig rig(settings);
    rig.receive(0, "ab", {.to = station(1)});
    rig.slot();
    rig.slot();
    EXPECT_EQ(rig.transmit(2), 2U) << "the mirror is the first";
    rig.housekeep();
    rig.now += 1_ms;
    rig.poll();
    rig.poll();
    EXPECT_EQ(rig.sent(1), "ab");
    EXPECT_EQ(Waits(rig, 0).frames, 2U);
    EXPECT_EQ(Waits(rig, 0).sum, 2'000'000U);
    EXPECT_EQ(rig.dataplane.latency(0).lost(), 0U);
}

// At most some dozen frames wait at a time: places fill up only if times are never forgotten.
TEST(SwitchLatency, what_is_flushed_or_gets_no_buffer_leaves_no_time_behind) {
    Rig rig(timed(2, 2));
    for (int round = 0; round < 200; ++round) {
        rig.receive(0, std::string(32, 'x'), {.to = station(1)});
        if (round % 2 == 0) rig.slot();
        rig.dataplane.set_link(1, false);
        rig.run();
        rig.dataplane.set_link(1, true);
        rig.housekeep();
        ASSERT_TRUE(rig.at_rest());
    }
    EXPECT_EQ(rig.dataplane.latency(0).lost() + rig.dataplane.latency(1).lost(), 0U);
    EXPECT_EQ(Waits(rig, 0).frames, 0U);
}

// Two workers; the time of a frame that nobody saw leave is still at the first one.
TEST(SwitchLatency, a_buffer_that_another_worker_receives_has_come_then) {
    std::array<Latency*, 2> all{};
    const auto first = std::make_unique<Latency>(1, all);
    const auto second = std::make_unique<Latency>(2, all);
    all = {first.get(), second.get()};
    std::array<Frame, 1> burst{};
    burst[0].handle = &burst;
    const std::array<PortSet, 1> output{only(PortIndex{1})};
    for (Latency* worker : all) worker->configure(1);
    first->choose(burst, output, 1_s);
    second->choose(burst, output, 3_s);
    first->left(burst);
    first->end_poll(3_s + 1_us);
    first->end_poll(3_s + 2_us);
    EXPECT_EQ(first->waits().longest(0), 2000U);
    first->left(burst);
    EXPECT_EQ(first->lost(), 1U) << "neither has it any more";
}

TEST(SwitchLatency, is_of_one_frame_in_so_many_and_can_be_turned_off_and_on) {
    Rig rig(timed(2, 1, 10));
    const auto pass = [&] {
        for (int burst = 0; burst < 100; ++burst) {
            rig.receive(0, std::string(32, 'x'), {.to = station(1)});
            rig.run();
            rig.now += 1_us;
        }
        rig.poll();
        return Waits(rig, 0).frames;
    };
    const uint64_t first = pass();
    EXPECT_NEAR(static_cast<double>(first), 320, 60);
    rig.adopt(timed(2, 1, 0));
    EXPECT_EQ(pass(), first);
    rig.adopt(timed(2, 1, 1));
    EXPECT_EQ(pass(), first + 3200);
}

TEST(SwitchLatency, clears_the_longest_with_the_watermarks) {
    Rig rig(timed(2));
    rig.receive(0, "a", {.to = station(1)});
    rig.poll();
    rig.now += 5_us;
    rig.poll();
    EXPECT_EQ(Waits(rig, 0).longest, 5000U);
    rig.dataplane.clear_watermarks();
    rig.poll();
    EXPECT_EQ(Waits(rig, 0).longest, 0U);
    EXPECT_EQ(Waits(rig, 0).frames, 1U);
}

}  // namespace
}  // namespace sluice
