// What a shard samples for IPFIX at the end of a poll.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "dataplane/ipfix/queue_sampler.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;

std::vector<uint64_t> last_of(QueueSampler& sampler) {
    std::vector<uint64_t> last;
    sampler.take([&](std::span<const uint64_t> words) { last.assign(words.begin(), words.end()); });
    return last;
}

// Port 1 is slow: of its priority 2 most of a burst is dropped, priority 3 is lossless.
Settings slow(uint8_t workers) {
    Settings settings = test::without_bypass(test::settings_of(2, workers));
    settings.ports[1].rate = BitsPerSecond(1'000'000);
    settings.buffer.size = 32_KiB;
    settings.buffer.alpha_128 = 64;
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = only_priority(3);
        port.pfc.headroom = 0_B;
    }
    return settings;
}

class ShardIpfix : public testing::TestWithParam<uint8_t> {};

TEST_P(ShardIpfix, samples_its_queues_and_groups) {
    const uint8_t workers = GetParam();
    const auto of_output = static_cast<WorkerIndex>(1 % workers);
    test::Rig rig(slow(workers));
    QueueSampler queues(1_us, {.queues = {{1, 3}, {1, 2}}, .groups = {}}, 2, 64);
    QueueSampler groups(1_us, {.queues = {}, .groups = {{0, 3}}}, 2, 64);
    // One worker samples both; with two workers each samples its own.
    QueueSampler both(1_us, {.queues = {{1, 3}, {1, 2}}, .groups = {{0, 3}}}, 2, 64);
    rig.dataplane.sampler_slot(0).give(workers == 1 ? &both : &groups);
    if (workers == 2) rig.dataplane.sampler_slot(of_output).give(&queues);
    rig.poll();
    test::FrameSpec spec{.to = test::station(1), .tag = test::Tag{.pcp = 2}, .length = 1000};
    rig.receive(0, "abcdefghijklmnopqrstuvwxyz", spec);
    spec.tag = test::Tag{.pcp = 3};
    rig.receive(0, "ABCDEFGHIJKLMNOP", spec);
    for (int n = 0; n < 20; ++n, rig.now += 1_us) rig.poll();

    std::vector<uint64_t> last = last_of(workers == 1 ? both : queues);
    if (workers == 2) {
        const std::vector<uint64_t> of_groups = last_of(groups);
        ASSERT_EQ(of_groups.size(), 3U);
        last.insert(last.end(), of_groups.begin() + 1, of_groups.end());
    }
    ASSERT_EQ(last.size(), 11U);
    const Ingress& from = std::as_const(rig.dataplane).ingress(0);
    for (std::size_t queue = 0; queue < 2; ++queue) {
        const QueueKey path{1, static_cast<Priority>(queue == 0 ? 3 : 2)};
        const EgressQueue& egress = std::as_const(rig.dataplane).egress(1).queue(path.priority);
        const uint64_t* const of = &last[1 + 4 * queue];
        EXPECT_EQ(of[1], from.dropped(path));
        EXPECT_EQ(of[2], from.marked(path));
        EXPECT_EQ(of[3], static_cast<uint64_t>(
                             (from.voq(1, path.priority).bytes() + egress.bytes()).count()));
    }
    EXPECT_EQ(last[2], 0U);
    EXPECT_GT(last[4], 0U);
    EXPECT_GT(last[6], 10U) << "drops of priority 2";
    EXPECT_EQ(last[9], static_cast<uint64_t>(from.group(3).used().count()));
    EXPECT_GT(last[9], 0U);
    rig.dataplane.sampler_slot(0).give(nullptr);
    if (workers == 2) rig.dataplane.sampler_slot(of_output).give(nullptr);
    rig.poll();
    EXPECT_EQ(rig.dataplane.sampler_slot(0).taken(), nullptr);
    rig.flush();
}

INSTANTIATE_TEST_SUITE_P(WithWorkers, ShardIpfix, testing::Values(1, 2));

}  // namespace
}  // namespace sluice
